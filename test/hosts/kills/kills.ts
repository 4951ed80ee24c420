import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { wanted } from "../../crash/workflow.ts";
import { runtimePlace } from "../place.ts";
import type { Postgres } from "../postgres.ts";

/** What was found: how often a process was killed, what is wrong, and how many calls were made again as nobody knew of their answers. */
export interface Found {
  readonly killed: number;
  readonly runs: number;
  readonly wrong: readonly string[];
  readonly repeated: number;
}

const here = import.meta.dirname;
const batch = 4;

/** Lets three processes go on with orders on one database, and kills one of them at so many random moments: each time another one takes its place. */
export async function kills(server: Postgres, moments: number, random: () => number): Promise<Found> {
  const url = await server.database();
  const calls = spawn(process.execPath, [join(here, "../../crash/server.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = (await lineOf(calls, "http")).trim();
  let next = 0;
  const begin = async (): Promise<ChildProcess> => {
    const args = [runtimePlace(), url, address, `${next}`, `${batch}`];
    next += batch;
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
      await rest(400 * random() ** 2);
      const place = Math.floor(random() * children.length);
      await ended(children[place]!, "SIGKILL");
      children[place] = await begin();
    }
    await Promise.all(children.map((child) => begun.get(child)));
    const wrong = await wrongAtLast(server, url, next);
    const counts = (await (await fetch(address)).json()) as readonly (readonly [string, number])[];
    return { killed: moments, runs: next, wrong, repeated: counts.filter(([, count]) => count > 1).length };
  } finally {
    await Promise.all(children.map((child) => ended(child, "SIGKILL")));
    calls.kill();
  }
}

/** What is wrong when all has come to rest: a run that goes on, or is just taken over from a process that was killed, is looked at again. */
async function wrongAtLast(server: Postgres, url: string, next: number): Promise<readonly string[]> {
  const end = performance.now() + 60_000;
  for (;;) {
    const wrong = await wrongIn(server, url, next);
    if (wrong.length === 0 || performance.now() > end) return wrong;
    await rest(200);
  }
}

/** Runs of which the process that was to send the event was killed before: they wait for a minute, and go on without it. */
const unpaidRuns =
  "SELECT id FROM waybill.runs WHERE NOT EXISTS (SELECT 1 FROM waybill.events WHERE events.id = 'paid-' || runs.id)";

/** Runs that have not come to what they should, and what is recorded or taken twice. */
async function wrongIn(server: Postgres, url: string, next: number): Promise<readonly string[]> {
  const rows = await server.ask(url, "SELECT id, status, output, error, reason FROM waybill.runs");
  const unpaid = new Set((await server.ask(url, unpaidRuns)).map(({ id }) => String(id)));
  const wrong = rows.flatMap(({ id, status, output, error, reason }) => {
    const isUnpaid = unpaid.has(String(id));
    const meant = wanted(Number(String(id).slice("order-".length)));
    const isRight = status === "succeeded" && output === JSON.stringify(isUnpaid ? { ...meant, paid: 0 } : meant);
    return isRight || (isUnpaid && status === "waiting")
      ? []
      : [`${String(id)} has come to ${String(status)} ${String(output ?? error ?? reason)}.`];
  });
  const twice = await server.ask(
    url,
    "SELECT run, key, kind FROM waybill.journal WHERE kind IN ('value', 'failure', 'fired') GROUP BY 1, 2, 3 HAVING count(*) > 1",
  );
  const taken = await server.ask(
    url,
    "SELECT event FROM waybill.inbox WHERE taken IS NOT NULL GROUP BY 1 HAVING count(*) > 1",
  );
  const lost = await server.ask(
    url,
    "SELECT id FROM waybill.events WHERE NOT EXISTS (SELECT 1 FROM waybill.inbox WHERE event = events.ref AND taken IS NOT NULL)",
  );
  return [
    ...(rows.length > next ? ["There are more runs than were started."] : []),
    ...wrong,
    ...twice.map(({ run, key }) => `${String(key)} of run ${String(run)} is recorded twice.`),
    ...taken.map(({ event }) => `Event ${String(event)} is taken twice.`),
    ...lost.map(({ id }) => `Event ${String(id)} is lost.`),
  ];
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await end;
}

/** The first line that a process writes which begins so. */
const lineOf = (child: ChildProcess, beginning: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const hear = (data: Buffer) => {
      const line = data
        .toString()
        .split("\n")
        .find((each) => each.startsWith(beginning));
      if (line === undefined) return;
      child.stdout!.off("data", hear);
      resolve(line);
    };
    child.stdout!.on("data", hear);
    child.once("exit", (code) => reject(new Error(`The process ended with ${code}.`)));
  });

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
