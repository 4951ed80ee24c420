import type { Delivery, Engine, RunSummary } from "../../engine.ts";
import type { CloudEvent } from "../../events.ts";
import type { Json } from "../../json.ts";
import type { Address } from "./address.ts";
import { ask, openQuery } from "./asking.ts";
import type { Setting } from "./live.ts";
import { bookKey } from "./messages.ts";
import { detailOf, isIn, knownIn, knownQuery, ofOutbox, summaryOf, versionsOf } from "./reading.ts";
import { json, type Serving } from "./serving.ts";

/** The engine of a process: what it is asked for goes to Restate. `watchers` hear of the ends of runs in this process. */
export function engineOf(
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
    async close(grace = 5) {
      if (isClosed) return;
      isClosed = true;
      for (const hears of watchers.values()) for (const hear of hears) hear();
      await serving?.close(grace);
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
