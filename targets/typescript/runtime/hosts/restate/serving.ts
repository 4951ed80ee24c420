import { connect, createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { EngineOptions } from "../../engine.ts";
import { StoreError } from "../../internal.ts";
import type { Begin } from "../broker/messages.ts";
import { type Address, requestsTo } from "./address.ts";
import { gateHandlers, provideSecret, sendToGate } from "./gate.ts";
import { bookHandlers } from "./handlers.ts";
import { form } from "./head.ts";
import { bookKey, type Names } from "./messages.ts";
import { outboxHandlers } from "./outbox.ts";
import { ask } from "./query.ts";
import { useSdk } from "./replay.ts";
import { execute } from "./run.ts";
import { loggerOf } from "./run-log.ts";
import { loadSdk, type WorkflowContext } from "./sdk.ts";
import type { Request } from "./transport.ts";

/** A process that Restate calls. */
export interface Serving {
  isDead: boolean;
  /** Steps no longer begin. */
  isClosing: boolean;
  die(): void;
  /** Stops after the current steps, which have this many seconds. */
  close(grace?: number): Promise<void>;
}

/** Listens for Restate's calls. Returns undefined if another process does so at this address. */
export async function serve(
  { port, host, service, identity }: Address,
  setting: Setting,
): Promise<Serving | undefined> {
  const sdk = await loadSdk();
  useSdk(sdk);
  const { names, options } = setting;
  const run = sdk.workflow({
    name: names.run,
    handlers: {
      run: (ctx: WorkflowContext, begin: Begin) => execute(ctx, setting, begin, sdk),
    },
    options: { ...patient, ingressPrivate: true, journalRetention: forever, workflowRetention: forever },
  });
  const book = sdk.object({
    name: names.book,
    handlers: bookHandlers(setting),
    options: { ...brief, ingressPrivate: true, enableLazyState: true },
  });
  const outbox = sdk.object({
    name: names.outbox,
    handlers: outboxHandlers(setting, sdk),
    options: { ...brief, ingressPrivate: true },
  });
  const gate = sdk.object({ name: names.gate, handlers: gateHandlers(setting, sdk), options: brief });
  const handler = sdk.createEndpointHandler({
    services: [run, book, outbox, gate],
    logger: loggerOf(options.log),
    ...(identity && { identityKeys: identity }),
  });
  const server: Http2Server = createServer(handler as never);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => undefined);
  });
  const fault = await new Promise<Error | undefined>((resolve) => {
    server.once("error", resolve);
    server.listen(port, host, () => resolve(undefined));
  });
  if (fault && (await isServed(service))) return undefined;
  if (fault)
    throw new StoreError(
      "unusable",
      `The program cannot listen at ${host}:${port} for Restate: ${fault.message}. ` +
        "The parameter host of the store sets the address of an interface of this machine.",
    );
  const end = () => {
    for (const session of sessions) session.destroy();
  };
  const serving: Serving = {
    isDead: false,
    isClosing: false,
    die() {
      serving.isDead = true;
      server.close();
      end();
    },
    async close(grace = 0) {
      serving.isClosing = true;
      if (setting.underWay.size > 0) await settled(setting.underWay, grace);
      serving.isDead = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      end();
      return closed;
    },
  };
  return serving;
}

/** Waits until all steps have ended and Restate has their results, at most for some seconds. */
async function settled(all: ReadonlySet<Promise<unknown>>, grace: number): Promise<void> {
  const rest = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const ended = Promise.allSettled(all).then(() => rest(reporting));
  await Promise.race([ended, rest(grace)]);
}

/** How long a response takes to reach Restate, in seconds. */
const reporting = 0.1;

/** Steps may take long; invocations that wait are suspended soon. */
const patient = { abortTimeout: { days: 1 }, inactivityTimeout: { seconds: 2 } };

/** Restate does not keep completed invocations of objects. */
const brief = { ...patient, journalRetention: 0 };

/** Runs are kept until they are pruned. */
const forever = { days: 36_500 };

/** Whether a process responds to Restate's calls at an address. */
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

