import type { Machine, State, StateKey } from "./machine.ts";

/** The most events that the history of an execution may have: with the next it ends. */
export const mostEvents = 25_000;

/** What a run of a machine leaves in the history at least, if it gets through. */
export interface History {
  readonly events: number;
  /** The state that leaves the most of them, on the way that leaves the fewest; absent where no way leads to an end. */
  readonly most: Costly | undefined;
}

interface Costly {
  readonly state: State;
  readonly events: number;
}

/** The fewest events that an execution of a machine leaves. How many items a Map has is known where they are constants. */
export function leastHistory(machine: Machine): History {
  const { events, most } = shortest(machine);
  return { events: Number.isFinite(events) ? events + ofExecution : 0, most };
}

/** An execution starts and ends. */
const ofExecution = 2;

/** The way through a machine that leaves the fewest events: of each state found from the ends on, and again as long as a shorter one turns up. */
function shortest({ start, states }: Machine): History {
  const ways = states.map((state) => [state, waysOf(state)] as const).reverse();
  const least = new Map<StateKey, History>();
  const from = (key: StateKey | undefined): History =>
    key === undefined ? { events: 0, most: undefined } : (least.get(key) ?? endless);
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (const [state, all] of ways) {
      const found = all.map(([events, next]) => behind({ state, events }, from(next))).reduce(shorter, endless);
      if (found.events >= from(state.key).events) continue;
      least.set(state.key, found);
      isShorter = true;
    }
  }
  return from(start);
}

const endless: History = { events: Number.POSITIVE_INFINITY, most: undefined };

const shorter = (a: History, b: History): History => (b.events < a.events ? b : a);

const behind = (own: Costly, { events, most }: History): History => ({
  events: own.events + events,
  most: !most || own.events > most.events ? own : most,
});

/** The ways out of a state, with the events that it leaves where it is left by them. */
function waysOf(state: State): readonly (readonly [events: number, next: StateKey | undefined])[] {
  const { type, exit, otherwise, choices = [], catch: catchers = [] } = state;
  if (type === "Succeed" || type === "Fail") return [[eventsOf(state), undefined]];
  const caught = catchers.map(({ next }) => [ofState(type), next] as const);
  if (type !== "Choice") return [[eventsOf(state), exit?.next], ...caught];
  return [...choices.map(({ next }) => [ofState(type), next] as const), [ofState(type), otherwise] as const];
}

/** The events that a state leaves which succeeds: all branches and iterations do. Iterations that are executions have histories of their own. */
function eventsOf({ type, branches = [], processor, turns = 0, isDistributed }: State): number {
  const within = branches.reduce((sum, branch) => sum + shortest(branch).events, 0);
  const iterations = processor && turns > 0 && !isDistributed ? turns * (ofIteration + shortest(processor).events) : 0;
  return ofState(type) + within + iterations;
}

/** An iteration starts and ends. */
const ofIteration = 2;

/** What a state leaves beside what goes on within it: a Task is scheduled, starts and ends. */
function ofState(type: State["type"]): number {
  if (type === "Fail") return 1;
  if (type === "Parallel" || type === "Map") return 4;
  return type === "Task" ? 5 : 2;
}
