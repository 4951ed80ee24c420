import { isFault, parseJsonPath } from "../../../expressions/index.ts";
import type { Span } from "../../../text/source.ts";
import { type Context, spanOf } from "../context.ts";
import { data } from "../data/paths.ts";
import type { Action, State } from "../definition.ts";
import { filteredAway } from "../diagnostics/kinds.ts";
import type { ScopePlan } from "../plan.ts";
import { type Read, templateReads, textRead } from "./reads.ts";

/** What a filter has done: the data is now the value of this name. */
interface Replaced {
  readonly name: string;
  readonly filter: string;
  readonly span: Span;
}

/**
 * A path does not begin with the name whose value a filter has made the data: `$.greeting` after the filter `$.greeting`. Follows the data from an output
 * filter through states that leave it as it is.
 */
export function lintFiltered(context: Context, plan: ScopePlan): void {
  for (const [state, replaced] of arriving(plan, context)) lintState(context, state, replaced);
  for (const inner of plan.inner.values()) lintFiltered(context, inner);
}

/** What has been done to the data with which each state begins; of several ways to it the first that says something. */
function arriving(plan: ScopePlan, context: Context): ReadonlyMap<State, Replaced | undefined> {
  const found = new Map<State, Replaced | undefined>();
  const waiting: (readonly [State, Replaced])[] = [];
  const send = (state: State, replaced: Replaced | undefined): void => {
    if (!replaced) return;
    for (const name of nextStates(state)) {
      const next = plan.byName.get(name) ?? plan.byId.get(name);
      if (next) waiting.push([next, replaced]);
    }
  };
  for (const state of plan.states) send(state, replacedBy(context, state.stateDataFilter, "dataOutputPath"));
  for (let i = 0; i < waiting.length; i++) {
    const [state, replaced] = waiting[i]!;
    if (found.has(state)) continue;
    found.set(state, replaced);
    if ((state.type === "delay" || state.type === "switch") && !state.stateDataFilter) send(state, replaced);
  }
  for (const state of plan.states) if (!found.has(state)) found.set(state, undefined);
  return found;
}

function nextStates(state: State): readonly string[] {
  if (state.type !== "switch") return state.transition ? [state.transition.nextState] : [];
  const transitions = [...(state.dataConditions ?? []), ...(state.eventConditions ?? [])].map(
    ({ transition }) => transition,
  );
  return [...transitions, ...(state.default ? [state.default] : [])].map(({ nextState }) => nextState);
}

function lintState(context: Context, state: State, arrived: Replaced | undefined): void {
  const input = state.stateDataFilter?.dataInputPath;
  if (input !== undefined && arrived) blame(context, textRead(state.stateDataFilter!, "dataInputPath"), arrived);
  const replaced = input === undefined ? arrived : replacedBy(context, state.stateDataFilter, "dataInputPath");
  for (const action of actionsOf(state)) {
    const own = replacedBy(context, action.actionDataFilter, "dataInputPath");
    if (own) for (const read of templateReads(action.functionRef, "parameters")) blame(context, read, own);
  }
  if (replaced) for (const read of readsOf(state)) blame(context, read, replaced);
}

function blame(context: Context, read: Read | undefined, { name, filter, span }: Replaced): void {
  if (read?.names[0] !== name) return;
  const note = { message: "The filter is here.", span };
  context.report(filteredAway(spanOf(context, read.owner, read.key), { name, filter }, [note]));
}

/** The paths that a state reads before anything has been added to its data. */
function readsOf(state: State): readonly Read[] {
  switch (state.type) {
    case "switch":
      return (state.dataConditions ?? []).flatMap((condition) => textRead(condition, "path") ?? []);
    case "foreach":
      return [textRead(state, "inputCollection")].flatMap((read) => read ?? []);
    case "operation":
    case "callback":
      return actionsOf(state).slice(0, 1).flatMap(actionReads);
    default:
      return [];
  }
}

function actionsOf(state: State): readonly Action[] {
  switch (state.type) {
    case "operation":
      return state.actions;
    case "callback":
      return [state.action];
    case "event":
      return state.eventsActions.flatMap(({ actions }) => actions);
    default:
      return [];
  }
}

function actionReads({ functionRef, actionDataFilter }: Action): readonly Read[] {
  const filter =
    actionDataFilter?.dataInputPath === undefined ? undefined : textRead(actionDataFilter, "dataInputPath");
  return filter && filter.names.length > 0 ? [filter] : templateReads(functionRef, "parameters");
}

/** What a filter makes of the data, where its path is a chain of names. */
function replacedBy(
  context: Context,
  filter: object | undefined,
  key: "dataInputPath" | "dataOutputPath",
): Replaced | undefined {
  const text = (filter as { readonly [key: string]: string } | undefined)?.[key];
  if (text === undefined) return undefined;
  const path = parseJsonPath(text, data);
  const name = isFault(path) ? undefined : path.chain?.at(-1);
  return name === undefined ? undefined : { name, filter: text, span: spanOf(context, filter!, key) };
}
