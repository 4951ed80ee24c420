import type { Delivery, Engine, RunSummary } from "../../engine.ts";
import type { CloudEvent } from "../../events.ts";
import type { Started } from "../hearing/book.ts";
import type { NewRun } from "../hearing/messages.ts";
import { parts } from "../parts.ts";
import type { Address } from "./address.ts";
import { ask, openQuery, type Query } from "./asking.ts";
import { batched } from "./batching.ts";
import type { Ends, openEnds } from "./ends.ts";
import { excessOf } from "./limits.ts";
import { bookKey } from "./messages.ts";
import { openReach, type Reach } from "./reach.ts";
import { detailOf, isIn, type Known, knownIn, knownQuery, ofOutbox, summaryOf, versionsOf } from "./reading.ts";
import { json, type Serving } from "./serving.ts";
import type { Setting } from "./setting.ts";

/** By what an engine asks Restate. */
interface Desk {
  readonly address: Address;
  readonly setting: Setting;
  /** Asks while all else waits. */
  readonly query: Query;
  readonly ends: Ends;
  readonly reach: Reach;
}

/** The engine of a process: what it is asked for goes to Restate. `openEndsBy` hears of the ends of runs in this process. */
export function engineOf(
  address: Address,
  setting: Setting,
  openEndsBy: (ask: Parameters<typeof openEnds>[0]) => Ends,
  serving: Serving | undefined,
): Engine {
  const { names, options } = setting;
  const { workflows } = options;
  const reach = openReach(address);
  const { query, close } = openQuery(address.admin, reach.lost);
  const ends = openEndsBy(async (ids) => (await knownNow(desk, ids)).map((run) => summaryOf(run, workflows)));
  const desk: Desk = { address, setting, query, ends, reach };
  const known = (ids?: readonly string[]) => knownIn(query(knownQuery(names, ids)), names);
  const summaries = () => known().map((each) => summaryOf(each, workflows));
  const starting = batched<NewRun, Started>((runs) => tellBook(desk, "startAll", runs), most);
  const delivering = batched<CloudEvent, Delivery>((events) => tellBook(desk, "deliverAll", events), most);
  let isClosed = false;
  return {
    start: (workflow, input, { id = crypto.randomUUID() } = {}) => start(desk, starting, { id, workflow, input }),
    async deliver(event) {
      parts.requireEvent(event);
      requireTaken("The event", event);
      return delivering(event);
    },
    list: (filter = {}) => summaries().filter(isIn(filter)).slice(0, filter.limit),
    show(id) {
      const [run] = known([id]);
      return run && detailOf(run, workflows, query, names);
    },
    versions: () => versionsOf(summaries(), workflows),
    ended: ends.of,
    cancel: (id) => cancel(desk, id),
    retry: (id) => retry(desk, id),
    prune: (before) => prune(desk, before),
    fault: reach.fault,
    unsent: () => unsent(desk),
    async close(grace = 5) {
      if (isClosed) return;
      isClosed = true;
      ends.close();
      await serving?.close(grace);
      reach.stop();
      close();
    },
  };
}

