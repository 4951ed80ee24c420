import { retriesBeyondCalendar } from "../diagnostics/flow.ts";
import type { Backoff } from "../ir/recovery.ts";
import { constantSeconds } from "../ir/seconds.ts";
import { retriesOf, stepsOf } from "../ir/walk.ts";
import type { Program } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import { maxDurationSeconds } from "../text/iso8601.ts";

/** Reports retries whose intervals end after the year 9999, the last one of timestamps. */
export function checkRetries({ workflows }: Program, report: Report): void {
  for (const workflow of workflows) {
    for (const { limit, within, delay, span } of stepsOf(workflow).flatMap(retriesOf))
      if (limit !== undefined && within === undefined && totalDelay(limit, delay) > maxDurationSeconds)
        report(retriesBeyondCalendar(span, {}));
  }
}

/**
 * The sum of the delays, in seconds, without computed parts. Beyond many retries, all of them are assumed to take as
 * long.
 */
function totalDelay(limit: number, delay: Backoff): number {
  const { factor, step } = delay;
  const base = constantSeconds(delay.base) ?? 0;
  const cap = constantSeconds(delay.cap) ?? (delay.cap === undefined ? Number.POSITIVE_INFINITY : 0);
  const count = Math.min(limit, maxSummed);
  let total = 0;
  for (let n = 0; n < count && total <= maxDurationSeconds; n++) total += Math.min(cap, base * factor ** n + n * step);
  return limit > count && Number.isFinite(limit) ? (total * limit) / count : total;
}

const maxSummed = 100_000;
