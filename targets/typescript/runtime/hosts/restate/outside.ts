import { ask } from "./asking.ts";
import { call, type Desk, knownNow, tellBook } from "./desk.ts";
import { retryKey, seenPrefix } from "./messages.ts";
import { tellEnd } from "./news.ts";
import { isOver, type Known, ofOutbox, quoted, summaryOf } from "./reading.ts";

// What is done to runs from outside, also where no process is there that could go on with them.

/** Ends a run that goes on. One that is stranded cannot say that it has ended: where no other process ends it, it is ended in Restate and in the object. */
export async function cancel(desk: Desk, id: string): Promise<boolean> {
  const [run] = await knownNow(desk, [id]);
  if (!run || isOver(run)) return false;
  await change(desk, run, "cancel");
  const { status } = await desk.ends.of(id, undefined);
  if (status !== "stranded") return status === "cancelled";
  const ended = await untilIs(desk, id, isOver, patience);
  return ended ? ended.summary?.status === "cancelled" : kill(desk, run);
}

async function kill(desk: Desk, run: Known): Promise<boolean> {
  const { id } = run;
  await change(desk, run, "kill");
  const [now] = await knownNow(desk, [id]);
  if (!now || isOver(now)) return now?.summary?.status === "cancelled";
  await tellBook(desk, "cancelled", id);
  const [ended] = await knownNow(desk, [id]);
  const { options } = desk.setting;
  if (ended) tellEnd(options, summaryOf(ended, options.workflows));
  return true;
}

/** How long another process has to end a run with which this one cannot go on, in milliseconds. */
const patience = 2000;

/** Sends again what sinks have refused, and has a run go on that has failed, or that Restate has paused. */
export async function retry(desk: Desk, id: string): Promise<boolean> {
  const [run] = await knownNow(desk, [id]);
  const isSent = (await callOutboxes(desk, id, "again")) > 0;
  if (run?.fault !== undefined) return (await change(desk, run, "resume")) || isSent;
  if (run?.summary?.status !== "failed") return isSent;
  if (["completed", undefined].includes(await statusOf(desk, run))) return isSent;
  const { failures } = run.summary;
  await tellBook(desk, "retry", { run: id, reply: retryKey(failures ?? 1) });
  await untilIs(desk, id, ({ summary }) => summary?.status !== "failed" || summary.failures !== failures);
  return true;
}

/** Forgets runs that ended before an instant, some at a time: of what is broken off the rest is done the next time. */
export async function prune(desk: Desk, before: number): Promise<number> {
  const known = await knownNow(desk);
  const there = await invocations(desk);
  const startedBefore = Math.min(before, desk.setting.now() - settling);
  const isHalfForgotten = ({ kept, summary }: Known) =>
    summary === undefined && kept.at < startedBefore && !there.has(kept.invocation);
  const isOld = (run: Known) => isOver(run) && run.summary!.updated < before;
  const old = known.filter((run) => isOld(run) || isHalfForgotten(run));
  let count = 0;
  for (let i = 0; i < old.length; i += atOnce) {
    const some = old.slice(i, i + atOnce);
    const purged = await Promise.all(some.map((run) => purge(desk, run)));
    const runs = some.filter((_, k) => purged[k]).map(({ id }) => id);
    await tellBook(desk, "forget", runs);
    count += runs.length;
  }
  await tellBook(desk, "prune", before);
  await unsee(desk, before);
  return count;
}

/** Forgets that events have come before an instant. */
async function unsee(desk: Desk, before: number): Promise<void> {
  const { address, setting, reach } = desk;
  const where = `service_name = '${setting.names.book}' AND starts_with(key, '${seenPrefix}')`;
  const old = `SELECT key FROM state WHERE ${where} AND CAST(value_utf8 AS DOUBLE) < ${before}`;
  const keys = (await ask(address.admin, old, reach.request)).map(({ key }) => `${key}`);
  for (let i = 0; i < keys.length; i += 10 * atOnce) await tellBook(desk, "unsee", keys.slice(i, i + 10 * atOnce));
}

/** So many runs are forgotten at once, and after so many milliseconds Restate has a run that was started. */
const atOnce = 50;
const settling = 60_000;

/** Forgets what Restate has of a run that has ended, or is about to; whether it has. A failed one waits there for a retry. */
async function purge(desk: Desk, run: Known): Promise<boolean> {
  if (run.summary?.status === "failed") await change(desk, run, "kill");
  let isPurged = false;
  for (let tries = 0; !isPurged && tries < 50; tries += 1) {
    if (tries > 0) await rest(20);
    isPurged = (await change(desk, run, "purge")) || (await statusOf(desk, run)) === undefined;
  }
  if (isPurged) await callOutboxes(desk, run.id, "forget");
  return isPurged;
}

/** How many emitted events no sink has taken, and how many of these were refused. */
export function unsent({ query, setting: { names } }: Desk): { readonly unsent: number; readonly refused: number } {
  const count = (text: string) => Number(query(`SELECT count(*) AS n FROM ${text}`)[0]?.["n"] ?? 0);
  const refused = count(`state WHERE service_name = '${names.outbox}' AND starts_with(key, 'refused:')`);
  const waiting = count(
    `sys_invocation WHERE target_service_name = '${names.outbox}' AND target_handler_name IN ('post', 'send') AND status <> 'completed'`,
  );
  return { unsent: waiting + refused, refused };
}

/** Changes the invocation that is a run; whether that could be done. */
async function change(
  { address: { admin }, reach }: Desk,
  { kept }: Known,
  how: "cancel" | "kill" | "purge" | "resume",
): Promise<boolean> {
  const response = await reach.request(`${admin}/invocations/${kept.invocation}/${how}`, { method: "PATCH" });
  return response.ok;
}

/** The invocations that are runs, and how they are. */
async function invocations(desk: Desk, only?: Known): Promise<ReadonlyMap<string, string>> {
  const { address, setting, reach } = desk;
  const which = only ? `id = ${quoted(only.kept.invocation)}` : `target_service_name = '${setting.names.run}'`;
  const rows = await ask(address.admin, `SELECT id, status FROM sys_invocation WHERE ${which}`, reach.request);
  return new Map(rows.map(({ id, status }) => [`${id}`, `${status}`]));
}

/** How the invocation is that is a run; undefined where Restate has forgotten it. */
const statusOf = async (desk: Desk, run: Known): Promise<string | undefined> =>
  (await invocations(desk, run)).get(run.kept.invocation);

/** Waits until something holds of a run, for a time where one is given; undefined where that is over, or there is no such run. */
async function untilIs(
  desk: Desk,
  id: string,
  holds: (run: Known) => boolean,
  milliseconds = Number.POSITIVE_INFINITY,
): Promise<Known | undefined> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const [run] = await knownNow(desk, [id]);
    if (!run || holds(run)) return run;
    await rest(20);
  }
  return undefined;
}

/** Has all that send events of a run do something; how many there are. */
async function callOutboxes(desk: Desk, id: string, method: "again" | "forget"): Promise<number> {
  const { outbox } = desk.setting.names;
  const where = ofOutbox(outbox, id);
  const all = await ask(
    desk.address.admin,
    `SELECT DISTINCT service_key FROM state WHERE ${where}`,
    desk.reach.request,
  );
  for (const { service_key: key } of all)
    await call(desk, `${outbox}/${encodeURIComponent(`${key}`)}/${method}/send`, null);
  return all.length;
}

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