/** Resumes invocations that failed while no process responded. */
export async function resumed(address: Address, { run, book, outbox }: Names): Promise<void> {
  const { admin } = address;
  const request = requestsTo(address);
  const rows = await ask(
    admin,
    `SELECT id FROM sys_invocation WHERE target_service_name IN ('${run}', '${book}', '${outbox}') AND status IN ('paused', 'backing-off')`,
    request,
  );
  for (const { id } of rows) await request(`${admin}/invocations/${id}/resume?deployment=latest`, { method: "PATCH" });
}

/** Registers this process. Waits until Restate responds. */
export async function registered(
  address: Address,
  { names, options: { log } }: Setting,
  serving: Serving,
): Promise<void> {
  const { admin, service } = address;
  const request = requestsTo(address);
  for (let tries = 0; !serving.isDead; tries += 1) {
    const body = JSON.stringify({ uri: service, force: true, breaking: true });
    const fault = await formFault(admin, names, request).catch((reason: unknown) =>
      reason instanceof StoreError ? reason.message : undefined,
    );
    if (fault) {
      await serving.close();
      throw new StoreError("unusable", fault);
    }
    const response =
      fault === null
        ? await request(`${admin}/deployments`, { method: "POST", headers: json, body }).catch(() => undefined)
        : undefined;
    if (response?.ok) return provideSecret(admin, names.gate, request);
    if (response && response.status < 500) {
      const text = await response.text();
      await serving.close();
      throw new StoreError("unusable", `Restate at ${admin} does not take this program: ${text}`);
    }
    if (tries % 20 === 0) log({ level: "warn", message: `Restate at ${admin} is not there; it is waited for.` });
    await new Promise((resolve) => setTimeout(resolve, Math.min(5000, 100 * 1.5 ** tries)));
  }
}

/** Why this program cannot use what an earlier or a later version of Waybill has stored; null if it can. */
async function formFault(admin: string, { book, run }: Names, request: Request): Promise<string | null> {
  const rows = await ask(
    admin,
    `SELECT value_utf8 FROM state WHERE service_name = '${book}' AND key = 'page'`,
    request,
  );
  if (rows.length === 0) return null;
  const { form: stored = 1 } = JSON.parse(`${rows[0]!["value_utf8"]}`) as { readonly form?: number };
  if (stored > form)
    return (
      `Restate has runs that a newer version of Waybill has stored (form ${stored}; this program reads form ${form}). ` +
      "Upgrade this program, or use another `name`."
    );
  if (stored === form) return null;
  const unfinished = `SELECT count(*) AS n FROM sys_invocation WHERE target_service_name = '${run}' AND status <> 'completed'`;
  const count = Number((await ask(admin, unfinished, request))[0]?.["n"] ?? 0);
  if (count === 0) return null;
  const runs = count === 1 ? "1 unfinished run" : `${count} unfinished runs`;
  return (
    `Restate has ${runs} that an earlier version of Waybill has stored, and this program cannot continue them. ` +
    "Serve them with the program that started them until they have ended, or use another `name`."
  );
}

/** Has the object adapt its state to the program of this process, which may have code that earlier ones lacked. */
export async function adopted(address: Address, { names, now }: Setting): Promise<void> {
  const request = requestsTo(address);
  const target = { service: names.book, key: bookKey, method: "adopt" };
  for (let tries = 0; tries < 50; tries += 1) {
    const parameter = { at: now(), what: null };
    if (await sendToGate(address, names.gate, request, target, parameter).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const json = { "content-type": "application/json" };

/** What the runs of a process share. */
export interface Setting {
  readonly options: EngineOptions;
  readonly names: Names;
  readonly now: () => number;
  readonly pace: number;
  /** Called before each record; never resolves if a test has declared the process dead. */
  readonly alive: () => Promise<void>;
  /** Called when a run has ended. */
  readonly ended: (id: string) => void;
  /** Resolves when a step may begin; never, if the process is stopping. */
  readonly begins: () => Promise<void>;
  /** The current steps. */
  readonly underWay: Set<Promise<unknown>>;
}
