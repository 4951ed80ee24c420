import type { Edge, Machine, State, StateKey } from "../machine.ts";

/** A machine without what does nothing: states that do the same as another of their construct, and choice rules that lead where the rest leads. */
export function tidy(machine: Machine, constructOf: (state: State) => string): Machine {
  let tidied = machine;
  for (;;) {
    const states = tidied.states.map(withoutIdleRules);
    const same = duplicates(states, constructOf);
    tidied = {
      start: same.get(tidied.start) ?? tidied.start,
      states: states.filter(({ key }) => !same.has(key)).map(renamed(same)),
    };
    if (same.size === 0) return tidied;
  }
}

/** States that do what one before them in their construct does, with the key of that one. */
function duplicates(states: readonly State[], constructOf: (state: State) => string): ReadonlyMap<StateKey, StateKey> {
  const groups = Map.groupBy(states, (state) => `${state.type} ${constructOf(state)}`);
  const same = new Map<StateKey, StateKey>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const first = new Map<string, StateKey>();
    for (const { key, step: _, ...does } of group) {
      const text = JSON.stringify(does);
      const known = first.get(text);
      if (known === undefined) first.set(text, key);
      else same.set(key, known);
    }
  }
  return same;
}

function renamed(same: ReadonlyMap<StateKey, StateKey>): (state: State) => State {
  const nameOf = <K extends StateKey | undefined>(key: K): K =>
    ((key === undefined ? undefined : same.get(key)) ?? key) as K;
  const edge = (each: Edge): Edge => ({ ...each, next: nameOf(each.next) });
  return (state) => ({
    ...state,
    ...(state.choices ? { choices: state.choices.map(edge), otherwise: nameOf(state.otherwise) } : {}),
    ...(state.catch ? { catch: state.catch.map(edge) } : {}),
    ...(state.exit ? { exit: { ...state.exit, next: nameOf(state.exit.next) } } : {}),
  });
}

/** A Choice without its last rules where these lead, with the same data, where it leads when no rule holds. */
function withoutIdleRules(state: State): State {
  const { choices, otherwise } = state;
  if (!choices || otherwise === undefined) return state;
  const used =
    choices.findLastIndex(
      ({ next, output, assign }) => next !== otherwise || output !== undefined || assign !== undefined,
    ) + 1;
  if (used === choices.length) return state;
  if (used > 0) return { ...state, choices: choices.slice(0, used) };
  return { key: state.key, type: "Pass", step: state.step, fields: state.fields, exit: { next: otherwise } };
}
