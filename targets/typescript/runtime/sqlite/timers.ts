import { dueBy } from "./clock.ts";
import type { LiveRun, Request } from "./live.ts";

/** The longest time until a clock is looked at again, in milliseconds: it may have been set forward. */
export const glance = 60_000;

/** A timer of a run: when it was set, and when it is due. */
export interface Timer {
  readonly at: number;
  readonly due: number;
}

/** Records, when it is time, that a timer has fired. One that is set now does not do so before what comes out at once. */
export function startTimer(run: LiveRun, key: string, request: Request, { at, due }: Timer, isNew: boolean): void {
  const { core } = run;
  const until = dueBy(core.now(), at, due);
  if (request.waits) request.waits.until = until;
  const check = () => {
    const left = until - core.now();
    if (left > 0) glanceIn(left);
    else run.record(key, "fired", null, ({ resolve }) => resolve(undefined));
  };
  const glanceIn = (left: number) => {
    request.timer = setTimeout(check, Math.min(left / (core.options.pace ?? 1), glance));
  };
  if (isNew) glanceIn(Math.max(until - core.now(), 0));
  else check();
}
