import { stronglyConnectedComponents } from "../../../src/analysis/components.ts";
import type { Composition, State } from "../composition.ts";
import type { Suspension } from "../select/context.ts";
import { helperNames } from "./deployment.ts";

/** What a composition needs besides its conductor. */
export interface Needs {
  /** The helper actions, sorted. */
  readonly helpers: readonly string[];
  /** Why its runs may be suspended, which takes a store; none: they never are. */
  readonly reasons: readonly string[];
  /** Whether a run may call more components than one invocation has. */
  readonly isLong: boolean;
}

/** What a composition needs, whose runs may be suspended for some things. `budget` is how many components an invocation may call. */
export function needsOf(
  { States }: Composition,
  suspensions: ReadonlySet<Suspension>,
  helper: (name: string) => string,
  budget: number,
): Needs {
  const called = new Set(Object.values(States).map((state) => partsOf(state).Action));
  const used = helperNames.filter((name) => called.has(helper(name)));
  const isLong = mayCallMore(States, budget);
  const reasons = [
    ...[...suspensions].map((what) => reasonsFor[what]),
    ...(isLong ? ["they may call more actions than one invocation allows"] : []),
  ];
  const more = [
    ...(reasons.length > 0 ? ["rt-join", "rt-sweep", "rt-timeout"] : []),
    ...(isLong ? ["rt-continue"] : []),
    ...(suspensions.has("events") ? ["rt-resume"] : []),
  ];
  return { helpers: [...new Set([...used, ...more])].sort(), reasons, isLong };
}

const reasonsFor: { readonly [what in Suspension]: string } = {
  events: "they wait for events",
  delays: "they wait for a long time",
  branches: "they wait for branches that may take a long time",
};

/** Whether more actions than a number may be called one behind the other: in a loop, or on the longest way. */
function mayCallMore(states: Composition["States"], most: number): boolean {
  const ways = new Map(Object.entries(states).map(([name, state]) => [name, nextOf(state)]));
  const longest = new Map<string, number>();
  for (const group of stronglyConnectedComponents([...ways.keys()], (name) => ways.get(name) ?? [])) {
    const isLoop = group.length > 1 || (ways.get(group[0]!) ?? []).includes(group[0]!);
    const calls = group.filter((name) => partsOf(states[name]).Action !== undefined).length;
    if (isLoop && calls > 0) return true;
    const behind = group.flatMap((name) => ways.get(name) ?? []).map((next) => longest.get(next) ?? 0);
    for (const name of group) longest.set(name, Math.max(0, ...behind) + calls);
  }
  return [...longest.values()].some((count) => count > most);
}

const nextOf = (state: State): readonly string[] => {
  const { Next, Then, Else, Handler } = partsOf(state);
  return [Next, Then, Else, Handler].filter((each) => each !== undefined);
};

/** What a state may have of all that states have. */
interface Parts {
  readonly Next?: string;
  readonly Then?: string;
  readonly Else?: string;
  readonly Handler?: string;
  readonly Action?: string;
}

const partsOf = (state: State | undefined): Parts => state ?? {};
