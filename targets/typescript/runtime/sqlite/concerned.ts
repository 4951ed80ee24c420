import { compareWaits } from "../../../../src/events/draft.ts";
import type { StoredWait } from "../../../../src/events/partition.ts";
import { type EventPattern, hasAttributes } from "../../../../src/events/rules.ts";
import type { JsonObject } from "../../../../src/json.ts";
import type { Core } from "./core.ts";
import { anyPartition, partitionOfRun, partitionOfStart, type Routes, type StepRoute } from "./routes.ts";
import { partitionIn } from "./rows.ts";
import type { Scope } from "./scope.ts";
import type { Task } from "./store.ts";
import type { WaitOfRun, WaitPages, WaitStore } from "./wait-store.ts";

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
export function* addConcerned({ event, scope, partitions }: ConcernedWaits, core: Core, routes: Routes): Task<void> {
  const { steps, starts } = routes.routeOf(event);
  for (const { step, isCombining } of steps)
    if (isCombining) for (const partition of partitions) yield* scope.addOpenWaits(partition, step);
  const hasEvents = createSearch(core);
  for (const wait of scope.waits) {
    const route = routes.stepOf(wait.step)!;
    if (yield* dependsOnOthers(event, wait, route, hasEvents)) yield* addEventsFor(scope, wait, route);
  }
  if (routes.hasDrops) yield* scope.addDroppingWaits(partitions);
  for (const { workflow, complete } of starts) if (complete) yield* scope.addEventsIn(partitionOfStart(workflow));
}

/** Adds the events that a wait may use: those that arrived since its run began, and those that started the run. */
export function* addEventsFor(scope: Scope, wait: StoredWait, route: StepRoute | undefined): Task<void> {
  yield* scope.addEventsIn(partitionIn(wait), route?.types, (yield* scope.addRun(wait.run))?.after ?? wait.after);
  yield* scope.addEventsIn(partitionOfRun(wait.run));
}

/**
 * The waits that an event may fulfill alone, in the order of matching. Only the first ones are read as long as no more
 * are needed.
 */
export class WaitsInOrder {
  readonly #sources: readonly WaitSource[];
  #heads: (WaitOfRun | undefined)[] | undefined;

  constructor({ event, partitions }: ConcernedWaits, store: WaitStore, routes: Routes) {
    const steps = routes.routeOf(event).steps.filter(({ isCombining }) => !isCombining);
    this.#sources = steps.flatMap(({ step }) =>
      [...partitions].map((partition) => new WaitSource(store.openWaitsInOrder(partition, step))),
    );
  }

  /** The next wait; undefined after the last one. */
  *next(): Task<WaitOfRun | undefined> {
    if (this.#sources.length === 1) return yield* this.#sources[0]!.next();
    if (!this.#heads) {
      const heads: (WaitOfRun | undefined)[] = [];
      for (const source of this.#sources) heads.push(yield* source.next());
      this.#heads = heads;
    }
    const heads = this.#heads;
    let first = -1;
    for (const [i, head] of heads.entries())
      if (head && (first < 0 || compareWaits(head.wait, heads[first]!.wait) < 0)) first = i;
    if (first < 0) return undefined;
    const next = heads[first];
    heads[first] = yield* this.#sources[first]!.next();
    return next;
  }
}

/** The waits at a step in a partition, in the order of matching. */
class WaitSource {
  readonly #pages: WaitPages;
  #page: readonly WaitOfRun[] = [];
  #place = 0;

  constructor(pages: WaitPages) {
    this.#pages = pages;
  }

  *next(): Task<WaitOfRun | undefined> {
    while (this.#place >= this.#page.length) {
      const page = yield* this.#pages.next();
      if (!page) return undefined;
      this.#page = [...page].sort((a, b) => compareWaits(a.wait, b.wait));
      this.#place = 0;
    }
    return this.#page[this.#place++];
  }
}

/** Whether some event of patterns is stored for a wait. */
type EventSearch = (patterns: readonly EventPattern[], wait: StoredWait) => Task<boolean>;

function createSearch({ sql }: Core): EventSearch {
  const known = new Map<string, boolean>();
  function* isKept(partition: string, types: string): Task<boolean> {
    const key = `${partition} ${types}`;
    const found = known.get(key) ?? (yield* sql.someKept.get(partition, types)) !== undefined;
    known.set(key, found);
    return found;
  }
  return function* (patterns, wait) {
    const partition = partitionIn(wait);
    const types = patterns.map(({ event: { type, foldCase } }) => (foldCase ? undefined : type));
    if (partition === anyPartition || types.includes(undefined)) return true;
    const wanted = JSON.stringify(types);
    return (yield* isKept(partition, wanted)) || (yield* isKept(partitionOfRun(wait.run), wanted));
  };
}

/** Whether a wait that an event concerns depends on others: not if some group of each alternative has none. */
function* dependsOnOthers(
  event: JsonObject,
  wait: StoredWait,
  { rule }: StepRoute,
  hasEvents: EventSearch,
): Task<boolean> {
  for (const { all, none } of rule.alternatives) {
    if (none.length > 0) return true;
    if (all.length <= 1) continue;
    let isPossible = true;
    for (const group of all) {
      isPossible = group.some((pattern) => hasAttributes(event, pattern.event)) || (yield* hasEvents(group, wait));
      if (!isPossible) break;
    }
    if (isPossible) return true;
  }
  return false;
}
