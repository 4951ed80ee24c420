import type { RunDetail, RunStatus, RunSummary } from "../engine.ts";
import type { Json } from "../json.ts";
import { defaultLimit, isCursor, maxLimit } from "../paging.ts";
import { type Grant, mayUse, requireWorkflow } from "./access.ts";
import type { Exchange } from "./handler.ts";
import { answer, Refusal } from "./refusal.ts";
import { stream } from "./streaming.ts";

const statuses: readonly RunStatus[] = ["running", "waiting", "succeeded", "failed", "cancelled", "stranded"];

/** Lists a page of runs, newest first: by default 100, at most 1,000. */
export async function getRuns({ engine, response, query, grant }: Exchange): Promise<void> {
  const status = query.get("status") ?? undefined;
  if (status !== undefined && !isStatus(status)) throw malformed(`status is one of ${statuses.join(", ")}`);
  const limit = limitIn(query);
  const workflow = query.get("workflow") ?? undefined;
  if (workflow !== undefined) requireWorkflow(grant, workflow);
  const after = query.get("after") ?? undefined;
  if (after !== undefined && !isCursor(after)) throw malformed("after is the next of an earlier page");
  const search = {
    from: instantIn(query, "from"),
    until: instantIn(query, "until"),
    value: query.get("value") ?? undefined,
    error: query.get("error") ?? undefined,
  };
  const filter = { workflow, workflows: grant.workflows, status, ...search };
  const { runs, next } = await engine.list({ ...filter, limit, after });
  answer(response, 200, { runs: runs.map((run) => ({ ...run, error: run.error && { ...run.error } })), next });
}

/** Lists the available versions of workflows and those that runs need. */
export async function getVersions({ engine, response, grant }: Exchange): Promise<void> {
  const versions = (await engine.versions()).filter(({ workflow }) => mayUse(grant, workflow));
  answer(response, 200, { versions: versions.map((each) => ({ ...each })) });
}

/** Responds with the details of a run. */
export async function getRun(exchange: Exchange, id: string): Promise<void> {
  await stream(exchange.response, 200, detailOf(await runOf(exchange, id)));
}

/** Responds with the output of a run: 202 while it is active, 422 with its error if it has failed, 410 if it was cancelled. */
export async function getResult(exchange: Exchange, id: string): Promise<void> {
  const { response, query } = exchange;
  const seconds = numberIn(query, "wait", 0, 300) ?? 0;
  let run: RunSummary = await runOf(exchange, id);
  if (isActive(run) && seconds > 0) run = await waited(exchange, id, seconds);
  if (run.status === "succeeded") return stream(response, 200, run.output ?? null);
  if (isActive(run)) return answer(response, 202, summaryOf(run), { "retry-after": "1" });
  const members = { run: run.id, error: errorOf(run) };
  if (run.status === "failed")
    throw new Refusal(422, run.error?.name ?? "Error", run.error?.message ?? "", { members });
  if (run.status === "cancelled")
    throw new Refusal(410, "Cancelled", "The run was cancelled.", { members: { run: run.id } });
  throw new Refusal(409, "Stranded", run.reason ?? "", {
    members: { run: run.id },
  });
}

/** The run when it has ended, or after some seconds, or when the client or the server stops waiting. */
async function waited(exchange: Exchange, id: string, seconds: number): Promise<RunSummary> {
  const { engine, request, options } = exchange;
  const { stopping } = options;
  const gone = new AbortController();
  const leave = () => gone.abort();
  request.socket.once("close", leave);
  const clock = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([gone.signal, clock, ...(stopping ? [stopping] : [])]);
  try {
    return await engine.ended(id, signal);
  } catch (thrown) {
    if (signal.aborted) return runOf(exchange, id);
    throw thrown;
  } finally {
    request.socket.off("close", leave);
  }
}

/** The run with an id. Refuses the request if it does not exist or the credentials are limited to other workflows. */
export async function runOf({ engine, grant }: Exchange, id: string): Promise<RunDetail> {
  const run = await engine.show(id);
  if (run && mayUse(grant, run.workflow)) return run;
  throw new Refusal(404, "Not found", "There is no such run.");
}

/** A run at a glance, as JSON. */
export const summaryOf = (run: RunSummary): Json => ({
  id: run.id,
  workflow: run.workflow,
  version: run.version,
  status: run.status,
  created: run.created,
  updated: run.updated,
  reason: run.reason,
  output: run.output,
  error: errorOf(run),
});

/** The parts of a run that credentials may see: without the permission `read` neither output nor error. */
export function visibleSummaryOf(run: RunSummary, { may }: Grant): Json {
  if (may.includes("read")) return summaryOf(run);
  const { id, workflow, version, status, created, updated } = run;
  return { id, workflow, version, status, created, updated };
}

/** A run in full, as JSON. */
export const detailOf = (run: RunDetail): Json => ({
  ...(summaryOf(run) as { readonly [name: string]: Json | undefined }),
  input: run.input,
  correlation: run.correlation,
  steps: run.steps.map(({ key, status, at }) => ({ key, status, at })),
  unsent: run.unsent.map((each) => ({ ...each })),
  waitingFor: { ...run.waitingFor },
  trace: run.trace,
});

/** Whether a run has not ended. */
export const isActive = ({ status }: RunSummary): boolean => status === "running" || status === "waiting";

const errorOf = ({ error }: RunSummary): Json | undefined =>
  error && { name: error.name, message: error.message, data: error.data };

const isStatus = (text: string): text is RunStatus => (statuses as readonly string[]).includes(text);

/** An instant of the query, in milliseconds since 1970. */
function instantIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[-+]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) throw malformed(`${name} is an instant such as 2026-01-31T08:00:00Z`);
  return instant;
}

/** The number of entries of a page that a query asks for. */
export function limitIn(query: URLSearchParams): number {
  const limit = numberIn(query, "limit", 1, maxLimit) ?? defaultLimit;
  if (!Number.isInteger(limit)) throw malformed("limit is a whole number");
  return limit;
}

/** A number of the query. */
export function numberIn(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const number = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw malformed(`${name} is a number from ${least} to ${most}`);
}

/** Refuses a malformed query. */
export const malformed = (what: string): Refusal =>
  new Refusal(400, "Malformed query", `The query is malformed: ${what}.`);
