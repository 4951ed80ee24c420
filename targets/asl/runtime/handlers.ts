import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { correlationText, matches } from "../../../src/matching/matching.ts";
import { matcherOf } from "./matching.ts";
import type { Definition, Space, Starting, Waiting } from "./model.ts";
import { arrived, givenUp, takenBack, told, waited } from "./space.ts";
import { type Machines, startedIn } from "./starting.ts";
import { type DynamoDB, openTable, type Table } from "./table.ts";
import { type StepFunctions, startOnce, tell, wasTold } from "./tasks.ts";

/** What the functions act on. */
export interface Host {
  readonly dynamodb: DynamoDB;
  readonly stepFunctions: StepFunctions;
  /** The name of the table. */
  readonly table: string;
  /** The ARNs of state machines, by their names: events start no runs of one that has none. */
  readonly machines: Machines;
  /** Whether events start runs now. */
  readonly starts: boolean;
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Lets some milliseconds pass. */
  pause(milliseconds: number): Promise<void>;
}

/** What a Task that waits asks `wait` with. */
export interface Asked {
  readonly step: string;
  readonly run: string;
  readonly started: string;
  readonly position: readonly number[];
  readonly variables: JsonObject;
  /** The correlation value that the run has from the start; absent or null: none. */
  readonly correlation?: Json;
  /** Absent: the wait has been given up, and drops what it has not used. */
  readonly task?: string;
}

/** What a state asks `wait` with that wants to know the correlation value which events have given its run. */
export interface AskedToken {
  readonly run: string;
  readonly step?: undefined;
}

/** An event as EventBridge delivers it. */
export interface Delivered {
  readonly id: string;
  readonly source: string;
  readonly "detail-type": string;
  readonly time: string;
  readonly detail: Json;
}

/**
 * The two functions of a workflow that receives events: `wait` is called by a state that waits, `ingest` by EventBridge for each event. Either changes a
 * space in one transaction and then tells the tasks whose waits that has ended, and starts the runs that it starts. When one of them breaks off, the next call does what is left.
 */
export function createHandlers(definition: Definition, host: Host) {
  const table = openTable(host.dynamodb, host.table, definition.workflow);
  const site: Site = { definition, host, table, starts: host.starts ? host.machines : {} };
  return {
    wait: async (asked: Asked | AskedToken): Promise<Json> =>
      asked.step === undefined ? ((await table.run(asked.run))?.token ?? null) : wait(site, asked),
    ingest: (delivered: Delivered) => ingest(site, delivered),
  };
}

interface Site {
  readonly definition: Definition;
  readonly host: Host;
  readonly table: Table;
  /** The machines of which events start executions; absent: none starts anything now, as somebody is about to wait who may use them. */
  readonly starts?: Machines | undefined;
}

/** A space in which events have started what they start. */
const begun = (space: Space, { starts, definition }: Site): Space =>
  starts ? startedIn(space, starts, definition) : space;

async function wait(site: Site, asked: Asked): Promise<Json> {
  const { definition, table, host } = site;
  const { run, position, variables, task, started } = asked;
  const step = `${definition.own ?? ""}${asked.step}`;
  const first = definition.sharded ? await table.run(run) : undefined;
  const given = asked.correlation ?? undefined;
  const key = hash([run, step, position]);
  const space = spaceOf(definition, correlationText(first?.token ?? given));
  const now = host.now();
  if (task === undefined) {
    await change(site, space, (state) => givenUp(state, key, definition));
    return null;
  }
  await finish({ ...site, starts: undefined }, space, (waiting) => waiting.key === key);
  await change(site, space, async (state) => {
    const known = definition.sharded ? first : await table.run(run);
    const token = known?.token ?? given;
    const asking = { key, step, run, started: Date.parse(started), position, variables, at: now, task };
    const waiting = {
      ...asking,
      ...(token !== undefined && { token }),
      ...(known?.after !== undefined && { after: known.after }),
    };
    return begun(waited(state, waiting, definition), site);
  });
  return null;
}

async function ingest(site: Site, delivered: Delivered): Promise<Json> {
  const { definition, host } = site;
  const event = cloudEventOf(delivered);
  const seen = hash([event["source"] ?? null, event["id"] ?? delivered.id]);
  const now = host.now();
  const spaces = spacesFor(event, definition);
  for (const space of spaces) {
    const come = (state: Space): Space => begun(arrived(state, event, { at: now, mayStart: seen }, definition), site);
    const isNew = await change(site, space, come, seen);
    await finish(site, space, ({ ended }) => !isNew || now - ended!.at > stale);
  }
  return null;
}

/** A wait that is over and whose task nobody has told for so many milliseconds has been left behind by who should have. */
const stale = 60_000;

