import type { Document } from "./documents/index.ts";
import type { Expression } from "./expressions/index.ts";
import type { Check } from "./ir/verify.ts";
import type { ErrorValue, Reference, Workflow } from "./ir/workflow.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Program, ResourceReader } from "./program.ts";
import type { Diagnostic, Report } from "./text/diagnostics.ts";
import type { Source, Span } from "./text/source.ts";
import type { SimulatedEnvironment } from "./world.ts";

/** A back end: one place where workflows run. It knows the IR and nothing of the source languages. */
export interface Target<Made = unknown> {
  /** As given to `--target` and `--on`. */
  readonly name: string;
  readonly summary: string;
  /**
   * What `functions` and `events` of the configuration may say for it, under its name; `function` and `event` in its `$defs` have the members of one
   * binding. Absent: nothing.
   */
  readonly bindings?: Schema;
  /** Whether bindings of events are for those too that workflows wait for, and not only for those that they emit. */
  readonly bindsReceivedEvents?: true;
  /** What `targets` of the configuration may say for it, under its name, and `--set`. Absent: nothing. */
  readonly settings?: Schema;
  /** Does the work, once; reports what the target cannot express exactly. Undefined only where an error was reported. */
  generate(program: Program, settings: Settings, report: Report): Made | undefined | Promise<Made | undefined>;
  /** The files of what was made. Pure and total: the same program gives the same files, on any machine. */
  emit(made: Made): readonly OutputFile[];
  /** Loads what executes emitted files; absent when the target cannot run scenarios yet. */
  loadSimulator?(): Promise<Simulator>;
  /** Opens an emitted program on a store, to run it at once and durably; absent when the target has no such form. */
  openEngine?(files: readonly OutputFile[], options: OpenOptions): Promise<Engine>;
  /** How expressions look there; absent when there is no form for one alone. */
  readonly printExpression?: ExpressionPrinter;
  /** Figures of what was made, such as how many states each workflow has. */
  metrics?(made: Made): readonly WorkflowMetric[];
  /** Figures of a run, by how often it has used what (see `Recorder` of its world). Absent: nothing is counted there. */
  runMetrics?(used: (what: string) => number): readonly Metric[];
  /** Commands of its own: `waybill <target> <command>`. */
  readonly commands?: readonly TargetCommand[];
}

/** A JSON Schema, compiled at build time. */
export interface Schema {
  /** Whether a value fits. */
  validate(value: unknown): boolean;
  /** The schema itself, for wording what does not fit. */
  schema(): Json;
}

/** What a target is told besides the program. */
export interface Settings {
  /** What the configuration of a workflow's definition says: the same object for all that have the same configuration. */
  configurationOf(workflow: Workflow): TargetConfiguration;
  /** Gives the texts that configurations refer to. */
  readonly read?: ResourceReader | undefined;
  /**
   * Where paths of modules in a configuration start from: a URL, or a path from the folder that the program is written to. Absent: that
   * folder.
   */
  readonly moduleBase?: ((configuration: Source) => string) | undefined;
  /** Tells what the modules export that configurations bind functions to; absent: they are not looked at. */
  readonly inspectModule?: ModuleInspector | undefined;
  /** Tells what those modules need where they run; absent: nothing is known of that. */
  readonly findDependencies?: DependencyFinder | undefined;
  /** The folder that the program is written to, whole and with `/`: of its names those count that lead there from what the program needs outside of it. */
  readonly folder?: string | undefined;
  /** Looks at a workflow after each rewrite of it; absent: nothing does. */
  readonly verify?: Check | undefined;
}

/** Looks at a module, by its path in the form of the configuration's own path. */
export type ModuleInspector = (path: string) => Promise<ModuleExports>;

/** What a module exports, by names, and whether it may export more than can be seen; or why it cannot be looked at, as the end of a sentence. */
export type ModuleExports =
  | {
      readonly exports: ReadonlyMap<string, "function" | "value" | "type" | "unknown">;
      readonly isOpen: boolean;
    }
  | { readonly reason: string };

/** Looks at what a module needs that a configuration names, by the configuration's own path; paths of what is found start from the configuration's folder. */
export type DependencyFinder = (configuration: string, module: string) => Promise<ModuleDependencies>;

/** What has to be where a module runs, besides Node. */
export interface ModuleDependencies {
  /** The module, the files that it names by relative paths, in several steps, and what says how these are loaded and which packages they import. */
  readonly files: readonly string[];
  /** The folders in which packages are installed for it, and whether their exact versions are told there. */
  readonly installs: readonly { readonly folder: string; readonly isLocked: boolean }[];
}

/** What a configuration says for one target. */
export interface TargetConfiguration {
  /** Where functions are, by their names, and where events go, by those of their definitions; as fits the target's schema. */
  readonly functions: ReadonlyMap<string, Binding>;
  readonly events: ReadonlyMap<string, Binding>;
  /** The target's own settings, as fits its schema. */
  readonly values: JsonObject;
}

/** A configuration that says nothing. */
export const emptyConfiguration: TargetConfiguration = { functions: new Map(), events: new Map(), values: {} };

