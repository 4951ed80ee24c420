import type { CopyOrigin, Document } from "../../documents/index.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../../json.ts";
import { type Report, withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import { foldedAlias, foldedCase } from "./diagnostics/kinds.ts";

/** The accepted spellings, generated from the schema. */
export interface SpellingTables {
  readonly [part: string]: SpellingTable;
}

/** The spellings of one kind of object. */
export interface SpellingTable {
  readonly names?: readonly string[] | undefined;
  readonly aliases?: { readonly [alias: string]: string } | undefined;
  /** By property and lower-case spelling: the canonical word. */
  readonly words?: { readonly [property: string]: { readonly [written: string]: string } } | undefined;
  readonly parts?: { readonly [property: string]: string } | undefined;
  /** Properties whose value may be omitted: it is then an empty object. */
  readonly empties?: readonly string[] | undefined;
  /** By property: the member that a string is short for, or `""` if `true` is short for an empty object. */
  readonly shorts?: { readonly [property: string]: string } | undefined;
  /** For objects with user-defined keys. */
  readonly members?: string | undefined;
  /** Selects one of the `variants`; `words` and `parts` are their union. */
  readonly tag?: string | undefined;
  readonly variants?: { readonly [word: string]: string } | undefined;
}

/** Folds aliases and case to the schema's spelling, copying only what changes. */
export function canonicalize(document: Document, tables: SpellingTables, report: Report): Document {
  if (!isObject(document.value)) return document;
  const origins = new Map<object, CopyOrigin>();
  const value = foldObject(document.value, "workflow", { document, tables, report, origins });
  return value === document.value ? document : document.withValue(value, origins);
}

interface FoldContext {
  readonly document: Document;
  readonly tables: SpellingTables;
  readonly report: Report;
  readonly origins: Map<object, CopyOrigin>;
}

function foldObject(object: JsonObject, part: string, folding: FoldContext): JsonObject {
  const table = tableFor(object, own(folding.tables, part) ?? {}, folding.tables);
  let copy: { [key: string]: Json } | undefined;
  const written = new Map<string, string>();
  const keys = Object.keys(object);
  for (const [index, key] of keys.entries()) {
    const value = object[key]!;
    const name = foldName(object, key, table, folding);
    const folded = foldValue(object, key, name, table, folding);
    if (name !== key) written.set(name, key);
    if (!copy && (name !== key || folded !== value)) copy = copyOf(object, keys.slice(0, index));
    if (copy) setOwn(copy, name, folded);
  }
  if (!copy) return object;
  folding.origins.set(copy, { of: object, written });
  return copy;
}

/** Without a valid tag, the union of all variants. */
function tableFor(object: JsonObject, table: SpellingTable, tables: SpellingTables): SpellingTable {
  const { tag, variants, words = {} } = table;
  if (tag === undefined || variants === undefined) return table;
  const written = own(object, tag) ?? own(object, Object.keys(object).find((key) => nameOf(key, table) === tag) ?? tag);
  const word = typeof written === "string" ? (own(words[tag] ?? {}, written.toLowerCase()) ?? written) : undefined;
  const part = word === undefined ? undefined : own(variants, word);
  return part === undefined ? table : (own(tables, part) ?? {});
}

function copyOf(object: JsonObject, keys: readonly string[]): { [key: string]: Json } {
  const copy: { [key: string]: Json } = {};
  for (const key of keys) setOwn(copy, key, object[key]!);
  return copy;
}

/** The first of equal keys wins. */
function foldName(object: JsonObject, key: string, table: SpellingTable, { document, report }: FoldContext): string {
  const name = nameOf(key, table);
  if (name === key || Object.hasOwn(object, name)) return key;
  const first = Object.keys(object).find((other) => nameOf(other, table) === name);
  if (first !== key) return key;
  const isOtherCase = name.toLowerCase() === key.toLowerCase();
  const span = document.spanOf(object, key, "key");
  const diagnostic = isOtherCase
    ? foldedCase(span, { value: key, word: name })
    : foldedAlias(span, { alias: key, name });
  report(withFix(diagnostic, quoteLike(span, name)));
  return name;
}

function nameOf(key: string, { names, aliases = {} }: SpellingTable): string {
  const alias = own(aliases, key);
  if (alias !== undefined || !names || names.includes(key)) return alias ?? key;
  const lower = key.toLowerCase();
  const folded = names.find((name) => name.toLowerCase() === lower);
  return folded ?? Object.entries(aliases).find(([other]) => other.toLowerCase() === lower)?.[1] ?? key;
}

/** YAML reads `null` as no value. */
function foldValue(owner: JsonObject, key: string, name: string, table: SpellingTable, folding: FoldContext): Json {
  const value = expandShort(owner, key, own(table.shorts ?? {}, name), folding);
  const words = own(table.words ?? {}, name);
  if (typeof value === "string") return words ? foldString(owner, key, value, words, folding) : value;
  if (value === null && table.empties?.includes(name)) return emptyObject(owner, folding);
  if (value === null) return words && Object.hasOwn(words, "null") ? "null" : value;
  const part = own(table.parts ?? {}, name) ?? table.members;
  if (part === undefined) return value;
  if (Array.isArray(value)) return foldList(value, part, folding);
  return isObject(value) ? foldObject(value, part, folding) : value;
}

/** `transition: Ship` is short for `transition: { nextState: Ship }`, and `end: true` for `end: {}`. */
function expandShort(owner: JsonObject, key: string, member: string | undefined, { origins }: FoldContext): Json {
  const value = owner[key]!;
  if (member === undefined || (member === "" ? value !== true : typeof value !== "string")) return value;
  const origin = origins.get(owner);
  const written = origin?.written?.get(key) ?? key;
  const expanded: JsonObject = member === "" ? {} : { [member]: value };
  origins.set(expanded, { of: origin?.of ?? owner, written: new Map([[member, written]]) });
  return expanded;
}

function emptyObject(owner: JsonObject, { origins }: FoldContext): JsonObject {
  const empty: JsonObject = {};
  origins.set(empty, { of: owner });
  return empty;
}

function foldString(
  owner: JsonObject,
  key: string,
  value: string,
  words: { readonly [written: string]: string },
  { document, report }: FoldContext,
): string {
  const word = own(words, value.toLowerCase());
  if (word === undefined || word === value) return value;
  const span = document.spanOf(owner, key);
  const isOtherCase = word.toLowerCase() === value.toLowerCase();
  const diagnostic = isOtherCase ? foldedCase(span, { value, word }) : foldedAlias(span, { alias: value, name: word });
  report(withFix(diagnostic, quoteLike(span, word)));
  return word;
}

function foldList(list: readonly Json[], part: string, folding: FoldContext): readonly Json[] {
  const folded = list.map((item) => (isObject(item) ? foldObject(item, part, folding) : item));
  if (folded.every((item, index) => item === list[index])) return list;
  folding.origins.set(folded, { of: list });
  return folded;
}
