import { expectedOutput } from "../../crash/workflow.ts";
import { startPausableProxy } from "../pausable-proxy.ts";
import type { PostgresServer } from "../postgres.ts";
import { serveCalls } from "./calls.ts";
import { type KillReport, type Orders, runCampaign, settled, sleep } from "./campaign.ts";

/** What happens to a process, to its connections, or to the database. */
export type Disturbance = "kill" | "stop" | "forget" | "stop database" | "kill database";

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
  const calls = await serveCalls();
  const paused = async (act: () => Promise<void>, end: () => Promise<void>, milliseconds: number) => {
    await act();
    await sleep(milliseconds);
    await end();
  };
  try {
    const report = await runCampaign<Disturbance>(
      {
        processes: proxies.length,
        moments,
        kinds,
        random,
        request: (place) => ({ host: "dbos", store: proxies[place]!.url, calls: calls.address, patience }),
        async disturb(kind, process, place) {
          const duration = 500 + 7500 * random();
          if (kind === "kill") await process.kill();
          else if (kind === "stop") await process.stop(duration);
          else if (kind === "forget") await paused(proxies[place]!.pause, proxies[place]!.resume, duration);
          else if (kind === "stop database") await paused(server.pause, server.resume, duration);
          else await paused(server.crash, server.revive, 300);
        },
      },
      (orders) => settled(60, () => findFaults(server, url, orders)),
    );
    return { ...report, repeated: calls.repeated().length };
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    calls.close();
  }
}

/** Runs whose process was killed before it sent their event: they wait for a minute and continue without it. */
const unpaidRuns =
  "SELECT id FROM waybill.runs WHERE NOT EXISTS (SELECT 1 FROM waybill.events WHERE events.id = 'paid-' || runs.id)";

/** The events in the recorded answers of the wait. */
const consumedEvents = `SELECT (each->>'order')::bigint AS event
  FROM waybill.journal, json_array_elements(value::json->'events') AS each WHERE key = 'Paid' AND kind = 'value'`;

/** Finds runs with a wrong result, duplicate records, and events that were lost or consumed twice. */
async function findFaults(server: PostgresServer, url: string, { count, paid }: Orders): Promise<readonly string[]> {
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
  const known = new Set(rows.map(({ id }) => String(id)));
  return [
    ...(rows.length > count ? ["There are more runs than were started."] : []),
    ...[...paid].flatMap((order) => (known.has(`order-${order}`) ? [] : [`order-${order} is lost.`])),
    ...[...paid].flatMap((order) => (unpaid.has(`order-${order}`) ? [`The event of order-${order} is lost.`] : [])),
    ...faults,
    ...twice.map(({ run, key }) => `${String(key)} of run ${String(run)} is recorded twice.`),
    ...consumedTwice.map(({ event }) => `Event ${String(event)} is consumed twice.`),
    ...lost.map(({ id }) => `Event ${String(id)} is lost.`),
  ];
}
