import type { ServedProgram } from "./server.ts";

/** Times of `/health`, in milliseconds, while something else happens. */
export interface Health {
  readonly p999: number;
  readonly max: number;
}

/** Does something, and requests `/health` all the while. */
export async function during(
  server: Pick<ServedProgram, "ask">,
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

/** How many requests are in progress at once. */
const concurrency = 32;

/** Does something a number of times, some at once. */
export async function inParallel(count: number, act: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let i = next++; i < count; i = next++) await act(i);
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}
