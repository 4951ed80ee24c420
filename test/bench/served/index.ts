import type { BenchmarkRow } from "../row.ts";
import { databaseRows } from "./database.ts";
import { during, type Health, inParallel } from "./requests.ts";
import { type ServedProgram, serveProgram } from "./server.ts";

/** The waiting runs, the requests of each rate, and the large outputs with their size. */
const [waiting, requests, outputs, outputSize] = [100_000, 20_000, 90, 7_000_000];

/** What a server costs its clients: pages of runs, pruning, rates with many waiting runs, and a computing function. */
export async function servedRows(): Promise<readonly BenchmarkRow[]> {
  return [...(await largeOutputs()), ...(await manyRuns()), ...(await computing()), ...(await databaseRows())];
}

async function largeOutputs(): Promise<readonly BenchmarkRow[]> {
  const server = await serveProgram();
  try {
    for (let i = 0; i < outputs; i++) await server.ask("POST", `/workflows/large/runs?id=r${i}`, outputSize);
    for (let i = 0; i < outputs; i++) await server.ask("GET", `/runs/r${i}/result?wait=60`);
    const page = await pageTimes(server, "/runs?limit=1000");
    const pruned = await during(server, () => server.ask("POST", "/prune?older-than=PT0S"));
    return [
      row(`page of ${outputs} runs with outputs of 7 MB`, page.ms, 100, { health: page.health.max }),
      row(`longest stop while ${outputs} of them are pruned`, pruned.health.max, 50, { seconds: pruned.ms / 1000 }),
    ];
  } finally {
    await server.close();
  }
}

async function manyRuns(): Promise<readonly BenchmarkRow[]> {
  const server = await serveProgram();
  try {
    const start = (i: number) => server.ask("POST", `/workflows/wait/runs?id=w${i}`, { order: `o${i}` });
    await inParallel(waiting, start);
    const page = await pageTimes(server, "/runs?limit=100");
    const filtered = await pageTimes(server, "/runs?limit=100&status=failed");
    const starts = await during(server, () =>
      inParallel(requests, (i) => server.ask("POST", `/workflows/step/runs?id=s${i}`, { i })),
    );
    const events = await during(server, () =>
      inParallel(requests, (i) => {
        const event = { specversion: "1.0", id: `e${i}`, source: "/pay", type: "paid", order: `o${i}`, data: i };
        return server.ask("POST", "/events", event, "application/cloudevents+json");
      }),
    );
    const pruned = await during(server, () => server.ask("POST", "/prune?older-than=PT0S"));
    const among = `with ${waiting} waiting runs`;
    const rate = ({ ms }: { readonly ms: number }) => requests / (ms / 1000);
    return [
      row(`page of 100 of ${waiting} runs`, page.ms, 100, { health: page.health.max }),
      row(`page of the failed runs among ${waiting}`, filtered.ms, 100, { health: filtered.health.max }),
      { name: `starts ${among}`, value: rate(starts), limit: 1500, isLeast: true, unit: "runs/s", parts: {} },
      { name: `events ${among}`, value: rate(events), limit: 900, isLeast: true, unit: "events/s", parts: {} },
      row(`99.9th percentile of /health during starts ${among}`, starts.health.p999, 100, { max: starts.health.max }),
      row(`99.9th percentile of /health during events ${among}`, events.health.p999, 100, { max: events.health.max }),
      row(`longest stop while ${2 * requests} runs are pruned`, pruned.health.max, 50, { seconds: pruned.ms / 1000 }),
    ];
  } finally {
    await server.close();
  }
}

async function computing(): Promise<readonly BenchmarkRow[]> {
  const server = await serveProgram(["--workers", "1"]);
  try {
    const { health } = await during(server, async () => {
      await server.ask("POST", "/workflows/compute/runs?id=c", 5000);
      await server.ask("GET", "/runs/c/result?wait=30");
    });
    return [row("99.9th percentile of /health while a function computes in a worker", health.p999, 100, {})];
  } finally {
    await server.close();
  }
}

const row = (name: string, value: number, limit: number, parts: BenchmarkRow["parts"]): BenchmarkRow => ({
  ...{ name, value, limit, unit: "ms", parts },
});

/** The time of a page, and of `/health` meanwhile. */
async function pageTimes(
  server: ServedProgram,
  path: string,
): Promise<{ readonly ms: number; readonly health: Health }> {
  await server.ask("GET", path);
  return during(server, () => server.ask("GET", path));
}
