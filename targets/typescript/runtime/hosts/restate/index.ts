import { connect, createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { Delivery, Engine, EngineOptions, RunSummary } from "../../engine.ts";
import type { CloudEvent } from "../../events.ts";
import type { Json } from "../../json.ts";
import { type Address, addressOf } from "./address.ts";
import { ask, openQuery } from "./asking.ts";
import { bookHandlers } from "./book.ts";
import { type Setting, useSdk } from "./lane.ts";
import { type Begin, bookKey, type Names } from "./messages.ts";
import { outboxHandlers } from "./outbox.ts";
import { parts } from "./parts.ts";
import { detailOf, isIn, knownIn, knownQuery, ofOutbox, summaryOf, versionsOf } from "./reading.ts";
import { execute } from "./run.ts";
import { loadSdk, type WorkflowContext } from "./sdk.ts";

/** What tests may ask for besides. */
export interface Hooks {
  /** Hears of every thing that is about to be recorded, and that has been; true: everything stops as if the process had been killed. */
  readonly committed?: () => boolean;
}

/**
 * Opens an engine whose runs are workflows of Restate. Any number of processes may serve one program: Restate calls them. Waits for Restate as long as it
 * is not there.
 */
export async function openEngine(options: EngineOptions, hooks: Hooks = {}): Promise<Engine> {
  const address = addressOf(options.store);
  const { name } = address;
  const names: Names = { run: `${name}-run`, book: `${name}-book`, outbox: `${name}-outbox` };
  const watchers = new Map<string, Set<() => void>>();
  let serving: Serving | undefined;
  const setting: Setting = {
    options,
    names,
    now: options.now ?? Date.now,
    pace: options.pace ?? 1,
    async alive() {
      if (!serving?.isDead && !hooks.committed?.()) return;
      serving?.die();
      await new Promise(() => undefined);
    },
    ended(id) {
      for (const hear of watchers.get(id) ?? []) hear();
    },
  };
  if (!options.isPaused) {
    serving = await serve(address, setting);
    if (serving) {
      await registered(address, setting, serving);
      await resumed(address, names);
    }
  }
  return engineOf(address, setting, watchers, serving);
}

interface Serving {
  isDead: boolean;
  die(): void;
  close(): Promise<void>;
}

/** Listens for Restate's calls; undefined where another process does so at that address. */
async function serve({ port, service }: Address, setting: Setting): Promise<Serving | undefined> {
  const sdk = await loadSdk();
  useSdk(sdk);
  const { names, options } = setting;
  const run = sdk.workflow({
    name: names.run,
    handlers: {
      run: (ctx: WorkflowContext, begin: Begin) => execute(ctx, setting, begin, sdk),
    },
    options: { ...patient, journalRetention: forever, workflowRetention: forever },
  });
  const book = sdk.object({
    name: names.book,
    handlers: bookHandlers(setting),
    options: { ...brief, enableLazyState: true },
  });
  const outbox = sdk.object({ name: names.outbox, handlers: outboxHandlers(setting, sdk), options: brief });
  const logger = (meta: { readonly level: string }, message: unknown) => {
    if (meta.level === "warn" || meta.level === "error")
      options.log({ level: "debug", message: `Restate: ${String(message)}` });
  };
  const handler = sdk.createEndpointHandler({ services: [run, book, outbox], logger: logger as never });
  const server: Http2Server = createServer(handler as never);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => undefined);
  });
  const fault = await new Promise<Error | undefined>((resolve) => {
    server.once("error", resolve);
    server.listen(port, () => resolve(undefined));
  });
  if (fault && (await isServed(service))) return undefined;
  if (fault) throw new parts.StoreError("unusable", `Restate cannot be listened to: ${fault.message}.`);
  const end = () => {
    for (const session of sessions) session.destroy();
  };
  const serving: Serving = {
    isDead: false,
    die() {
      serving.isDead = true;
      server.close();
      end();
    },
    close() {
      serving.isDead = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      end();
      return closed;
    },
  };
  return serving;
}

/** Steps may take long; what waits is put away soon. */
const patient = { abortTimeout: { days: 1 }, inactivityTimeout: { seconds: 2 } };

