import type { Load } from "../../targets/typescript/load.ts";
import type { Engine, EngineOptions } from "../../targets/typescript/runtime/engine.ts";

/** A host that keeps runs, as the suite of hosts looks at it. */
export interface HostUnderTest {
  readonly name: string;
  /** A store that is empty, as `open` takes it. */
  newStore(): Promise<string>;
  /** Opens an engine of an emitted program. */
  open(load: Load, options: EngineOptions): Promise<Engine>;
  /**
   * Opens an engine that stops after so many commits as if its process had been killed; `died` resolves then. Another one can be opened on the store.
   */
  openMortal(
    load: Load,
    options: EngineOptions,
    commits: number,
  ): Promise<{ readonly engine: Engine; readonly died: Promise<void> }>;
  /** The least time in milliseconds by which two things are apart that happen one after the other on it, for sure. */
  readonly apart: number;
  /** The laws that it cannot keep, by their names, each with the reason. */
  readonly lacks?: ReadonlyMap<string, string>;
  /** Whoever brings an event is not told what becomes of it. */
  readonly isSilent?: boolean;
  /** How it shows the key of a step; as it is when absent. */
  readonly shown?: (key: string) => string;
  /** The shortest time for which it lets a run go, in seconds; 0.4 when absent. */
  readonly nap?: number;
  /**
   * Starts and events come to its runs by way of another process: runs that start at one instant have no order, nor has an event with a timer that begins and
   * rings at the instant at which it comes.
   */
  readonly isRemote?: true;
  /** How long what a run has emitted may be on its way to where it is sent, after the run has ended, in milliseconds; absent: no time. */
  readonly onTheirWay?: number;
}

/** Opens an engine that is as if it were killed after so many commits. `committed` counts them, and says whether it is dead; so does `isKilled`. */
export async function mortal(
  commits: number,
  open: (hooks: { readonly committed: () => boolean; readonly isKilled: () => boolean }) => Promise<Engine>,
): Promise<{ readonly engine: Engine; readonly died: Promise<void> }> {
  const { promise: died, resolve } = Promise.withResolvers<void>();
  let left = commits;
  const isKilled = () => left <= 0;
  const committed = () => {
    left -= 1;
    if (left === 0) resolve();
    return isKilled();
  };
  return { engine: await open({ committed, isKilled }), died };
}
