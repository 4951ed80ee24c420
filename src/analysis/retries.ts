import { retriesBeyondCalendar } from "../diagnostics/flow.ts";
import type { Backoff } from "../ir/recovery.ts";
import { retriesOf, stepsOf } from "../ir/walk.ts";
import type { Program } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import { maxDurationSeconds } from "../text/iso8601.ts";

/** Reports retries whose intervals end after the year 9999, the last one of timestamps. */
export function checkRetries({ workflows }: Program, report: Report): void {
  for (const workflow of workflows) {
    for (const { limit, delay, span } of stepsOf(workflow).flatMap(retriesOf))
      if (totalDelay(limit, delay) > maxDurationSeconds) report(retriesBeyondCalendar(span, {}));
  }
}

/** The sum of the delays, in seconds. Beyond many retries, all of them are assumed to take as long. */
function totalDelay(limit: number, { base, factor, step, cap = Number.POSITIVE_INFINITY }: Backoff): number {
  const count = Math.min(limit, maxRetries);
  let total = 0;
  for (let n = 0; n < count && total <= maxDurationSeconds; n++) total += Math.min(cap, base * factor ** n + n * step);
  return limit > count && Number.isFinite(limit) ? (total * limit) / count : total;
}

const maxRetries = 100_000;
