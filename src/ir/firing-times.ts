import { isCronSyntaxError, parseCron } from "../text/cron.ts";
import { nextOccurrence } from "../text/cron-times.ts";
import type { Timer } from "./definitions.ts";

/**
 * The first instant at which a timer fires, from one on, in milliseconds since 1970; null if it does not fire any more,
 * undefined if that depends on the deployment or on runs.
 */
export function firingFrom(timer: Timer, instant: number): number | null | undefined {
  const next = unlimitedFiring(timer, instant);
  if (next === undefined || timer.kind === "after") return undefined;
  return next === null || (timer.until !== undefined && next > Date.parse(timer.until)) ? null : next;
}

function unlimitedFiring(timer: Timer, instant: number): number | null | undefined {
  if (timer.kind === "cron") {
    const cron = parseCron(timer.expression);
    return isCronSyntaxError(cron) ? undefined : (nextOccurrence(cron, instant - 1, timer.timezone) ?? null);
  }
  if (timer.kind === "after" || timer.from === undefined) return undefined;
  const first = Date.parse(timer.from);
  const interval = timer.seconds * 1000;
  const n = Math.max(0, Math.ceil((instant - first) / interval));
  return timer.times !== undefined && n >= timer.times ? null : first + n * interval;
}
