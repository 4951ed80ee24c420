import type { Core } from "./core.ts";
import { guarded } from "./group-commit.ts";
import { inTransaction } from "./opening.ts";
import { complete } from "./store.ts";
import { strand } from "./stranding.ts";
import { blamedGroup } from "./suspects.ts";

/** The resumption of runs after a store is opened. */
export interface Resumption {
  stop(): void;
}

/** A run during whose execution processes have died this often without progress is a suspect. */
const deathsTogether = 3;

/** A suspect with which processes have died this often, one after the other, while it was tried alone is blocked. */
const deathsAlone = 3;

/** The maximum number of groups in which suspects are tried. */
const maxGroups = 16;

/**
 * In milliseconds: how long nothing is executed at first, at least and at most; how long a group of suspects is tried,
 * at first and at most; and how long until executed runs are no longer suspected.
 */
const [minControl, maxControl, firstPeriod, maxPeriod, harmless] = [300, 5000, 1000, 16_000, 10_000];

/**
 * Resumes the runs of a store. The store counts how often processes have died since each run last made progress. Runs
 * that may have been the cause are suspects, and are tried before anything else is executed:
 *
 * 1. Nothing is executed for a while. If the process dies now, something else kills it, and no run is suspected.
 * 2. The suspects begin in groups, one after the other, the newest first: a group begins when the previous one has passed
 *    the calls that it was in, or after a period. If the process dies now, the next one suspects only the last group that has begun;
 *    a single run in it has one more death alone.
 * 3. All runs are resumed. If the process dies soon, the suspects are tried again, with a longer period.
 */
export function resumeRuns(core: Core): Resumption {
  const { sql } = core;
  const control = complete(inTransaction(core.db, () => judgeLastDeath(core)));
  const suspects = complete(sql.suspects.all(deathsTogether)).filter(({ workflow }) => core.workflows.has(workflow));
  const stopping = new AbortController();
  let clear: NodeJS.Timeout | undefined;
  const resumed = () => {
    clear = setTimeout(() => exonerate(core), harmless);
  };
  if (suspects.length === 0) {
    wakeAll(core);
    resumed();
  } else {
    core.held = new Set();
    const trying = tryOut(core, suspects, control, stopping.signal).catch((reason: unknown) => {
      if (!stopping.signal.aborted) reportFailure(core, reason);
    });
    void trying.then(() => {
      if (stopping.signal.aborted) return;
      release(core);
      resumed();
    });
  }
  return {
    stop() {
      stopping.abort();
      clearTimeout(clear);
      exonerate(core);
    },
  };
}

/**
 * Decides which runs may have killed the last process. Returns how long nothing is to be executed before suspects are
 * tried: longer than the last process lived.
 */
function judgeLastDeath(core: Core): number {
  const { sql, log } = core;
  const inControl = complete(sql.mark.get("control")) !== undefined;
  const blamed = blamedGroup(sql);
  if (inControl) {
    const runs = sql.acquit.run(deathsTogether, 0, 0).changes;
    log({ level: "warn", message: "The process has died before it executed runs: none is suspected.", runs });
  } else if (blamed) {
    sql.acquit.run(deathsTogether, blamed.first, blamed.last);
    const [run, ...others] = complete(sql.suspects.all(deathsTogether));
    if (run && others.length === 0) sql.addDeath.run(run.ref);
  } else sql.mayDie.run(deathsTogether);
  sql.removeMarks.run();
  return blamed ? Math.min(Math.max(blamed.after, minControl), maxControl) : minControl;
}

interface Suspect {
  readonly ref: number;
  readonly deaths: number;
}

/** Tries suspects in groups. Everything else is held meanwhile. */
async function tryOut(core: Core, all: readonly Suspect[], control: number, signal: AbortSignal): Promise<void> {
  const { sql } = core;
  const began = performance.now();
  const period = complete(sql.mark.get("period"))?.value ?? firstPeriod;
  const message =
    `The process has died ${deathsTogether} times while runs were executed: ` +
    "they are tried before all others, a few at a time.";
  core.log({ level: "warn", message, runs: all.length });
  sql.setMark.run("control", 1);
  await pause(control, signal);
  sql.removeMarks.run();
  const suspects = all.filter((each) => !isBlocked(core, each));
  for (const group of groupsOf(suspects)) {
    const after = Math.ceil(performance.now() - began + period);
    const [first, last] = [group.at(-1)!.ref, group[0]!.ref];
    sql.blame.run(first, last, after);
    for (const { ref } of group) wakeNow(core, ref);
    await untilPassed(core, group, period, signal);
    sql.removeMarks.run();
    if (group.length === 1) sql.setDeaths.run(deathsTogether, first, deathsTogether);
  }
  sql.setMark.run("period", Math.min(4 * period, maxPeriod));
}

/** Blocks a suspect with which processes have died often enough. */
function isBlocked(core: Core, { ref, deaths }: Suspect): boolean {
  if (deaths < deathsTogether + deathsAlone) return false;
  const alone = `${deathsAlone} times with this run alone`;
  strand(core, ref, `The process has died ${deaths} times while the run was executed, ${alone}.`);
  return true;
}

/** Divides suspects into groups of about equal size. */
function groupsOf(suspects: readonly Suspect[]): readonly (readonly Suspect[])[] {
  const size = Math.ceil(suspects.length / maxGroups);
  const groups: (readonly Suspect[])[] = [];
  for (let i = 0; i < suspects.length; i += size) groups.push(suspects.slice(i, i + size));
  return groups;
}

/** Waits until each run of a group has passed the call that it was in, at most for a period. */
async function untilPassed(core: Core, group: readonly Suspect[], period: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + period;
  const hasPassed = ({ ref }: Suspect) => (core.live.get(ref)?.deaths ?? 0) === 0;
  while (performance.now() < end && !group.every(hasPassed)) await pause(step, signal);
}

/** How often it is checked whether a group has passed, in milliseconds. */
const step = 20;

function wakeNow(core: Core, ref: number): void {
  const { held } = core;
  core.held = undefined;
  guarded({ strand: (reason) => strand(core, ref, reason) }, () => core.wake(ref));
  core.held = held;
}

/** Resumes everything that was held. */
function release(core: Core): void {
  const held = core.held ?? [];
  core.held = undefined;
  for (const ref of held) core.wake(ref);
  wakeAll(core);
}

function wakeAll(core: Core): void {
  for (const { ref, workflow } of complete(core.sql.running.all())) if (core.workflows.has(workflow)) core.wake(ref);
  for (const { run } of complete(core.sql.begun.all())) core.wake(run);
}

/** The process has survived all runs that are in memory. */
function exonerate(core: Core): void {
  for (const run of core.live.values()) run.survive();
  const strand = (reason: unknown) => reportFailure(core, reason);
  core.commits.write(
    { strand },
    () => void core.sql.removeAllMarks.run(),
    () => undefined,
  );
}

function reportFailure({ log }: Core, reason: unknown): void {
  log({ level: "error", message: "It cannot be recorded which runs are suspected.", reason: String(reason) });
}

/** Waits for some milliseconds. Rejects when it is aborted. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
