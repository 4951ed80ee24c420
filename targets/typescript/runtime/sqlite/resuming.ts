import type { Core } from "./core.ts";
import { strand } from "./stranding.ts";
import { guarded } from "./turns.ts";

/** What goes on for a while after a store was opened. */
export interface Resuming {
  stop(): void;
}

/** A process that dies so often as a run goes on, without the run getting any further, may die by that run: the next time it goes on alone. */
const deathsTogether = 3;

/** A run by which it dies so often again is stranded. */
const deathsAlone = 10;

/**
 * How long none of those runs goes on, to see whether the process dies without them; how long one goes on alone, and until one is taken for harmless with
 * all others, in milliseconds.
 */
const [trial, alone, harmless] = [300, 1000, 10_000];

/**
 * Lets the runs go on that a store has. In the store is how often the process has died since each of them got any further; those by which it may have
 * been are resumed one after the other. None of them goes on for a while before: where the process dies then, it is killed by something else, and what was
 * counted says nothing of them.
 */
export function resumeRuns(core: Core): Resuming {
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

/** Resumes runs one after the other, each for a while without the next. That it is this one's turn is in the store before it goes on. */
function resumeInTurn(core: Core, suspects: readonly number[]): Resuming {
  const { sql } = core;
  const timers = new Set<NodeJS.Timeout>();
  const left = [...suspects];
  if (left.length > 0) {
    const message = `The process has died ${deathsTogether} times as runs went on: these go on one after the other, one in ${alone} ms.`;
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
function endTrial({ sql, turns, log }: Core): void {
  const strand = (reason: unknown) =>
    log({ level: "error", message: "It cannot be recorded that runs go on.", reason: String(reason) });
  turns.write(
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
