import type {
  ListedRun,
  RunDetail,
  RunFilter,
  RunPage,
  RunStatus,
  RunSummary,
  UnsentCounts,
  VersionUse,
} from "../engine.ts";
import type { CloudEvent } from "../events.ts";
import { isObject, type Json } from "../json.ts";
import { includesWorkflow, listedRun, pageOf, pageRange, shorten } from "../paging.ts";
import type { Core } from "./core.ts";
import type { Waits } from "./replay.ts";
import type { JournalRow, Kind, ListedRow, OutgoingRow, RunRow } from "./statements.ts";
import { together } from "./store.ts";
import { callKeyOf } from "./task-keys.ts";

/**
 * A page of the runs that match a filter, newest first. It is read in slices, because the error of a run may be long.
 */
export async function listRuns(core: Core, filter: RunFilter = {}): Promise<RunPage> {
  const { limit, before } = pageRange(filter);
  const refs = await matchingRefs(core, filter, before, limit + 1);
  const found: { readonly number: number; readonly run: ListedRun }[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const ref of refs) {
    if (performance.now() > sliceEnd) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnd = performance.now() + sliceMs;
    }
    const row = await core.read(core.sql.listedRun.get(ref));
    if (row) found.push({ number: ref, run: listedIn(core, row) });
  }
  return pageOf(found, limit);
}

/** How long a list is read before other work has its turn, in milliseconds. */
const sliceMs = 5;

/** The numbers of the newest runs that match a filter, from an index. */
export async function matchingRefs(
  core: Core,
  filter: RunFilter,
  before: number,
  limit: number,
): Promise<readonly number[]> {
  const { sql } = core;
  const { workflow, workflows, status } = filter;
  if (workflow === undefined && workflows === undefined && status === undefined)
    return (await core.read(sql.runsBefore.all(before, limit))).map(({ ref }) => ref);
  const groups = (await core.read(sql.usedWorkflows.all())).flatMap(({ ref }) => {
    const isStranger = core.strangers.has(ref) || !core.names.has(ref);
    if (!includesWorkflow(filter, core.names.get(ref)?.id)) return [];
    return storedStatuses(status, isStranger).map((stored) => ({ ref, stored }));
  });
  const found = await core.read(
    together(...groups.map(({ ref, stored }) => sql.runsOfStatusBefore.all(ref, stored, before, limit))),
  );
  return found
    .flat()
    .map(({ ref }) => ref)
    .sort((a, b) => b - a)
    .slice(0, limit);
}

const statuses: readonly RunStatus[] = ["running", "waiting", "succeeded", "failed", "cancelled", "stranded"];

/** The stored statuses of runs with a displayed status: active runs of missing versions are displayed as stranded. */
function storedStatuses(status: RunStatus | undefined, isStranger: boolean): readonly RunStatus[] {
  if (status === undefined) return statuses;
  if (status === "stranded") return isStranger ? ["stranded", "running", "waiting"] : ["stranded"];
  return isStranger && (status === "running" || status === "waiting") ? [] : [status];
}

/** A run in a list. */
export function listedIn(core: Core, { error, ...row }: ListedRow): ListedRun {
  const run = listedRun(summaryOf(core, { ...row, output: null, error: null }));
  return error === null ? run : { ...run, error: errorIn(error) };
}

/** The name and the message of an error, of whose stored form only the beginning may be known. */
function errorIn(text: string): NonNullable<ListedRun["error"]> {
  const [, name = "", message = ""] = errorStart.exec(text) ?? [];
  const [shownName, shownMessage] = [name, message].map((part) => jsonIn(`"${part}"`) ?? "");
  return { name: shorten(String(shownName)), message: shorten(String(shownMessage)) };
}

const characters = '(?:[^"\\\\]|\\\\u[0-9a-f]{4}|\\\\[^u])*';

const errorStart = new RegExp(`^\\{"name":"(${characters})","message":"(${characters})`);

/** All details of a run. */
export async function showRun(core: Core, id: string): Promise<RunDetail | undefined> {
  const row = await core.read(core.sql.runById.get(id));
  if (!row) return undefined;
  const { sql } = core;
  const [journal, outgoing, subscription] = await core.read(
    together(sql.journal.all(row.ref), sql.outgoingOf.all(row.ref), sql.subscription.get(row.ref, "")),
  );
  const correlation = jsonIn(subscription?.value ?? row.token ?? "null");
  const texts = await core.read(together(...outgoing.map(({ ref }) => sql.outgoingText.get(ref))));
  const waits = waitsOf(core, row);
  const until = Math.min(...waits.map((wait) => wait.until ?? Number.POSITIVE_INFINITY));
  const events = [...new Set(waits.flatMap((wait) => wait.events ?? []))];
  const tasks = waits.flatMap(({ key, isTask }) => (isTask ? [callKeyOf(key)] : []));
  const activities = [...new Set(waits.flatMap(({ activity }) => activity ?? []))];
  const waiting = waits.map(({ key, at }) => ({ key, status: "waiting" as const, at: instant(at) }));
  return {
    ...summaryOf(core, row),
    input: jsonIn(row.input),
    ...(row.trace !== null && { trace: row.trace }),
    ...(correlation !== null && { correlation }),
    steps: [...journal.flatMap(stepOf), ...waiting],
    unsent: outgoing.flatMap((each, i) => (texts[i] ? [unsentOf(each, texts[i].text)] : [])),
    waitingFor: {
      events,
      ...(tasks.length > 0 && { tasks }),
      ...(activities.length > 0 && { activities }),
      ...(Number.isFinite(until) && { until: instant(until) }),
    },
  };
}

