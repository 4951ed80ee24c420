import type { Collected } from "../../../../src/matching/starting.ts";
import type { CloudEvent } from "../events.ts";
import { definitionOf, isOf, startedBy, tokenOf } from "../flow/matching.ts";
import { type Json, own } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Core } from "./core.ts";
import { storedEvent } from "./reading.ts";
import { holdersIn } from "./sharing.ts";
import { addRun } from "./starting.ts";
import type { HolderRow } from "./statements.ts";
import { tokenIn, tokenKey } from "./values.ts";

/** An event that has come: its number in the store, and when. */
export interface Arrival {
  readonly event: CloudEvent;
  readonly number: number;
  readonly at: number;
  /** The ids of the runs that it may start, by workflow. */
  readonly ids?: { readonly [workflow: string]: string } | undefined;
}

/**
 * What an event does to runs that may start: the runs that it has started; whether it did that or waits for other events to do so; and whether that depends
 * on what runs do that have it as well.
 */
interface Started {
  readonly runs: readonly number[];
  readonly isOfUse: boolean;
  readonly isUndecided: boolean;
}

/** Starts the runs that an event starts, alone or with those that came before it; of a workflow of which runs have it, when none of them has used it. Within a transaction. */
export function startRuns(core: Core, arrival: Arrival): Started {
  let [isOfUse, isUndecided] = [false, false];
  const runs: number[] = [];
  const { event, number, at } = arrival;
  for (const { workflow } of core.newest.values()) {
    if (!mayStart(workflow, event, at) || hasStarted(core, workflow.id, arrival)) continue;
    if (holdersIn(core, number, workflow.id).length > 0) {
      core.sql.addUndecided.run(number, workflow.id, at);
      isUndecided = true;
    } else {
      const { run } = startWith(core, workflow.id, arrival);
      if (run !== undefined) runs.push(run);
      isOfUse = true;
    }
  }
  return { runs, isOfUse, isUndecided };
}

/** Whether the run that an event may start exists already. */
function hasStarted({ sql }: Core, workflow: string, { ids }: Arrival): boolean {
  const id = ids && own(ids, workflow);
  return id !== undefined && sql.runById.get(id) !== undefined;
}

/** Whether an event starts a run of a workflow, alone or with others. */
export function mayStart(workflow: AnyWorkflow, event: CloudEvent, at: number): boolean {
  if (!workflow.start?.on?.length) return false;
  const { taken, collected } = startedBy(workflow, [], event, at);
  return taken !== undefined || collected.length > 0;
}

/** What has come of an event that starts a run: the run, where no others are needed, and those who had what it began with and have not any more. */
interface Start {
  readonly run?: number;
  readonly lost: readonly HolderRow[];
}

/** An event starts a run of a workflow, or waits for others to do so. Within a transaction. */
export function startWith(core: Core, id: string, arrival: Arrival): Start {
  const { event, number, at, ids = {} } = arrival;
  if (hasStarted(core, id, arrival)) return { lost: [] };
  const { ref, workflow } = core.newest.get(id)!;
  const numbers = new Map<CloudEvent, number>([[event, number]]);
  const before = workflow.start?.complete ? collectedFor(core, workflow, numbers) : [];
  const { collected, taken } = startedBy(workflow, before, event, at);
  keep(core, workflow, before, collected, numbers);
  if (!taken) return { lost: [] };
  const events = taken.map((each) => numbers.get(each.event)!);
  const run = addRun(core, { id: own(ids, id) ?? crypto.randomUUID(), ref, workflow, input: {}, taken, events });
  const lost = events.flatMap((each) => holdersIn(core, each, id));
  for (const holder of lost) core.sql.forgetArrival.run(holder.run, holder.seq);
  for (const each of events) core.sql.endEarly.run(id, each);
  giveLater(core, run, Math.max(...events));
  return { run, lost };
}

/**
 * Gives a run that starts late what has come since the events that start it, with its correlation value: it would have that as well if it had started at once.
 * Within a transaction, and before the run is in memory.
 */
function giveLater(core: Core, run: number, since: number): void {
  const { sql } = core;
  const rows = sql.eventsSince.all(since);
  if (rows.length === 0) return;
  const row = sql.run.get(run)!;
  const workflow = core.workflows.get(row.workflow)!;
  const token = tokenKey(tokenIn(row.token));
  let { seq } = sql.lastSeq.get(run, run, run)!;
  for (const { number, text } of token === "" ? [] : rows) {
    const event = storedEvent(core, number, text);
    if (!event || !isWith(token, event, workflow) || isUsed(core, number, workflow.id)) continue;
    sql.putEvent.run(run, ++seq, "", number);
    sql.endEarly.run(workflow.id, number);
  }
}

/** Whether an event has a correlation value by some definition of a workflow. */
const isWith = (token: string, event: CloudEvent, workflow: AnyWorkflow): boolean =>
  Object.keys(workflow.events ?? {}).some((name) => {
    const definition = definitionOf(name, workflow);
    return definition.correlation && isOf(name, event, workflow) && tokenIsOf(token, () => tokenOf(definition, event));
  });

/** An event of which the correlation value cannot be told has another one. */
function tokenIsOf(token: string, compute: () => Json | undefined): boolean {
  try {
    return tokenKey(compute()) === token;
  } catch {
    return false;
  }
}

/** Whether a run of a workflow uses an event, or has begun with it. */
const isUsed = ({ sql, names }: Core, number: number, id: string): boolean =>
  sql.users.all(number).some(({ workflow }) => names.get(workflow)?.id === id);

/** What came before and has started nothing yet; `numbers` is told their numbers in the store. */
function collectedFor(
  core: Core,
  workflow: AnyWorkflow,
  numbers: Map<CloudEvent, number>,
): readonly Collected<CloudEvent>[] {
  return core.sql.collected.all(workflow.id).flatMap(({ event: number, name, token, at, text }) => {
    const event = storedEvent(core, number, text);
    if (!event) {
      core.sql.uncollect.run(workflow.id, number);
      return [];
    }
    numbers.set(event, number);
    return [{ name, event, at, ...(token ? { token } : {}) }];
  });
}

/** Stores the difference between what was collected and what is. */
function keep(
  core: Core,
  { id }: AnyWorkflow,
  before: readonly Collected<CloudEvent>[],
  collected: readonly Collected<CloudEvent>[],
  numbers: ReadonlyMap<CloudEvent, number>,
): void {
  const [old, kept] = [new Set(before), new Set(collected)];
  for (const arrival of before) if (!kept.has(arrival)) core.sql.uncollect.run(id, numbers.get(arrival.event)!);
  const added = collected.filter((arrival) => !old.has(arrival));
  for (const { event, name, token, at } of added) core.sql.collect.run(id, numbers.get(event)!, name, token ?? "", at);
}
