import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { expectedOutput } from "../../crash/workflow.ts";
import type { PostgresServer } from "../postgres.ts";
import { runtimeFolder } from "../runtime-folder.ts";

/** Kills, faults, and calls repeated because their responses were lost. */
export interface KillReport {
  readonly killed: number;
  readonly runs: number;
  readonly faults: readonly string[];
  readonly repeated: number;
}

const here = import.meta.dirname;
const batch = 4;

/** Runs orders in three processes on one database; kills and replaces one of them at `moments` random moments. */
export async function runWithKills(server: PostgresServer, moments: number, random: () => number): Promise<KillReport> {
  const url = await server.createDatabase();
  const calls = spawn(process.execPath, [join(here, "../../crash/server.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = (await lineOf(calls, "http")).trim();
  let runCount = 0;
  const begin = async (): Promise<ChildProcess> => {
    const args = [runtimeFolder(), url, address, `${runCount}`, `${batch}`];
    runCount += batch;
    const child = spawn(process.execPath, ["--no-warnings", join(here, "child.ts"), ...args], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await lineOf(child, "open");
    begun.set(child, lineOf(child, "begun"));
    begun.get(child)!.catch(() => undefined);
    return child;
  };
  const begun = new Map<ChildProcess, Promise<string>>();
  let children: ChildProcess[] = [];
  try {
    children = await Promise.all([begin(), begin(), begin()]);
    for (let killed = 0; killed < moments; killed++) {
      await sleep(400 * random() ** 2);
      const victim = Math.floor(random() * children.length);
      await endProcess(children[victim]!, "SIGKILL");
      children[victim] = await begin();
    }
    await Promise.all(children.map((child) => begun.get(child)));
    const faults = await settledFaults(server, url, runCount);
    const counts = (await (await fetch(address)).json()) as readonly (readonly [string, number])[];
    return {
      killed: moments,
      runs: runCount,
      faults: faults,
      repeated: counts.filter(([, count]) => count > 1).length,
    };
  } finally {
    await Promise.all(children.map((child) => endProcess(child, "SIGKILL")));
    calls.kill();
  }
}

/** Polls until no faults remain: runs may still be active, or in takeover from a killed process. */
async function settledFaults(server: PostgresServer, url: string, runCount: number): Promise<readonly string[]> {
  const end = performance.now() + 60_000;
  for (;;) {
    const faults = await findFaults(server, url, runCount);
    if (faults.length === 0 || performance.now() > end) return faults;
    await sleep(200);
  }
}

/** Runs whose process was killed before it sent their event: they wait for a minute and continue without it. */
const unpaidRuns =
  "SELECT id FROM waybill.runs WHERE NOT EXISTS (SELECT 1 FROM waybill.events WHERE events.id = 'paid-' || runs.id)";

/** The events in the recorded answers of the wait. */
const consumedEvents = `SELECT (each->>'order')::bigint AS event
  FROM waybill.journal, json_array_elements(value::json->'events') AS each WHERE key = 'Paid' AND kind = 'value'`;

/** Finds runs with a faults result, duplicate records, and events that were lost or consumed twice. */
async function findFaults(server: PostgresServer, url: string, runCount: number): Promise<readonly string[]> {
  const rows = await server.query(url, "SELECT id, status, output, error, reason FROM waybill.runs");
  const unpaid = new Set((await server.query(url, unpaidRuns)).map(({ id }) => String(id)));
  const faults = rows.flatMap(({ id, status, output, error, reason }) => {
    const isUnpaid = unpaid.has(String(id));
    const expected = expectedOutput(Number(String(id).slice("order-".length)));
    const isCorrect =
      status === "succeeded" && output === JSON.stringify(isUnpaid ? { ...expected, paid: 0 } : expected);
    return isCorrect || (isUnpaid && status === "waiting")
      ? []
      : [`${String(id)} ended as ${String(status)} ${String(output ?? error ?? reason)}.`];
  });
  const twice = await server.query(
    url,
    "SELECT run, key, kind FROM waybill.journal WHERE kind IN ('value', 'failure', 'fired') GROUP BY 1, 2, 3 HAVING count(*) > 1",
  );
  const consumedTwice = await server.query(
    url,
    `SELECT event FROM (${consumedEvents}) AS consumed GROUP BY 1 HAVING count(*) > 1`,
  );
  const lost = await server.query(url, `SELECT id FROM waybill.events WHERE ref NOT IN (${consumedEvents})`);
  return [
    ...(rows.length > runCount ? ["There are more runs than were started."] : []),
    ...faults,
    ...twice.map(({ run, key }) => `${String(key)} of run ${String(run)} is recorded twice.`),
    ...consumedTwice.map(({ event }) => `Event ${String(event)} is consumed twice.`),
    ...lost.map(({ id }) => `Event ${String(id)} is lost.`),
  ];
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await end;
}

/** Waits for the first output line with a prefix. */
const lineOf = (child: ChildProcess, prefix: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const onData = (data: Buffer) => {
      const line = data
        .toString()
        .split("\n")
        .find((each) => each.startsWith(prefix));
      if (line === undefined) return;
      child.stdout!.off("data", onData);
      resolve(line);
    };
    child.stdout!.on("data", onData);
    child.once("exit", (code) => reject(new Error(`The process ended with ${code}.`)));
  });

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
