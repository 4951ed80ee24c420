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
import type { LanguageOptions } from "../../options.ts";
import { type JqBinding, memberOrNull } from "../shared/jq.ts";
import type { ReadContext } from "../shared/properties.ts";
import { declare, type StepIds, type StepWriter as Steps } from "../shared/steps.ts";
import type { NameTable } from "./names.ts";

/** The state of a lowering. */
export interface Context extends ReadContext {
  readonly definition: StateMachine;
  readonly settings: LanguageSettings;
  readonly states: NameTable<State>;
  readonly events: NameTable<EventDefinition>;
  readonly functions: NameTable<WrittenFunction>;
  readonly retries: NameTable<RetryPolicy>;
  readonly entries: ReadonlyMap<State, string>;
  readonly ids: StepIds;
  readonly expressions: ReadonlyMap<string, Expression | undefined>;
  readonly calledFunctions: FunctionDefinition[];
}

/** Collects the steps of actions. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly scope: ActionScope;
  readonly temporaries: Map<string, number>;
}

/** The input of actions, and how handlers store results. */
export interface ActionScope {
  readonly input: JqBinding;
  /** Handlers to run at the end of parallel and foreach actions. */
  readonly recordedHandlers?: ErrorHandler[] | undefined;
}

/** The variable with the run's data. */
export const dataName = "data";

/** The run's data. */
export const data: Expression = variable(dataName);

/** The data as jq sees it. */
export const dataBinding: JqBinding = { value: data, member: memberOrNull };

/** The variable with recorded changes. */
export const changesName = "changes";

/** Declares an unused variable: `result`, `result2`, … */
export function freshTemporary(writer: Pick<Writer, "temporaries" | "variables">, stem: string): string {
  const count = (writer.temporaries.get(stem) ?? 0) + 1;
  writer.temporaries.set(stem, count);
  return declare(writer, count === 1 ? stem : `${stem}${count}`);
}

/** The label of an action. */
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

/** The options in effect. */
export interface LanguageSettings {
  readonly waits: boolean;
}

/** Reads the options. */
export const settingsOf = (options: LanguageOptions): LanguageSettings => ({
  waits: String(options["waitForCompletion"] ?? "true") === "true",
});
