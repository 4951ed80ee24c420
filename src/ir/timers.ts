import { isCronSyntaxError, parseCron } from "../text/cron.ts";
import { isTimeZone } from "../text/cron-times.ts";
import { isTimeSyntaxError, parseInstant } from "../text/iso8601.ts";
import type { Timer } from "./definitions.ts";

/** What is wrong with a timer, each as the end of a sentence about it. */
export function timerErrors(timer: Timer): readonly string[] {
  const isInstant = (text: string | undefined): boolean => text === undefined || !isTimeSyntaxError(parseInstant(text));
  const hasSeconds = timer.kind === "cron" || (Number.isFinite(timer.seconds) && timer.seconds > 0);
  const { times } = timer.kind === "every" ? timer : {};
  const { timezone } = timer.kind === "cron" ? timer : {};
  return [
    ...(hasSeconds ? [] : ["has no interval"]),
    ...(timer.kind === "cron" && isCronSyntaxError(parseCron(timer.expression)) ? ["has no cron expression"] : []),
    ...(timezone === undefined || isTimeZone(timezone) ? [] : ["has an unknown time zone"]),
    ...(timer.kind === "every" && !isInstant(timer.from) ? ["begins at no instant"] : []),
    ...(timer.kind !== "after" && !isInstant(timer.until) ? ["ends at no instant"] : []),
    ...(times === undefined || (Number.isInteger(times) && times > 0) ? [] : ["fires no number of times"]),
  ];
}

/** Describes a timer in a line. */
export function printTimer(timer: Timer): string {
  switch (timer.kind) {
    case "every":
      return `every ${timer.seconds} s${timer.from === undefined ? "" : ` from ${timer.from}`}${ending(timer.until)}${timer.times === undefined ? "" : `, ${timer.times} times`}`;
    case "cron":
      return `at ${JSON.stringify(timer.expression)}${timer.timezone === undefined ? "" : ` in ${timer.timezone}`}${ending(timer.until)}`;
    case "after":
      return `${timer.seconds} s after the last run`;
  }
}

const ending = (until: string | undefined): string => (until === undefined ? "" : ` until ${until}`);
