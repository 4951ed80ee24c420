import type { Json } from "../json.ts";
import type { Source, Span } from "../text/source.ts";

/** A JSON file or one document of a YAML stream: plain data with source positions. */
export interface Document {
  readonly source: Source;
  readonly value: Json;
  /** Whether the source has errors, which were reported, and `value` is the recovered data. */
  readonly isRecovered: boolean;
  /** The whole document. */
  readonly span: Span;
  /** The span for messages about the whole document: its first key, or its first line. */
  readonly start: Span;
  /**
   * The span of an object or array in `value`, or of the key or value of one of its properties. Falls back to the
   * nearest span that is known. Data behind an alias or merge key has the span of its definition.
   */
  spanOf(owner: unknown, property?: string | number, part?: "key" | "value"): Span;
  /**
   * The span of the substring from `from` to `to` of a string value. Exact for plain and quoted scalars and for block
   * scalars without folding; otherwise the whole value.
   */
  spanWithin(owner: unknown, property: string | number, from: number, to: number): Span;
  /**
   * The same document with a value that consists of copies. `origins` maps each copied object or array to its original.
   */
  withValue(value: Json, origins: ReadonlyMap<object, CopyOrigin>): Document;
}

/** The original of a copied object. `written` maps renamed properties to their names in the source. */
export interface CopyOrigin {
  readonly of: object;
  readonly written?: ReadonlyMap<string, string> | undefined;
}
