import type { Engine, RunDetail, RunFilter, RunStatus, RunSummary, VersionUse } from "../engine.ts";
import type { CloudEvent } from "../events.ts";
import { isObject, type Json } from "../json.ts";
import type { Core } from "./core.ts";
import type { Waits } from "./replay.ts";
import type { JournalRow, Kind, OutgoingRow, RunRow } from "./statements.ts";

/** The runs that match a filter, newest first. */
export function listRuns(core: Core, { workflow, status, limit }: RunFilter = {}): readonly RunSummary[] {
  const strangers = [...core.strangers, -1].join(", ");
  const active = "status IN ('running', 'waiting')";
  const conditions = [
    workflow === undefined ? "TRUE" : "workflow IN (SELECT ref FROM workflows WHERE id = :workflow)",
    status === undefined
      ? "TRUE"
      : status === "stranded"
        ? `(status = 'stranded' OR ${active} AND workflow IN (${strangers}))`
        : "status = :status",
    status === "running" || status === "waiting" ? `workflow NOT IN (${strangers})` : "TRUE",
  ];
  const parameters = {
    ...(workflow === undefined ? {} : { workflow }),
    ...(status === undefined || status === "stranded" ? {} : { status }),
    limit: limit === undefined ? -1 : Math.floor(limit),
  };
  const query = core.db.prepare(`SELECT * FROM runs WHERE ${conditions.join(" AND ")} ORDER BY ref DESC LIMIT :limit`);
  return (query.all(parameters) as unknown as readonly RunRow[]).map((row) => summaryOf(core, row));
}

/** All details of a run. */
export function showRun(core: Core, id: string): RunDetail | undefined {
  const row = core.sql.runById.get(id);
  if (!row) return undefined;
  const waits = waitsOf(core, row);
  const until = Math.min(...waits.map((wait) => wait.until ?? Number.POSITIVE_INFINITY));
  const events = [...new Set(waits.flatMap((wait) => wait.events ?? []))];
  const waiting = waits.map(({ key, at }) => ({ key, status: "waiting" as const, at: instant(at) }));
  return {
    ...summaryOf(core, row),
    input: jsonIn(row.input),
    steps: [...core.sql.journal.all(row.ref).flatMap(stepOf), ...waiting],
    unsent: core.sql.outgoingOf.all(row.ref).map((each) => unsentOf(core, each)),
    waitingFor: { events, ...(Number.isFinite(until) ? { until: instant(until) } : {}) },
  };
}

/** The number of events that no sink has accepted. */
export const unsentIn = ({ sql }: Core): ReturnType<Engine["unsent"]> => ({
  unsent: sql.countOutgoing.get()!.n,
  refused: sql.countRefused.get()!.n,
});

/** The versions of the program and of active runs, by workflow, newest first. */
export function versionsIn({ sql, names, workflows, newest }: Core): readonly VersionUse[] {
  const codeOf = (ref: number, id: string): VersionUse["code"] =>
    newest.get(id)?.ref === ref ? "new" : workflows.has(ref) ? "previous" : "missing";
  return [...names]
    .map(([ref, { id, version }]) => ({ ref, id, version, runs: sql.countOpen.get(ref)!.n }))
    .filter(({ ref, runs }) => runs > 0 || workflows.has(ref))
    .sort((a, b) => (a.id === b.id ? b.ref - a.ref : a.id < b.id ? -1 : 1))
    .map(({ ref, id, version, runs }) => ({ workflow: id, version, runs, code: codeOf(ref, id) }));
}

/** The summary of a run. */
export function summaryOf(core: Core, row: RunRow): RunSummary {
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

function reasonOf({ strangers, names }: Core, row: RunRow, isActive: boolean): { readonly reason?: string } {
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
function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function unsentOf(
  { sql }: Core,
  { ref, type, at, attempts, refused, reason }: OutgoingRow,
): RunDetail["unsent"][number] {
  const event = jsonIn(sql.outgoingText.get(ref)!.text);
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
function waitsOf(core: Core, row: RunRow): readonly Waits[] {
  const run = core.live.get(row.ref);
  if (run && !run.isReplaying) return [...run.requests.values()].flatMap(({ waits }) => waits ?? []);
  const waits = row.waits === null ? [] : jsonIn(row.waits);
  return Array.isArray(waits) ? (waits as unknown as readonly Waits[]) : [];
}

const stepOf = ({ key, kind, at }: JournalRow): RunDetail["steps"] => {
  const status = statuses[kind];
  return status ? [{ key, status, at: instant(at) }] : [];
};

const statuses: { readonly [kind in Kind]: "done" | "failed" | "waiting" | undefined } = {
  value: "done",
  failure: "failed",
  due: undefined,
  fired: "done",
  begun: "waiting",
  over: "done",
  retried: undefined,
};

/** Formats an instant. Later instants than a date can have become the last one. */
const instant = (time: number): string => new Date(Math.min(time, 8.64e15)).toISOString();