/** Of what is done between runs nothing is kept. */
const brief = { ...patient, journalRetention: 0 };

/** What is recorded stays until it is pruned. */
const forever = { days: 36_500 };

/** Whether Restate's calls are answered at an address. */
function isServed(service: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const session = connect(service, () => {
    const request = session.request({ ":path": "/health" });
    request.on("response", (headers) => resolve(headers[":status"] === 200));
    request.on("error", () => resolve(false));
  });
  session.on("error", () => resolve(false));
  session.setTimeout(2000, () => resolve(false));
  return promise.finally(() => session.destroy());
}

/** What could not go on while no process was there goes on here at once. */
async function resumed({ admin }: Address, { run, book, outbox }: Names): Promise<void> {
  const rows = await ask(
    admin,
    `SELECT id FROM sys_invocation WHERE target_service_name IN ('${run}', '${book}', '${outbox}') AND status IN ('paused', 'backing-off')`,
  );
  for (const { id } of rows) await fetch(`${admin}/invocations/${id}/resume?deployment=latest`, { method: "PATCH" });
}

/** Tells Restate where this process is; waits for it as long as it is not there. */
async function registered({ admin, service }: Address, { options: { log } }: Setting, serving: Serving): Promise<void> {
  for (let tries = 0; !serving.isDead; tries += 1) {
    const body = JSON.stringify({ uri: service, force: true, breaking: true });
    const response = await fetch(`${admin}/deployments`, { method: "POST", headers: json, body }).catch(
      () => undefined,
    );
    if (response?.ok) return;
    if (response && response.status < 500) {
      const text = await response.text();
      await serving.close();
      throw new parts.StoreError("unusable", `Restate at ${admin} does not take this program: ${text}`);
    }
    if (tries % 20 === 0) log({ level: "warn", message: `Restate at ${admin} is not there; it is waited for.` });
    await new Promise((resolve) => setTimeout(resolve, Math.min(5000, 100 * 1.5 ** tries)));
  }
}

const json = { "content-type": "application/json" };

