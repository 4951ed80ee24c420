import type { Collected } from "../../../../src/matching/index.ts";
import type { CloudEvent, Taken } from "../events.ts";
import { startedBy } from "../flow/starting.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Core } from "./core.ts";
import { addRun } from "./starting.ts";

/** What an event does to runs that may start: the runs that it has started, and whether it did that or waits for other events to do so. */
interface Started {
  readonly runs: readonly number[];
  readonly isOfUse: boolean;
}

/** Starts the runs that an event starts, alone or with those that came before it; none of a workflow of which a run uses it. Within a transaction. */
export function startRuns(core: Core, event: CloudEvent, number: number, user: AnyWorkflow | undefined): Started {
  const runs: number[] = [];
  let isKept = false;
  for (const { ref, workflow } of core.newest.values()) {
    if (!workflow.start?.on?.length || workflow.id === user?.id) continue;
    const numbers = new Map<CloudEvent, number>([[event, number]]);
    const before = workflow.start.complete ? collectedFor(core, workflow, numbers) : [];
    const { collected, taken } = startedBy(workflow, before, event, core.now());
    isKept = keep(core, workflow, before, collected, numbers) || isKept;
    if (taken) runs.push(startRun(core, ref, workflow, taken, numbers));
  }
  return { runs, isOfUse: isKept || runs.length > 0 };
}

function startRun(
  core: Core,
  ref: number,
  workflow: AnyWorkflow,
  taken: readonly Taken[],
  numbers: ReadonlyMap<CloudEvent, number>,
): number {
  const events = taken.map(({ event }) => numbers.get(event)!);
  return addRun(core, { id: crypto.randomUUID(), ref, workflow, input: {}, taken, events });
}

/** What came before and has started nothing yet; `numbers` is told their numbers in the store. */
function collectedFor(
  core: Core,
  workflow: AnyWorkflow,
  numbers: Map<CloudEvent, number>,
): readonly Collected<CloudEvent>[] {
  return core.sql.collected.all(workflow.id).map(({ event: number, name, token, at, text }) => {
    const event = JSON.parse(text) as CloudEvent;
    numbers.set(event, number);
    return { name, event, at, ...(token ? { token } : {}) };
  });
}

/** Stores the difference between what was collected and what is; whether something new is. */
function keep(
  core: Core,
  { id }: AnyWorkflow,
  before: readonly Collected<CloudEvent>[],
  collected: readonly Collected<CloudEvent>[],
  numbers: ReadonlyMap<CloudEvent, number>,
): boolean {
  const [old, kept] = [new Set(before), new Set(collected)];
  for (const arrival of before) if (!kept.has(arrival)) core.sql.uncollect.run(id, numbers.get(arrival.event)!);
  const added = collected.filter((arrival) => !old.has(arrival));
  for (const { event, name, token, at } of added) core.sql.collect.run(id, numbers.get(event)!, name, token ?? "", at);
  return added.length > 0;
}
