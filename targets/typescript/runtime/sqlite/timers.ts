import type { ReplayingRun, Request } from "./replay.ts";

/** The longest time between two checks of the clock, which may be set forward; in milliseconds. */
export const glance = 60_000;

/** A timer of a run: when it was set, and when it is due. */
export interface Timer {
  readonly at: number;
  readonly due: number;
}

/** How a timer is started: a new one does not fire before what is due at once. */
interface TimerStart {
  readonly isNew: boolean;
  fire(): void;
}

/** Starts a timer of a request. */
export function startTimer(run: ReplayingRun, request: Request, { at, due }: Timer, { isNew, fire }: TimerStart): void {
  const { core } = run;
  const until = dueBy(core.now(), at, due);
  if (request.waits) request.waits.until = until;
  const check = () => {
    const left = until - core.now();
    if (left > 0) glanceIn(left);
    else core.commits.between(run, () => request.isRemoved || fire());
  };
  const glanceIn = (left: number) => {
    request.timer = setTimeout(check, Math.min(left / (core.options.pace ?? 1), glance));
  };
  if (isNew) glanceIn(Math.max(until - core.now(), 0));
  else check();
}

/**
 * A clock that never runs backwards. If the system clock is set back, this one continues from its last time, until the
 * system clock has caught up. `wall` returns the system time in milliseconds since 1970, `passing` a monotonic time.
 */
export function steady(wall: () => number, passing: () => number = () => performance.now()): () => number {
  let [lastWall, lastPassing, ahead] = [wall(), passing(), 0];
  return () => {
    const [nowWall, nowPassing] = [wall(), passing()];
    const passed = nowPassing - lastPassing;
    const lost = passed - (nowWall - lastWall);
    if (nowWall < lastWall || lost > tolerance + passed / 1000) ahead += lost;
    else if (ahead > 0 && lost < -tolerance) ahead = Math.max(0, ahead + lost);
    [lastWall, lastPassing] = [nowWall, nowPassing];
    return Math.floor(nowWall + ahead);
  };
}

/** The maximum drift of a clock that is only adjusted, in milliseconds. */
const tolerance = 1000;

/**
 * When a timer fires that was set at `at` for `due`. If the clock is behind `at`, the same duration counts from now.
 */
export const dueBy = (now: number, at: number, due: number): number => (now < at ? now + (due - at) : due);
