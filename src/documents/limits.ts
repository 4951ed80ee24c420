import { inexactNumber, nonFiniteNumber } from "../diagnostics/reading.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";

/** The maximum nesting of arrays and objects. Keeps recursion in all later stages safe. */
export const maxDepth = 100;

/** The maximum number of errors reported for one source. */
export const maxErrors = 100;

/**
 * The maximum number of values of a document with its aliases expanded. Keeps all stages linear in the length of the
 * source.
 */
export function maxValues(text: string): number {
  return 10_000 + text.length;
}

/** Checks that JSON can hold a number exactly. Accepts numbers that JavaScript prints as written. */
export function checkNumber(span: Span, written: string, value: number): Diagnostic | undefined {
  if (!Number.isFinite(value)) return nonFiniteNumber(span, { text: written });
  if (Number.isSafeInteger(value) || written.length > 400 || !/^(?:[-+]?\d+|0x[\da-fA-F]+|0o[0-7]+)$/.test(written))
    return undefined;
  if (written === `${value}`) return undefined;
  return BigInt(written.replace("+", "")) === BigInt(value) ? undefined : inexactNumber(span, { text: written, value });
}
