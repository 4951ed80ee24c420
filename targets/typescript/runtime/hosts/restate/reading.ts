import type { RunDetail, RunFilter, RunStatus, RunSummary, VersionUse } from "../../engine.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import type { Query, Row } from "./asking.ts";
import type { Kept, Names, Summary } from "./messages.ts";

/** What is known of a run. */
export interface Known {
  readonly id: string;
  readonly kept: Kept;
  readonly summary: Summary | undefined;
}

/** What is kept of runs: how they began and how they are. */
export const knownQuery = ({ book, run }: Names, id?: string): string => `SELECT service_name, service_key, key, value_utf8 FROM state
  WHERE ${id === undefined ? `(service_name = '${book}' AND key LIKE 'run:%') OR service_name = '${run}'` : `(service_name = '${book}' AND key = ${quoted(`run:${id}`)}) OR (service_name = '${run}' AND service_key = ${quoted(id)})`}`;

/** The runs, the newest first. */
export function knownIn(rows: readonly Row[], { book }: Names): readonly Known[] {
  const summaries = new Map<string, Summary>();
  for (const row of rows)
    if (row["service_name"] !== book) summaries.set(`${row["service_key"]}`, JSON.parse(`${row["value_utf8"]}`) as Summary);
  return rows
    .filter((row) => row["service_name"] === book)
    .map((row) => {
      const id = `${row["key"]}`.slice("run:".length);
      return { id, kept: JSON.parse(`${row["value_utf8"]}`) as Kept, summary: summaries.get(id) };
    })
    .sort((a, b) => b.kept.order - a.kept.order);
}

/** A run at a glance. */
export function summaryOf({ id, kept, summary }: Known, workflows: readonly AnyWorkflow[]): RunSummary {
  const isMissing = !workflows.some((each) => each.id === kept.workflow && each.version === kept.version);
  const isOver = summary !== undefined && ["succeeded", "failed", "cancelled"].includes(summary.status);
  const status: RunStatus = isMissing && !isOver ? "stranded" : (summary?.status ?? "running");
  return {
    id,
    workflow: kept.workflow,
    version: kept.version,
    status,
    created: new Date(kept.at).toISOString(),
    updated: new Date(summary?.updated ?? kept.at).toISOString(),
    ...(status === "stranded" && { reason: `The version ${kept.version} of ${kept.workflow} is not in the program.` }),
    ...(summary?.output !== undefined && { output: summary.output }),
    ...(summary?.error !== undefined && { error: summary.error }),
  };
}

/** Whether a run is one that is asked for. */
export const isIn =
  ({ workflow, status }: RunFilter) =>
  (run: RunSummary): boolean =>
    (workflow === undefined || run.workflow === workflow) && (status === undefined || run.status === status);

/** A run in full, with its steps as Restate has them. */
export function detailOf(known: Known, workflows: readonly AnyWorkflow[], query: Query): RunDetail {
  const { kept, summary } = known;
  const rows = query(`SELECT index, entry_type, name, completed, appended_at FROM sys_journal
    WHERE id = '${kept.invocation}' AND name IS NOT NULL ORDER BY index`);
  const steps = rows
    .filter((row) => row["entry_type"] === "Command: Run" || `${row["entry_type"]}`.includes("Run"))
    .map((row) => ({
      key: `${row["name"]}`,
      status: row["completed"] ? ("done" as const) : ("waiting" as const),
      at: `${row["appended_at"] ?? ""}`,
    }));
  const until = summary?.until;
  return {
    ...summaryOf(known, workflows),
    input: kept.input,
    steps,
    unsent: [],
    waitingFor: {
      events: summary?.events ?? [],
      ...(until !== undefined && { until: new Date(until).toISOString() }),
    },
  };
}

/** The versions of workflows, and how many runs need them. */
export function versionsOf(all: readonly RunSummary[], workflows: readonly AnyWorkflow[]): readonly VersionUse[] {
  const open = all.filter(({ status }) => status === "running" || status === "waiting" || status === "stranded");
  const countOf = (id: string, version: string) =>
    open.filter((run) => run.workflow === id && run.version === version).length;
  const isKnown = (id: string, version: string) =>
    workflows.some((each) => each.id === id && each.version === version);
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

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
