import type { Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { nearestName } from "../text/messages.ts";
import { applyChanges, type Change, type ChangeMap, collectParents, type ParentSite } from "./changes.ts";
import { findSchemaErrors } from "./check.ts";
import { isIgnorable, type SchemaError, type ValueSite } from "./errors.ts";
import { durationMeant, mergeOutdented } from "./explain.ts";
import { correctNames } from "./names.ts";

/**
 * Creates a placeholder for an unreadable object that references need. `list` is the property whose items or members
 * it is one of.
 */
export type CreatePlaceholder = (object: JsonObject, list: string | undefined) => JsonObject | undefined;

/** Each round fixes what the previous one uncovered. */
const maxRounds = 5;

/** Recovers an invalid document to find further errors; undefined if too little remains. */
export function recover(document: Document, schema: Json, createPlaceholder: CreatePlaceholder): Document | undefined {
  let current = correctNames(document, schema).document;
  for (let round = 0; round < maxRounds; round += 1) {
    const root = { value: current.value, owner: undefined, key: undefined };
    const found = mergeOutdented(findSchemaErrors(schema, schema, root));
    const errors = found.filter((error) => !isIgnorable(error));
    if (errors.length === 0) return current;
    const changes = changesFor(errors, createPlaceholder, current.value);
    if (!changes) return undefined;
    current = applyChanges(current, changes);
  }
  return undefined;
}

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

function findPlaceholder(
  value: Json,
  owner: Json | undefined,
  parents: ReadonlyMap<object, ParentSite>,
  createPlaceholder: CreatePlaceholder,
) {
  let current = typeof value === "object" && value !== null ? value : (owner as object | undefined);
  while (current !== undefined) {
    const parent = parents.get(current);
    const list = parent && parents.get(parent.owner)?.key;
    const other = parent && isObject(current as Json) ? createPlaceholder(current as JsonObject, list) : undefined;
    if (parent && other) return { ...parent, value: other };
    current = parent?.owner;
  }
  return undefined;
}

const tagSite = (error: Extract<SchemaError, { kind: "tag" }>): Partial<ValueSite> =>
  intendedValue(error) === undefined ? {} : { owner: error.site.value, key: error.tag };

function intendedValue(error: SchemaError): Json | undefined {
  const { value } = error.site;
  switch (error.kind) {
    case "type":
      if (error.suggestion !== undefined) return error.suggestion;
      if (durationMeant(error) !== undefined) return durationMeant(error);
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
