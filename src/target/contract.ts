import type { Document } from "../documents/index.ts";
import type { Expression } from "../expressions/index.ts";
import type { VerifyRewrite } from "../ir/verify.ts";
import type { Program, Reference, Workflow } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";
import type { PassHooks } from "../passes/index.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import type { ResourceReader } from "../text/uris.ts";
import type { Engine, OpenOptions } from "./engine.ts";
import type { Reuse } from "./reuse.ts";
import type { Simulator } from "./simulator.ts";

/** A back end: a platform that runs workflows. It knows the IR and no source language. */
export interface Target<Artifact = unknown> {
  /** The value of `--target` and `--on`. */
  readonly name: string;
  readonly summary: string;
  /**
   * The schema of this target's entries in `functions` and `events` of the configuration: `function` and `event` in its `$defs` describe one binding. If
   * omitted, it takes none.
   */
  readonly bindings?: Schema;
  /** The export of a module that a function's binding names; `trust: types` reads its signature. If omitted, none does. */
  boundExport?(binding: Binding): BoundExport | undefined;
  /** Whether events that workflows wait for can be bound, too, and not only those that they emit. */
  readonly bindsReceivedEvents?: true;
  /** Whether the caller of a run checks its input against the schema, as the platform starts runs with any object. */
  readonly callerChecksInputs?: true;
  /** Whether by its settings only events start runs of a workflow, and callers cannot. If omitted, callers can. */
  startsOnlyByEvents?(workflow: Workflow, settings: TargetSettings): boolean;
  /** Whether the platform ends the runs of a workflow at their limit itself. If omitted, its steps are put in an attempt with a timeout. */
  limitsRuns?(workflow: Workflow, program: Program): boolean;
  /** Whether the simulator derives the problem details of an error from where the platform reports it; see `Workflow.problems`. */
  readonly derivesProblems?: true;
  /** Whether its runtime gives errors their problem details, by the pointers of the steps that raise them. */
  readonly raisesProblems?: true;
  /** Whether attempts compute the problem details that they read from errors as their steps raise them. */
  readonly defersProblems?: true;
  /** The schema of this target's entry in `targets` of the configuration, and of `--set`. If omitted, it takes no settings. */
  readonly settings?: Schema;
  /** Lowers a program; reports what the target cannot express exactly. Returns undefined only after reporting an error. */
  generate(program: Program, settings: Settings, report: Report): Artifact | undefined | Promise<Artifact | undefined>;
  /** The files of an artifact. Pure and total: the same artifact gives the same bytes on any machine. */
  emit(artifact: Artifact): readonly OutputFile[];
  /** Loads the simulator of emitted files; omitted if the target cannot run scenarios. */
  loadSimulator?(): Promise<Simulator>;
  /** Opens an emitted program on a store, to run it here and durably; omitted if the target has no such form. */
  openEngine?(files: readonly OutputFile[], options: OpenOptions): Promise<Engine>;
  /** Prints single expressions; omitted if they have no form of their own. */
  readonly printExpression?: ExpressionPrinter;
  /** Loads the names of the passes that `generate` runs, in order: the values of `--after`. */
  loadPasses?(): Promise<readonly string[]>;
  /** Measures an artifact, such as the number of states of each workflow. */
  metrics?(artifact: Artifact): readonly WorkflowMetric[];
  /** Measures a run by what it used (see `RunRecorder.uses`). If omitted, nothing is counted. */
  runMetrics?(used: (what: string) => number): readonly Metric[];
  /** Commands of this target: `waybill <target> <command>`. */
  readonly commands?: readonly TargetCommand[];
}

/** A JSON Schema, compiled at build time. */
export interface Schema {
  /** Whether a value is valid. */
  validate(value: unknown): boolean;
  /** The schema itself, to explain what is invalid. */
  schema(): Json;
}

/** What a target receives in addition to the program. */
export interface Settings {
  /** The configuration of a workflow's definition: the same object for all workflows that share it. */
  configurationOf(workflow: Workflow): TargetConfiguration;
  /** Whether the files are for the simulator, which may execute less than the platform. */
  readonly simulates?: true | undefined;
  /** Reads files that configurations refer to. */
  readonly read?: ResourceReader | undefined;
  /** The base of module paths in a configuration: a URL, or a path relative to the program's folder. Default: that folder. */
  readonly moduleBase?: ((configuration: Source) => string) | undefined;
  /** Finds the exports of modules to which functions are bound; if omitted, they are not checked. */
  readonly inspectModule?: ModuleInspector | undefined;
  /** Finds the dependencies of those modules; if omitted, they are unknown. */
  readonly findDependencies?: DependencyFinder | undefined;
  /** The absolute path of the output folder, with `/`. Dependencies outside of the program are named relative to its last segments. */
  readonly folder?: string | undefined;
  /** Verifies a workflow after each pass; if omitted, no verification. */
  readonly verify?: VerifyRewrite | undefined;
  /** Receives the result and the time of each pass. */
  readonly afterPass?: PassHooks["afterPass"];
  /** Finds what the last compilation made of the same workflows; if omitted, everything is made. Used by `reusePart`. */
  readonly reuse?: Reuse | undefined;
}

