import type { Json } from "../json.ts";

/** A value of a document, and what holds it under which key; the whole document is held by nothing. */
export interface Site {
  readonly value: Json;
  readonly owner: Json | undefined;
  readonly key: string | number | undefined;
}

/** One way in which a value does not fit a schema. `title` is the schema's, a noun such as "state". */
export type Fault =
  /** The value has none of the types, which are those of JSON Schema. */
  | { readonly kind: "type"; readonly site: Site; readonly wanted: readonly string[] }
  /** The value is none of the known ones. */
  | { readonly kind: "value"; readonly site: Site; readonly known: readonly Json[] }
  /** The property that tells kinds of objects apart has none of the known values. */
  | { readonly kind: "tag"; readonly site: Site; readonly tag: string; readonly known: readonly string[] }
  /** The object has none of the properties, of which one is needed. `misspelt` is one that it has, and that is likely meant for one of them. */
  | {
      readonly kind: "missing";
      readonly site: Site;
      readonly title: string;
      readonly names: readonly string[];
      readonly misspelt?: string | undefined;
    }
  /** The object has a property that the schema does not know. */
  | {
      readonly kind: "unknown";
      readonly site: Site;
      readonly title: string;
      readonly name: string;
      readonly known: readonly string[];
    }
  /** The object has all of the properties, of which each excludes the others. */
  | { readonly kind: "conflict"; readonly site: Site; readonly title: string; readonly names: readonly string[] }
  /** The object has the property without its companion. */
  | { readonly kind: "companion"; readonly site: Site; readonly name: string; readonly companion: string }
  /** The value has the right type and is otherwise not as it has to be. `detail` continues a sentence about it: "is empty". */
  | { readonly kind: "form"; readonly site: Site; readonly detail: string };
