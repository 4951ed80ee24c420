import type { ForgetResult, UnsentCounts } from "../../engine.ts";
import { reportEnd } from "../../internal.ts";
import { type AdminClient, call, callBook, outlinesIn, queryIn } from "./admin-client.ts";
import { retryKey, seenPrefix } from "./messages.ts";
import { ask } from "./query.ts";
import { isOver, ofOutbox, quoted, type RunOutline, summaryOf } from "./reading.ts";

// Commands on runs, which work without a process that could execute them.

/** Cancels a run. A blocked run that no other process cancels is ended in Restate and in the object. */
export async function cancel(client: AdminClient, id: string): Promise<boolean> {
  const [run] = await outlinesIn(client, [id]);
  if (!run || isOver(run)) return false;
  await change(client, run, "cancel");
  const { status } = await client.ends.of(id, undefined);
  if (status !== "stranded") return status === "cancelled";
  const ended = await untilIs(client, id, isOver, patience);
  return ended ? ended.summary?.status === "cancelled" : kill(client, run);
}

async function kill(client: AdminClient, run: RunOutline): Promise<boolean> {
  const { id } = run;
  await change(client, run, "kill");
  const [now] = await outlinesIn(client, [id]);
  if (!now || isOver(now)) return now?.summary?.status === "cancelled";
  await callBook(client, "cancelled", id);
  const [ended] = await outlinesIn(client, [id]);
  const { options } = client.setting;
  if (ended) reportEnd(options, summaryOf(ended, options.workflows));
  return true;
}

/** How long another process may take to cancel a run that this one cannot execute, in milliseconds. */
const patience = 2000;

/** Sends refused events again, and continues a run that has failed or that Restate has paused. */
export async function retry(client: AdminClient, id: string): Promise<boolean> {
  const [run] = await outlinesIn(client, [id]);
  const isSent = (await callOutboxes(client, id, "again")) > 0;
  if (run?.fault !== undefined) return (await change(client, run, "resume")) || isSent;
  if (run?.summary?.status !== "failed") return isSent;
  if (["completed", undefined].includes(await statusOf(client, run))) return isSent;
  const { failures } = run.summary;
  await callBook(client, "retry", { run: id, reply: retryKey(failures ?? 1) });
  await untilIs(client, id, ({ summary }) => summary?.status !== "failed" || summary.failures !== failures);
  return true;
}

/** Deletes runs that ended before an instant, in batches. An interrupted call is completed by the next one. */
export async function prune(client: AdminClient, before: number): Promise<number> {
  const known = await outlinesIn(client);
  const there = await invocations(client);
  const startedBefore = Math.min(before, client.setting.now() - settling);
  const isHalfForgotten = ({ kept, summary }: RunOutline) =>
    summary === undefined && kept.at < startedBefore && !there.has(kept.invocation);
  const isOld = (run: RunOutline) => isOver(run) && run.summary!.updated < before;
  const old = known.filter((run) => isOld(run) || isHalfForgotten(run));
  let count = 0;
  for (let i = 0; i < old.length; i += atOnce) {
    const some = old.slice(i, i + atOnce);
    const purged = await Promise.all(some.map((run) => purge(client, run)));
    const runs = some.filter((_, k) => purged[k]).map(({ id }) => id);
    await callBook(client, "forget", runs);
    count += runs.length;
  }
  await callBook(client, "prune", before);
  await unsee(client, before);
  return count;
}

/** Deletes a run that has ended. */
export async function forget(client: AdminClient, id: string): Promise<ForgetResult> {
  const [run] = await outlinesIn(client, [id]);
  if (!run) return "missing";
  if (!isOver(run) || !(await purge(client, run))) return "active";
  await callBook(client, "forget", [id]);
  return "forgotten";
}

/** Forgets the ids of events that arrived before an instant. */
async function unsee(client: AdminClient, before: number): Promise<void> {
  const { address, setting, transport } = client;
  const where = `service_name = '${setting.names.book}' AND starts_with(key, '${seenPrefix}')`;
  const old = `SELECT key FROM state WHERE ${where} AND CAST(value_utf8 AS DOUBLE) < ${before}`;
  const keys = (await ask(address.admin, old, transport.request)).map(({ key }) => `${key}`);
  for (let i = 0; i < keys.length; i += 10 * atOnce) await callBook(client, "unsee", keys.slice(i, i + 10 * atOnce));
}

/** The number of runs in a batch, and the milliseconds after which Restate has a started run. */
const atOnce = 50;
const settling = 60_000;

/** Deletes a run from Restate; returns whether it is gone. A failed run waits there for a retry, so it is killed. */
async function purge(client: AdminClient, run: RunOutline): Promise<boolean> {
  if (run.summary?.status === "failed") await change(client, run, "kill");
  let isPurged = false;
  for (let tries = 0; !isPurged && tries < 50; tries += 1) {
    if (tries > 0) await rest(20);
    isPurged = (await change(client, run, "purge")) || (await statusOf(client, run)) === undefined;
  }
  if (isPurged) await callOutboxes(client, run.id, "forget");
  return isPurged;
}

/** The number of events that no sink has accepted, and of refused ones among them. */
export async function unsent(client: AdminClient): Promise<UnsentCounts> {
  const { outbox } = client.setting.names;
  const count = async (text: string) =>
    Number((await queryIn(client)(`SELECT count(*) AS n FROM ${text}`))[0]?.["n"] ?? 0);
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
  { address: { admin }, transport }: AdminClient,
  { kept }: RunOutline,
  how: "cancel" | "kill" | "purge" | "resume",
): Promise<boolean> {
  const response = await transport.request(`${admin}/invocations/${kept.invocation}/${how}`, { method: "PATCH" });
  return response.ok;
}

/** The invocations of runs with their statuses. */
async function invocations(client: AdminClient, only?: RunOutline): Promise<ReadonlyMap<string, string>> {
  const { address, setting, transport } = client;
  const which = only ? `id = ${quoted(only.kept.invocation)}` : `target_service_name = '${setting.names.run}'`;
  const rows = await ask(address.admin, `SELECT id, status FROM sys_invocation WHERE ${which}`, transport.request);
  return new Map(rows.map(({ id, status }) => [`${id}`, `${status}`]));
}

/** The status of a run's invocation; undefined if Restate has deleted it. */
const statusOf = async (client: AdminClient, run: RunOutline): Promise<string | undefined> =>
  (await invocations(client, run)).get(run.kept.invocation);

/** Waits until a condition holds for a run; undefined after the given time, or if the run does not exist. */
async function untilIs(
  client: AdminClient,
  id: string,
  holds: (run: RunOutline) => boolean,
  milliseconds = Number.POSITIVE_INFINITY,
): Promise<RunOutline | undefined> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const [run] = await outlinesIn(client, [id]);
    if (!run || holds(run)) return run;
    await rest(20);
  }
  return undefined;
}

/** Calls all outboxes of a run; returns their number. */
async function callOutboxes(client: AdminClient, id: string, method: "again" | "forget"): Promise<number> {
  const { outbox } = client.setting.names;
  const where = ofOutbox(outbox, id);
  const all = await ask(
    client.address.admin,
    `SELECT DISTINCT service_key FROM state WHERE ${where}`,
    client.transport.request,
  );
  for (const { service_key: key } of all) await call(client, { service: outbox, key: `${key}`, method }, null, true);
  return all.length;
}

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
