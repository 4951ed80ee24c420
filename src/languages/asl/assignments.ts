import type { State } from "../../generated/asl-definition.ts";
import type { NameSpace } from "../../ir/names.ts";
import { own } from "../../json.ts";
import type { StatesOwner, Variable } from "./context.ts";
import { edgesOf, innerOwners, reachedStates } from "./graph.ts";

/** The variables that the states of a scope assign, by their names in the source. */
export function assignedVariables(owner: StatesOwner, names: NameSpace): ReadonlyMap<string, Variable> {
  const assigned = new Set(assignedIn(owner));
  if (assigned.size === 0) return new Map();
  const unsafe = unsafeReads(owner, new Set());
  return new Map([...assigned].map((name) => [name, { name: names.fresh(name), isBoxed: unsafe.has(name) }] as const));
}

/** The names of the variables that the states of a scope assign, without those of inner scopes. */
export const assignedIn = ({ States }: StatesOwner): readonly string[] =>
  Object.values(States).flatMap((state) => [
    ...assignsAtEnd(state),
    ...edgesOf(state).flatMap(({ assigns }) => assigns),
  ]);

/** A last state may assign variables that nothing reads. */
const assignsAtEnd = (state: State): readonly string[] =>
  "End" in state && state.End ? (edgesOf({ ...state, Next: "" })[0]?.assigns ?? []) : [];

/** The variables that a scope or one inside it may read before they are assigned. */
function unsafeReads(owner: StatesOwner, before: ReadonlySet<string>): ReadonlySet<string> {
  const unsafe = new Set<string>();
  for (const [name, definite] of assignedBefore(owner, before)) {
    const state = owner.States[name]!;
    for (const read of readsOf(state)) if (!definite.has(read)) unsafe.add(read);
    for (const inner of innerOwners(state)) for (const read of unsafeReads(inner, definite)) unsafe.add(read);
  }
  return unsafe;
}

/** The variables that are certainly assigned before each state. */
function assignedBefore(owner: StatesOwner, before: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, ReadonlySet<string>>();
  if (own(owner.States, owner.StartAt)) known.set(owner.StartAt, before);
  const reached = [...reachedStates(owner)];
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const name of reached) {
      const definite = known.get(name);
      if (!definite) continue;
      for (const { to, assigns } of edgesOf(owner.States[name]!)) {
        const now = new Set([...definite, ...assigns]);
        const earlier = known.get(to);
        const both = earlier ? new Set([...earlier].filter((each) => now.has(each))) : now;
        if (earlier && both.size === earlier.size) continue;
        known.set(to, both);
        isChanged = true;
      }
    }
  }
  return known;
}

/** The names that occur as variables in the strings of a state, without its inner scopes. */
function readsOf(state: State): readonly string[] {
  const {
    Branches: _,
    ItemProcessor: __,
    Iterator: ___,
    ...rest
  } = { Branches: [], ItemProcessor: {}, Iterator: {}, ...state };
  return [...JSON.stringify(rest).matchAll(/\$([\p{L}_][\p{L}\p{N}_]*)/gu)].map(([, name]) => name!);
}