/** Nothing is set. */
export const noSettings: Settings = { configurationOf: () => emptyConfiguration };

/** What the configuration says of one function or event for one target, as it stands there. */
export interface Binding {
  /** The function or the event. */
  readonly name: Reference;
  readonly value: JsonObject;
  /** Where the target is named. */
  readonly key: Span;
  /** Tells where the parts of `value` stand. */
  readonly document: Document;
}

/** A file to write. */
export interface OutputFile {
  /** Relative to the output folder, with `/`; safe on every file system. */
  readonly path: string;
  readonly text: string;
  /** The id of the workflow that it is made of, whatever else is in the program. Absent: it names all workflows of the program. */
  readonly workflow?: string | undefined;
  /** Where runs go on with the version of a workflow that they began with: the version that the file is the main one of, and all files that it consists of. */
  readonly release?: Release | undefined;
}

/** A version of a workflow, for as long as there may be runs that began with it. */
export interface Release {
  /** Fit to be the name of a folder. */
  readonly version: string;
  /** The files of the program that it imports, in several steps too, and itself; without those that are the same for all versions. */
  readonly files: readonly string[];
}

/** Executes emitted files, locally and on virtual time. What it has loaded it keeps until it is closed. */
export interface Simulator {
  /** One run of one workflow: from the files and nothing else, so that what is tested is what is deployed. */
  run(files: readonly OutputFile[], request: RunRequest): Promise<Outcome>;
  close(): void;
}

/** One run of one workflow. */
export interface RunRequest {
  /** The id of the workflow. */
  readonly workflow: string;
  /** What the run is called with; absent: it is started by events. */
  readonly input?: Json | undefined;
  readonly environment: SimulatedEnvironment;
}

/** How a run ended. A run that never ends, or never starts, is noticed by the world, not told here. */
export type Outcome =
  | { readonly status: "succeeded"; readonly output: Json }
  | {
      readonly status: "failed";
      readonly error: {
        readonly name: string;
        readonly message: string;
        readonly data?: Json | undefined;
        /** Where it comes from, as far as who ran it can tell. */
        readonly origin?: ErrorValue["origin"] | undefined;
      };
    };

/** How an emitted program is opened. */
export interface OpenOptions {
  /** The file of the store; absent: nothing outlives the process. */
  readonly store?: string | undefined;
  /** Where packages are looked for that the program needs: URLs of folders, the first that has one counts. */
  readonly packagesFrom: readonly string[];
  /** Hears of the events that runs emit. */
  emitted(event: Json): void;
  /** Hears of what goes wrong. */
  warn(message: string): void;
}

/** A program that runs here. */
export interface Engine {
  /** Starts a run; with the id of one that there is already it goes on with that one. Gives what the run has begun with. */
  start(workflow: string, input: Json, id: string): Promise<{ readonly workflow: string; readonly input: Json }>;
  /** Takes an event in, in CloudEvents' JSON form; one with an id that came before is nothing new. */
  deliver(event: JsonObject): Promise<void>;
  /** How a run has ended, once it has; rejects with the signal's reason when that is aborted first. */
  ended(id: string, signal: AbortSignal): Promise<RunStatus>;
  /** The events that a run waits for, if it goes on only by one of them; `until` when it would go on without. */
  waitingFor(id: string): { readonly events: readonly string[]; readonly until?: string | undefined } | undefined;
  close(): Promise<void>;
}

/** How a run has ended here; `cancelled` by someone, or `stranded` because its program is not there any more. */
export type RunStatus = Outcome | { readonly status: "cancelled" | "stranded" };

/** Why an engine cannot be opened, such as a store that is in use or a module of the user's that cannot be loaded: nothing that is wrong with the program. */
export class EngineError extends Error {}

/** Something that was measured: `{ name: "states", value: 7 }`. */
export interface Metric {
  /** What was counted, as it stands behind the number: `states`. */
  readonly name: string;
  readonly value: number;
  /** The most that the platform takes. */
  readonly limit?: number | undefined;
}

/** A figure of what a target has made of a workflow, of a state of that, or of a scenario's run of it. */
export interface WorkflowMetric extends Metric {
  /** The id of the workflow. */
  readonly workflow: string;
  readonly state?: string | undefined;
  readonly scenario?: string | undefined;
}

/** A command that only one target has. */
export interface TargetCommand {
  readonly name: string;
  readonly summary: string;
  /** Takes what stands behind the command's name; gives the exit status: 0 fine, 1 problems, 2 wrong usage, 3 a fault of Waybill. */
  run(args: readonly string[], surroundings: CommandContext): Promise<0 | 1 | 2 | 3>;
}

/** What a target's command has to do with. */
export interface CommandContext {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** Writes results. */
  out(text: string): void;
  /** Writes what is said about results. */
  err(text: string): void;
}

/** Writes single expressions as a target has them. */
export interface ExpressionPrinter {
  /** As given to `waybill eval --as`. */
  readonly as: string;
  /** The text of an expression over the document and variables, or why it has no exact form. `span`: where the expression stands. */
  print(expression: Expression, variables: readonly string[], span: Span): Promise<string | Diagnostic>;
}
