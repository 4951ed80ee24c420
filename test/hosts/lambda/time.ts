import type { Clock } from "../../../src/scenario/clock.ts";

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now };

/** Lets the timers and the time of the process be those of a clock; gives what ends that. */
export function onClock(clock: Clock): () => void {
  const later = (fire: (...args: readonly unknown[]) => void, milliseconds = 0, ...args: readonly unknown[]) => {
    const cancel = clock.plan(clock.now() + milliseconds, "timer", () => fire(...args));
    return { cancel, unref: () => undefined, ref: () => undefined };
  };
  Object.assign(globalThis, { setTimeout: later, clearTimeout: (timer?: { cancel?(): void }) => timer?.cancel?.() });
  Date.now = () => clock.now();
  return () => {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    Date.now = real.now;
  };
}
