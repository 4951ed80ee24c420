import type { Json } from "./json.ts";
import type { Source, Span } from "./source.ts";

/** A parsed text, or one document of it: plain data, and the place in the text that each part came from. */
export interface Document {
  readonly source: Source;
  readonly value: Json;
  /** The whole document. */
  readonly span: Span;
  /**
   * Where `owner` (an object or array of `value`) stands, or the key or the value of one of its properties. The nearest
   * known place where that one has none.
   */
  spanOf(owner: unknown, property?: string | number, part?: "key" | "value"): Span;
  /**
   * The place in the file of a stretch of a string value: `from` and `to` are offsets in the string as parsed. Exact for plain and simply
   * quoted scalars; the whole value where escapes or folding make offsets differ.
   */
  spanWithin(owner: unknown, property: string | number, from: number, to: number): Span;
  /** The same document with another value, made of copies: `origins` tells for each copied object or array where its original is, and how its keys were written. */
  with(value: Json, origins: ReadonlyMap<object, Origin>): Document;
}

/** The original of a copied object: `written` gives for a renamed property the name that the text has. */
export interface Origin {
  readonly of: object;
  readonly written?: ReadonlyMap<string, string> | undefined;
}