/** The event in structured mode, where it came so; any other is made into one. */
function cloudEventOf({ id, source, time, detail, ...rest }: Delivered): JsonObject {
  if (isObject(detail) && typeof detail["specversion"] === "string") return detail;
  return { specversion: "1.0", id, source, type: rest["detail-type"], time, data: detail };
}

/** The spaces of those that an event may be for. */
function spacesFor(event: JsonObject, definition: Definition): ReadonlySet<string> {
  const matcher = matcherOf(definition);
  const names = [...definition.events.keys()].filter((name) => matches({ event: name }, { event }, undefined, matcher));
  return new Set(names.map((name) => spaceOf(definition, matcher.tokenOf(name, { event }) ?? null)));
}

/** The space of a correlation value, by its text; null: there is none. */
const spaceOf = ({ workflow, sharded }: Definition, token: string | null): string =>
  sharded ? `${workflow}#${digest(String(token))}` : workflow;

const hash = (value: Json): string => digest(JSON.stringify(value));

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Changes a space, as often as somebody else changes it meanwhile, and does what follows from that. False for an event that was there before. */
async function change(
  site: Site,
  space: string,
  make: (state: Space) => Space | Promise<Space>,
  seen?: string,
): Promise<boolean> {
  const { table, host } = site;
  for (let attempt = 0; ; attempt++) {
    const before = await table.read(space);
    const after = await make(before);
    if (after === before) return true;
    const outcome = await table.write(space, before, after, host.now(), seen);
    if (outcome === "repeated") return false;
    if (outcome === "written") {
      await follow(site, space, before, after);
      return true;
    }
    if (attempt >= mostAttempts) throw new Error("The table is changed too often by others.");
    await host.pause(Math.random() * Math.min(1000, 10 * 2 ** attempt));
  }
}

const mostAttempts = 50;

/** Starts what a change has started, and tells the tasks of the waits that it has ended. */
async function follow(site: Site, space: string, before: Space, after: Space): Promise<void> {
  const pending = new Set(before.waits.flatMap(({ key, task, ended }) => (ended ? [`${key} ${task}`] : [])));
  const starts = after.starts.filter((start) => !before.starts.some((each) => isSame(each, start)));
  for (const start of starts) await launch(site, space, start);
  for (const waiting of after.waits)
    if (waiting.ended && !pending.has(`${waiting.key} ${waiting.task}`)) await report(site, space, waiting);
}

async function launch(site: Site, space: string, start: Starting): Promise<void> {
  const { stepFunctions, machines } = site.host;
  const { machine } = site.definition.starts!.find(({ workflow }) => workflow === start.workflow)!;
  await startOnce(stepFunctions, machines[machine]!, start);
  await change(site, space, (state) =>
    state.starts.some((each) => isSame(each, start))
      ? { ...state, starts: state.starts.filter((each) => !isSame(each, start)) }
      : state,
  );
}

const isSame = (one: Starting, other: Starting): boolean => one.name === other.name && one.workflow === other.workflow;

/** Tells a task, and notes that; where it is gone and nobody has told it, what the wait has taken is given back. */
async function report(site: Site, space: string, waiting: Waiting): Promise<void> {
  const { host, definition } = site;
  const client = host.stepFunctions;
  const outcome = await tell(client, waiting);
  await change(site, space, async (state) => {
    const now = state.waits.find(({ key, task }) => key === waiting.key && task === waiting.task);
    if (!now?.ended) return begun(state, site);
    const isOnly = now.ended.attempt === 1;
    const isTold = outcome === "told" || (!isOnly && (await wasTold(client, now)));
    return isTold ? told(state, now.key) : begun(takenBack(state, now, definition, host.now()), site);
  });
}

/** Does what others have left undone: starts runs, and tells the tasks of waits that ended long ago. */
async function finish(site: Site, space: string, isLeft: (waiting: Waiting) => boolean): Promise<void> {
  const state = await site.table.read(space);
  const left = state.waits.filter((waiting) => waiting.ended && isLeft(waiting));
  for (const { key, task } of left) {
    let mine: Waiting | undefined;
    await change(site, space, (now) => {
      const found = now.waits.find((each) => each.key === key && each.task === task && each.ended);
      if (!found) {
        mine = undefined;
        return now;
      }
      mine = { ...found, ended: { ...found.ended!, attempt: found.ended!.attempt + 1 } };
      return { ...now, waits: now.waits.map((each) => (each === found ? mine! : each)) };
    });
    if (mine) await report(site, space, mine);
  }
  for (const start of state.starts) await launch(site, space, start);
  if (site.starts && state.events.some(({ mayStart }) => mayStart !== undefined))
    await change(site, space, (now) => begun(now, site));
}
