import type { RunSummary } from "../../engine.ts";

/** Hears of the ends of runs. */
export interface Ends {
  /** Resolves when a run has ended, or is stranded. */
  of(id: string, signal: AbortSignal | undefined): Promise<RunSummary>;
  /** A run has ended in this process: it is looked at at once. */
  look(): void;
  close(): void;
}

interface Waiter {
  readonly id: string;
  readonly resolve: (run: RunSummary) => void;
  readonly reject: (reason: unknown) => void;
}

/** Looks how runs are that somebody waits for: at all of them by one question, again and again while there are some. */
export function openEnds(ask: (ids: readonly string[]) => Promise<readonly RunSummary[]>): Ends {
  const waiters = new Set<Waiter>();
  let [isLooking, isClosed] = [false, false];
  let wake: () => void = () => undefined;
  let pause = shortest;
  const look = () => {
    pause = shortest;
    wake();
  };
  const go = async () => {
    isLooking = true;
    for (; waiters.size > 0 && !isClosed; pause = Math.min(longest, pause * 1.5)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const ids = [...new Set([...waiters].map(({ id }) => id))];
      const runs = await ask(ids).catch(() => []);
      tell(waiters, runs);
      const timer = setTimeout(resolve, pause);
      await promise;
      clearTimeout(timer);
    }
    isLooking = false;
  };
  return {
    look,
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
        if (isLooking) look();
        else void go();
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

/** How long it rests between two looks, in milliseconds. */
const shortest = 10;
const longest = 500;
