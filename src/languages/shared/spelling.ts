import type { Document, Origin } from "../../document/index.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import { foldedAlias, foldedCase } from "./diagnostics/kinds.ts";

/** What of one kind of object may be spelled in several ways, and which of its properties hold objects that may. */
export interface Spelling {
  /** By the other name of a property: the property. */
  readonly aliases: ReadonlyMap<string, string>;
  /** By property: the words that it may be, in lower case. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>;
  /** By property that holds an object or a list of objects: how such an object is spelled. */
  readonly parts: ReadonlyMap<string, (object: JsonObject) => Spelling>;
}

/**
 * Folds other names of properties, and words in other case, to the spelling of the schema. What is spelled right is not copied. An alias
 * beside the property that it stands for is left alone: the schema then says that it is not known.
 */
export function normalise(document: Document, spelling: Spelling, report: Report): Document {
  if (!isObject(document.value)) return document;
  const origins = new Map<object, Origin>();
  const value = foldObject(document.value, spelling, { document, report, origins });
  return value === document.value ? document : document.with(value, origins);
}

interface Folding {
  readonly document: Document;
  readonly report: Report;
  readonly origins: Map<object, Origin>;
}

function foldObject(object: JsonObject, spelling: Spelling, folding: Folding): JsonObject {
  let copy: { [key: string]: Json } | undefined;
  const written = new Map<string, string>();
  const keys = Object.keys(object);
  for (const [index, key] of keys.entries()) {
    const value = object[key]!;
    const name = foldName(object, key, spelling, folding);
    const folded = foldValue(object, key, name, value, spelling, folding);
    if (name !== key) written.set(name, key);
    if (!copy && (name !== key || folded !== value)) copy = copyOf(object, keys.slice(0, index));
    if (copy) setOwn(copy, name, folded);
  }
  if (!copy) return object;
  folding.origins.set(copy, { of: object, written });
  return copy;
}

function copyOf(object: JsonObject, keys: readonly string[]): { [key: string]: Json } {
  const copy: { [key: string]: Json } = {};
  for (const key of keys) setOwn(copy, key, object[key]!);
  return copy;
}

/** Of two aliases of one property the first counts. */
function foldName(object: JsonObject, key: string, { aliases }: Spelling, { document, report }: Folding): string {
  const name = aliases.get(key);
  if (name === undefined || Object.hasOwn(object, name)) return key;
  const first = Object.keys(object).find((other) => aliases.get(other) === name);
  if (first !== key) return key;
  report(foldedAlias(document.spanOf(object, key, "key"), { alias: key, name }));
  return name;
}

/** The word `null` without quotes is read by YAML as no word at all. */
function foldValue(
  owner: JsonObject,
  key: string,
  name: string,
  value: Json,
  { words, parts }: Spelling,
  folding: Folding,
): Json {
  if (typeof value === "string") return foldWord(owner, key, value, words.get(name), folding);
  if (value === null) return words.get(name)?.has("null") ? "null" : value;
  const part = parts.get(name);
  if (!part) return value;
  if (Array.isArray(value)) return foldList(value, part, folding);
  return isObject(value) ? foldObject(value, part(value), folding) : value;
}

function foldWord(
  owner: JsonObject,
  key: string,
  value: string,
  known: ReadonlySet<string> | undefined,
  folding: Folding,
): string {
  const word = value.toLowerCase();
  if (word === value || !known?.has(word)) return value;
  folding.report(foldedCase(folding.document.spanOf(owner, key), { value, word }));
  return word;
}

function foldList(list: readonly Json[], part: (object: JsonObject) => Spelling, folding: Folding): readonly Json[] {
  const folded = list.map((item) => (isObject(item) ? foldObject(item, part(item), folding) : item));
  if (folded.every((item, index) => item === list[index])) return list;
  folding.origins.set(folded, { of: list });
  return folded;
}

/** How a kind of object is spelled, from lists of words. */
export function spelling(table: {
  readonly aliases?: { readonly [alias: string]: string };
  readonly words?: { readonly [property: string]: string };
  readonly parts?: { readonly [property: string]: (object: JsonObject) => Spelling };
}): Spelling {
  return {
    aliases: new Map(Object.entries(table.aliases ?? {})),
    words: new Map(Object.entries(table.words ?? {}).map(([property, words]) => [property, new Set(words.split(" "))])),
    parts: new Map(Object.entries(table.parts ?? {})),
  };
}
