import type { Delivery, DeliveryOptions } from "../engine.ts";
import type { CloudEvent } from "../events.ts";
import { requireEvent } from "./acceptance.ts";
import { announce } from "./announcing.ts";
import type { Core } from "./core.ts";
import type { Decision } from "./decisions.ts";

/** Accepts an event in one transaction with its effects. */
export async function deliver(core: Core, event: CloudEvent, { runs }: DeliveryOptions = {}): Promise<Delivery> {
  requireEvent(event);
  let decision: Decision | undefined;
  const accept = (): Delivery => {
    core.processes.refresh();
    decision = core.broker.arrive(event, runs);
    if (!decision) return { status: "duplicate", started: [], delivered: [] };
    const received = decision.answers.map(({ run }) => run);
    return { status: "accepted", started: idsOf(core, decision.started), delivered: idsOf(core, received) };
  };
  return core.commits.ask(accept, () => decision && announce(core, decision));
}

/** Continues runs with the events that arrived while their version was missing. Within a transaction. */
export function catchUp(core: Core, workflow: number): Decision {
  const { sql, broker } = core;
  const decisions = sql.missed.all(workflow).map(({ event }) => broker.settle(event));
  sql.endMissed.run(workflow);
  return {
    answers: decisions.flatMap(({ answers }) => answers),
    started: decisions.flatMap(({ started }) => started),
  };
}

const idsOf = ({ sql, live }: Core, refs: readonly number[]): readonly string[] =>
  [...new Set(refs)].flatMap((ref) => live.get(ref)?.id ?? sql.idOfRun.get(ref)?.id ?? []);
