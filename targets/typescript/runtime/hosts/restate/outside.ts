import type { ForgetResult, UnsentCounts } from "../../engine.ts";
import { type AdminClient, call, knownNow, queryIn, tellBook } from "./admin-client.ts";
import { retryKey, seenPrefix } from "./messages.ts";
import { ask } from "./query.ts";
import { isOver, ofOutbox, quoted, type StoredRun, summaryOf } from "./reading.ts";
import { tellEnd } from "./run-log.ts";

// Commands on runs, which work without a process that could execute them.

/** Cancels a run. A blocked run that no other process cancels is ended in Restate and in the object. */
export async function cancel(desk: AdminClient, id: string): Promise<boolean> {
  const [run] = await knownNow(desk, [id]);
  if (!run || isOver(run)) return false;
  await change(desk, run, "cancel");
  const { status } = await desk.ends.of(id, undefined);
  if (status !== "stranded") return status === "cancelled";
  const ended = await untilIs(desk, id, isOver, patience);
  return ended ? ended.summary?.status === "cancelled" : kill(desk, run);
}

async function kill(desk: AdminClient, run: StoredRun): Promise<boolean> {
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

/** How long another process may take to cancel a run that this one cannot execute, in milliseconds. */
const patience = 2000;

/** Sends refused events again, and continues a run that has failed or that Restate has paused. */
export async function retry(desk: AdminClient, id: string): Promise<boolean> {
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

/** Deletes runs that ended before an instant, in batches. An interrupted call is completed by the next one. */
export async function prune(desk: AdminClient, before: number): Promise<number> {
  const known = await knownNow(desk);
  const there = await invocations(desk);
  const startedBefore = Math.min(before, desk.setting.now() - settling);
  const isHalfForgotten = ({ kept, summary }: StoredRun) =>
    summary === undefined && kept.at < startedBefore && !there.has(kept.invocation);
  const isOld = (run: StoredRun) => isOver(run) && run.summary!.updated < before;
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

/** Deletes a run that has ended. */
export async function forget(desk: AdminClient, id: string): Promise<ForgetResult> {
  const [run] = await knownNow(desk, [id]);
  if (!run) return "missing";
  if (!isOver(run) || !(await purge(desk, run))) return "active";
  await tellBook(desk, "forget", [id]);
  return "forgotten";
}

/** Forgets the ids of events that arrived before an instant. */
async function unsee(desk: AdminClient, before: number): Promise<void> {
  const { address, setting, reach } = desk;
  const where = `service_name = '${setting.names.book}' AND starts_with(key, '${seenPrefix}')`;
  const old = `SELECT key FROM state WHERE ${where} AND CAST(value_utf8 AS DOUBLE) < ${before}`;
  const keys = (await ask(address.admin, old, reach.request)).map(({ key }) => `${key}`);
  for (let i = 0; i < keys.length; i += 10 * atOnce) await tellBook(desk, "unsee", keys.slice(i, i + 10 * atOnce));
}

/** The number of runs in a batch, and the milliseconds after which Restate has a started run. */
const atOnce = 50;
const settling = 60_000;

/** Deletes a run from Restate; returns whether it is gone. A failed run waits there for a retry, so it is killed. */
async function purge(desk: AdminClient, run: StoredRun): Promise<boolean> {
  if (run.summary?.status === "failed") await change(desk, run, "kill");
  let isPurged = false;
  for (let tries = 0; !isPurged && tries < 50; tries += 1) {
    if (tries > 0) await rest(20);
    isPurged = (await change(desk, run, "purge")) || (await statusOf(desk, run)) === undefined;
  }
  if (isPurged) await callOutboxes(desk, run.id, "forget");
  return isPurged;
}

/** The number of events that no sink has accepted, and of refused ones among them. */
export async function unsent(desk: AdminClient): Promise<UnsentCounts> {
  const { outbox } = desk.setting.names;
  const count = async (text: string) =>
    Number((await queryIn(desk)(`SELECT count(*) AS n FROM ${text}`))[0]?.["n"] ?? 0);
  const [refused, waiting] = await Promise.all([
    count(`state WHERE service_name = '${outbox}' AND starts_with(key, 'refused:')`),
    count(
      `sys_invocation WHERE target_service_name = '${outbox}' AND target_handler_name IN ('post', 'postNew', 'send') AND status <> 'completed'`,
    ),
  ]);
  return { unsent: waiting + refused, refused };
}

/** Changes the invocation of a run; returns whether that was possible. */
async function change(
  { address: { admin }, reach }: AdminClient,
  { kept }: StoredRun,
  how: "cancel" | "kill" | "purge" | "resume",
): Promise<boolean> {
  const response = await reach.request(`${admin}/invocations/${kept.invocation}/${how}`, { method: "PATCH" });
  return response.ok;
}

/** The invocations of runs with their statuses. */
async function invocations(desk: AdminClient, only?: StoredRun): Promise<ReadonlyMap<string, string>> {
  const { address, setting, reach } = desk;
  const which = only ? `id = ${quoted(only.kept.invocation)}` : `target_service_name = '${setting.names.run}'`;
  const rows = await ask(address.admin, `SELECT id, status FROM sys_invocation WHERE ${which}`, reach.request);
  return new Map(rows.map(({ id, status }) => [`${id}`, `${status}`]));
}

/** The status of a run's invocation; undefined if Restate has deleted it. */
const statusOf = async (desk: AdminClient, run: StoredRun): Promise<string | undefined> =>
  (await invocations(desk, run)).get(run.kept.invocation);

/** Waits until a condition holds for a run; undefined after the given time, or if the run does not exist. */
async function untilIs(
  desk: AdminClient,
  id: string,
  holds: (run: StoredRun) => boolean,
  milliseconds = Number.POSITIVE_INFINITY,
): Promise<StoredRun | undefined> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const [run] = await knownNow(desk, [id]);
    if (!run || holds(run)) return run;
    await rest(20);
  }
  return undefined;
}

/** Calls all outboxes of a run; returns their number. */
async function callOutboxes(desk: AdminClient, id: string, method: "again" | "forget"): Promise<number> {
  const { outbox } = desk.setting.names;
  const where = ofOutbox(outbox, id);
  const all = await ask(
    desk.address.admin,
    `SELECT DISTINCT service_key FROM state WHERE ${where}`,
    desk.reach.request,
  );
  for (const { service_key: key } of all) await call(desk, { service: outbox, key: `${key}`, method }, null, true);
  return all.length;
}

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
