import { type Expression, variable } from "../../expressions/index.ts";
import type {
  Action,
  ErrorHandler,
  EventDefinition,
  RetryPolicy,
  State,
  StateMachine,
  FunctionDefinition as WrittenFunction,
} from "../../generated/sm4c-definition.ts";
import type { FunctionDefinition } from "../../ir/workflow.ts";
import type { LanguageOptions, OptionDefinition } from "../../options.ts";
import {
  declare,
  type JqBinding,
  memberOrNull,
  type Reading,
  type StepIds,
  type StepWriter as Steps,
} from "../shared/index.ts";
import type { NameTable } from "./names.ts";

/** What all parts of the lowering of one definition know. */
export interface Context extends Reading {
  readonly definition: StateMachine;
  readonly settings: Settings;
  readonly states: NameTable<State>;
  readonly events: NameTable<EventDefinition>;
  readonly functions: NameTable<WrittenFunction>;
  readonly retries: NameTable<RetryPolicy>;
  /** The ids of the states' first steps. */
  readonly entries: ReadonlyMap<State, string>;
  readonly ids: StepIds;
  /** What functions of the type `expression` are, by their names; undefined where one cannot be read. */
  readonly expressions: ReadonlyMap<string, Expression | undefined>;
  /** What steps call; those that are built in are added while actions are lowered. */
  readonly calledFunctions: FunctionDefinition[];
}

/** Where the steps of actions go. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly scope: ActionScope;
  /** How many variables there are of each stem. */
  readonly temporaries: Map<string, number>;
}

/** What actions see, and where what handlers of errors write goes. */
export interface ActionScope {
  /** What `.` is. */
  readonly input: JqBinding;
  /** Within parallel and foreach actions: the handlers whose writing is recorded until the outermost of these ends. Absent: they write the data. */
  readonly recordedHandlers?: ErrorHandler[] | undefined;
}

/** The variable that holds the data of a run. */
export const dataName = "data";

/** The data of the run. */
export const data: Expression = variable(dataName);

/** The data as expressions see it: an object. */
export const dataBinding: JqBinding = { value: data, member: memberOrNull };

/** The variable for what is recorded within parallel and foreach actions. */
export const changesName = "changes";

/** A variable that nothing else of the state uses: `result`, `result2`, … */
export function freshTemporary(writer: Pick<Writer, "temporaries" | "variables">, stem: string): string {
  const count = (writer.temporaries.get(stem) ?? 0) + 1;
  writer.temporaries.set(stem, count);
  return declare(writer, count === 1 ? stem : `${stem}${count}`);
}

/** What an action is called in ids of steps and in results: its name, else what it does. */
export function labelOf(action: Action): string {
  if (action.name !== undefined) return action.name;
  switch (action.type) {
    case "invokeFunction":
      return action.functionName;
    case "invokeSubflow":
      return action.subflowName;
    case "sendEvent":
      return action.event;
    default:
      return action.type;
  }
}

/** The choices that the language leaves to the user. */
export const optionDefinitions: readonly OptionDefinition[] = [
  {
    name: "waitForCompletion",
    values: ["true", "false"],
    fallback: "true",
    summary:
      "Whether an action without `waitForCompletion` waits for its result: `true`, as in the engine and all published examples, or `false`, as documented.",
  },
];

/** The choices as lowering uses them. */
export interface Settings {
  readonly waits: boolean;
}

/** Reads the choices. */
export const settingsOf = (options: LanguageOptions): Settings => ({
  waits: String(options["waitForCompletion"] ?? "true") === "true",
});
