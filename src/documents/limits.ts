import { inexactNumber, nonFiniteNumber } from "../diagnostics/reading.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";

/** The maximum nesting, which keeps all recursion safe. */
export const maxDepth = 100;

/** The maximum number of errors per source. */
export const maxErrors = 100;

/** The maximum number of values with aliases expanded. */
export function maxValues(text: string): number {
  return 10_000 + text.length;
}

/** Rejects numbers that JSON cannot hold exactly. */
export function checkNumber(span: Span, written: string, value: number): Diagnostic | undefined {
  if (!Number.isFinite(value)) return nonFiniteNumber(span, { text: written });
  if (Number.isSafeInteger(value) || written.length > 400 || !/^(?:[-+]?\d+|0x[\da-fA-F]+|0o[0-7]+)$/.test(written))
    return undefined;
  if (written === `${value}`) return undefined;
  return BigInt(written.replace("+", "")) === BigInt(value) ? undefined : inexactNumber(span, { text: written, value });
}
