import type { RunDetail, RunFilter, RunStatus, RunSummary, VersionUse } from "../../engine.ts";
import { includesWorkflow } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import type { KeptRun } from "../broker/messages.ts";
import { type Leaving, type Names, outboxPrefix, type Summary } from "./messages.ts";
import type { Query, Row } from "./query.ts";

/** A stored run as lists show it: what is long in it may be missing. */
export interface RunOutline {
  readonly id: string;
  readonly kept: Omit<KeptRun, "input"> & { readonly input?: Json | undefined };
  readonly summary: Summary | undefined;
  /** Why Restate has paused it. */
  readonly fault?: string | undefined;
  /** Whether its input, or its output or error, is too long to be read with others. */
  readonly isShortened: boolean;
}

/** A stored run with its input, and its output or error. */
export interface StoredRun extends RunOutline {
  readonly kept: KeptRun;
}

/** Reads a run; undefined if it does not exist. */
export async function readRun(query: Query, names: Names, id: string): Promise<StoredRun | undefined> {
  const [run] = runsIn(await query(runsQuery(names, [id], ["value_utf8"])), names);
  return run as StoredRun | undefined;
}

/**
 * Reads runs, all or some, the newest first. Restate extracts the short parts of long values, so that a list is not as
 * long as all inputs and outputs together.
 */
export async function readOutlines(
  query: Query,
  names: Names,
  ids?: readonly string[],
): Promise<readonly RunOutline[]> {
  return runsIn(await query(runsQuery(names, ids, outlineColumns)), names);
}

/** The query for runs, all or some: their beginnings, their summaries, and why Restate has paused them. */
function runsQuery({ book, run }: Names, ids: readonly string[] | undefined, columns: readonly string[]): string {
  const is = (column: string, each: (id: string) => string) => `${column} IN (${ids!.map(each).map(quoted).join()})`;
  const isSome = ids !== undefined && ids.length <= mostNamed;
  const kept = isSome ? is("key", (id) => `run:${id}`) : "key LIKE 'run:%'";
  const own = isSome ? `AND ${is("service_key", (id) => id)}` : "";
  const paused = isSome ? `AND ${is("target_service_key", (id) => id)}` : "";
  const others = columns.slice(1).map(() => ", NULL");
  return `SELECT service_name, service_key, key, ${columns.join(", ")} FROM state
    WHERE (service_name = '${book}' AND ${kept}) OR (service_name = '${run}' ${own})
    UNION ALL SELECT target_service_name, target_service_key, 'fault', last_failure ${others.join("")} FROM sys_invocation
    WHERE target_service_name = '${run}' AND status = 'paused' ${paused}`;
}

/** Queries for more runs select all. */
const mostNamed = 100;

/** The members of values that lists need. */
const members: readonly string[] = [
  ...["order", "root", "workflow", "version", "at", "invocation", "cancelled"],
  ...["status", "updated", "events", "until", "failures"],
];

/** The maximum length of values that lists read as a whole, in bytes, and of the messages of errors, in characters. */
const [maxWhole, maxMessage] = [4000, 1000];

const ifLong = (text: string, name: string): string =>
  `CASE WHEN octet_length(value_utf8) > ${maxWhole} THEN ${text} END AS "${name}"`;

const outlineColumns: readonly string[] = [
  `CASE WHEN octet_length(value_utf8) <= ${maxWhole} THEN value_utf8 END AS value_utf8`,
  ...members.map((member) => ifLong(`json_get_json(value_utf8, '${member}')`, member)),
  ifLong("json_get_str(value_utf8, 'error', 'name')", "error_name"),
  ifLong(`substr(json_get_str(value_utf8, 'error', 'message'), 1, ${maxMessage})`, "error_message"),
];

/** Whether a row has a whole value. Restate omits columns without a value. */
const isWhole = (row: Row): boolean => (row["value_utf8"] ?? null) !== null;

/** The value in a row, or its short parts. */
function valueIn(row: Row): unknown {
  if (isWhole(row)) return JSON.parse(`${row["value_utf8"]}`);
  const parts = members.flatMap((member) => {
    const text = row[member] ?? null;
    return text === null ? [] : [[member, JSON.parse(`${text}`)] as const];
  });
  const [name, message] = [row["error_name"] ?? null, row["error_message"] ?? ""];
  return { ...Object.fromEntries(parts), ...(name !== null && { error: { name, message } }) };
}

/** The runs in rows, the newest first. */
function runsIn(rows: readonly Row[], { book }: Names): readonly RunOutline[] {
  const ends = new Map<string, Row>();
  const faults = new Map<string, string>();
  for (const row of rows) {
    if (row["service_name"] === book) continue;
    if (row["key"] === "fault") faults.set(`${row["service_key"]}`, `${row["value_utf8"]}`);
    else ends.set(`${row["service_key"]}`, row);
  }
  return rows
    .filter((row) => row["service_name"] === book)
    .map((row) => {
      const id = `${row["key"]}`.slice("run:".length);
      const kept = valueIn(row) as RunOutline["kept"];
      const end = ends.get(id);
      const summary = endedIn(kept) ?? (end && (valueIn(end) as Summary));
      const isShortened = !isWhole(row) || (end !== undefined && !isWhole(end));
      return { id, kept, summary, fault: faults.get(id), isShortened };
    })
    .sort((a, b) => b.kept.order - a.kept.order);
}

/** The summary of a run that was canceled while its code was missing. */
const endedIn = ({ cancelled }: Pick<KeptRun, "cancelled">): Summary | undefined =>
  cancelled === undefined ? undefined : { status: "cancelled", updated: cancelled, events: [] };

