import type { Json } from "../json.ts";
import type { Source, Span } from "../text/source.ts";

/** A JSON file or a document of a YAML stream, with positions. */
export interface Document {
  readonly source: Source;
  readonly value: Json;
  /** Recovered from a source with reported errors. */
  readonly isRecovered: boolean;
  readonly span: Span;
  /** The first key or line. */
  readonly start: Span;
  /**
   * The span of an object, array, key or value, or the nearest known one. Aliased data has the span of its definition.
   */
  spanOf(owner: unknown, property?: string | number, part?: "key" | "value"): Span;
  /** A substring of a string value; the whole value for a folded block scalar. */
  spanWithin(owner: unknown, property: string | number, from: number, to: number): Span;
  /** The same document with copied data; `origins` maps copies to originals. */
  withValue(value: Json, origins: ReadonlyMap<object, CopyOrigin>): Document;
}

/** The original of a copy; `written` maps renamed properties to their source. */
export interface CopyOrigin {
  readonly of: object;
  readonly written?: ReadonlyMap<string, string> | undefined;
}
