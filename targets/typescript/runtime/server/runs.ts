import type { RunDetail, RunStatus, RunSummary } from "../engine.ts";
import type { Json } from "../json.ts";
import type { Exchange } from "./handler.ts";
import { answer, Refusal } from "./refusal.ts";

const statuses: readonly RunStatus[] = ["running", "waiting", "succeeded", "failed", "cancelled", "stranded"];

/** Lists runs, the newest first: 100 where nothing else is said, at most 1000. */
export function getRuns({ engine, response, query }: Exchange): void {
  const status = query.get("status") ?? undefined;
  if (status !== undefined && !isStatus(status)) throw malformed(`status is one of ${statuses.join(", ")}`);
  const limit = numberIn(query, "limit", 1, 1000) ?? 100;
  answer(response, 200, {
    runs: engine.list({ workflow: query.get("workflow") ?? undefined, status, limit }).map(summaryOf),
  });
}

/** Lists the versions of workflows that are there or needed. */
export function getVersions({ engine, response }: Exchange): void {
  answer(response, 200, { versions: engine.versions().map((each) => ({ ...each })) });
}

/** Tells all of a run. */
export function getRun({ engine, response }: Exchange, id: string): void {
  answer(response, 200, detailOf(runOf(engine, id)));
}

/** The output of a run that has succeeded; 202 while it goes on, 422 with its error when it has failed, 410 when it was cancelled. */
export async function getResult({ engine, request, response, query, options }: Exchange, id: string): Promise<void> {
  const seconds = numberIn(query, "wait", 0, 300) ?? 0;
  let run: RunSummary = runOf(engine, id);
  if (isGoingOn(run) && seconds > 0) run = await waited(engine, id, seconds, request, options.stopping);
  if (run.status === "succeeded") return answer(response, 200, run.output ?? null);
  if (isGoingOn(run)) return answer(response, 202, summaryOf(run), { "retry-after": "1" });
  const members = { run: run.id, error: errorOf(run) };
  if (run.status === "failed")
    throw new Refusal(422, run.error?.name ?? "Error", run.error?.message ?? "", { members });
  if (run.status === "cancelled")
    throw new Refusal(410, "Cancelled", "The run was cancelled.", { members: { run: run.id } });
  throw new Refusal(409, "Stranded", run.reason ?? "", {
    members: { run: run.id },
  });
}

/** The run after so many seconds, or when it has ended, or when nobody waits any more. */
async function waited(
  engine: Exchange["engine"],
  id: string,
  seconds: number,
  request: Exchange["request"],
  stopping: AbortSignal | undefined,
): Promise<RunSummary> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  request.socket.once("close", leave);
  const clock = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([gone.signal, clock, ...(stopping ? [stopping] : [])]);
  try {
    return await engine.ended(id, signal);
  } catch (thrown) {
    if (signal.aborted) return runOf(engine, id);
    throw thrown;
  } finally {
    request.socket.off("close", leave);
  }
}

/** A run; refuses where there is none. */
export function runOf(engine: Exchange["engine"], id: string): RunDetail {
  const run = engine.show(id);
  if (run) return run;
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

/** A run in full, as JSON. */
export const detailOf = (run: RunDetail): Json => ({
  ...(summaryOf(run) as { readonly [name: string]: Json | undefined }),
  input: run.input,
  steps: run.steps.map(({ key, status, at }) => ({ key, status, at })),
  unsent: run.unsent.map((each) => ({ ...each })),
  waitingFor: { events: run.waitingFor.events, until: run.waitingFor.until },
});

/** Whether a run has not ended. */
export const isGoingOn = ({ status }: RunSummary): boolean => status === "running" || status === "waiting";

const errorOf = ({ error }: RunSummary): Json | undefined =>
  error && { name: error.name, message: error.message, data: error.data };

const isStatus = (text: string): text is RunStatus => (statuses as readonly string[]).includes(text);

function numberIn(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const number = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw malformed(`${name} is a number from ${least} to ${most}`);
}

const malformed = (what: string): Refusal => new Refusal(400, "Malformed query", `The query is malformed: ${what}.`);
