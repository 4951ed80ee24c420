import { spawnSync } from "node:child_process";

/** Returns the middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

/** Returns the least value, which disturbances affect least. */
export const minimum = (values: readonly number[]): number => Math.min(...values);

/** Measures elapsed seconds. */
export async function seconds(act: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await act();
  return (performance.now() - start) / 1000;
}

/** Runs Node; returns the elapsed milliseconds and the output. Throws if it fails. */
export function runNode(
  args: readonly string[],
  environment: { readonly [name: string]: string | undefined } = {},
): { readonly ms: number; readonly stdout: string } {
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, ...environment },
  });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed:\n${stderr}`);
  return { ms, stdout };
}

/** Returns median milliseconds of several processes, interleaved so that disturbances affect all. */
export function processTimes<Name extends string>(
  commands: { readonly [name in Name]: readonly string[] },
  rounds: number,
  environments: { readonly [name in Name]?: { readonly [variable: string]: string | undefined } } = {},
): { [name in Name]: number } {
  const names = Object.keys(commands) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (const name of names) runNode(commands[name], environments[name]);
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) times.get(name)!.push(runNode(commands[name], environments[name]).ms);
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as { [name in Name]: number };
}

async function timed(act: () => unknown): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** What to do before each act, outside its time. */
export type BetweenActs = "nothing" | "collect garbage";

/**
 * Returns milliseconds of interleaved acts after a warm-up, by default the median. Acts that leave much garbage need a collection
 * before each act, because its timing is random; this requires `--expose-gc`.
 */
export async function warmTimes(
  acts: readonly (() => unknown)[],
  rounds: number,
  between: BetweenActs = "nothing",
  summary: (values: readonly number[]) => number = median,
): Promise<readonly number[]> {
  const times = acts.map(() => [] as number[]);
  for (let round = -Math.ceil(rounds / 2); round < rounds; round += 1) {
    for (const [i, act] of acts.entries()) {
      if (between === "collect garbage") globalThis.gc!();
      const ms = await timed(act);
      if (round >= 0) times[i]!.push(ms);
    }
  }
  return times.map(summary);
}
