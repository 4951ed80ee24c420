import { type Compilation, type CompileProgress, compileWith, type Input } from "../compile.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import type { Language } from "../language.ts";
import type { Target } from "../target/contract.ts";
import { groupDigits } from "../text/messages.ts";
import type { Terminal } from "./terminal.ts";

/** The progress of long work, on one line of a terminal that is erased at the end. */
export interface Progress {
  /** Shows what is done and what is under way. `fraction`: the part of the whole work that is done. */
  readonly update: (fraction: number, what: string) => void;
  readonly end: () => void;
}

/** Work that is shorter, in milliseconds, shows nothing. */
const delayMs = 500;

/** The shortest time between two updates, in milliseconds. */
const intervalMs = 80;

/** The part of the work after which its time can be estimated. */
const minFraction = 0.05;

const eraseLine = "\r\u001b[K";

/** Creates the progress of a command, which is silent unless standard error is a terminal. */
export function createProgress({ progressColumns: columns, err }: Terminal): Progress {
  const start = performance.now();
  let [shownAt, isShown] = [0, false];
  return {
    update(fraction, what) {
      const now = performance.now();
      if (columns === undefined || now - start < delayMs || now - shownAt < intervalMs) return;
      shownAt = now;
      isShown = true;
      const text = [what, ...remainingTime(fraction, now - start)].map(visible).join(", ");
      err(`${eraseLine}${text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`}`);
    },
    end() {
      if (isShown) err(eraseLine);
      isShown = false;
    },
  };
}

function remainingTime(fraction: number, elapsedMs: number): readonly string[] {
  if (fraction < minFraction || fraction >= 1) return [];
  const seconds = Math.ceil(((elapsedMs / fraction) * (1 - fraction)) / 1000);
  return [seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`];
}

/** Compiles definitions, and shows the progress on a terminal. */
export function compileWithProgress(
  input: Input,
  languages: readonly Language[],
  target: Target | undefined,
  terminal: Terminal,
): Promise<Compilation> {
  const progress = createProgress(terminal);
  const onProgress = (compiled: CompileProgress): void => {
    const { fraction, what } = describeCompilation(compiled, target ? 1 : 0);
    progress.update(fraction, what);
  };
  return compileWith({ ...input, onProgress }, languages, target).finally(progress.end);
}

/** The part of a compilation for some targets that is done, and what is under way. */
export function describeCompilation(
  { done, total, target }: CompileProgress,
  targets: number,
): { readonly fraction: number; readonly what: string } {
  return target === undefined
    ? { fraction: done / total / (1 + targets), what: `checking ${countOf(done, total, "definition")}` }
    : { fraction: (1 + done) / (1 + targets), what: `compiling for ${target}` };
}

/** Describes how many items are done: `12 of 1,000 definitions`. */
export const countOf = (done: number, total: number, noun: string): string =>
  `${groupDigits(done)} of ${groupDigits(total)} ${noun}${total === 1 ? "" : "s"}`;

/** Describes a number of items: `1,000 definitions`. */
export const plural = (count: number, noun: string): string => `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
