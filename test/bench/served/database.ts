import { startPostgres } from "../../hosts/postgres.ts";
import type { BenchmarkRow } from "../row.ts";
import { during, type Health, inParallel } from "./requests.ts";
import { type ServedProgram, serveProgram } from "./server.ts";

/** The waiting runs, and the requests of each rate. */
const [waiting, requests] = [10_000, 4000];

/** Rates of one and of two processes on a database that syncs to disk. */
export async function databaseRows(): Promise<readonly BenchmarkRow[]> {
  const database = await startPostgres({ isSynced: true });
  try {
    const rows: BenchmarkRow[] = [];
    for (const count of [1, 2]) rows.push(...(await ratesOf(await database.createDatabase(), count)));
    return rows;
  } finally {
    await database.stop();
  }
}

async function ratesOf(store: string, count: number): Promise<readonly BenchmarkRow[]> {
  const servers: ServedProgram[] = [];
  for (let i = 0; i < count; i++) servers.push(await serveProgram([], { host: "dbos", store }));
  const serverOf = (i: number) => servers[i % count]!;
  try {
    await inParallel(waiting, (i) => serverOf(i).ask("POST", `/workflows/wait/runs?id=w${i}`, { order: `o${i}` }));
    const starts = await during(servers[0]!, () =>
      inParallel(requests, (i) => serverOf(i).ask("POST", `/workflows/step/runs?id=s${i}`, { i })),
    );
    const events = await during(servers[0]!, () =>
      inParallel(requests, (i) => {
        const event = { specversion: "1.0", id: `e${i}`, source: "/pay", type: "paid", order: `o${i}`, data: i };
        return serverOf(i).ask("POST", "/events", event, "application/cloudevents+json");
      }),
    );
    const among = `on dbos with ${waiting} waiting runs, ${count === 1 ? "one process" : `${count} processes`}`;
    const rate = ({ ms }: { readonly ms: number }) => requests / (ms / 1000);
    const row = (name: string, value: number, unit: "runs/s" | "events/s", limit: number, health: Health) => ({
      ...{ name: `${name} ${among}`, value, unit, limit, isLeast: true as const },
      parts: { "p99.9 of /health, ms": health.p999 },
    });
    return [
      row("starts", rate(starts), "runs/s", 150, starts.health),
      row("events", rate(events), "events/s", 100, events.health),
    ];
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}
