import type { Delivery, DeliveryOptions } from "../engine.ts";
import type { CloudEvent } from "../events.ts";
import { requireEvent } from "./acceptance.ts";
import { announce } from "./announcing.ts";
import type { Core } from "./core.ts";
import type { Decision } from "./decisions.ts";
import type { Task } from "./store.ts";

/** Accepts an event in one transaction with its effects. */
export async function deliver(core: Core, event: CloudEvent, options: DeliveryOptions = {}): Promise<Delivery> {
  requireEvent(event);
  let decision: Decision | undefined;
  const accept = function* (): Task<Delivery> {
    decision = undefined;
    yield* core.processes.refresh();
    decision = yield* core.broker.arrive(event, options);
    if (!decision) return { status: "duplicate", started: [], delivered: [] };
    const received = decision.answers.map(({ run }) => run);
    const started = yield* idsOf(core, decision.started);
    return { status: "accepted", started, delivered: yield* idsOf(core, received) };
  };
  return core.commits.ask(accept, () => decision && announce(core, decision));
}

/** Continues runs with the events that arrived while their version was missing. Within a transaction. */
export function* catchUp(core: Core, workflow: number): Task<Decision> {
  const { sql, broker } = core;
  const decisions: Decision[] = [];
  for (const { event } of yield* sql.missed.all(workflow)) decisions.push(yield* broker.settle(event));
  sql.endMissed.run(workflow);
  return {
    answers: decisions.flatMap(({ answers }) => answers),
    started: decisions.flatMap(({ started }) => started),
  };
}

function* idsOf({ sql, live }: Core, refs: readonly number[]): Task<readonly string[]> {
  const ids: string[] = [];
  for (const ref of new Set(refs)) {
    const id = live.get(ref)?.id ?? (yield* sql.idOfRun.get(ref))?.id;
    if (id !== undefined) ids.push(id);
  }
  return ids;
}
