import { dueBy } from "./clock.ts";
import type { LiveRun, Request } from "./live.ts";

/** The longest time until a clock is looked at again, in milliseconds: it may have been set forward. */
export const glance = 60_000;

/** Records, when it is time, that a timer has fired. */
export function startTimer(run: LiveRun, key: string, request: Request, at: number, due: number): void {
  const { core } = run;
  const until = dueBy(core.now(), at, due);
  if (request.waits) request.waits.until = until;
  const check = () => {
    const left = until - core.now();
    if (left > 0) request.timer = setTimeout(check, Math.min(left, glance));
    else run.record(key, "fired", null, ({ resolve }) => resolve(undefined));
  };
  check();
}
