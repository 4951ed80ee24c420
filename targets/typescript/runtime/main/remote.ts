import type { RunDetail, RunPage, RunSummary, StepPage, VersionUse } from "../engine.ts";
import { isObject, type Json } from "../json.ts";
import type { TaskReceipt, TaskReport } from "../tasks.ts";
import type { Runs } from "./access.ts";
import { CommandFailure, UsageError } from "./terminal.ts";

/** Accesses the runs of a server. */
export function remoteRuns(url: string, token: string | undefined): Runs {
  if (!URL.canParse(url)) throw new UsageError(`--url ${url} is not a valid address.`);
  const ask = createClient(url.replace(/\/$/, ""), token);
  const show = async (id: string) =>
    (await ask("GET", `/runs/${encodeURIComponent(id)}`, { nothingFor: 404 })) as RunDetail | undefined;
  const change = async (id: string, what: string) =>
    (await ask("POST", `/runs/${encodeURIComponent(id)}/${what}`, { nothingFor: 409 })) !== undefined;
  return {
    async start(workflow, input, { id }) {
      const query = id === undefined ? "" : `?id=${encodeURIComponent(id)}`;
      return (await ask("POST", `/workflows/${encodeURIComponent(workflow)}/runs${query}`, {
        body: input,
      })) as unknown as RunSummary;
    },
    async deliver(event) {
      await ask("POST", "/events", { body: { ...event }, type: "application/cloudevents+json" });
    },
    async report(token, report) {
      const body = report.kind === "success" ? report.output : report.kind === "failure" ? failureOf(report) : {};
      const path = `/tasks/${encodeURIComponent(token)}/${report.kind}`;
      const outcome = await ask("POST", path, { body, outcomes: { 404: "unknown", 409: "answered", 410: "over" } });
      return (isObject(outcome) ? outcome["status"] : outcome) as TaskReceipt;
    },
    async list({ workflow, status, limit, after, from, until, value, error }) {
      const period = { from: instantOf(from), until: instantOf(until) };
      const query = queryOf({ workflow, status, limit, after, ...period, value, error });
      return (await ask("GET", `/runs${query}`)) as unknown as RunPage;
    },
    show,
    async steps(id, { limit, after }) {
      const path = `/runs/${encodeURIComponent(id)}/steps${queryOf({ limit, after })}`;
      return (await ask("GET", path, { nothingFor: 404 })) as unknown as StepPage | undefined;
    },
    cancel: (id) => change(id, "cancel"),
    async retry(id, { from }) {
      if (from === undefined) return change(id, "retry");
      await ask("POST", `/runs/${encodeURIComponent(id)}/retry${queryOf({ from })}`);
      return true;
    },
    async versions() {
      const { versions } = (await ask("GET", "/versions")) as unknown as { readonly versions: readonly VersionUse[] };
      return versions;
    },
    async prune(age) {
      const { forgotten } = (await ask("POST", `/prune?older-than=PT${age / 1000}S`)) as { readonly forgotten: number };
      return forgotten;
    },
    async forget(id) {
      if (!(await show(id))) return "missing";
      const done = await ask("DELETE", `/runs/${encodeURIComponent(id)}`, { nothingFor: 409 });
      return done === undefined ? "active" : "forgotten";
    },
    ended: (id, signal) => ended(ask, show, id, signal),
    close: async () => undefined,
  };
}

const failureOf = ({ error, cause }: TaskReport & { readonly kind: "failure" }): Json => ({ error, cause });

/** A query string of the members that are present. */
function queryOf(members: { readonly [name: string]: string | number | undefined }): string {
  const given = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

const instantOf = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();

/** Requests the result of a run until it has ended: each request waits as long as the server allows. */
async function ended(ask: Ask, show: Runs["show"], id: string, signal: AbortSignal): Promise<RunSummary> {
  for (;;) {
    await ask("GET", `/runs/${encodeURIComponent(id)}/result?wait=30`, { signal, always: true });
    const run = await show(id);
    if (!run) throw new CommandFailure(`The run ${id} has been deleted.`);
    if (run.status !== "running" && run.status !== "waiting") return run;
  }
}

type Ask = (method: string, path: string, options?: RequestOptions) => Promise<Json | undefined>;

interface RequestOptions {
  readonly body?: Json;
  /** The type of the body; default: `application/json`. */
  readonly type?: string;
  readonly signal?: AbortSignal;
  /** The status that means that there is no result. */
  readonly nothingFor?: number;
  /** The results that other statuses mean. */
  readonly outcomes?: { readonly [status: number]: string };
  /** Accepts every status. */
  readonly always?: boolean;
}

function createClient(url: string, token: string | undefined): Ask {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return async (
    method,
    path,
    { body, type = "application/json", signal, nothingFor, outcomes = {}, always = false } = {},
  ) => {
    const response = await fetch(url + path, {
      method,
      headers: { "content-type": type, ...authorization },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    }).catch((reason: unknown) => {
      if (signal?.aborted) throw reason;
      throw new CommandFailure(`${url} does not respond.`);
    });
    const text = await response.text();
    if (response.status === nothingFor) return undefined;
    const outcome = outcomes[response.status];
    if (outcome !== undefined) return outcome;
    if (response.ok || always) return parsed(text, url);
    throw new CommandFailure(`${url} responded with status ${response.status}: ${detailIn(text)}`);
  };
}

function parsed(text: string, url: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new CommandFailure(`${url} is not the server of a program: its response is not JSON.`);
  }
}

function detailIn(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return String(detail);
  } catch {
    return "the response has no detail.";
  }
}