function engineOf(
  { admin, ingress }: Address,
  setting: Setting,
  watchers: Map<string, Set<() => void>>,
  serving: Serving | undefined,
): Engine {
  const { names, options } = setting;
  const { workflows } = options;
  const asking = openQuery(admin);
  const callAt = async <T>(service: string, key: string, method: string, parameter: unknown): Promise<T> => {
    const body = JSON.stringify(parameter);
    const response = await fetch(`${ingress}/${service}/${encodeURIComponent(key)}/${method}`, {
      method: "POST",
      headers: json,
      body,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Restate does not take it: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  };
  const call = <T>(method: string, parameter: unknown) =>
    callAt<T>(names.book, bookKey, method, { at: setting.now(), what: parameter });
  const knownNow = async (id?: string) => knownIn(await ask(admin, knownQuery(names, id)), names);
  const known = (id?: string) => knownIn(asking.query(knownQuery(names, id)), names);
  const summaries = () => known().map((each) => summaryOf(each, workflows));
  const summaryNow = async (id: string): Promise<RunSummary | undefined> => {
    const [run] = await knownNow(id);
    return run && summaryOf(run, workflows);
  };
  let isClosed = false;
  const starting = new Map<string, Promise<unknown>>();
  const engine: Engine = {
    async start(workflow, input, { id = crypto.randomUUID() } = {}) {
      if (!workflows.some((each) => each.id === workflow)) throw new Error(`There is no workflow ${workflow} here.`);
      const before = starting.get(id) ?? Promise.resolve();
      const started = before.then(() => call<boolean>("start", { id, workflow, input }));
      const settled = started.catch(() => undefined);
      starting.set(id, settled);
      await started.finally(() => starting.get(id) === settled && starting.delete(id));
      return (await summaryNow(id))!;
    },
    async deliver(event) {
      const fault = faultIn(event);
      if (fault) throw new TypeError(`The event cannot be taken in: ${fault}.`);
      return call<Delivery>("deliver", event);
    },
    list: (filter = {}) => summaries().filter(isIn(filter)).slice(0, filter.limit),
    show(id) {
      const [run] = known(id);
      return run && detailOf(run, workflows, asking.query, names);
    },
    versions: () => versionsOf(summaries(), workflows),
    async ended(id, signal) {
      const hears = watchers.get(id) ?? new Set();
      watchers.set(id, hears);
      for (let pause = 10; ; pause = Math.min(500, pause * 1.5)) {
        signal?.throwIfAborted();
        if (isClosed) throw new Error("The engine was closed.");
        const { promise, resolve } = Promise.withResolvers<void>();
        hears.add(resolve);
        const run = await summaryNow(id).catch(() => undefined);
        if (run && !["running", "waiting"].includes(run.status)) return run;
        const timer = setTimeout(resolve, pause);
        await promise;
        hears.delete(resolve);
        clearTimeout(timer);
      }
    },
    async cancel(id) {
      const [run] = await knownNow(id);
      if (!run || ["succeeded", "failed", "cancelled"].includes(run.summary?.status ?? "")) return false;
      await fetch(`${admin}/invocations/${run.kept.invocation}/cancel`, { method: "PATCH" });
      const end = await engine.ended(id);
      return end.status === "cancelled";
    },
    async retry(id) {
      const [run] = await knownNow(id);
      const refused = await ask(admin, `SELECT DISTINCT service_key FROM state WHERE ${ofOutbox(names.outbox, id)}`);
      for (const { service_key: key } of refused) await callAt(names.outbox, `${key}`, "again/send", null);
      const sent = refused.length;
      if (run?.fault !== undefined) {
        const response = await fetch(`${admin}/invocations/${run.kept.invocation}/resume`, { method: "PATCH" });
        return response.ok || sent > 0;
      }
      if (run?.summary?.status !== "failed") return sent > 0;
      await call("tell", { run: id, kind: "retry" });
      while ((await summaryNow(id))?.status === "failed") await new Promise((resolve) => setTimeout(resolve, 20));
      return true;
    },
    async prune(before) {
      const old = (await knownNow()).filter(
        ({ summary }) => summary !== undefined && isOver(summary.status) && summary.updated < before,
      );
      for (const { id, kept, summary } of old) {
        if (summary!.status === "failed") await call("tell", { run: id, kind: "end" });
        await purge(admin, kept.invocation);
        const refused = await ask(admin, `SELECT DISTINCT service_key FROM state WHERE ${ofOutbox(names.outbox, id)}`);
        for (const { service_key: key } of refused) await callAt(names.outbox, `${key}`, "forget/send", null);
      }
      await call("forget", { before, runs: old.map(({ id }) => id) });
      return old.length;
    },
    fault: () => undefined,
    unsent() {
      const count = (text: string) => Number(asking.query(`SELECT count(*) AS n FROM ${text}`)[0]?.["n"] ?? 0);
      const refused = count(
        `state WHERE service_name = '${names.outbox}' AND key LIKE 'event:%' AND value_utf8 LIKE '%"reason":%'`,
      );
      const waiting = count(
        `sys_invocation WHERE target_service_name = '${names.outbox}' AND target_handler_name IN ('post', 'send') AND status <> 'completed'`,
      );
      return { unsent: waiting + refused, refused };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const hears of watchers.values()) for (const hear of hears) hear();
      await serving?.close();
      asking.close();
    },
  };
  return engine;
}

const isOver = (status: string): boolean => ["succeeded", "failed", "cancelled"].includes(status);

/** Forgets an invocation that has ended, or is about to. */
async function purge(admin: string, invocation: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const response = await fetch(`${admin}/invocations/${invocation}/purge`, { method: "PATCH" });
    if (response.ok || response.status === 404) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function faultIn(event: CloudEvent): string | undefined {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return "it is not an object";
  const lacking = ["specversion", "id", "source", "type"].find(
    (name) => typeof (event as { readonly [name: string]: Json | undefined })[name] !== "string" || event[name] === "",
  );
  return lacking === undefined ? undefined : `\`${lacking}\` has to be text that is not empty`;
}
