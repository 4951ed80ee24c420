import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expectedOutput } from "./workflow.ts";

/** The results: the number of kills, the errors, and the calls repeated because their results had not been recorded. */
export interface CrashResult {
  readonly killed: number;
  readonly wrong: readonly string[];
  readonly repeated: number;
}

const batch = 8;
const here = import.meta.dirname;

/** Kills a process at random moments and checks its runs. */
export async function crash(moments: number, random: () => number): Promise<CrashResult> {
  const server = spawn(process.execPath, [join(here, "server.ts")], { stdio: ["ignore", "pipe", "inherit"] });
  const address = (await lineOf(server)).trim();
  const wrong: string[] = [];
  let [killed, repeated] = [0, 0];
  try {
    while (killed < moments) {
      const one = await oneStore(address, moments - killed, random);
      killed += one.killed;
      repeated += one.repeated;
      wrong.push(...one.wrong);
    }
  } finally {
    server.kill();
  }
  return { killed, wrong, repeated };
}

/** Restarts and kills a process on one store until its runs have ended. */
async function oneStore(server: string, maxKills: number, random: () => number): Promise<CrashResult> {
  const folder = mkdtempSync(join(tmpdir(), "crash-"));
  const store = join(folder, "runs.db");
  const before = await countsOf(server);
  const recorded = new Map<string, number>();
  const wrong: string[] = [];
  let killed = 0;
  try {
    for (;;) {
      const isKilled = await oneLife(store, server, killed < maxKills ? 300 * random() ** 2 : undefined);
      if (isKilled) killed += 1;
      wrong.push(...repeatedSince(recorded, store, before, await countsOf(server)));
      if (!isKilled) break;
    }
    const counts = difference(before, await countsOf(server));
    return {
      killed,
      wrong: [...wrong, ...wrongIn(store)],
      repeated: [...counts.values()].filter((count) => count > 1).length,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether the process was killed before it exited, `moment` milliseconds after its store was open. */
async function oneLife(store: string, server: string, moment: number | undefined): Promise<boolean> {
  const child = spawn(process.execPath, [join(here, "child.ts"), store, server, `${batch}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  await Promise.race([lineOf(child), end]);
  const timer = moment === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), moment);
  const code = await end;
  clearTimeout(timer);
  if (code !== 0 && code !== null) throw new Error(`The process ended with ${code}.`);
  return code === null;
}

/** Steps that were recorded before the last kill but called again. */
function repeatedSince(
  recorded: Map<string, number>,
  store: string,
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): readonly string[] {
  const counts = difference(before, now);
  const wrong = [...recorded].flatMap(([key, count]) =>
    (counts.get(key) ?? 0) > count ? [`${key} was called again.`] : [],
  );
  const db = new DatabaseSync(store);
  const rows = db
    .prepare(
      "SELECT runs.id || '/' || key AS key FROM journal JOIN runs ON runs.ref = run WHERE kind IN ('value', 'failure')",
    )
    .all();
  db.close();
  for (const { key } of rows)
    for (const call of callsOf(String(key))) if (counts.has(call)) recorded.set(call, counts.get(call)!);
  return wrong;
}

/** The calls that share a key: those of a step, or of an attempt. */
function callsOf(key: string): readonly string[] {
  const [, step, attempt] = /^(.*)#(\d+)$/.exec(key) ?? [undefined, key, "1"];
  return [key, `${step}!attempt-${attempt}`];
}

/** Runs that are missing, unfinished, or have a wrong result. */
function wrongIn(store: string): readonly string[] {
  const db = new DatabaseSync(store);
  const rows = new Map(
    db
      .prepare("SELECT id, status, output, error, reason FROM runs")
      .all()
      .map(({ id, status, output, error, reason }) => [id, { status, output, error, reason }]),
  );
  const held = db
    .prepare(
      "SELECT (SELECT count(*) FROM subscriptions) + (SELECT count(*) FROM waits) + (SELECT count(*) FROM kept) AS n",
    )
    .get()?.["n"];
  db.close();
  const wrong = Array.from({ length: batch }, (_, i) => {
    const row = rows.get(`order-${i}`);
    const isRight = row?.status === "succeeded" && row.output === JSON.stringify(expectedOutput(i));
    return isRight ? [] : [`order-${i} has come to ${row?.status} ${row?.output ?? row?.error ?? row?.reason}.`];
  });
  return [...wrong.flat(), ...(held === 0 ? [] : [`${held} subscriptions, waits and events remain.`])];
}

async function countsOf(server: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(server);
  return new Map((await response.json()) as readonly (readonly [string, number])[]);
}

function difference(
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map([...now].map(([key, count]) => [key, count - (before.get(key) ?? 0)]));
}

const lineOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout?.once("data", (data: Buffer) => resolve(data.toString())));
