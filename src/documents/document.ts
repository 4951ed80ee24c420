import type { Json } from "../json.ts";
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
  /** A document with copied data; `origins` maps copies to originals. */
  withValue(value: Json, origins: ReadonlyMap<object, CopyOrigin>): Document;
}

/** The original of a copy; `written` maps renamed properties to their source. */
export interface CopyOrigin {
  readonly of: object;
  readonly written?: ReadonlyMap<string, string> | undefined;
}
