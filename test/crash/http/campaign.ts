import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { type AcknowledgedRequests, eventOf, nothingSent, post, sendAll } from "./client.ts";
import { openEnvironment } from "./environment.ts";
import { type ProgramLocation, type ProgramProcess, spawnProgram } from "./process.ts";
import { emitProgram, outputOf } from "./program.ts";

/** The results. */
export interface ServerCrashResult {
  readonly kills: number;
  /** Kills before the program served. */
  readonly early: number;
  readonly orders: number;
  readonly recorded: number;
  readonly events: number;
  readonly resent: number;
  /** Requests that a full disk rejected. */
  readonly full: number;
  readonly damaged: number;
  /** Calls repeated because their results had not been recorded; `duplicateEvents` counts events received twice. */
  readonly repeatedCalls: number;
  readonly duplicateEvents: number;
  readonly wrong: readonly string[];
}

/** Emits a program and kills it at random moments, with functions that throw anything, damaged rows and a full disk. */
export async function crashServer(kills: number, random: () => number): Promise<ServerCrashResult> {
  const folder = mkdtempSync(join(tmpdir(), "crash-"));
  let total: ServerCrashResult = none;
  try {
    await emitProgram(folder);
    for (let store = 0; total.kills < kills; store++) {
      const environment = await openEnvironment();
      const one = await oneStore(
        { folder, store: join(folder, `${store}.db`), environment },
        kills - total.kills,
        random,
      );
      environment.close();
      total = sum(total, one);
    }
    return total;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const orders = Array.from({ length: 24 }, (_, i) => `order-${i}`);
const rude = Array.from({ length: 7 }, (_, i) => `rude-${i}`);
/** An order to damage while it waits. */
const victim = "victim";

/** Kills the program until its runs have ended, then lets it finish. */
async function oneStore(program: ProgramLocation, maxKills: number, random: () => number): Promise<ServerCrashResult> {
  const sent = nothingSent();
  const recorded = new Map<string, number>();
  const wrong: string[] = [];
  let [kills, early, damaged] = [0, 0, 0];
  while (kills < Math.min(maxKills, 60) && !isAllDone(program.store)) {
    const process = spawnProgram(program, kills > 2 && random() < 0.15);
    const isEarly = await runUntilKilled(process, sent, random, wrong);
    kills += 1;
    if (isEarly) early += 1;
    damaged += damage(program.store);
    wrong.push(...repeated(program, recorded));
  }
  wrong.push(...(await runToEnd(program, sent, random)), ...wrongIn(program, damaged > 0), ...sent.wrong);
  return {
    kills,
    early,
    orders: orders.length,
    recorded: recorded.size,
    events: sent.acknowledged.size,
    resent: sent.resent,
    full: sent.full,
    damaged,
    repeatedCalls: countRepeated(program.environment.called),
    duplicateEvents: countRepeated(program.environment.sent),
    wrong: wrong.map((each) => `${program.store}: ${each}`),
  };
}

/**
 * Kills the program at a random moment after it was spawned or after it served. Returns whether it had not served yet.
 */
async function runUntilKilled(
  process: ProgramProcess,
  sent: AcknowledgedRequests,
  random: () => number,
  wrong: string[],
): Promise<boolean> {
  const killIn = (milliseconds: number) => setTimeout(() => process.kill("SIGKILL"), milliseconds);
  const isAnytime = random() < 0.5;
  let timer = isAnytime ? killIn(40 + 900 * random()) : undefined;
  const url = await process.url;
  timer ??= killIn(600 * random() ** 2);
  if (url !== undefined) await sendTo(url, sent, random);
  const { status, log } = await process.end;
  clearTimeout(timer);
  if (status !== null) wrong.push(`The process exited with status ${status}: ${log.slice(-1000)}`);
  return url === undefined;
}

const sendTo = async (url: string, sent: AcknowledgedRequests, random: () => number): Promise<void> => {
  await sendAll(url, { orders, rude }, sent, random);
  if (
    !sent.started.has(victim) &&
    (await post(`${url}/workflows/orders/runs?id=${victim}`, { order: victim, lines: [] }, sent))
  )
    sent.started.add(victim);
};

/** Sends everything unacknowledged and waits until all runs have ended. */
async function runToEnd(
  program: ProgramLocation,
  sent: AcknowledgedRequests,
  random: () => number,
): Promise<readonly string[]> {
  const process = spawnProgram(program, false);
  const url = await process.url;
  if (url === undefined) return [`The program does not start: ${(await process.end).log}`];
  const end = performance.now() + 60_000;
  const isLeft = async () => {
    if (!isAllDone(program.store, await statusesAt(url))) return true;
    const { unsent = 0 } = (await (await fetch(`${url}/health`)).json()) as { readonly unsent?: number };
    return unsent > 0;
  };
  do {
    await sendTo(url, sent, random);
    await post(`${url}/events`, eventOf(victim, "a"), sent);
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (performance.now() < end && (await isLeft()));
  process.kill("SIGTERM");
  const { status, log } = await process.end;
  return status === 0 ? [] : [`The program exited with status ${status}: ${log.slice(-1000)}`];
}

async function statusesAt(url: string): Promise<ReadonlyMap<string, string>> {
  const { runs } = (await (await fetch(`${url}/runs?limit=1000`)).json()) as {
    readonly runs: readonly { readonly id: string; readonly status: string }[];
  };
  return new Map(runs.map(({ id, status }) => [id, status]));
}

/** Whether all orders and rude runs have ended. */
function isAllDone(store: string, statuses = statusesIn(store)): boolean {
  const unfinished = new Set([undefined, "running", "waiting"]);
  return [...orders, ...rude].every((id) => !unfinished.has(statuses.get(id)));
}

const statusesIn = (store: string): ReadonlyMap<string, string> =>
  new Map(rowsOf(store, "SELECT id, status FROM runs").map(({ id, status }) => [String(id), String(status)]));

/** Returns no rows if the tables do not exist yet. */
function rowsOf(store: string, query: string): readonly { readonly [column: string]: unknown }[] {
  const db = new DatabaseSync(store);
  try {
    return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'runs'").get() ? db.prepare(query).all() : [];
  } finally {
    db.close();
  }
}

/** Damages the input of a waiting order. Returns the number of rows. */
function damage(store: string): number {
  if (rowsOf(store, `SELECT 1 FROM runs WHERE id = '${victim}' AND status = 'waiting' AND input <> '{'`).length === 0)
    return 0;
  const db = new DatabaseSync(store);
  db.exec(`UPDATE runs SET input = '{' WHERE id = '${victim}'`);
  db.close();
  return 1;
}

/** Steps that were recorded before the last kill but called again. */
function repeated({ store, environment }: ProgramLocation, recorded: Map<string, number>): readonly string[] {
  const wrong = [...recorded].flatMap(([call, count]) =>
    (environment.called.get(call) ?? 0) > count ? [`${call} was called again.`] : [],
  );
  const rows = rowsOf(
    store,
    "SELECT runs.id || '/' || key AS key FROM journal JOIN runs ON runs.ref = run WHERE kind IN ('value', 'failure')",
  );
  for (const { key } of rows) {
    const [, step = String(key), attempt = "1"] = /^(.*)#(\d+)$/.exec(String(key)) ?? [];
    const count = environment.called.get(`${step}!${attempt}`);
    if (count !== undefined) recorded.set(`${step}!${attempt}`, count);
  }
  return wrong;
}

/** Runs that are missing, unfinished or wrong, and events that did not reach the sink. */
function wrongIn({ store, environment }: ProgramLocation, isDamaged: boolean): readonly string[] {
  const rows = new Map(
    rowsOf(store, "SELECT id, status, output, error, reason FROM runs").map((row) => [String(row["id"]), row]),
  );
  const describe = (id: string) => `${id} ended as ${JSON.stringify(rows.get(id))}.`;
  const wrong = orders.filter((id, i) => {
    const { status, output } = rows.get(id) ?? {};
    return status !== "succeeded" || !isDeepStrictEqual(JSON.parse(String(output)), outputOf(id, i));
  });
  const polite = rude.filter((id) => rows.get(id)?.["status"] !== "failed");
  const whole = isDamaged && rows.get(victim)?.["status"] !== "stranded" ? [victim] : [];
  const withoutEvent = orders.filter((id) => !environment.sent.has(`${id}/Told/emit`));
  return [
    ...[...wrong, ...polite, ...whole].map(describe),
    ...withoutEvent.map((id) => `The event of ${id} was not sent.`),
  ];
}

const countRepeated = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].filter((count) => count > 1).length;

const none: ServerCrashResult = {
  ...{
    kills: 0,
    early: 0,
    orders: 0,
    recorded: 0,
    events: 0,
    resent: 0,
    full: 0,
    damaged: 0,
    repeatedCalls: 0,
    duplicateEvents: 0,
  },
  wrong: [],
};

function sum(a: ServerCrashResult, b: ServerCrashResult): ServerCrashResult {
  const entries = Object.entries(a).map(([name, value]) => {
    const other = b[name as keyof ServerCrashResult];
    return [name, typeof value === "number" ? value + (other as number) : [...a.wrong, ...b.wrong]];
  });
  return Object.fromEntries(entries) as unknown as ServerCrashResult;
}
