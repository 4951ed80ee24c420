import type { LoadModule } from "../../targets/typescript/load.ts";
import type { Engine, EngineOptions } from "../../targets/typescript/runtime/engine.ts";

/** A host under the common test suite. */
export interface HostUnderTest {
  readonly name: string;
  /** Creates an empty store and returns its address. */
  newStore(): Promise<string>;
  /** Opens an engine for an emitted program. */
  open(load: LoadModule, options: EngineOptions): Promise<Engine>;
  /** Opens an engine that stops after `commits` commits as if killed; `died` resolves then. */
  openWithCrash(
    load: LoadModule,
    options: EngineOptions,
    commits: number,
  ): Promise<{ readonly engine: Engine; readonly died: Promise<void> }>;
  /** The shortest interval that guarantees the order of two events. */
  readonly minSpacingMs: number;
  /** The invariants that the host cannot keep, with the reasons. */
  readonly unsupported?: ReadonlyMap<string, string>;
  /** `deliver` does not report which runs received the event. */
  readonly hidesDelivery?: boolean;
  /** Maps the key of a step to its displayed form; by default unchanged. */
  readonly displayKey?: (key: string) => string;
  /** The shortest sleep that suspends a run; 0.4 by default. */
  readonly minSleepSeconds?: number;
  /** Another process relays starts and events: simultaneous ones have no defined order. */
  readonly isRemote?: true;
  /** How long after the end of a run its last events may be sent; 0 by default. */
  readonly maxSendDelayMs?: number;
}

/** Opens an engine that is dead after `commits` calls of `committed`; both hooks return whether it is. */
export async function crashAfter(
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
