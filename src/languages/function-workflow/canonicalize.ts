import { duplicateName } from "../../diagnostics/flow.ts";
import type { CopyOrigin, Document } from "../../documents/index.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import { arrayForObject } from "./diagnostics/kinds.ts";

/**
 * Keys arrays of triggers, states and branches by name:
 *
 *   "states": [{ "name": "A", "type": "END" }] and "states": [{ "A": { "type": "END" } }] → "states": { "A": { "type": "END" } }
 */
export function keyByName(document: Document, report: Report): Document {
  if (!isObject(document.value)) return document;
  const keying: KeyContext = { document, report, origins: new Map() };
  const value = keyMembers(document.value, ["trigger-defs", "states"], keying);
  return value === document.value ? document : document.withValue(value, keying.origins);
}

interface KeyContext {
  readonly document: Document;
  readonly report: Report;
  readonly origins: Map<object, CopyOrigin>;
}

const nouns: { readonly [key: string]: string } = {
  "trigger-defs": "event trigger",
  states: "state",
  branches: "branch",
};

function keyMembers(object: JsonObject, names: readonly string[], keying: KeyContext): JsonObject {
  return mapMembers(object, keying, (value, key) => {
    const name = names.find((each) => each === key.toLowerCase());
    if (name === undefined || value === null || typeof value !== "object") return value;
    const members = Array.isArray(value) ? keyArray(object, key, value, nouns[name]!, keying) : (value as JsonObject);
    if (!members || name === "trigger-defs") return members ?? value;
    const inner = name === "states" ? ["branches"] : ["states"];
    return mapMembers(members, keying, (member) => (isObject(member) ? keyMembers(member, inner, keying) : member));
  });
}

function mapMembers(
  object: JsonObject,
  { origins }: KeyContext,
  change: (value: Json, key: string) => Json,
): JsonObject {
  const entries = Object.entries(object).map(([key, value]) => [key, change(value, key)] as const);
  if (entries.every(([key, value]) => value === object[key])) return object;
  const copy: { [key: string]: Json } = {};
  for (const [key, value] of entries) setOwn(copy, key, value);
  origins.set(copy, { of: object });
  return copy;
}

function keyArray(
  owner: object,
  key: string,
  list: readonly Json[],
  noun: string,
  keying: KeyContext,
): JsonObject | undefined {
  const named = list.map(namedItem);
  if (list.length === 0 || !named.every((each) => each !== undefined)) return undefined;
  const { document, report, origins } = keying;
  report(arrayForObject(document.spanOf(owner, key, "key"), { key }));
  const members: { [key: string]: Json } = {};
  const written = new Map<string, string>();
  for (const [index, { name, value, owner }] of named.entries()) {
    if (Object.hasOwn(members, name)) report(duplicateName(spanOfName(document, owner, name), { noun, name }));
    else {
      setOwn(members, name, value);
      written.set(name, String(index));
    }
  }
  origins.set(members, { of: list, written });
  return members;
}

interface NamedItem {
  readonly name: string;
  readonly value: JsonObject;
  readonly owner: JsonObject;
}

function namedItem(item: Json): NamedItem | undefined {
  if (!isObject(item)) return undefined;
  const name = own(item, "name");
  if (typeof name === "string") return { name, value: item, owner: item };
  const [only, ...others] = Object.keys(item);
  const value = only === undefined ? undefined : item[only]!;
  return others.length === 0 && isObject(value) ? { name: only!, value, owner: item } : undefined;
}

const spanOfName = (document: Document, owner: JsonObject, name: string) =>
  own(owner, "name") === name ? document.spanOf(owner, "name") : document.spanOf(owner, name, "key");
