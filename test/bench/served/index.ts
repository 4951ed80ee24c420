import type { BenchmarkRow } from "../row.ts";
import { type ServedProgram, serveProgram } from "./server.ts";

/** The waiting runs, the requests of each rate, the concurrent requests, and the large outputs with their size. */
const [waiting, requests, concurrency, outputs, outputSize] = [100_000, 20_000, 32, 90, 7_000_000];

/** Times of `/health`, in milliseconds, while something else happens. */
interface Health {
  readonly p999: number;
  readonly max: number;
}

/** What a server costs its clients: pages of runs, pruning, rates with many waiting runs, and a computing function. */
export async function servedRows(): Promise<readonly BenchmarkRow[]> {
  return [...(await largeOutputs()), ...(await manyRuns()), ...(await computing())];
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

/** Does something, and requests `/health` all the while. */
async function during(
  server: ServedProgram,
  act: () => Promise<unknown>,
): Promise<{ readonly ms: number; readonly health: Health }> {
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      await server.ask("GET", "/health");
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  asking.catch(() => undefined);
  const began = performance.now();
  await act().finally(() => {
    isOver = true;
  });
  const ms = performance.now() - began;
  await asking;
  times.sort((a, b) => a - b);
  return { ms, health: { p999: times[Math.floor(times.length * 0.999)]!, max: times.at(-1)! } };
}

/** Does something a number of times, some at once. */
async function inParallel(count: number, act: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let i = next++; i < count; i = next++) await act(i);
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}
