import type { Expression } from "../../expressions/index.ts";
import type { Workflow as Definition, EventDefinition, State } from "../../generated/serverless-workflow-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import { type Reading, type StepIds, type Writer as Steps, spanOf, writerOf as stepsOf } from "../shared/index.ts";
import type { ScopePlan } from "./scopes.ts";
import type { Settings } from "./settings.ts";

/** What all parts of the lowering of one definition know. */
export interface Context extends Reading {
  readonly definition: Definition;
  readonly settings: Settings;
  /** The workflow's id. */
  readonly id: string;
  readonly events: ReadonlyMap<string, EventDefinition>;
  readonly ids: StepIds;
  /** The step that stands for a name or an id that some scope has. */
  readonly everywhere: ReadonlyMap<string, string>;
  /** The names of events that some state waits for; filled while states are lowered. */
  readonly consumed: Set<string>;
  /** The results paths of more than one name; filled while actions are lowered. */
  readonly resultPaths: ResultPath[];
  /** Where transitions name no state of any scope; filled while states are lowered. */
  readonly astray: Reference[];
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
export function writerOf(context: Context, scope: ScopeWriter, state: State, slots: Steps["slots"]): Writer {
  const construct = { noun: `${state.type} state`, name: state.name, span: spanOf(context, state, "name") };
  const steps = stepsOf(construct, scope.plan.entries.get(state)!, context.ids, { slots, variables: scope.variables });
  return { ...steps, context, scope, state };
}