/** Calls a handler, and gives what it answers. */
async function call<T>({ address: { ingress }, reach }: Desk, path: string, parameter: unknown): Promise<T> {
  const body = JSON.stringify(parameter);
  const response = await reach.request(`${ingress}/${path}`, { method: "POST", headers: json, body });
  const text = await response.text();
  if (away.has(response.status)) throw reach.lost(new Error(`it answers with ${response.status}`));
  if (!response.ok) throw new Error(`Restate does not take it: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** What is answered where a server has just begun, or is about to end. */
const away: ReadonlySet<number> = new Set([502, 503, 504]);

const tellBook = <T>(desk: Desk, method: string, what: unknown): Promise<T> =>
  call<T>(desk, `${desk.setting.names.book}/${bookKey}/${method}`, { at: desk.setting.now(), what });

const knownNow = async (
  { address, setting: { names }, reach }: Desk,
  ids?: readonly string[],
): Promise<readonly Known[]> => knownIn(await ask(address.admin, knownQuery(names, ids), reach.request), names);

async function summaryNow(desk: Desk, id: string): Promise<RunSummary | undefined> {
  const [run] = await knownNow(desk, [id]);
  return run && summaryOf(run, desk.setting.options.workflows);
}

/** Starts a run. */
async function start(desk: Desk, starting: (run: NewRun) => Promise<Started>, run: NewRun): Promise<RunSummary> {
  const { id, workflow } = run;
  const { workflows } = desk.setting.options;
  if (!workflows.some((each) => each.id === workflow)) throw new Error(`There is no workflow ${workflow} here.`);
  parts.requireId(id);
  requireTaken("The input", run.input);
  const { isNew, kept } = await starting(run);
  const begun = summaryOf({ id, kept, summary: undefined }, workflows);
  return isNew ? begun : ((await summaryNow(desk, id)) ?? begun);
}

/** Throws where something is longer than Restate takes. */
function requireTaken(what: string, value: unknown): void {
  const excess = excessOf(value);
  if (excess !== undefined) throw new TypeError(`${what} cannot be taken in: ${excess}.`);
}

/** The object is told so much at once. */
const most = { count: 200, size: 4_000_000 };

async function cancel(desk: Desk, id: string): Promise<boolean> {
  const [run] = await knownNow(desk, [id]);
  if (!run || isOver(run.summary?.status ?? "")) return false;
  await desk.reach.request(`${desk.address.admin}/invocations/${run.kept.invocation}/cancel`, { method: "PATCH" });
  return (await desk.ends.of(id, undefined)).status === "cancelled";
}

/** Sends again what sinks have refused, and has a run go on that has failed, or that Restate has paused. */
async function retry(desk: Desk, id: string): Promise<boolean> {
  const [run] = await knownNow(desk, [id]);
  const isSent = (await callOutboxes(desk, id, "again")) > 0;
  if (run?.fault !== undefined) {
    const { admin } = desk.address;
    const response = await desk.reach.request(`${admin}/invocations/${run.kept.invocation}/resume`, {
      method: "PATCH",
    });
    return response.ok || isSent;
  }
  if (run?.summary?.status !== "failed") return isSent;
  await tellBook(desk, "tell", { run: id, kind: "retry" });
  while ((await summaryNow(desk, id))?.status === "failed") await new Promise((resolve) => setTimeout(resolve, 20));
  return true;
}

/** Forgets runs that ended before an instant. */
async function prune(desk: Desk, before: number): Promise<number> {
  const old = (await knownNow(desk)).filter(
    ({ summary }) => summary !== undefined && isOver(summary.status) && summary.updated < before,
  );
  for (const { id, kept, summary } of old) {
    if (summary!.status === "failed") await tellBook(desk, "tell", { run: id, kind: "end" });
    await purge(desk, kept.invocation);
    await callOutboxes(desk, id, "forget");
  }
  await tellBook(desk, "forget", { before, runs: old.map(({ id }) => id) });
  return old.length;
}

/** Has all that send events of a run do something; how many there are. */
async function callOutboxes(desk: Desk, id: string, method: "again" | "forget"): Promise<number> {
  const { outbox } = desk.setting.names;
  const all = await ask(desk.address.admin, `SELECT DISTINCT service_key FROM state WHERE ${ofOutbox(outbox, id)}`);
  for (const { service_key: key } of all)
    await call(desk, `${outbox}/${encodeURIComponent(`${key}`)}/${method}/send`, null);
  return all.length;
}

function unsent({ query, setting: { names } }: Desk): ReturnType<Engine["unsent"]> {
  const count = (text: string) => Number(query(`SELECT count(*) AS n FROM ${text}`)[0]?.["n"] ?? 0);
  const refused = count(`state WHERE service_name = '${names.outbox}' AND starts_with(key, 'refused:')`);
  const waiting = count(
    `sys_invocation WHERE target_service_name = '${names.outbox}' AND target_handler_name IN ('post', 'send') AND status <> 'completed'`,
  );
  return { unsent: waiting + refused, refused };
}

const isOver = (status: string): boolean => ["succeeded", "failed", "cancelled"].includes(status);

/** Forgets an invocation that has ended, or is about to. */
async function purge({ address: { admin }, reach }: Desk, invocation: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const response = await reach.request(`${admin}/invocations/${invocation}/purge`, { method: "PATCH" });
    if (response.ok || response.status === 404) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
