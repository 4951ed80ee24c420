import { inexactNumber, nonFiniteNumber } from "../diagnostics/reading.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";

/** How many lists and objects may stand in each other; no workflow comes near it, and no later stage need fear recursion. */
export const maxDepth = 100;

/** How many faults of one text are reported. */
export const maxErrors = 100;

/** How many values a document may have with its aliases written out; in proportion to its text, so that every stage stays linear in it. */
export function maxValues(text: string): number {
  return 10_000 + text.length;
}

/**
 * What is wrong with a number, if anything: JSON cannot hold it, or it is too large to be exact. `written` is its text. What is
 * written as JavaScript would write it does not change when it is read.
 */
export function checkNumber(span: Span, written: string, value: number): Diagnostic | undefined {
  if (!Number.isFinite(value)) return nonFiniteNumber(span, { text: written });
  if (Number.isSafeInteger(value) || written.length > 400 || !/^(?:[-+]?\d+|0x[\da-fA-F]+|0o[0-7]+)$/.test(written))
    return undefined;
  if (written === `${value}`) return undefined;
  return BigInt(written.replace("+", "")) === BigInt(value) ? undefined : inexactNumber(span, { text: written, value });
}
