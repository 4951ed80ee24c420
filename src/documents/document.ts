import type { Json } from "../json.ts";
import type { Source, Span } from "../text/source.ts";

/** A JSON file or one document of a YAML stream: plain data with source positions. */
export interface Document {
  readonly source: Source;
  readonly value: Json;
  /** Whether `value` was recovered from a source with errors, which were reported. */
  readonly isRecovered: boolean;
  readonly span: Span;
  /** For messages about the whole document: its first key or line. */
  readonly start: Span;
  /**
   * The span of an object or array in `value`, or of the key or value of a property; the nearest known span otherwise.
   * Aliased and merged data has the span of its definition.
   */
  spanOf(owner: unknown, property?: string | number, part?: "key" | "value"): Span;
  /** The span of a substring of a string value; the whole value for a folded block scalar. */
  spanWithin(owner: unknown, property: string | number, from: number, to: number): Span;
  /** The same document with copied data. `origins` maps each copied object or array to its original. */
  withValue(value: Json, origins: ReadonlyMap<object, CopyOrigin>): Document;
}

/** The original of a copied object. `written` maps renamed properties to their names in the source. */
export interface CopyOrigin {
  readonly of: object;
  readonly written?: ReadonlyMap<string, string> | undefined;
}
