import { strand } from "../../internal.ts";
import type { Core } from "../../sqlite/core.ts";
import type { Task } from "../../sqlite/store.ts";
import type { Database } from "./database.ts";

/** A run during whose execution processes have died this often without progress is a suspect. */
export const deathsTogether = 3;

/** A suspect with which processes have died this often while it was the last one that they had begun is blocked. */
const deathsAlone = 5;

/** In milliseconds: how long a process begins no other suspect after one, and how often it checks whether that has passed. */
const [alone, step] = [2000, 20];

/** The suspects of a process. It begins them one after the other, so that each death has one suspect. */
export interface Suspects {
  /** Begins a suspect when it is its turn, or blocks it. */
  add(run: number, deaths: number): void;
  /** Whether a run waits for its turn. */
  isWaiting(run: number): boolean;
  stop(): void;
}

/**
 * Tries suspects. The database records the last one that the process has begun; if the process dies now, only that one
 * has one more death. It has passed when it has made progress, or when the process has survived it for a while.
 */
export function createSuspects(core: Core, db: Database, me: number, failed: (reason: unknown) => void): Suspects {
  const waiting: number[] = [];
  let isTrying = false;
  let isStopped = false;
  const begin = function* (run: number): Task<void> {
    yield* db.ask("UPDATE processes SET suspect = $2 WHERE ref = $1", me, run);
  };
  const end = function* (run: number): Task<void> {
    yield* db.ask("UPDATE processes SET suspect = NULL WHERE ref = $1", me);
    yield* db.ask("UPDATE runs SET deaths = $2 WHERE ref = $1 AND deaths > $2", run, deathsTogether);
  };
  const untilPassed = async (run: number): Promise<void> => {
    const end = performance.now() + alone;
    for (let isLoaded = false; !isStopped && performance.now() < end; ) {
      const loaded = core.live.get(run);
      isLoaded ||= loaded !== undefined;
      if (isLoaded && (loaded?.deaths ?? 0) === 0) return;
      await new Promise((resolve) => setTimeout(resolve, step));
    }
  };
  const tryAll = async (): Promise<void> => {
    for (let run = waiting[0]; run !== undefined && !isStopped; run = waiting[0]) {
      await db.execute(begin(run));
      waiting.shift();
      core.wake(run);
      await untilPassed(run);
      if (!isStopped) await db.execute(end(run));
    }
  };
  const tryNext = () => {
    if (isTrying || isStopped) return;
    isTrying = true;
    tryAll()
      .catch((reason: unknown) => isStopped || failed(reason))
      .finally(() => {
        isTrying = false;
        if (waiting.length > 0) setTimeout(tryNext, alone);
      });
  };
  return {
    add(run, deaths) {
      if (deaths >= deathsTogether + deathsAlone) {
        const alone = `${deathsAlone} times right after it had begun`;
        strand(core, run, `Processes have died ${deaths} times while the run was executed, ${alone}.`);
        return;
      }
      core.log({
        level: "warn",
        message: "Processes have died while the run was executed: it is tried alone.",
        number: run,
        deaths,
      });
      waiting.push(run);
      tryNext();
    },
    isWaiting: (run) => waiting.includes(run),
    stop() {
      isStopped = true;
    },
  };
}
