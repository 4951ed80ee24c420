import type { Expression } from "../../expressions/index.ts";
import type { Workflow as Definition, EventDefinition, State } from "../../generated/serverless-workflow-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import type { LanguageOptions } from "../../options.ts";
import { isTimeSyntaxError, parseInstant } from "../../text/iso8601.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import { createStepWriter, type StepIds, type StepWriter as Steps } from "../shared/steps.ts";
import type { ScopePlan } from "./plan.ts";

/** The state of a lowering. */
export interface Context extends ReadContext {
  readonly definition: Definition;
  readonly settings: LanguageSettings;
  readonly id: string;
  readonly events: ReadonlyMap<string, EventDefinition>;
  readonly mayReplaceData: boolean;
  readonly isBound: (name: string) => boolean;
  readonly ids: StepIds;
  readonly entriesByName: ReadonlyMap<string, string>;
  readonly consumedEvents: Set<string>;
  readonly resultPaths: ResultPath[];
  readonly unresolved: Reference[];
}

/** A path that can place the result of an action. */
export interface ResultPath {
  readonly owner: object;
  readonly path: string;
  readonly chain: readonly string[];
}

/** Collects the steps of one state. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly scope: ScopeWriter;
  readonly state: State;
  /** The variable with the data of the attempt, if its retries read it. */
  readonly attemptData?: string | undefined;
}

/** A scope during lowering. */
export interface ScopeWriter {
  readonly plan: ScopePlan;
  readonly start: State;
  /** With initial values; the data comes first. */
  readonly variables: Map<string, Expression | undefined>;
  value(state: State): Expression;
}

/** Creates a writer for one state. */
export function createWriter(context: Context, scope: ScopeWriter, state: State, slots: Steps["slots"]): Writer {
  const construct = { noun: `${state.type} state`, name: state.name, span: spanOf(context, state, "name") };
  const steps = createStepWriter(construct, scope.plan.entries.get(state)!, context.ids, {
    slots,
    variables: scope.variables,
  });
  return { ...steps, context, scope, state };
}

/** The options in effect. */
export interface LanguageSettings {
  readonly timeout: "proceed" | "fail";
  readonly merge: "deep" | "shallow";
  readonly interpolate: boolean;
  /** In milliseconds since 1970 (UTC), if set. */
  readonly deployed: number | undefined;
}

/** Reads the options. */
export function settingsOf(options: LanguageOptions): LanguageSettings {
  const chosen = (name: string): string | undefined =>
    Object.hasOwn(options, name) ? String(options[name]) : undefined;
  const deployed = chosen("deployed");
  const instant = deployed === undefined ? undefined : parseInstant(deployed);
  return {
    timeout: chosen("timeout") === "fail" ? "fail" : "proceed",
    merge: chosen("merge") === "deep" ? "deep" : "shallow",
    interpolate: chosen("interpolate") === "true",
    deployed: isTimeSyntaxError(instant) ? undefined : instant,
  };
}
