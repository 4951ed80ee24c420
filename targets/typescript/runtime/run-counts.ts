import type { RunCounts, RunStatus } from "./engine.ts";

/** The counts of a workflow without runs. */
export const noRuns: RunCounts = { running: 0, waiting: 0, succeeded: 0, failed: 0, cancelled: 0, stranded: 0 };

/** Adds runs of a status to the counts of their workflow. */
export function addRuns(counts: Map<string, RunCounts>, workflow: string, status: RunStatus, runs: number): void {
  const known = counts.get(workflow) ?? noRuns;
  counts.set(workflow, { ...known, [status]: known[status] + runs });
}

/** The counts of several workflows together. */
export function sumOfCounts(counts: Iterable<RunCounts>): RunCounts {
  const sum: { [status in RunStatus]: number } = { ...noRuns };
  for (const each of counts) for (const status of Object.keys(noRuns) as RunStatus[]) sum[status] += each[status];
  return sum;
}
