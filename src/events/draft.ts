import { equalJson, type Json, own } from "../json.ts";
import {
  type EventUse,
  eventAt,
  firstIndexFrom,
  type Partition,
  type RunRecord,
  type StoredEvent,
  type StoredWait,
  type ValueBindings,
  type WaitEnd,
} from "./partition.ts";
import type { Alternative, WaitRule } from "./rules.ts";

/** A partition while a command changes it. */
export class Draft {
  partition: Partition;

  constructor(partition: Partition) {
    this.partition = partition;
  }

  wait(id: string): StoredWait | undefined {
    return this.partition.waits.find((wait) => wait.id === id);
  }

  event(order: number): StoredEvent | undefined {
    return eventAt(order, this.partition);
  }

  run(run: string): RunRecord | undefined {
    return own(this.partition.runs, run);
  }

  /** The correlation value of a run. */
  valueOf(run: string): Json | undefined {
    return this.run(run)?.value;
  }

  addEvent(event: StoredEvent): void {
    const { seen, next, events } = this.partition;
    this.partition = {
      ...this.partition,
      next: Math.max(event.order + 1, next),
      events: [...events, event],
      ...(event.key !== undefined && { seen: { ...seen, [event.key]: event.at } }),
    };
  }

  addWait(wait: StoredWait): void {
    const { waits } = this.partition;
    const others = this.wait(wait.id) ? waits.filter(({ id }) => id !== wait.id) : waits;
    let [low, high] = [0, others.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareWaits(wait, others[middle]!) < 0) high = middle;
      else low = middle + 1;
    }
    this.partition = { ...this.partition, waits: others.toSpliced(low, 0, wait) };
  }

  updateWait(id: string, changes: { readonly [Key in keyof StoredWait]?: StoredWait[Key] | undefined }): StoredWait {
    const waits = [...this.partition.waits];
    const index = waits.findIndex((wait) => wait.id === id);
    const updated = withoutUndefined({ ...waits[index]!, ...changes } as StoredWait);
    waits[index] = updated;
    this.partition = { ...this.partition, waits };
    return updated;
  }

  removeWait(id: string): void {
    this.partition = { ...this.partition, waits: this.partition.waits.filter((wait) => wait.id !== id) };
  }

  /** Changes an event, which is deleted when nothing refers to it any more. */
  updateEvent(order: number, update: (event: StoredEvent) => StoredEvent): void {
    const index = firstIndexFrom(order, this.partition.events);
    const event = this.partition.events[index];
    if (event?.order !== order) return;
    const updated = update(event);
    const isKept = updated.isFree || updated.runs || updated.users;
    this.partition = {
      ...this.partition,
      events: this.partition.events.toSpliced(index, 1, ...(isKept ? [updated] : [])),
    };
  }

  setRun(run: string, record: RunRecord): void {
    this.partition = { ...this.partition, runs: { ...this.partition.runs, [run]: withoutUndefined(record) } };
  }

  /** Gives a run the value of events that a wait has used. */
  bindValue({ id, run }: StoredWait, value: Json): void {
    const record = this.run(run);
    const { base, by } = record?.bound ?? { base: record?.value, by: [] };
    if (by.length === 0 && equalJson(base ?? null, value)) return;
    this.#setBindings(run, base, [...by, { wait: id, value }]);
  }

  /** The events of a wait are released: its run has the value that it would have without them. */
  releaseValue({ id, run }: StoredWait): void {
    const bound = this.run(run)?.bound;
    if (!bound?.by.some(({ wait }) => wait === id)) return;
    this.#setBindings(
      run,
      bound.base,
      bound.by.filter(({ wait }) => wait !== id),
    );
  }

  /** The run has received the events of a wait: their value replaces those that were bound before. */
  confirmValue({ id, run }: StoredWait): void {
    const by = this.run(run)?.bound?.by ?? [];
    const index = by.findIndex(({ wait }) => wait === id);
    if (index >= 0) this.#setBindings(run, by[index]!.value, by.slice(index + 1));
  }

  #setBindings(run: string, base: Json | undefined, by: ValueBindings["by"]): void {
    const value = by.at(-1)?.value ?? base;
    this.setRun(run, { ...this.run(run), value, bound: by.length === 0 ? undefined : withoutUndefined({ base, by }) });
  }

  removeRun(run: string): void {
    if (!Object.hasOwn(this.partition.runs, run)) return;
    const { [run]: _, ...runs } = this.partition.runs;
    this.partition = { ...this.partition, runs };
  }

  setUnsettled(isUnsettled: boolean): void {
    if (isUnsettled === (this.partition.isUnsettled ?? false)) return;
    const { isUnsettled: _, ...rest } = this.partition;
    this.partition = isUnsettled ? { ...rest, isUnsettled: true } : rest;
  }
}

