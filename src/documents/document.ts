import { inexactNumber, nonFiniteNumber } from "../diagnostics/reading.ts";
import type { Json } from "../json.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";

/** A JSON file or a document of a YAML stream, with positions. */
export interface Document {
  readonly source: Source;
  readonly value: Json;
  /** The source had errors, which were reported. */
  readonly isRecovered: boolean;
  readonly span: Span;
  readonly start: Span;
  /** The nearest known span of an object, array, key or value. Aliased data has the span of its definition. */
  spanOf(owner: unknown, property?: string | number, part?: "key" | "value"): Span;
  /** The span of a substring; for a folded block scalar, of the whole value. */
  spanWithin(owner: unknown, property: string | number, from: number, to: number): Span;
  /** The source offset of each UTF-16 unit of a string and of its end; undefined if they cannot be aligned. */
  offsetsOf(owner: object, property: string | number): readonly number[] | undefined;
  /** The document of a value inside this one. */
  part(owner: object, property: string | number): Document;
  /** A document with copied data; `origins` maps copies to originals. */
  withValue(value: Json, origins: ReadonlyMap<object, CopyOrigin>): Document;
}

/** The original of a copy; `written` maps renamed properties to their source, `moved` those of other objects. */
export interface CopyOrigin {
  readonly of: object;
  readonly written?: ReadonlyMap<string, string> | undefined;
  readonly moved?: ReadonlyMap<string, { readonly owner: object; readonly name: string }> | undefined;
}

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
