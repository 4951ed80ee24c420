import type { RunSummary } from "../../engine.ts";

/** Observes the ends of runs. */
export interface Ends {
  /** Resolves when a run has ended or is blocked. */
  of(id: string, signal: AbortSignal | undefined): Promise<RunSummary>;
  /** A run has ended in this process, so it is queried at once. */
  look(id: string): void;
  close(): void;
}

interface Waiter {
  readonly id: string;
  readonly resolve: (run: RunSummary) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Queries the runs whose ends are awaited: new ones, and those that have ended in this process, at once; all of them
 * from time to time. A process that executes runs observes most ends itself, and queries all less often.
 */
export function openEnds(ask: (ids: readonly string[]) => Promise<readonly RunSummary[]>, isServing: boolean): Ends {
  const waiters = new Set<Waiter>();
  const [fresh, likely] = [new Set<string>(), new Set<string>()];
  const shortest = isServing ? shortestServing : shortestAsking;
  let [isLooking, isClosed] = [false, false];
  let [pause, next] = [shortest, 0];
  let wake: () => void = () => undefined;
  const idsNow = (): readonly string[] => {
    const waited = new Set([...waiters].map(({ id }) => id));
    for (const id of likely) if (!waited.has(id)) likely.delete(id);
    const some = [...fresh, ...likely];
    fresh.clear();
    if (some.length > 0 && performance.now() < next) return [...new Set(some)];
    likely.clear();
    next = performance.now() + pause;
    pause = Math.min(longest, pause * 1.5);
    return [...waited];
  };
  const go = async () => {
    isLooking = true;
    while (waiters.size > 0 && !isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      tell(waiters, await ask(idsNow()).catch(() => []));
      const timer = setTimeout(resolve, likely.size > 0 ? gathering : Math.max(0, next - performance.now()));
      await promise;
      clearTimeout(timer);
      await new Promise((gathered) => setTimeout(gathered, gathering));
    }
    isLooking = false;
  };
  return {
    look(id) {
      likely.add(id);
      wake();
    },
    of: (id, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw closed();
        signal?.throwIfAborted();
        const stop = () => waiter.reject(signal!.reason);
        const done = () => {
          waiters.delete(waiter);
          signal?.removeEventListener("abort", stop);
        };
        const waiter: Waiter = {
          id,
          resolve(run) {
            done();
            resolve(run);
          },
          reject(reason) {
            done();
            reject(reason);
          },
        };
        signal?.addEventListener("abort", stop);
        waiters.add(waiter);
        fresh.add(id);
        [pause, next] = [shortest, Math.min(next, performance.now() + shortest)];
        wake();
        if (!isLooking) void go();
      }),
    close() {
      isClosed = true;
      for (const waiter of waiters) waiter.reject(closed());
      wake();
    },
  };
}

function tell(waiters: ReadonlySet<Waiter>, runs: readonly RunSummary[]): void {
  const over = new Map(runs.filter(({ status }) => !goingOn.has(status)).map((run) => [run.id, run]));
  for (const waiter of [...waiters]) {
    const run = over.get(waiter.id);
    if (run) waiter.resolve(run);
  }
}

const goingOn: ReadonlySet<string> = new Set(["running", "waiting"]);

const closed = () => new Error("The engine was closed.");

/** How long ends are collected before a query, and the pauses between two queries of all, in milliseconds. */
const gathering = 5;
const shortestAsking = 10;
const shortestServing = 100;
const longest = 500;
