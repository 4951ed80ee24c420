import { stronglyConnectedComponents } from "../../src/analysis/components.ts";
import { iterationEvents, maxHistoryEvents } from "./history.ts";
import type { Machine, MachineState, StateKey } from "./machine.ts";

/** An edge between states of one `States` object. `index`: of a choice rule or catcher. */
export interface StateEdge {
  readonly from: StateKey;
  readonly kind: "exit" | "otherwise" | "choice" | "catch";
  readonly index: number;
  readonly to: StateKey;
}

/** An edge that closes a cycle, and what a round over it adds to the history. */
export interface BackEdge extends StateEdge {
  readonly events: number;
}

/** The rounds of a machine's loops: without the edges, its states have no cycle. */
export interface Rounds {
  readonly edges: readonly BackEdge[];
  /** The number of counted events from which on another round may exceed the history. */
  readonly limit: number;
}

/** What is kept of the history for what is not counted: retries, and iterations of failed or nested Maps. */
const reservedEvents = maxHistoryEvents / 5;

/** An execution starts and ends, and a last Choice and Task start the next one. */
const otherEvents = 10;

/** Finds the rounds of a machine's loops outside of branches and iterations. Linear in the number of edges. */
export function roundsOf(machine: Machine): Rounds {
  const graph = createGraph(machine);
  const cut = new Map(backEdgesOf(graph).map((edge) => [keyOf(edge), edge]));
  const isCut = (edge: StateEdge): boolean => cut.has(keyOf(edge));
  const next = ({ key }: MachineState): readonly MachineState[] =>
    graph.leaving(key).flatMap((edge) => (isCut(edge) ? [] : graph.states.get(edge.to)!));
  /** Each state after its successors. */
  const order = stronglyConnectedComponents(graph.states.values(), next).flat();

  const remaining = new Map<StateKey, number>();
  for (const state of order)
    remaining.set(state.key, maxEvents(state) + Math.max(0, ...next(state).map(({ key }) => remaining.get(key)!)));

  const heads = new Set(Array.from(cut.values(), ({ to }) => to));
  const counted = new Map<StateKey, number>();
  for (const state of order.toReversed()) {
    const before = counted.get(state.key) ?? (heads.has(state.key) ? 0 : undefined);
    if (before === undefined) continue;
    const total = before + maxEvents(state);
    counted.set(state.key, total);
    for (const { key } of next(state)) counted.set(key, Math.max(counted.get(key) ?? 0, total));
  }
  const edges = Array.from(cut.values(), (edge) => ({ ...edge, events: counted.get(edge.from) ?? 0 }));
  const round = Math.max(0, ...edges.map(({ events, to }) => events + remaining.get(to)!));
  const used = (remaining.get(machine.start) ?? 0) + round + reservedEvents + otherEvents;
  return { edges, limit: Math.max(1, maxHistoryEvents - used) };
}

interface StateGraph {
  readonly start: StateKey;
  readonly states: ReadonlyMap<StateKey, MachineState>;
  leaving(key: StateKey): readonly StateEdge[];
  entering(key: StateKey): readonly StateEdge[];
}

function createGraph({ start, states }: Machine): StateGraph {
  const leaving = new Map(states.map((state) => [state.key, edgesFrom(state)]));
  const entering = Map.groupBy([...leaving.values()].flat(), ({ to }) => to);
  return {
    start,
    states: new Map(states.map((state) => [state.key, state])),
    leaving: (key) => leaving.get(key)!,
    entering: (key) => entering.get(key) ?? [],
  };
}

function edgesFrom({ key, choices = [], otherwise, catch: catchers = [], exit }: MachineState): readonly StateEdge[] {
  const edge = (kind: StateEdge["kind"], to: StateKey | undefined, index = 0): readonly StateEdge[] =>
    to === undefined ? [] : [{ from: key, kind, index, to }];
  return [
    ...choices.flatMap(({ next }, i) => edge("choice", next, i)),
    ...edge("otherwise", otherwise),
    ...catchers.flatMap(({ next }, i) => edge("catch", next, i)),
    ...edge("exit", exit?.next),
  ];
}

const keyOf = ({ from, kind, index }: StateEdge): string => `${kind} ${index} ${from}`;

/** Edges without which no cycle remains; those of Choices where possible, because these can count without a state. */
function backEdgesOf(graph: StateGraph): readonly StateEdge[] {
  const entered = new Set<StateKey>([graph.start]);
  const open = new Set<StateKey>([graph.start]);
  const path = [{ key: graph.start, rest: graph.leaving(graph.start), done: 0 }];
  const found: StateEdge[] = [];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const edge = top.rest[top.done++];
    if (edge === undefined) {
      open.delete(top.key);
      path.pop();
    } else if (!entered.has(edge.to)) {
      entered.add(edge.to);
      open.add(edge.to);
      path.push({ key: edge.to, rest: graph.leaving(edge.to), done: 0 });
    } else if (open.has(edge.to)) found.push(choiceBefore(edge, graph));
  }
  return found;
}

/** The edge of a Choice that a cycle passes whenever it passes the given edge, or else that edge. */
function choiceBefore(edge: StateEdge, { states, entering, start }: StateGraph): StateEdge {
  const isChoice = (key: StateKey): boolean => states.get(key)!.type === "Choice";
  if (isChoice(edge.to)) return edge;
  let at = edge;
  while (!isChoice(at.from)) {
    const [before, ...others] = entering(at.from);
    if (!before || others.length > 0 || at.from === edge.to || at.from === start) return edge;
    at = before;
  }
  return at;
}

/** What a state adds to the history at most, without retries and without iterations of unknown number. */
function maxEvents(state: MachineState): number {
  const { type, fields, branches = [], processor, itemCount = 0, isDistributed } = state;
  const iterations = processor && !isDistributed ? itemCount * maxIterationEvents(processor) : 0;
  return maxOwnEvents(type, fields) + branches.reduce((sum, branch) => sum + longestEvents(branch), 0) + iterations;
}

/** What an iteration adds to the history at most. */
export const maxIterationEvents = (processor: Machine): number => iterationEvents + longestEvents(processor);

/** A Task that waits for a job or a token is also submitted. */
function maxOwnEvents(type: MachineState["type"], fields: MachineState["fields"]): number {
  if (type === "Parallel" || type === "Map") return 4;
  if (type !== "Task") return 2;
  const [, resource] = fields.find(([name]) => name === "Resource") ?? [];
  return /\.(?:sync(?::2)?|waitForTaskToken)$/.test(String(resource)) ? 6 : 5;
}

/** The most events of a branch or iteration in which each loop runs once. */
function longestEvents({ start, states }: Machine): number {
  const byKey = new Map(states.map((state) => [state.key, state]));
  const next = (state: MachineState): readonly MachineState[] =>
    edgesFrom(state).flatMap(({ to }) => byKey.get(to) ?? []);
  const longest = new Map<StateKey, number>();
  for (const component of stronglyConnectedComponents(states, next)) {
    const after = component.flatMap(next).map(({ key }) => longest.get(key) ?? 0);
    const total = component.reduce((sum, state) => sum + maxEvents(state), Math.max(0, ...after));
    for (const { key } of component) longest.set(key, total);
  }
  return longest.get(start) ?? 0;
}
