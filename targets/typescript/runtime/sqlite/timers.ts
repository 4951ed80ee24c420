import type { LiveRun, Request } from "./live.ts";

/** The longest time until a clock is looked at again, in milliseconds: it may have been set forward. */
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
export function startTimer(run: LiveRun, request: Request, { at, due }: Timer, { isNew, fire }: TimerStart): void {
  const { core } = run;
  const until = dueBy(core.now(), at, due);
  if (request.waits) request.waits.until = until;
  const check = () => {
    const left = until - core.now();
    if (left > 0) glanceIn(left);
    else fire();
  };
  const glanceIn = (left: number) => {
    request.timer = setTimeout(check, Math.min(left / (core.options.pace ?? 1), glance));
  };
  if (isNew) glanceIn(Math.max(until - core.now(), 0));
  else check();
}

/**
 * A clock that never goes back: when the machine's is set back, time goes on as it passes; when that is set forward again, the two meet.
 * `wall` gives the
 * machine's time in milliseconds since 1970, `passing` any time that only passes.
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

/** Clocks that are merely adjusted drift apart by less, in milliseconds. */
const tolerance = 1000;

/** When a timer fires that was set at `at` for `due`: with a clock that is behind that, after the same stretch of time from now. */
export const dueBy = (now: number, at: number, due: number): number => (now < at ? now + (due - at) : due);
