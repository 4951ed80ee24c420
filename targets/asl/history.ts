import type { Machine, MachineState, StateKey } from "./machine.ts";

/** Step Functions' limit on the events in an execution's history. */
export const maxHistoryEvents = 25_000;

/** The history of the shortest successful run. */
export interface ShortestHistory {
  readonly events: number;
  /** The state that adds the most events to it; undefined if no path leads to an end. */
  readonly costliest: StateCost | undefined;
}

interface StateCost {
  readonly state: MachineState;
  readonly events: number;
}

/** The fewest history events of a successful execution. The size of a Map counts only if it is constant. */
export function shortestHistory(machine: Machine): ShortestHistory {
  const { events, costliest } = shortestPath(machine);
  return { events: Number.isFinite(events) ? events + executionEvents : 0, costliest };
}

/** The fewest events of a successful branch or iteration; infinite if it always fails. */
export const leastEvents = (machine: Machine): number => shortestPath(machine).events;

/** An execution starts and ends. */
const executionEvents = 2;

/** The path with the fewest events, found from the ends by relaxation. */
function shortestPath({ start, states }: Machine): ShortestHistory {
  const edges = states.map((state) => [state, edgesOf(state)] as const).reverse();
  const least = new Map<StateKey, ShortestHistory>();
  const from = (key: StateKey | undefined): ShortestHistory =>
    key === undefined ? { events: 0, costliest: undefined } : (least.get(key) ?? noPath);
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (const [state, all] of edges) {
      const found = all.map(([events, next]) => prepended({ state, events }, from(next))).reduce(shorter, noPath);
      if (found.events >= from(state.key).events) continue;
      least.set(state.key, found);
      isShorter = true;
    }
  }
  return from(start);
}

const noPath: ShortestHistory = { events: Number.POSITIVE_INFINITY, costliest: undefined };

const shorter = (a: ShortestHistory, b: ShortestHistory): ShortestHistory => (b.events < a.events ? b : a);

const prepended = (own: StateCost, { events, costliest }: ShortestHistory): ShortestHistory => ({
  events: own.events + events,
  costliest: !costliest || own.events > costliest.events ? own : costliest,
});

/** The successors of a state, undefined for the end of its `States` object, and what the way to them adds at least. */
export function edgesOf(state: MachineState): readonly (readonly [events: number, next: StateKey | undefined])[] {
  const { type, exit, otherwise, choices = [], catch: catchers = [] } = state;
  if (type === "Succeed" || type === "Fail") return [[eventsOf(state), undefined]];
  const caught = catchers.map(({ next }) => [ownEventsOf(type), next] as const);
  if (type !== "Choice") return [[eventsOf(state), exit?.next], ...caught];
  return [...choices.map(({ next }) => [ownEventsOf(type), next] as const), [ownEventsOf(type), otherwise] as const];
}

/** Child executions have their own histories. */
function eventsOf({ type, branches = [], processor, itemCount: turns = 0, isDistributed }: MachineState): number {
  const within = branches.reduce((sum, branch) => sum + shortestPath(branch).events, 0);
  const iterations =
    processor && turns > 0 && !isDistributed ? turns * (iterationEvents + shortestPath(processor).events) : 0;
  return ownEventsOf(type) + within + iterations;
}

/** An iteration starts and ends. */
export const iterationEvents = 2;

/** For example, a Task is entered, scheduled, started, succeeds and is exited. */
function ownEventsOf(type: MachineState["type"]): number {
  if (type === "Fail") return 1;
  if (type === "Parallel" || type === "Map") return 4;
  return type === "Task" ? 5 : 2;
}
