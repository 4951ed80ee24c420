import type { Expression } from "../../expressions/index.ts";
import type { Workflow as Definition, EventDefinition, State } from "../../generated/serverless-workflow-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import type { LanguageOptions, OptionDefinition } from "../../options.ts";
import { isTimeSyntaxError, parseInstant } from "../../text/iso8601.ts";
import { createStepWriter, type Reading, type StepIds, type StepWriter as Steps, spanOf } from "../shared/index.ts";
import type { ScopePlan } from "./scopes.ts";

/** What all parts of the lowering of one definition know. */
export interface Context extends Reading {
  readonly definition: Definition;
  readonly settings: Settings;
  /** The workflow's id. */
  readonly id: string;
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** Whether a filter of some state may make something else of the data than an object, which it is from the start. */
  readonly mayReplaceData: boolean;
  /** Whether the configuration says where a function is. */
  readonly isBound: (name: string) => boolean;
  readonly ids: StepIds;
  /** The step that stands for a name or an id that some scope has. */
  readonly entriesByName: ReadonlyMap<string, string>;
  /** The names of events that some state waits for; filled while states are lowered. */
  readonly consumedEvents: Set<string>;
  /** The results paths of more than one name; filled while actions are lowered. */
  readonly resultPaths: ResultPath[];
  /** Where transitions name no state of any scope; filled while states are lowered. */
  readonly unresolved: Reference[];
}

/** A path at which the result of an action may be placed. */
export interface ResultPath {
  readonly owner: object;
  readonly path: string;
  readonly chain: readonly string[];
}

/** Where the steps of one state go. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly scope: ScopeWriter;
  readonly state: State;
}

/** A scope that is being lowered. */
export interface ScopeWriter {
  readonly plan: ScopePlan;
  /** The state that the scope starts with. */
  readonly start: State;
  /** The scope's variables and their first values, the document first. */
  readonly variables: Map<string, Expression | undefined>;
  /** What the scope gives where it ends in a state. */
  value(state: State): Expression;
}

/** A writer for one state of a scope. */
export function createWriter(context: Context, scope: ScopeWriter, state: State, slots: Steps["slots"]): Writer {
  const construct = { noun: `${state.type} state`, name: state.name, span: spanOf(context, state, "name") };
  const steps = createStepWriter(construct, scope.plan.entries.get(state)!, context.ids, {
    slots,
    variables: scope.variables,
  });
  return { ...steps, context, scope, state };
}

/** The choices that the draft leaves to the user. */
export const optionDefinitions: readonly OptionDefinition[] = [
  {
    name: "timeout",
    values: ["proceed", "fail"],
    fallback: "proceed",
    summary: "Whether a timeout that no handler names is ignored, as in the draft, or raises the error `Timeout`.",
  },
  {
    name: "merge",
    values: ["deep", "shallow"],
    fallback: "deep",
    summary:
      "Whether results, events, errors and injected data are merged recursively into the data, or replace its members.",
  },
  {
    name: "interpolate",
    values: ["true", "false"],
    fallback: "false",
    summary: "Whether paths inside longer strings, such as `Hello $.name`, are replaced by the values they select.",
  },
  {
    name: "deployed",
    text: {
      noun: "instant",
      wanted: "an instant, such as `2026-01-01T00:00:00Z`",
      accepts: (text) => !isTimeSyntaxError(parseInstant(text)),
    },
    summary:
      "The time of deployment, such as `2026-01-01T00:00:00Z`. A schedule that is only a duration starts at this time.",
  },
];

/** The choices as lowering uses them. */
export interface Settings {
  readonly timeout: "proceed" | "fail";
  readonly merge: "deep" | "shallow";
  readonly interpolate: boolean;
  /** In milliseconds since 1970 (UTC); undefined where nothing was given. */
  readonly deployed: number | undefined;
}

/** Reads the choices. */
export function settingsOf(options: LanguageOptions): Settings {
  const chosen = (name: string): string | undefined =>
    Object.hasOwn(options, name) ? String(options[name]) : undefined;
  const deployed = chosen("deployed");
  const instant = deployed === undefined ? undefined : parseInstant(deployed);
  return {
    timeout: chosen("timeout") === "fail" ? "fail" : "proceed",
    merge: chosen("merge") === "shallow" ? "shallow" : "deep",
    interpolate: chosen("interpolate") === "true",
    deployed: isTimeSyntaxError(instant) ? undefined : instant,
  };
}
