import type { Delivery } from "../engine.ts";
import type { CloudEvent } from "../events.ts";
import { definitionOf, matches, tokenOf } from "../flow/matching.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { startRuns } from "./arriving.ts";
import type { Core } from "./core.ts";
import { isOpen } from "./inbox.ts";
import { arrival } from "./loading.ts";
import { keepingTime } from "./starting.ts";
import { tokenText } from "./values.ts";

/** A definition that an event is of, and the correlation value that the event has by it. */
interface Match {
  readonly ref: number;
  readonly workflow: AnyWorkflow;
  readonly name: string;
  readonly token: Json | undefined;
}

/** An event has come to an inbox of a run, in a place of its journal. */
interface Arrived {
  readonly run: number;
  readonly inbox: string;
  readonly seq: number;
}

/** Takes an event in, in one transaction. */
export function deliver(core: Core, event: CloudEvent): Promise<Delivery> {
  const fault = faultIn(event);
  if (fault) return Promise.reject(new TypeError(`The event cannot be taken in: ${fault}.`));
  let arrived: readonly Arrived[] = [];
  let started: readonly number[] = [];
  const takeIn = (): Delivery => {
    const found = definitionsOf(core, event, core.workflows);
    const ref = store(core, event, found.length > 0 || core.strangers.size > 0);
    if (ref === undefined) return { status: "duplicate", started: [], delivered: [] };
    arrived = spread(core, ref, found);
    const starting = startRuns(core, event, ref);
    started = starting.runs;
    if (arrived.length === 0 && !starting.isOfUse) keepEarly(core, ref, found);
    for (const stranger of core.strangers) core.sql.addMissed.run(stranger, ref);
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
  });
}

/** Gives events that have come while a version was missing to its runs, now that it is there. Within a transaction. */
export function catchUp(core: Core, ref: number): void {
  for (const { ref: event, text } of core.sql.missed.all(ref)) {
    const only = new Map([...core.workflows].filter(([other]) => other === ref));
    spread(core, event, definitionsOf(core, JSON.parse(text) as CloudEvent, only));
  }
  core.sql.endMissed.run(ref);
}

/** What keeps something from being an event; undefined where nothing does. */
function faultIn(event: CloudEvent): string | undefined {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return "it is not an object";
  const lacking = ["specversion", "id", "source", "type"].find(
    (name) => typeof event[name] !== "string" || event[name] === "",
  );
  return lacking === undefined ? undefined : `\`${lacking}\` has to be text that is not empty`;
}

function definitionsOf(core: Core, event: CloudEvent, workflows: ReadonlyMap<number, AnyWorkflow>): readonly Match[] {
  return [...workflows].flatMap(([ref, workflow]) =>
    Object.keys(workflow.events ?? {}).flatMap((name) => {
      try {
        if (!matches(name, event, workflow, undefined)) return [];
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

/** Puts an event in the inboxes of the runs that it belongs to, once each; one that is for anybody is for the oldest run that waits for it. */
function spread(core: Core, event: number, found: readonly Match[]): readonly Arrived[] {
  const { sql } = core;
  const targets = new Map<string, { readonly run: number; readonly inbox: string }>();
  for (const { ref, workflow, name, token } of found) {
    if (isOpen(name, workflow)) continue;
    for (const target of sql.listening.all(ref, name, tokenText(token)))
      targets.set(`${target.run} ${target.inbox}`, target);
  }
  const oldest = oldestDemand(core, found);
  if (oldest) targets.set(`${oldest.run} ${oldest.inbox}`, oldest);
  const arrived: Arrived[] = [];
  for (const { run, inbox } of targets.values()) {
    const live = core.live.get(run);
    const seq = live ? live.seq++ : sql.lastSeq.get(run, run, run)!.seq + 1;
    sql.putEvent.run(run, seq, inbox, event);
    if (!live || live.isStoredAsWaiting) sql.activate.run(run);
    live?.setActive();
    if (live) core.turns.touch(live);
    arrived.push({ run, inbox, seq });
  }
  return arrived;
}

/** The oldest run that waits for an event which is for anybody. It does not wait for a second one then, but where its conditions decide. */
function oldestDemand(
  { sql }: Core,
  found: readonly Match[],
): { readonly run: number; readonly inbox: string } | undefined {
  const demands = found
    .filter(({ name, workflow }) => isOpen(name, workflow))
    .flatMap(({ ref, name }) => sql.demanding.all(ref, name).map((demand) => ({ ...demand, ref, name })))
    .sort((a, b) => a.run - b.run);
  const [oldest] = demands;
  if (oldest) sql.meetDemand.run(oldest.ref, oldest.name, oldest.run, oldest.inbox);
  return oldest;
}

function tell(core: Core, { run, inbox, seq }: Arrived, event: CloudEvent): void {
  const live = core.live.get(run);
  if (!live) {
    core.wake(run);
    return;
  }
  if (live.loadedTo >= seq) return;
  live.push(arrival(live, seq, inbox, event));
}

/** Keeps an event that nothing has matched for runs that will have its correlation value, or will wait for it where it is for anybody. */
function keepEarly(core: Core, event: number, found: readonly Match[]): void {
  if (keepingTime(core.options.keepEvents) <= 0) return;
  for (const { workflow, name, token } of found) {
    if (token !== undefined || isOpen(name, workflow))
      core.sql.addEarly.run(workflow.id, name, tokenText(token), event, core.now());
  }
}

const idsOf = (core: Core, refs: readonly number[]): readonly string[] =>
  [...new Set(refs)].map((ref) => core.sql.run.get(ref)!.id);
