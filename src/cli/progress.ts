import { visible } from "../diagnostics/renderers/text.ts";
import { groupDigits } from "../text/messages.ts";
import type { Terminal } from "./terminal.ts";

/** The progress of long work, on one line of a terminal that is erased at the end. */
export interface Progress {
  /** Shows the count of what is done. */
  readonly update: (done: number, total: number, what?: string) => void;
  readonly end: () => void;
}

/** Work that is shorter, in milliseconds, shows nothing. */
const delayMs = 500;

/** The shortest time between two updates, in milliseconds. */
const intervalMs = 80;

const eraseLine = "\r\u001b[K";

/** Creates the progress of countable work, which is silent unless standard error is a terminal. */
export function createProgress(noun: string, { progressColumns: columns, err }: Terminal): Progress {
  const start = performance.now();
  let [shownAt, isShown] = [0, false];
  return {
    update(done, total, what = "") {
      const now = performance.now();
      if (columns === undefined || now - start < delayMs || now - shownAt < intervalMs || total < 2) return;
      shownAt = now;
      isShown = true;
      const line = [
        `${groupDigits(done)} of ${groupDigits(total)} ${noun}s`,
        remaining(done, total, now - start),
        visible(what),
      ];
      const text = line.filter((part) => part !== "").join(", ");
      err(`${eraseLine}${text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`}`);
    },
    end() {
      if (isShown) err(eraseLine);
      isShown = false;
    },
  };
}

/** The estimated time, once a tenth is done. */
function remaining(done: number, total: number, elapsedMs: number): string {
  if (done < total / 10 || done >= total) return "";
  const seconds = Math.ceil(((elapsedMs / done) * (total - done)) / 1000);
  return seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}