/** The settings of a target, from the configuration and from `--set`. */
export interface TargetSettings {
  /** Valid for the target's schema. */
  readonly values: JsonObject;
  /** The key at a path, such as `"alias", "percentage"`; undefined if the setting is absent or comes from `--set`. */
  spanOf(...path: readonly string[]): Span | undefined;
}

/** The configuration of one target. */
export interface TargetConfiguration extends TargetSettings {
  /** Bindings of functions by name, and of events by the name of their definition; valid for the target's schema. */
  readonly functions: ReadonlyMap<string, Binding>;
  readonly events: ReadonlyMap<string, Binding>;
}

/** No settings. */
export const emptySettings: TargetSettings = { values: {}, spanOf: () => undefined };

/** A configuration without bindings and settings. */
export const emptyConfiguration: TargetConfiguration = { functions: new Map(), events: new Map(), ...emptySettings };

/** Settings with an empty configuration for every workflow. */
export const noSettings: Settings = { configurationOf: () => emptyConfiguration };

/** The binding of a function or an event for one target. */
export interface Binding {
  /** The function or the event. */
  readonly name: Reference;
  readonly value: JsonObject;
  /** The key that names the target. */
  readonly key: Span;
  /** Locates the parts of `value`. */
  readonly document: Document;
}

/** An export of a module to which a function is bound. */
export interface BoundExport {
  /** As an import names it. Relative paths start from the configuration. */
  readonly module: string;
  readonly name: string;
  /** The value that names it. */
  readonly span: Span;
}

/** A file to write. */
export interface OutputFile {
  /** Relative to the output folder, with `/`; safe on every file system. */
  readonly path: string;
  readonly text: string;
  /** The id of the workflow that alone determines the file; omitted if the file depends on all workflows of the program. */
  readonly workflow?: string | undefined;
  /** If this is the main file of a workflow's version that running executions may depend on: that version. */
  readonly release?: Release | undefined;
}

/** A version of a workflow, kept while runs that began with it may exist. */
export interface Release {
  /** Safe as the name of a folder. */
  readonly version: string;
  /** This file and the program's files that it imports, directly or not, except those that all versions share. */
  readonly files: readonly string[];
}

/** A command of one target. */
export interface TargetCommand {
  readonly name: string;
  readonly summary: string;
  /** Runs with the arguments after the command's name; returns the exit status: 0 success, 1 problems found, 2 wrong usage, 3 internal error. */
  run(args: readonly string[], context: CommandContext): Promise<0 | 1 | 2 | 3>;
}

/** The surroundings of a target's command. */
export interface CommandContext {
  /** The base of relative paths. */
  readonly cwd: string;
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
}

/** Prints single expressions in the target's expression language. */
export interface ExpressionPrinter {
  /** The value of `waybill eval --as`. */
  readonly as: string;
  /** Prints an expression over the document and variables, or returns the diagnostic that says why it has no exact form; `span` locates that. */
  print(expression: Expression, variables: readonly string[], span: Span): Promise<string | Diagnostic>;
}

/** A measurement: `{ name: "states", value: 7 }`. */
export interface Metric {
  /** The unit, printed after the number: `states`. */
  readonly name: string;
  readonly value: number;
  /** The platform's maximum. */
  readonly limit?: number | undefined;
}

/** A measurement of a workflow's artifact, of one of its states, or of a scenario's run. */
export interface WorkflowMetric extends Metric {
  /** The id of the workflow. */
  readonly workflow: string;
  readonly state?: string | undefined;
  readonly scenario?: string | undefined;
}

/** Finds the exports of a module, given its path in the form of the configuration's own path. */
export type ModuleInspector = (path: string) => Promise<ModuleExports>;

/** The exports of a module and whether it may have others that could not be determined, or why it cannot be read, worded as the end of a sentence. */
export type ModuleExports =
  | {
      readonly exports: ReadonlyMap<string, "function" | "value" | "type" | "unknown">;
      readonly isOpen: boolean;
    }
  | { readonly reason: string };

/** Finds the dependencies of a module that a configuration names. Paths are relative to the configuration's folder. */
export type DependencyFinder = (configuration: string, module: string) => Promise<ModuleDependencies>;

/** What a module needs at run time in addition to Node.js. */
export interface ModuleDependencies {
  /** The module, the files that it imports by relative paths, directly or not, and the `package.json` files that govern them. */
  readonly files: readonly string[];
  /** The folders in which its packages are installed, and whether a lock file pins their versions. */
  readonly installs: readonly { readonly folder: string; readonly isLocked: boolean }[];
}
