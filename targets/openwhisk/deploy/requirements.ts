import { stronglyConnectedComponents } from "../../../src/analysis/components.ts";
import type { Composition, State, StateFields } from "../composition.ts";
import type { SuspensionReason } from "../select/context.ts";

/** What a composition requires in addition to its conductor. */
export interface Requirements {
  /** Whether it calls the helper action. */
  readonly usesHelper: boolean;
  /** Whether runs wait for events. */
  readonly receives: boolean;
  /** Whether runs wait for a long time. */
  readonly delays: boolean;
  /** Why runs may suspend; empty if they never do. */
  readonly reasons: readonly string[];
  /** Whether a run may exceed the components of one invocation. */
  readonly isLong: boolean;
}

/** The requirements of a composition. `budget` is the number of components per invocation. */
export function requirementsOf(
  { States }: Composition,
  suspensions: ReadonlySet<SuspensionReason>,
  helper: string,
  budget: number,
): Requirements {
  const callsHelper = Object.values(States).some((state) => fieldsOf(state).Action === helper);
  const isLong = mayExceed(States, budget);
  const reasons = [
    ...[...suspensions].map((what) => reasonsFor[what]),
    ...(isLong ? ["they may call more actions than one invocation allows"] : []),
  ];
  const [receives, delays] = [suspensions.has("events"), suspensions.has("delays")];
  return { usesHelper: callsHelper || reasons.length > 0, receives, delays, reasons, isLong };
}

const reasonsFor: { readonly [what in SuspensionReason]: string } = {
  events: "they wait for events",
  delays: "they wait for a long time",
  branches: "they wait for branches that may take a long time",
};

/** Whether a path may call more than `max` actions. A loop with a call does. */
function mayExceed(states: Composition["States"], max: number): boolean {
  const edges = new Map(Object.entries(states).map(([name, state]) => [name, nextOf(state)]));
  const longest = new Map<string, number>();
  for (const group of stronglyConnectedComponents([...edges.keys()], (name) => edges.get(name) ?? [])) {
    const isLoop = group.length > 1 || (edges.get(group[0]!) ?? []).includes(group[0]!);
    const calls = group.filter((name) => fieldsOf(states[name]).Action !== undefined).length;
    if (isLoop && calls > 0) return true;
    const behind = group.flatMap((name) => edges.get(name) ?? []).map((next) => longest.get(next) ?? 0);
    for (const name of group) longest.set(name, Math.max(0, ...behind) + calls);
  }
  return [...longest.values()].some((count) => count > max);
}

const nextOf = (state: State): readonly string[] => {
  const { Next, Then, Else, Handler } = fieldsOf(state);
  return [Next, Then, Else, Handler].filter((each) => each !== undefined);
};

const fieldsOf = (state: State | undefined): Partial<StateFields> => state ?? {};
