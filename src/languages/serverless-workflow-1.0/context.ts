import type { Expression } from "../../expressions/index.ts";
import type { Workflow as Definition, Task } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { NameSpace } from "../../ir/names.ts";
import type { Seconds } from "../../ir/seconds.ts";
import type { EventDefinition, FunctionDefinition, Reference } from "../../ir/workflow.ts";
import type { JsonObject } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import type { LanguageOptions } from "../../options.ts";
import type { Span } from "../../text/source.ts";
import type { OperationReader } from "../shared/operations.ts";
import type { ReadContext } from "../shared/properties.ts";
import type { StepFragment, StepIds, StepWriter } from "../shared/steps.ts";

/** The state of a lowering. */
export interface Context extends ReadContext {
  readonly definition: Definition;
  readonly lowering: LowerContext;
  readonly settings: LanguageSettings;
  readonly ids: StepIds;
  readonly functions: FunctionDefinition[];
  readonly calledFunctions: Set<string>;
  readonly events: EventDefinition[];
  /** How many tasks have a name. */
  readonly nameCounts: ReadonlyMap<string, number>;
  /** The JSON Pointer of the first task with a name. */
  readonly places: ReadonlyMap<string, string>;
  /** The number of tasks that may still be lowered: functions and extensions multiply them. */
  readonly budget: { tasks: number };
  /** The different calls of the tasks with a name. */
  readonly calls: ReadonlyMap<string, ReadonlySet<string>>;
  /** Facts of the run that expressions read, by the variable that holds them. */
  readonly facts: Set<RunFact>;
  readonly hasExports: boolean;
  /** The OpenAPI documents that were read. */
  readonly documents: OperationReader["documents"];
  /** Where tasks replace the data or the context, by the new value. */
  readonly replacements: Map<Expression, Span>;
}

/** What `$workflow` gives beyond the definition. */
export type RunFact = "workflowInput" | "runId" | "startedAt";

/** The variables of a scope of the IR. */
export interface Frame {
  readonly variables: Map<string, Expression | undefined>;
  readonly names: NameSpace;
  readonly isBranch: boolean;
}

/** Where a task list is. */
export interface TaskScope {
  readonly frame: Frame;
  readonly slots: StepWriter["slots"];
  /** The names of the enclosing tasks, outermost first. */
  readonly path: readonly string[];
  /** Variables of enclosing loops and handlers. */
  readonly bindings: ReadonlyMap<string, Expression>;
  /** The functions that are inlined around it. */
  readonly functions: readonly string[];
  /** The task that calls the inlined function, to which errors belong. */
  readonly caller?: string | undefined;
  readonly isExtension?: boolean | undefined;
  /** The step that ends the run. */
  end(): Reference;
}

/** Collects the steps of one task. */
export interface Writer extends StepWriter {
  readonly context: Context;
  readonly scope: TaskScope;
  readonly task: Task;
  /** `none` is reported. */
  readonly kind: TaskKind | "none";
  readonly name: string;
  readonly pointer: string;
  /** The transformed input, if something reads it after the task changed the data. */
  readonly keptInput?: string | undefined;
  /** The raw input, if `$task.input` is read. */
  readonly rawInput?: string | undefined;
  /** The raw output, if `$task.output` is read. */
  readonly rawOutput?: string | undefined;
  /** When the task began, if `$task.startedAt` is read. */
  readonly startedAt?: string | undefined;
  /** The time limit of the task, if its one step that takes time enforces it. */
  readonly limit?: Seconds | undefined;
  /** The step that a directive leads to, once the list is complete. */
  route(directive: string): Reference;
  /** Reports a directive that leads nowhere. */
  check(owner: object, key: string): void;
}

/** The kinds of tasks. */
export const taskKinds = [
  "set",
  "switch",
  "for",
  "fork",
  "wait",
  "raise",
  "emit",
  "listen",
  "try",
  "run",
  "call",
  "do",
] as const;

/** A kind of task. */
export type TaskKind = (typeof taskKinds)[number];

/** Lowers a task after its input was transformed; leaves the raw output in the data. */
export type LowerTask = (writer: Writer) => StepFragment;

/** The variable with the data. */
export const dataName = "data";

/** The variable with the context. */
export const contextName = "context";

/** Declares a variable with a new name in the frame. */
export function freshVariable({ frame }: TaskScope, wanted: string): string {
  const name = frame.names.fresh(wanted);
  frame.variables.set(name, undefined);
  return name;
}

/** Creates a writer of steps that no transition leads to, such as those around the tasks of a workflow. */
export const createPartWriter = (
  construct: StepWriter["construct"],
  prefix: string,
  ids: StepIds,
  { slots, variables }: Pick<StepWriter, "slots" | "variables">,
): StepWriter => ({
  construct,
  slots,
  variables,
  nextId: (what) => {
    const id = ids.step(prefix, what);
    return { id, entry: false, part: id.slice(prefix.length + 1) };
  },
});

/** The span of the task's kind. */
export const kindSpan = ({ context, task, kind }: Writer): Span => context.document.spanOf(task, kind, "key");

/** A member of the task whose form depends on its kind. */
export const argumentsOf = ({ task }: Pick<Writer, "task">): JsonObject => task.with ?? {};

/** The options in effect. */
export interface LanguageSettings {
  readonly embedded: "text" | "evaluate";
}

/** Reads the options. */
export const settingsOf = ({ embedded }: LanguageOptions): LanguageSettings => ({
  embedded: embedded === "evaluate" ? "evaluate" : "text",
});
