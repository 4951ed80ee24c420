import type { Core } from "./core.ts";
import { strand } from "./stranding.ts";

/** What goes on for a while after a store was opened. */
export interface Resuming {
  stop(): void;
}

/** A process that dies so often as a run goes on, without the run getting any further, may die by that run: the next time it goes on alone. */
const deathsTogether = 3;

/** A run by which it dies so often again is stranded. */
const deathsAlone = 3;

/** How long a run goes on alone, and until one is taken for harmless with all others, in milliseconds. */
const [alone, harmless] = [1000, 10_000];

/**
 * Lets the runs go on that a store has. In the store is how often the process has died since each of them got any further; those by which it may have
 * been are resumed one after the other.
 */
export function resumeRuns(core: Core): Resuming {
  const { sql, turns } = core;
  core.db.exec("BEGIN IMMEDIATE");
  sql.mayDie.run(deathsTogether);
  core.db.exec("COMMIT");
  const suspects: number[] = [];
  for (const { ref, deaths } of sql.running.all()) {
    if (deaths >= deathsTogether && !core.strangers.has(core.sql.run.get(ref)!.workflow)) suspects.push(ref);
    else core.wake(ref);
  }
  for (const { run } of sql.begun.all()) if (!suspects.includes(run)) core.wake(run);
  let next: NodeJS.Timeout | undefined;
  const resumeNext = () => {
    const ref = suspects.shift();
    if (ref === undefined) return;
    const tried = () => {
      sql.mayDieAlone.run(ref);
      return sql.run.get(ref)!;
    };
    turns.ask(tried, ({ deaths }) => resumeAlone(core, ref, deaths)).catch(() => undefined);
    next = setTimeout(resumeNext, alone);
  };
  resumeNext();
  const clear = setTimeout(() => clearDeaths(core), harmless);
  return {
    stop() {
      clearTimeout(next);
      clearTimeout(clear);
      clearDeaths(core);
    },
  };
}

function resumeAlone(core: Core, ref: number, deaths: number): void {
  const most = deathsTogether + deathsAlone;
  if (deaths > most) strand(core, ref, `The process has died ${most} times as the run went on.`);
  else core.wake(ref);
}

/** The process has survived the runs that are in memory. */
function clearDeaths({ live }: Core): void {
  for (const run of live.values()) run.survive();
}
