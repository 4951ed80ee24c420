import type { Json } from "../json.ts";

/** A value and its parent, if any. */
export interface ValueSite {
  readonly value: Json;
  readonly owner: Json | undefined;
  readonly key: string | number | undefined;
}

/** The description of a property and its permitted values, as far as the schema has them. */
export interface PropertyUse {
  readonly description: string | undefined;
  readonly words: readonly string[];
}

/** The object that a property belongs to: around its own, or inside of it. `label` is as in "the state `A`". */
export interface PropertyPlace {
  readonly site: ValueSite;
  readonly label: string;
  readonly isOuter: boolean;
}

/** A violation. `title` is the schema's, such as "state". */
export type SchemaError =
  | {
      readonly kind: "type";
      readonly site: ValueSite;
      readonly wanted: readonly string[];
      readonly suggestion?: Json | undefined;
      /** Siblings that belong into an object in place of the value. */
      readonly outdented?: readonly string[] | undefined;
      /** Of a string in place of the value; empty for any, undefined if not all are valid. */
      readonly format?: string | undefined;
      /** The limits of a string such as `2s` in place of the value. */
      readonly seconds?: readonly [least: number, most: number] | undefined;
      readonly description?: string | undefined;
      /** The required or first properties of an object in place of the value. */
      readonly required?: readonly string[] | undefined;
      /** The only array of an object in place of an array. */
      readonly listName?: string | undefined;
    }
  /** `suggestion`: the meaning in other languages. */
  | {
      readonly kind: "value";
      readonly site: ValueSite;
      readonly known: readonly Json[];
      readonly suggestion?: string | undefined;
      readonly remedy?: string | undefined;
    }
  | {
      readonly kind: "tag";
      readonly site: ValueSite;
      readonly tag: string;
      readonly known: readonly string[];
      readonly suggestion?: string | undefined;
    }
  /** One property is required; `misspelt` likely means one. */
  | {
      readonly kind: "missing";
      readonly site: ValueSite;
      readonly title: string;
      readonly names: readonly string[];
      readonly misspelt?: string | undefined;
      /** What to add, if one property is missing. */
      readonly use?: PropertyUse | undefined;
    }
  /** `suggestion`: its name in this language; `remedy`: what to write instead. */
  | {
      readonly kind: "unknown";
      readonly site: ValueSite;
      readonly title: string;
      readonly name: string;
      readonly known: readonly string[];
      readonly suggestion?: string | undefined;
      readonly remedy?: string | undefined;
      /** The properties that the remedy names; the object cannot be read without one of them. */
      readonly replaces?: readonly string[] | undefined;
    }
  /** An unknown property that likely means `meant`, which is absent. */
  | {
      readonly kind: "misspelt";
      readonly site: ValueSite;
      readonly title: string;
      readonly name: string;
      readonly meant: string;
    }
  /** A property of another object. */
  | {
      readonly kind: "misplaced";
      readonly site: ValueSite;
      readonly title: string;
      readonly name: string;
      readonly place: PropertyPlace;
    }
  | { readonly kind: "conflict"; readonly site: ValueSite; readonly title: string; readonly names: readonly string[] }
  | { readonly kind: "companion"; readonly site: ValueSite; readonly name: string; readonly companion: string }
  /** `detail` is a predicate, such as "is empty". */
  | { readonly kind: "form"; readonly site: ValueSite; readonly detail: string };

/** Whether an object is read as if an unknown property were absent. */
export const isIgnorable = (error: SchemaError): boolean =>
  error.kind === "unknown" && (error.replaces ?? []).length === 0;
