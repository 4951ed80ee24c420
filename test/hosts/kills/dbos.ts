import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { expectedOutput } from "../../crash/workflow.ts";
import { type PausableProxy, startPausableProxy } from "../pausable-proxy.ts";
import type { PostgresServer } from "../postgres.ts";
import { runtimeFolder } from "../runtime-folder.ts";

/** Kills, faults, and calls repeated because their responses were lost. */
export interface KillReport {
  readonly killed: number;
  readonly runs: number;
  readonly faults: readonly string[];
  readonly repeated: number;
}

/** What happens to a process, to its connections, or to the database. */
export type Disturbance = "kill" | "stop" | "forget" | "stop database" | "kill database";

const here = import.meta.dirname;
const batch = 4;

/**
 * Runs orders in three processes on one database. At `moments` random moments, one of them is killed and replaced, or
 * disturbed otherwise. A process that was gone for so long that others have taken over its runs is replaced, too.
 */
export async function runWithKills(
  server: PostgresServer,
  moments: number,
  random: () => number,
  kinds: readonly Disturbance[] = ["kill"],
): Promise<KillReport> {
  const url = await server.createDatabase();
  const proxies = await Promise.all([0, 1, 2].map(() => startPausableProxy(url)));
  const patience = kinds.length > 1 ? 4000 : 300;
  const calls = spawn(process.execPath, [join(here, "../../crash/server.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = (await lineOf(calls, "http")).trim();
  let runCount = 0;
  const begin = async (place: number): Promise<ChildProcess> => {
    const args = [runtimeFolder(), proxies[place]!.url, address, `${runCount}`, `${batch}`, `${patience}`];
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
    children = await Promise.all([0, 1, 2].map(begin));
    for (let killed = 0; killed < moments; killed++) {
      await sleep(400 * random() ** 2);
      const victim = Math.floor(random() * children.length);
      const kind = kinds[Math.floor(random() * kinds.length)]!;
      if (kind === "kill") await endProcess(children[victim]!, "SIGKILL");
      else await disturb(kind, children[victim]!, proxies[victim]!, server, 500 + 7500 * random());
      for (const [place, child] of children.entries())
        if (child.exitCode !== null || child.signalCode !== null) children[place] = await begin(place);
    }
    await Promise.all(children.map((child) => begun.get(child)?.catch(() => undefined)));
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
    await Promise.all(proxies.map((proxy) => proxy.close()));
    calls.kill();
  }
}

/** Disturbs a process or the database for some milliseconds. */
async function disturb(
  kind: Exclude<Disturbance, "kill">,
  child: ChildProcess,
  proxy: PausableProxy,
  server: PostgresServer,
  duration: number,
): Promise<void> {
  if (kind === "stop") child.kill("SIGSTOP");
  else if (kind === "forget") await proxy.pause();
  else if (kind === "stop database") await server.pause();
  else await server.crash();
  await sleep(kind === "kill database" ? 300 : duration);
  if (kind === "stop") child.kill("SIGCONT");
  else if (kind === "forget") await proxy.resume();
  else if (kind === "stop database") await server.resume();
  else await server.revive();
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
