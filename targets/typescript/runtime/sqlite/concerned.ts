import { compareWaits } from "../../../../src/events/draft.ts";
import type { StoredWait } from "../../../../src/events/partition.ts";
import { type EventPattern, hasAttributes } from "../../../../src/events/rules.ts";
import type { JsonObject } from "../../../../src/json.ts";
import type { Core } from "./core.ts";
import { anyPartition, partitionOfRun, partitionOfStart, type Routes, type StepRoute } from "./routes.ts";
import { partitionIn } from "./rows.ts";
import type { Scope } from "./scope.ts";
import type { WaitOfRun, WaitStore } from "./wait-store.ts";

/** What an event that arrives is matched with. */
export interface ConcernedWaits {
  readonly event: JsonObject;
  readonly scope: Scope;
  /** The partitions whose waits it may fulfill. */
  readonly partitions: ReadonlySet<string>;
}

/**
 * Adds to a scope what a decision about an event needs: the waits at steps that combine events, the events that these
 * depend on, and the events collected to start runs. Waits that one event decides are left to `waitsInOrder`.
 */
export function addConcerned({ event, scope, partitions }: ConcernedWaits, core: Core, routes: Routes): void {
  const { steps, starts } = routes.routeOf(event);
  for (const { step, isCombining } of steps)
    if (isCombining) for (const partition of partitions) scope.addOpenWaits(partition, step);
  const hasEvents = createSearch(core);
  for (const wait of scope.waits) {
    const route = routes.stepOf(wait.step)!;
    if (dependsOnOthers(event, wait, route, hasEvents)) addEventsFor(scope, wait, route);
  }
  if (routes.hasDrops) scope.addDroppingWaits(partitions);
  for (const { workflow, complete } of starts) if (complete) scope.addEventsIn(partitionOfStart(workflow));
}

/** Adds the events that a wait may use: those that arrived since its run began, and those that started the run. */
export function addEventsFor(scope: Scope, wait: StoredWait, route: StepRoute | undefined): void {
  scope.addEventsIn(partitionIn(wait), route?.types, scope.addRun(wait.run)?.after ?? wait.after);
  scope.addEventsIn(partitionOfRun(wait.run));
}

/**
 * The waits that an event may fulfill alone, in the order of matching. Only the first ones are read as long as no more
 * are needed.
 */
export function* waitsInOrder(
  { event, partitions }: ConcernedWaits,
  store: WaitStore,
  routes: Routes,
): Generator<WaitOfRun, void> {
  const steps = routes.routeOf(event).steps.filter(({ isCombining }) => !isCombining);
  const sources = steps.flatMap(({ step }) => [...partitions].map((partition) => inOrder(partition, step, store)));
  if (sources.length === 1) return yield* sources[0]!;
  const heads = sources.map((source) => source.next().value);
  for (;;) {
    let first = -1;
    for (const [i, head] of heads.entries())
      if (head && (first < 0 || compareWaits(head.wait, heads[first]!.wait) < 0)) first = i;
    if (first < 0) return;
    yield heads[first]!;
    heads[first] = sources[first]!.next().value;
  }
}

/** The waits at a step in a partition, in the order of matching. */
function* inOrder(partition: string, step: string, store: WaitStore): Generator<WaitOfRun, undefined> {
  for (const page of store.openWaitsInOrder(partition, step))
    yield* [...page].sort((a, b) => compareWaits(a.wait, b.wait));
  return undefined;
}

/** Whether some event of patterns is stored for a wait. */
type EventSearch = (patterns: readonly EventPattern[], wait: StoredWait) => boolean;

function createSearch({ sql }: Core): EventSearch {
  const known = new Map<string, boolean>();
  const isKept = (partition: string, types: string): boolean => {
    const key = `${partition} ${types}`;
    const found = known.get(key) ?? sql.someKept.get(partition, types) !== undefined;
    known.set(key, found);
    return found;
  };
  return (patterns, wait) => {
    const partition = partitionIn(wait);
    const types = patterns.map(({ event: { type, foldCase } }) => (foldCase ? undefined : type));
    if (partition === anyPartition || types.includes(undefined)) return true;
    return [partition, partitionOfRun(wait.run)].some((each) => isKept(each, JSON.stringify(types)));
  };
}

/** Whether a wait that an event concerns depends on others: not if some group of each alternative has none. */
const dependsOnOthers = (event: JsonObject, wait: StoredWait, { rule }: StepRoute, hasEvents: EventSearch): boolean =>
  rule.alternatives.some(
    ({ all, none }) =>
      none.length > 0 ||
      (all.length > 1 &&
        all.every((group) => group.some((pattern) => hasAttributes(event, pattern.event)) || hasEvents(group, wait))),
  );
