import type { Input } from "../compile.ts";
import type { ReadResult } from "../documents/index.ts";
import type { Json } from "../json.ts";
import type { Language } from "../language.ts";
import type { Target } from "../target/contract.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";

/** What the server needs of the machine: files, configurations, and a runner of scenarios. */
export interface ServerHost {
  readonly languages: readonly Language[];
  readonly targets: readonly Target[];
  readonly version: string;
  /** The address of the repository, for links to the pages of diagnostics. */
  readonly home: string;
  /** The names of configuration files. */
  readonly configurationNames: readonly string[];
  /**
   * Reads the program of a definition: the definitions that share its configuration or, without one, its folder.
   * Undefined if the file is not among them. For a configuration, its definitions. `pause` is called before each file.
   */
  readProgram(file: string, folder: WorkspaceFolder, pause?: Input["pause"]): Promise<Input | undefined>;
  /** Reads the configuration of a file, and the scenario files of its project or folder. */
  readProjectFiles(file: string, folder: WorkspaceFolder): Promise<ProjectFiles>;
  /** The JSON Schema of scenario files or configurations. */
  schemaOf(kind: "scenarios" | "configuration"): Json;
  /** Reads a configuration file and returns its diagnostics. */
  checkConfiguration(source: Source, folder: WorkspaceFolder): Promise<readonly Diagnostic[]>;
  /** Reads a module in the workspace folder that a configuration names. */
  readModule(module: string, configuration: Source, folder: WorkspaceFolder): Promise<Source | undefined>;
  /** Runs scenarios on the reference; all of the file if `name` is omitted. */
  runScenarios(file: string, name: string | undefined, folder: WorkspaceFolder): Promise<ScenarioReport>;
}

/** A folder of the editor's workspace, and the files that are open in it. */
export interface WorkspaceFolder {
  /** An absolute path. Paths of sources are relative to it. */
  readonly path: string;
  /** An open file by its absolute path. */
  readonly open: (file: string) => OpenFile | undefined;
  /** The absolute paths of all open files. */
  readonly openPaths: () => readonly string[];
}

/** The files of a project that name parts of its definitions. */
export interface ProjectFiles {
  readonly configuration: Source | undefined;
  readonly scenarios: readonly Source[];
}

/** The unsaved state of a file. */
export interface OpenFile {
  readonly source: Source;
  readonly reading: ReadResult;
}

/** The rendered results of scenarios. */
export interface ScenarioReport {
  readonly isPassed: boolean;
  readonly text: string;
}
