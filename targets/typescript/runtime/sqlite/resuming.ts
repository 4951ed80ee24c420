import type { Core } from "./core.ts";
import { guarded } from "./group-commit.ts";
import { strand } from "./stranding.ts";

/** The resumption of runs after a store is opened. */
export interface Resumption {
  stop(): void;
}

/**
 * A run during whose execution processes have died this often without progress may be the cause: it is resumed alone.
 */
const deathsTogether = 3;

/** A run that has been the cause this often is stranded. */
const deathsAlone = 10;

/**
 * In milliseconds: how long the suspected runs are held back at first, to see whether the process dies without them;
 * how long each is executed alone; and how long until runs that are executed together are no longer suspected.
 */
const [trial, alone, harmless] = [300, 1000, 10_000];

/**
 * Resumes the runs of a store. The store counts how often processes have died since each run last made progress. Runs
 * that may have been the cause are resumed last, one after the other. If the process dies before that, something else
 * kills it, and the counts are reset.
 */
export function resumeRuns(core: Core): Resumption {
  const { sql } = core;
  acquit(core);
  sql.mayDie.run(deathsTogether);
  const all = sql.running.all().filter(({ workflow }) => core.workflows.has(workflow));
  const suspects = all.filter(({ deaths }) => deaths >= deathsTogether).map(({ ref }) => ref);
  for (const { ref, deaths } of all) if (deaths < deathsTogether) core.wake(ref);
  for (const { run } of sql.begun.all()) if (!suspects.includes(run)) core.wake(run);
  const next = resumeInTurn(core, suspects);
  const clear = setTimeout(() => clearDeaths(core, new Set(suspects)), harmless);
  return {
    stop() {
      next.stop();
      clearTimeout(clear);
      clearDeaths(core);
    },
  };
}

/**
 * Resumes runs one after the other, each for a while without the next one. The store records the run before it
 * continues.
 */
function resumeInTurn(core: Core, suspects: readonly number[]): Resumption {
  const { sql } = core;
  const timers = new Set<NodeJS.Timeout>();
  const left = [...suspects];
  if (left.length > 0) {
    const message = `The process has died ${deathsTogether} times while runs were executed: they are resumed one after the other, one every ${alone} ms.`;
    core.log({ level: "warn", message, runs: left.length });
  }
  const resumeNext = () => {
    const ref = left.shift();
    if (ref === undefined || core.isClosing) return;
    guarded({ strand: (reason) => strand(core, ref, reason) }, () => {
      sql.mayDieAlone.run(ref);
      resumeAlone(core, ref, sql.run.get(ref)!.deaths);
    });
    timers.add(setTimeout(resumeNext, alone));
    timers.add(setTimeout(() => core.live.get(ref)?.survive(), harmless));
  };
  const begin = () => {
    endTrial(core);
    resumeNext();
  };
  if (left.length > 0) {
    sql.beginTrial.run();
    timers.add(setTimeout(begin, trial));
  }
  return {
    stop() {
      timers.forEach(clearTimeout);
      endTrial(core);
    },
  };
}

/** Forgets what was counted of runs without which the process has died too. */
function acquit({ sql, log }: Core): void {
  if (sql.endTrial.run().changes === 0) return;
  const runs = sql.acquit.run(deathsTogether).changes;
  log({ level: "warn", message: "The process was ended while none of the runs went on that it may die by.", runs });
}

/** The process has lived without the runs that it may die by. */
function endTrial({ sql, commits, log }: Core): void {
  const strand = (reason: unknown) =>
    log({ level: "error", message: "It cannot be recorded that runs go on.", reason: String(reason) });
  commits.write(
    { strand },
    () => void sql.endTrial.run(),
    () => undefined,
  );
}

function resumeAlone(core: Core, ref: number, deaths: number): void {
  const most = deathsTogether + deathsAlone;
  if (deaths > most) strand(core, ref, `The process has died ${most} times as the run went on.`);
  else core.wake(ref);
}

/** The process has survived the runs that are in memory, but for some. */
function clearDeaths({ live }: Core, suspects: ReadonlySet<number> = new Set()): void {
  for (const [ref, run] of live) if (!suspects.has(ref)) run.survive();
}
