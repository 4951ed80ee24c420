import type { ListedRun, RunCounts, RunFilter, RunPage, RunStatus } from "../engine.ts";
import { includesWorkflow, type PageRange } from "../paging.ts";
import { addRuns } from "../run-counts.ts";
import { matchesSearch, valueTexts } from "../search.ts";
import type { Core } from "./core.ts";
import { listedIn, matchingRefs } from "./reading.ts";
import { cooperate } from "./slices.ts";

/** The number of runs that a page examines at most: one with fewer matches than its limit still has a cursor. */
const maxExamined = 10_000;
const batch = 500;
/** How far the clocks of processes that start runs may differ, in milliseconds. */
const clockTolerance = 10_000;

/** A page of the runs that match a filter with conditions beyond the workflow and the status, newest first. */
export async function searchRuns(core: Core, filter: RunFilter, { limit, before }: PageRange): Promise<RunPage> {
  if (filter.error !== undefined && filter.status !== undefined && filter.status !== "failed") return { runs: [] };
  const narrow = filter.error === undefined ? filter : { ...filter, status: "failed" as const };
  const last = (await firstRef(core, filter.from, -clockTolerance)) ?? 0;
  const end = filter.until === undefined ? undefined : await firstRef(core, filter.until, clockTolerance);
  const runs: ListedRun[] = [];
  const slices = cooperate();
  let position = Math.min(before, end ?? before);
  for (let examined = 0; examined < maxExamined; ) {
    const refs = await candidates(core, narrow, position);
    for (const ref of refs) {
      if (ref < last) return { runs };
      await slices.next();
      position = ref;
      examined += 1;
      const row = await core.read(core.sql.listedRun.get(ref));
      const run = row && listedIn(core, row);
      if (run && matches(run, narrow)) runs.push(run);
      if (runs.length === limit) return { runs, next: `${ref}` };
    }
    if (refs.length < batch) return { runs };
  }
  return { runs, next: `${position}` };
}

/** The newest runs before a number that an index finds. */
async function candidates(core: Core, filter: RunFilter, before: number): Promise<readonly number[]> {
  if (filter.value === undefined) return matchingRefs(core, filter, before, batch);
  const found = new Set<number>();
  for (const text of valueTexts(filter.value)) {
    for (const { ref } of await core.read(core.sql.runsOfValue.all(text, text, before, batch))) found.add(ref);
    for (const { ref } of await core.read(core.sql.runsOfBoundValue.all(text, text, before, batch))) found.add(ref);
  }
  return [...found].sort((a, b) => b - a).slice(0, batch);
}

function matches(run: ListedRun, filter: RunFilter): boolean {
  const { status } = filter;
  if (!includesWorkflow(filter, run.workflow) || (status !== undefined && run.status !== status)) return false;
  return matchesSearch(run, filter);
}

/** The first run that was created at an instant or later, with a tolerance. */
async function firstRef(core: Core, instant: number | undefined, tolerance: number): Promise<number | undefined> {
  if (instant === undefined) return undefined;
  return (await core.read(core.sql.firstCreated.get(instant + tolerance)))?.ref;
}

/** The number of runs of each workflow by displayed status. */
export async function countRuns(
  core: Core,
  filter: Pick<RunFilter, "workflow" | "workflows"> = {},
): Promise<ReadonlyMap<string, RunCounts>> {
  const counts = new Map<string, RunCounts>();
  for (const { workflow, id, status, n } of await core.read(core.sql.countByStatus.all())) {
    if (!includesWorkflow(filter, id)) continue;
    const isStranger = core.strangers.has(workflow) || !core.names.has(workflow);
    const isActive = status === "running" || status === "waiting";
    addRuns(counts, id, isStranger && isActive ? "stranded" : (status as RunStatus), n);
  }
  return counts;
}