/** The number of events that no sink has accepted. */
export async function unsentIn({ sql, read }: Core): Promise<UnsentCounts> {
  const [all, refused] = await read(together(sql.countOutgoing.get(), sql.countRefused.get()));
  return { unsent: all!.n, refused: refused!.n };
}

/** The versions of the program and of active runs, by workflow, newest first. */
export async function versionsIn({ sql, read, names, workflows, newest }: Core): Promise<readonly VersionUse[]> {
  const codeOf = (ref: number, id: string): VersionUse["code"] =>
    newest.get(id)?.ref === ref ? "new" : workflows.has(ref) ? "previous" : "missing";
  const all = [...names];
  const counts = await read(together(...all.map(([ref]) => sql.countOpen.get(ref))));
  return all
    .map(([ref, { id, version }], i) => ({ ref, id, version, runs: counts[i]!.n }))
    .filter(({ ref, runs }) => runs > 0 || workflows.has(ref))
    .sort((a, b) => (a.id === b.id ? b.ref - a.ref : a.id < b.id ? -1 : 1))
    .map(({ ref, id, version, runs }) => ({ workflow: id, version, runs, code: codeOf(ref, id) }));
}

/** The summary of a run. */
export function summaryOf(core: Core, row: Omit<ListedRow, "error"> & Pick<RunRow, "output" | "error">): RunSummary {
  const { id, version } = core.names.get(row.workflow) ?? nothing;
  const isActive = row.status === "running" || row.status === "waiting";
  return {
    id: row.id,
    workflow: id,
    version,
    status:
      isActive && (core.strangers.has(row.workflow) || !core.names.has(row.workflow))
        ? "stranded"
        : (row.status as RunStatus),
    created: instant(row.created),
    updated: instant(row.updated),
    ...reasonOf(core, row, isActive),
    ...(row.output === null ? {} : { output: jsonIn(row.output) }),
    ...(row.error === null ? {} : { error: jsonIn(row.error) as NonNullable<RunSummary["error"]> }),
  };
}

/** The workflow of a run whose row is damaged. */
const nothing = { id: "", version: "" };

function reasonOf(
  { strangers, names }: Core,
  row: Omit<ListedRow, "error">,
  isActive: boolean,
): { readonly reason?: string } {
  if (row.reason !== null) return { reason: row.reason };
  if (!isActive) return {};
  const known = names.get(row.workflow);
  if (!known) return { reason: "What is recorded of the run names no workflow." };
  if (!strangers.has(row.workflow)) return {};
  const { id, version } = known;
  return { reason: `Version ${version} of ${id} is not in the program.` };
}

/** A stored event; undefined if it is damaged, which is logged. */
export function storedEvent(core: Core, number: number, text: string): CloudEvent | undefined {
  try {
    return JSON.parse(text) as CloudEvent;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    core.log({
      level: "error",
      message: "An event in the store cannot be read, and is skipped.",
      event: number,
      reason,
    });
    return undefined;
  }
}

/** Parses stored JSON; null if it is damaged. */
export function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function unsentOf({ type, at, attempts, refused, reason }: OutgoingRow, text: string): RunDetail["unsent"][number] {
  const event = jsonIn(text);
  return {
    event: String(isObject(event) ? event["id"] : ""),
    type,
    at: instant(at),
    status: refused === 1 ? "refused" : "waiting",
    attempts,
    ...(reason === null ? {} : { reason }),
  };
}

/** What a run waits for now, or waited for when it left memory. */
export function waitsOf(core: Core, row: RunRow): readonly Waits[] {
  const run = core.live.get(row.ref);
  if (run && !run.isReplaying) return [...run.requests.values()].flatMap(({ waits }) => waits ?? []);
  const waits = row.waits === null ? [] : jsonIn(row.waits);
  return Array.isArray(waits) ? (waits as unknown as readonly Waits[]) : [];
}

const stepOf = ({ key, kind, at }: JournalRow): RunDetail["steps"] => {
  const status = stepStatuses[kind];
  return status ? [{ key, status, at: instant(at) }] : [];
};

const stepStatuses: { readonly [kind in Kind]: "done" | "failed" | "waiting" | undefined } = {
  value: "done",
  failure: "failed",
  due: undefined,
  fired: "done",
  begun: "waiting",
  over: "done",
  retried: undefined,
};

/** Formats an instant. Later instants than a date can have become the last one. */
export const instant = (time: number): string => new Date(Math.min(time, 8.64e15)).toISOString();
