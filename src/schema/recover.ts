import type { CopyOrigin, Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../json.ts";
import { nearestName } from "../text/messages.ts";
import { findSchemaErrors, type SchemaError, type ValueSite } from "./check.ts";
import { mergeErrors } from "./explain.ts";

/** Creates a placeholder for an unreadable object that references need. */
export type CreatePlaceholder = (object: JsonObject) => JsonObject | undefined;

/** Each round fixes what the previous one uncovered. */
const maxRounds = 5;

/** Recovers an invalid document to find further errors; undefined if too little remains. */
export function recover(document: Document, schema: Json, createPlaceholder: CreatePlaceholder): Document | undefined {
  let current = document;
  for (let round = 0; round < maxRounds; round += 1) {
    const root = { value: current.value, owner: undefined, key: undefined };
    const errors = mergeErrors(findSchemaErrors(schema, schema, root)).filter(({ kind }) => kind !== "unknown");
    if (errors.length === 0) return current;
    const changes = changesFor(errors, createPlaceholder, current.value);
    if (!changes) return undefined;
    const origins = new Map<object, CopyOrigin>();
    current = current.withValue(applyChanges(current.value, changes, origins), origins);
  }
  return undefined;
}

type ChangeMap = Map<object, Map<string, Change>>;

type Change =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "drop" };

/** Undefined if the document, or a top-level member, would be removed. */
function changesFor(
  errors: readonly SchemaError[],
  createPlaceholder: CreatePlaceholder,
  top: Json,
): ChangeMap | undefined {
  const changes: ChangeMap = new Map();
  const parents = collectParents(top);
  const put = (owner: object, key: string | number, change: Change): void => {
    const own = changes.get(owner) ?? new Map<string, Change>();
    if (!own.has(String(key))) own.set(String(key), change);
    changes.set(owner, own);
  };
  for (const error of errors) {
    const { site } = error;
    if (error.kind === "missing" && error.misspelt !== undefined && error.names.length === 1) {
      put(site.value as object, error.misspelt, { kind: "name", name: error.names[0]! });
      continue;
    }
    const { owner, key, value } = error.kind === "tag" ? { ...site, ...tagSite(error) } : site;
    const intended = intendedValue(error);
    const whole = intended === undefined ? findPlaceholder(value, owner, parents, createPlaceholder) : undefined;
    if (whole) put(whole.owner, whole.key, { kind: "value", value: whole.value });
    else if (owner === undefined || key === undefined) return undefined;
    else if (intended !== undefined) put(owner as object, key, { kind: "value", value: intended });
    else if (owner === top && typeof value === "object") return undefined;
    else put(owner as object, key, { kind: "drop" });
  }
  return changes;
}

interface ParentSite {
  readonly owner: object;
  readonly key: string;
}

function findPlaceholder(
  value: Json,
  owner: Json | undefined,
  parents: ReadonlyMap<object, ParentSite>,
  createPlaceholder: CreatePlaceholder,
) {
  let current = typeof value === "object" && value !== null ? value : (owner as object | undefined);
  while (current !== undefined) {
    const parent = parents.get(current);
    const other = parent && isObject(current as Json) ? createPlaceholder(current as JsonObject) : undefined;
    if (parent && other) return { ...parent, value: other };
    current = parent?.owner;
  }
  return undefined;
}

function collectParents(value: Json, parents: Map<object, ParentSite> = new Map()): ReadonlyMap<object, ParentSite> {
  if (typeof value !== "object" || value === null) return parents;
  for (const [key, member] of Object.entries(value as JsonObject)) {
    if (typeof member === "object" && member !== null) parents.set(member, { owner: value, key });
    collectParents(member, parents);
  }
  return parents;
}

const tagSite = (error: Extract<SchemaError, { kind: "tag" }>): Partial<ValueSite> =>
  intendedValue(error) === undefined ? {} : { owner: error.site.value, key: error.tag };

function intendedValue(error: SchemaError): Json | undefined {
  const { value } = error.site;
  switch (error.kind) {
    case "type":
      if (error.suggestion !== undefined) return error.suggestion;
      if (error.format === "duration" && typeof value === "number" && value >= 0) return `PT${value}S`;
      if (error.format === "" && (typeof value === "number" || typeof value === "boolean")) return String(value);
      return undefined;
    case "value":
      return error.suggestion ?? (typeof value === "string" ? nearestName(value, stringsIn(error.known)) : undefined);
    case "tag":
      return nearestName(String((value as JsonObject)[error.tag]), error.known);
    default:
      return undefined;
  }
}

const stringsIn = (values: readonly Json[]): readonly string[] => values.filter((each) => typeof each === "string");

function applyChanges(value: Json, changes: ChangeMap, origins: Map<object, CopyOrigin>): Json {
  if (typeof value !== "object" || value === null) return value;
  const own = changes.get(value);
  const members = Object.entries(value as JsonObject).flatMap(([key, member]) => {
    const change = own?.get(key);
    if (change?.kind === "drop") return [];
    if (change?.kind === "name") return [[key, change.name, applyChanges(member, changes, origins)] as const];
    if (change?.kind !== "value") return [[key, key, applyChanges(member, changes, origins)] as const];
    if (typeof change.value === "object" && change.value !== null)
      origins.set(change.value, { of: typeof member === "object" && member !== null ? member : value });
    return [[key, key, change.value] as const];
  });
  const isSame = own === undefined && members.every(([key, , member]) => member === (value as JsonObject)[key]);
  if (isSame) return value;
  const isList = Array.isArray(value);
  const copy = isList ? members.map(([, , member]) => member) : createObject(members);
  const written = members.map(([key, name], i) => [isList ? String(i) : name, key] as const);
  origins.set(copy as object, { of: value, written: new Map(written.filter(([name, key]) => name !== key)) });
  return copy;
}

function createObject(members: readonly (readonly [key: string, name: string, value: Json])[]): JsonObject {
  const copy: { [key: string]: Json } = {};
  for (const [, name, value] of members) setOwn(copy, name, value);
  return copy;
}