/** Whether a wait has ended, or its run no longer waits. */
export const isOver = ({ end, isClosed, isConfirmed }: StoredWait): boolean =>
  end !== undefined || isClosed === true || isConfirmed === true;

/** Orders waits: by the age of their runs, then the runs, then positions. */
export function compareWaits(a: Pick<StoredWait, "age" | "run" | "position">, b: typeof a): number {
  return (
    compareNumbers(a.age, b.age) ||
    (a.run < b.run ? -1 : a.run > b.run ? 1 : 0) ||
    compareNumbers(a.position, b.position)
  );
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return a.length - b.length;
}

/** Whether an event that arrives now may fulfill an alternative. */
export const isOpenAt = ({ within }: Alternative, { at }: StoredWait, now: number): boolean =>
  within === undefined || now <= at + within * 1000;

/** Whether an alternative is still open when all events of an instant have arrived. */
export const isOpenAfter = ({ within }: Alternative, { at }: StoredWait, now: number): boolean =>
  within === undefined || now < at + within * 1000;

/** When the last alternative of a wait times out, in milliseconds since 1970; infinity if one never does. */
export const endOf = ({ at }: Pick<StoredWait, "at">, rule: WaitRule | undefined): number =>
  rule ? Math.max(...rule.alternatives.map(({ within = Infinity }) => at + within * 1000)) : Infinity;

/** The uses of events that groups refer to, each once. */
export function usesOf(groups: WaitEnd["groups"], wait: StoredWait, { events }: Partition): readonly EventUse[] {
  return [...new Set(groups.map(({ order }) => order))].map((order) => ({
    order,
    isOwn: events.find((event) => event.order === order)!.runs?.includes(wait.run) === true,
  }));
}

/** An event after a wait has used it. */
export function usedBy(event: StoredEvent, { id, run }: StoredWait, { isOwn }: EventUse): StoredEvent {
  const users = [...(event.users ?? []), id];
  return isOwn ? { ...withoutRun(event, run), users } : { ...event, isFree: false, users };
}

/** An event after a wait has released it. */
export function releasedBy(event: StoredEvent, { id, run }: StoredWait, { isOwn }: EventUse): StoredEvent {
  const rest = withoutUser(event, id);
  return isOwn ? { ...rest, runs: [...(event.runs ?? []), run] } : { ...rest, isFree: true };
}

/** An event that a wait no longer holds. */
export function withoutUser({ users, ...event }: StoredEvent, id: string): StoredEvent {
  const others = users?.filter((user) => user !== id) ?? [];
  return others.length === 0 ? event : { ...event, users: others };
}

/** An event that a run no longer owns. */
export function withoutRun({ runs, ...event }: StoredEvent, run: string): StoredEvent {
  const others = runs?.filter((each) => each !== run) ?? [];
  return others.length === 0 ? event : { ...event, runs: others };
}

/** An event that a workflow collects. */
export const collectedBy = (event: StoredEvent, workflow: string): StoredEvent => ({
  ...event,
  collectedBy: [...(event.collectedBy ?? []), workflow],
});

/** An event that a workflow no longer collects. */
export function notCollected({ collectedBy: collectors, ...event }: StoredEvent, workflow: string): StoredEvent {
  const others = collectors?.filter((each) => each !== workflow) ?? [];
  return others.length === 0 ? event : { ...event, collectedBy: others };
}

/** Keeps partitions plain JSON. */
export function withoutUndefined<T extends object>(value: T): T {
  if (!Object.values(value).includes(undefined)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