/** Whether a run has ended. */
export const isOver = ({ summary }: RunOutline): boolean =>
  summary !== undefined && ["succeeded", "failed", "cancelled"].includes(summary.status);

/** The summary of a run. */
export function summaryOf(known: RunOutline, workflows: readonly AnyWorkflow[]): RunSummary {
  const { id, kept, summary, fault } = known;
  const isMissing = !workflows.some((each) => each.id === kept.workflow && each.version === kept.version);
  const reason = isMissing ? `The version ${kept.version} of ${kept.workflow} is not in the program.` : fault;
  const status: RunStatus = reason !== undefined && !isOver(known) ? "stranded" : (summary?.status ?? "running");
  return {
    id,
    workflow: kept.workflow,
    version: kept.version,
    status,
    created: new Date(kept.at).toISOString(),
    updated: new Date(summary?.updated ?? kept.at).toISOString(),
    ...(status === "stranded" && { reason }),
    ...(summary?.output !== undefined && { output: summary.output }),
    ...(summary?.error !== undefined && { error: summary.error }),
  };
}

/** Whether a run matches a filter. */
export const isIn =
  (filter: RunFilter) =>
  (run: Pick<RunSummary, "workflow" | "status">): boolean =>
    includesWorkflow(filter, run.workflow) && (filter.status === undefined || run.status === filter.status);

/** The query for the steps of a journal. */
export const stepsQuery = ({
  invocation,
}: Pick<KeptRun, "invocation">): string => `SELECT entry_json, appended_at FROM sys_journal
  WHERE id = '${invocation}' AND entry_type IN ('Command: Run', 'Command: Sleep', 'Notification: Run', 'Notification: Sleep') ORDER BY index`;

/** The part of a journal entry that is used. */
export interface JournalEntry {
  readonly Command?: { readonly [kind: string]: { readonly completion_id: number; readonly name: string } };
  readonly Notification?: {
    readonly Completion?: {
      readonly [kind: string]: {
        readonly completion_id: number;
        readonly result?: { readonly Success?: readonly number[] };
      };
    };
  };
}

/** The steps of a journal: completed ones in their order, then the others. */
export function stepsIn(rows: readonly Row[]): RunDetail["steps"] {
  const waiting = new Map<number, RunDetail["steps"][number]>();
  const done: RunDetail["steps"][number][] = [];
  for (const row of rows) {
    const { Command: command, Notification: notification } = JSON.parse(`${row["entry_json"]}`) as JournalEntry;
    const at = `${row["appended_at"]}`;
    for (const { completion_id: id, name } of Object.values(command ?? {}))
      waiting.set(id, { key: name, status: "waiting", at });
    for (const { completion_id: id, result } of Object.values(notification?.Completion ?? {})) {
      const step = waiting.get(id);
      waiting.delete(id);
      const outcome =
        result?.Success && (JSON.parse(Buffer.from(result.Success).toString()) as { readonly kind: string });
      if (step) done.push({ key: step.key, status: outcome?.kind === "failure" ? "failed" : "done", at });
    }
  }
  return [...done, ...waiting.values()];
}

/** The details of a run, with its steps in Restate and the events that no sink has accepted. */
export async function detailOf(
  known: StoredRun,
  workflows: readonly AnyWorkflow[],
  query: Query,
  { outbox }: Names,
): Promise<RunDetail> {
  const { id, kept, summary } = known;
  const until = summary?.until;
  const [steps, unsent] = await Promise.all([
    query(stepsQuery(kept)),
    query(`SELECT value_utf8 FROM state WHERE ${ofOutbox(outbox, id)}`),
  ]);
  return {
    ...summaryOf(known, workflows),
    input: kept.input,
    steps: stepsIn(steps),
    unsent: unsent
      .map((row) => JSON.parse(`${row["value_utf8"]}`) as Leaving)
      .sort((a, b) => a.at - b.at)
      .map(unsentIn),
    waitingFor: {
      events: summary?.events ?? [],
      ...(until !== undefined && { until: new Date(until).toISOString() }),
    },
  };
}

/** The condition for the events of a run that no sink has accepted. */
export const ofOutbox = (outbox: string, id: string): string =>
  `service_name = '${outbox}' AND starts_with(service_key, ${quoted(outboxPrefix(id))})`;

const unsentIn = ({ event, at, reason }: Leaving): RunDetail["unsent"][number] => ({
  event: event.id,
  type: event.type,
  at: new Date(at).toISOString(),
  status: reason === undefined ? "waiting" : "refused",
  attempts: 0,
  ...(reason !== undefined && { reason }),
});

/** The versions of workflows with the numbers of their open runs. */
export function versionsOf(all: readonly RunSummary[], workflows: readonly AnyWorkflow[]): readonly VersionUse[] {
  const open = all.filter(({ status }) => status === "running" || status === "waiting" || status === "stranded");
  const countOf = (id: string, version: string) =>
    open.filter((run) => run.workflow === id && run.version === version).length;
  const isKnown = (id: string, version: string) => workflows.some((each) => each.id === id && each.version === version);
  const missing = new Map(
    open
      .filter(({ workflow, version }) => !isKnown(workflow, version))
      .map(({ workflow, version }) => [JSON.stringify([workflow, version]), { workflow, version }] as const),
  );
  return [
    ...workflows.map(({ id, version }, i) => ({
      workflow: id,
      version,
      runs: countOf(id, version),
      code: workflows.findIndex((each) => each.id === id) === i ? ("new" as const) : ("previous" as const),
    })),
    ...[...missing.values()].map((each) => ({
      ...each,
      runs: countOf(each.workflow, each.version),
      code: "missing" as const,
    })),
  ];
}

/** A string literal of a query. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
