import type { ChoiceRule, MapState, State } from "../../generated/asl-definition.ts";
import { isObject, own } from "../../json.ts";
import type { StatesOwner } from "./context.ts";
import { memberName } from "./template-keys.ts";

/** A transition of a state. */
export interface Edge {
  readonly to: string;
  /** Where the source names the next state. */
  readonly owner: object;
  readonly key: "Next" | "Default";
  /** The variables that are assigned on the way. */
  readonly assigns: readonly string[];
}

/** The transitions of a state, in the order of the source. */
export function edgesOf(state: State): readonly Edge[] {
  if (state.Type === "Choice") {
    const rules = state.Choices.map((rule: ChoiceRule) => edge(rule, "Next", rule.Next, rule.Assign));
    return state.Default === undefined ? rules : [...rules, edge(state, "Default", state.Default, state.Assign)];
  }
  if (state.Type === "Succeed" || state.Type === "Fail") return [];
  const next = state.Next === undefined ? [] : [edge(state, "Next", state.Next, state.Assign)];
  if (state.Type === "Pass" || state.Type === "Wait") return next;
  const caught = (state.Catch ?? []).map((catcher) => edge(catcher, "Next", catcher.Next, catcher.Assign));
  return [...next, ...caught];
}

const edge = (owner: object, key: Edge["key"], to: string, assign: unknown): Edge => ({
  to,
  owner,
  key,
  assigns: isObject(assign) ? Object.keys(assign).map(memberName) : [],
});

/** Whether the iterations of a Map are executions of their own. */
export const isDistributed = ({ ItemProcessor, Iterator }: MapState): boolean =>
  (ItemProcessor ?? Iterator)?.ProcessorConfig?.Mode === "DISTRIBUTED";

/** The branches or the item processor of a state. */
export function innerOwners(state: State): readonly StatesOwner[] {
  if (state.Type === "Parallel") return state.Branches;
  if (state.Type !== "Map") return [];
  return [state.ItemProcessor, state.Iterator].flatMap((each) => each ?? []);
}

/** The states that a scope reaches, in the order of the source. */
export function reachedStates(scope: StatesOwner): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [scope.StartAt];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const state = own(scope.States, name);
    if (reached.has(name) || !state) continue;
    reached.add(name);
    waiting.push(...edgesOf(state).map(({ to }) => to));
  }
  return new Set(Object.keys(scope.States).filter((name) => reached.has(name)));
}
