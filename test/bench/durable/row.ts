/** One thing measured: its value, what it has to be at least (`×`, steps/s) or may be at most (ms, MiB), and what it consists of. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: "×" | "ms" | "MiB" | "steps/s";
  readonly parts: { readonly [name: string]: number };
}

/** The middle of several measurements. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Seconds that something takes. */
export async function seconds(act: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await act();
  return (performance.now() - start) / 1000;
}
