import { median } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";
import { ten } from "./states.ts";
import { compileTexts } from "./tasks.ts";

/** How many definitions one process compiles to TypeScript in a second. Requires `dist`. */
export async function emissionRows(): Promise<readonly BenchmarkRow[]> {
  const times: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    const start = performance.now();
    await compileTexts([ten.text], "typescript");
    if (i >= 20) times.push(performance.now() - start);
  }
  const ms = median(times);
  return [
    {
      name: "to TypeScript in one process, 10 states",
      value: 1000 / ms,
      limit: 20,
      isLeast: true,
      unit: "definitions/s",
      parts: { ms },
    },
  ];
}
