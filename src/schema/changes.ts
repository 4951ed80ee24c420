import type { CopyOrigin, Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../json.ts";

/** The changes to the members of objects and arrays. */
export type ChangeMap = Map<object, Map<string, Change>>;

/** A change to one member. */
export type Change =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "drop" }
  /** Adds the member `name` of the object `owner`. */
  | { readonly kind: "move"; readonly owner: JsonObject; readonly name: string };

/** The parent of an object or array. */
export interface ParentSite {
  readonly owner: object;
  readonly key: string;
}

/** Finds the parents of all objects and arrays. */
export function collectParents(
  value: Json,
  parents: Map<object, ParentSite> = new Map(),
): ReadonlyMap<object, ParentSite> {
  if (typeof value !== "object" || value === null) return parents;
  for (const [key, member] of Object.entries(value as JsonObject)) {
    if (typeof member === "object" && member !== null) parents.set(member, { owner: value, key });
    collectParents(member, parents);
  }
  return parents;
}

/** Copies what changes; the copy keeps all positions. */
export function applyChanges(document: Document, changes: ChangeMap): Document {
  const origins = new Map<object, CopyOrigin>();
  return document.withValue(changeValue(document.value, changes, origins), origins);
}

function changeValue(value: Json, changes: ChangeMap, origins: Map<object, CopyOrigin>): Json {
  if (typeof value !== "object" || value === null) return value;
  const own = changes.get(value);
  const members = Object.entries(value as JsonObject).flatMap(([key, member]) => {
    const change = own?.get(key);
    if (change?.kind === "drop") return [];
    if (change?.kind === "name") return [[key, change.name, changeValue(member, changes, origins)] as const];
    if (change?.kind !== "value") return [[key, key, changeValue(member, changes, origins)] as const];
    if (typeof change.value === "object" && change.value !== null)
      origins.set(change.value, originOf(change.value, member, { owner: value, name: key }));
    return [[key, key, change.value] as const];
  });
  const moved = [...(own ?? [])].flatMap(([name, change]) =>
    change.kind === "move" && isObject(value) ? [[name, change] as const] : [],
  );
  const isSame = own === undefined && members.every(([key, , member]) => member === (value as JsonObject)[key]);
  if (isSame) return value;
  const isList = Array.isArray(value);
  const copy = isList
    ? members.map(([, , member]) => member)
    : createObject([
        ...members.map(([, name, member]) => [name, member] as const),
        ...moved.map(([name, change]) => [name, changeValue(change.owner[change.name]!, changes, origins)] as const),
      ]);
  const written = members.map(([key, name], i) => [isList ? String(i) : name, key] as const);
  origins.set(copy as object, {
    of: value,
    written: new Map(written.filter(([name, key]) => name !== key)),
    moved: new Map(moved),
  });
  return copy;
}

/** A string in place of an object is the position of all its members. */
function originOf(value: object, before: Json, place: { readonly owner: object; readonly name: string }): CopyOrigin {
  if (typeof before === "object" && before !== null) return { of: before };
  return { of: place.owner, moved: new Map(Object.keys(value).map((name) => [name, place])) };
}

function createObject(members: readonly (readonly [name: string, value: Json])[]): JsonObject {
  const copy: { [key: string]: Json } = {};
  for (const [name, value] of members) setOwn(copy, name, value);
  return copy;
}
