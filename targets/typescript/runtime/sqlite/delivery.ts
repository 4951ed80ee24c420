import type { Delivery, DeliveryOptions } from "../engine.ts";
import type { CloudEvent } from "../events.ts";
import { definitionOf, isOf, tokenOf } from "../flow/matching.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { mayStart, startRuns } from "./arriving.ts";
import type { Core } from "./core.ts";
import { decide } from "./deciding.ts";
import { requireEvent } from "./entering.ts";
import { storedEvent } from "./reading.ts";
import { type Arrived, candidatesFor, type Given, isOpen, put, tell } from "./sharing.ts";
import { tokenKey } from "./values.ts";

/** A definition that an event is of, and the correlation value that the event has by it. */
interface Match {
  readonly ref: number;
  readonly workflow: AnyWorkflow;
  readonly name: string;
  readonly token: Json | undefined;
}

/** Takes an event in, in one transaction. */
export async function deliver(core: Core, event: CloudEvent, { runs }: DeliveryOptions = {}): Promise<Delivery> {
  requireEvent(event);
  let arrived: readonly Arrived[] = [];
  let started: readonly number[] = [];
  let [undecided, isUndecided] = [0, false];
  const takeIn = (): Delivery => {
    core.cluster?.refresh();
    const found = definitionsOf(core, event, core.workflows);
    const ref = store(core, event, found.length > 0 || missing(core).length > 0);
    if (ref === undefined) return { status: "duplicate", started: [], delivered: [] };
    const { arrived: told, sure } = spread(core, ref, found, mayStartAny(core, event));
    arrived = told;
    const starting = startRuns(core, { event, number: ref, at: core.now(), ids: runs });
    started = starting.runs;
    [undecided, isUndecided] = [ref, starting.isUndecided];
    if (!starting.isOfUse) keepEarly(core, ref, sure ? [] : keepable(found, arrived));
    for (const stranger of missing(core)) core.sql.addMissed.run(stranger, ref);
    return {
      status: "accepted",
      started: idsOf(core, started),
      delivered: idsOf(
        core,
        arrived.map(({ run }) => run),
      ),
    };
  };
  return core.turns.ask(takeIn, () => {
    for (const one of arrived) tell(core, one, event);
    for (const run of started) core.wake(run);
    if (isUndecided) decide(core, undecided, event, runs);
  });
}

/** Gives events that have come while a version was missing to its runs, now that it is there. Within a transaction. */
export function catchUp(core: Core, ref: number): readonly Given[] {
  const given = core.sql.missed.all(ref).flatMap(({ ref: number, text }) => {
    const only = new Map([...core.workflows].filter(([other]) => other === ref));
    const event = storedEvent(core, number, text);
    if (!event) return [];
    const { arrived } = spread(core, number, definitionsOf(core, event, only), false);
    return arrived.map((one) => ({ arrived: one, event }));
  });
  core.sql.endMissed.run(ref);
  return given;
}

/** The versions that runs go on with and that are not in this program. */
const missing = ({ strangers, cluster }: Core): readonly number[] => [...strangers, ...(cluster?.elsewhere ?? [])];

function definitionsOf(core: Core, event: CloudEvent, workflows: ReadonlyMap<number, AnyWorkflow>): readonly Match[] {
  return [...workflows].flatMap(([ref, workflow]) =>
    Object.keys(workflow.events ?? {}).flatMap((name) => {
      try {
        if (!isOf(name, event, workflow)) return [];
        return [{ ref, workflow, name, token: tokenOf(definitionOf(name, workflow), event) }];
      } catch (reason) {
        core.log({
          level: "warn",
          message: `An event has no correlation value by ${name}: ${String(reason)}`,
          workflow: workflow.id,
        });
        return [];
      }
    }),
  );
}

/** The number of a new event; undefined where it has come before. */
function store(core: Core, event: CloudEvent, isText: boolean): number | undefined {
  const added = core.sql.addEvent.run(event.source, event.id, core.now(), isText ? JSON.stringify(event) : null);
  return added.changes === 0 ? undefined : added.lastInsertRowid;
}

/** What became of an event: where it has come to, and the workflow of the run that is sure to use it, as it was for anybody. */
interface Spread {
  readonly arrived: readonly Arrived[];
  readonly sure: AnyWorkflow | undefined;
}

/**
 * Puts an event in the inboxes of the runs that it may belong to, the first of which to use it has it: with a correlation value those that have that; what
 * is for anybody those that wait for it, up to the oldest one that is sure to use it. That one does not wait for a second one then, unless others may be first.
 */
function spread(core: Core, number: number, found: readonly Match[], isStart: boolean): Spread {
  const { sql } = core;
  const correlated = found
    .filter(({ name, workflow }) => !isOpen(name, workflow))
    .flatMap(({ ref, name, token }) => sql.listening.all(ref, name, tokenKey(token)));
  const open = found.filter(({ name, workflow }) => isOpen(name, workflow));
  const { all, sure } = candidatesFor(core, number, open);
  const isKept = open.length > 0 && !sure;
  const mayBeShared = isKept || isStart || missing(core).length > 0 || sql.someUndecided.get() !== undefined;
  const arrived = put(core, number, [...correlated, ...all], mayBeShared);
  if (sure && arrived.length === 1) sql.meetDemand.run(sure.ref, sure.name, sure.run, sure.inbox);
  return { arrived, sure: sure?.workflow };
}

const mayStartAny = (core: Core, event: CloudEvent): boolean =>
  [...core.newest.values()].some(({ workflow }) => mayStart(workflow, event, core.now()));

/** By which definitions an event is kept: by those by which it is for anybody, and where it has come to nobody also by the others. */
const keepable = (found: readonly Match[], arrived: readonly Arrived[]): readonly Match[] =>
  arrived.length === 0 ? found : found.filter(({ name, workflow }) => isOpen(name, workflow));

/** Keeps an event that nothing has matched for runs that go on and will wait for it, and for failed ones that are retried. */
function keepEarly(core: Core, event: number, found: readonly Match[]): void {
  for (const { workflow, name, token } of found) {
    if (token !== undefined || isOpen(name, workflow))
      core.sql.addEarly.run(workflow.id, name, tokenKey(token), event, core.now());
  }
}

/** Those of runs; what stands for a run that there is not, as its row is damaged, listens to nothing from now on. Within a transaction. */
const idsOf = ({ sql }: Core, refs: readonly number[]): readonly string[] =>
  [...new Set(refs)].flatMap((ref) => {
    const row = sql.run.get(ref);
    if (!row) sql.endInterests.run(ref);
    return row?.id ?? [];
  });
