import type { Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { nearestName } from "../text/messages.ts";
import { applyChanges, type Change, type ChangeMap, collectParents, type ParentSite } from "./changes.ts";
import { findSchemaErrors } from "./check.ts";
import type { PropertyPlace, SchemaError } from "./errors.ts";
import { mergeErrors, nameOf } from "./explain.ts";
import { type ObjectOutline, type Outlines, outlineObjects } from "./outline.ts";

/** A document whose properties have the names and places that are meant, and an error for each that was changed. */
export interface NameCorrection {
  readonly document: Document;
  readonly errors: readonly LocatedError[];
}

/** An error in a version of the document. */
export interface LocatedError {
  readonly document: Document;
  readonly error: SchemaError;
}

/** A corrected property can uncover others. */
const maxRounds = 5;

/** Of a document with more unknown properties, the first ones show what is wrong. */
const maxSearched = 100;

/**
 * Renames unknown properties to a similar one that is absent, and moves those that another object of the document
 * lacks to it. So that one mistake is one error, all other checks apply to the corrected document.
 */
export function correctNames(document: Document, schema: Json): NameCorrection {
  const found: LocatedError[] = [];
  let current = document;
  for (let round = 0; round < maxRounds; round += 1) {
    const root = { value: current.value, owner: undefined, key: undefined };
    const errors = mergeErrors(findSchemaErrors(schema, schema, root));
    const hasUnknown = errors.some(({ kind }) => kind === "unknown");
    const { changes, reported } = changesFor(errors, {
      schema,
      outlines: hasUnknown ? outlineObjects(schema, current.value) : new Map(),
      parents: hasUnknown ? collectParents(current.value) : new Map(),
    });
    if (changes.size === 0) break;
    for (const error of reported) found.push({ document: current, error });
    current = applyChanges(current, changes);
    if (found.length > maxSearched) break;
  }
  return { document: current, errors: found };
}

interface PlaceContext {
  readonly schema: Json;
  readonly outlines: Outlines;
  readonly parents: ReadonlyMap<object, ParentSite>;
}

function changesFor(errors: readonly SchemaError[], context: PlaceContext) {
  const changes: ChangeMap = new Map();
  const reported: SchemaError[] = [];
  const renamed = new Map<object, Set<string>>();
  let searched = 0;
  const put = (owner: object, key: string, change: Change): boolean => {
    const own = changes.get(owner) ?? new Map<string, Change>();
    if (own.has(key)) return false;
    changes.set(owner, own.set(key, change));
    return true;
  };
  const rename = (error: SchemaError, from: string, to: string | undefined): void => {
    const owner = error.site.value as object;
    const names = renamed.get(owner) ?? new Set();
    if (to === undefined || names.has(to) || !put(owner, from, { kind: "name", name: to })) return;
    renamed.set(owner, names.add(to));
    reported.push(error);
  };
  for (const error of errors) {
    if (error.kind === "missing" && error.misspelt !== undefined)
      rename(error, error.misspelt, nearestName(error.misspelt, error.names) ?? error.names[0]);
    if (error.kind !== "unknown" || error.remedy !== undefined) continue;
    const { site, title, name, suggestion, known } = error;
    const value = site.value as JsonObject;
    const place = suggestion === undefined && ++searched <= maxSearched ? findPlace(name, value, context) : undefined;
    if (place) {
      if (!put(place.site.value as object, name, { kind: "move", owner: value, name })) continue;
      put(value, name, { kind: "drop" });
      reported.push({ kind: "misplaced", site, title, name, place });
      continue;
    }
    const meant = suggestion ?? nearestName(name, known);
    if (meant !== undefined && known.includes(meant))
      rename({ kind: "misspelt", site, title, name, meant }, name, meant);
  }
  dropEmptyItems(changes, context);
  return { changes, reported };
}

/** An array item whose properties all belong to other objects is none. */
function dropEmptyItems(changes: ChangeMap, { parents }: PlaceContext): void {
  for (const [object, own] of [...changes]) {
    const { owner, key } = parents.get(object) ?? {};
    const isEmptied = [...own.values()].filter(({ kind }) => kind === "drop").length === Object.keys(object).length;
    if (!isEmptied || key === undefined || !Array.isArray(owner)) continue;
    const items = changes.get(owner) ?? new Map<string, Change>();
    changes.set(owner, items.set(key, { kind: "drop" }));
  }
}

/** Properties that describe an object may be written anywhere. */
const labels: ReadonlySet<string> = new Set(["id", "name", "title", "description", "version", "metadata", "type"]);

function findPlace(name: string, object: JsonObject, context: PlaceContext): PropertyPlace | undefined {
  const { schema, outlines } = context;
  if (labels.has(name)) return undefined;
  const accepts = (candidate: Json | undefined): ObjectOutline | undefined => {
    const outline = isObject(candidate) ? outlines.get(candidate) : undefined;
    const property = outline?.properties.get(name);
    if (!outline || property === undefined || Object.hasOwn(candidate as JsonObject, name)) return undefined;
    const site = { value: object[name]!, owner: candidate, key: name };
    return findSchemaErrors(schema, property, site).some((error) => error.kind === "type" && error.site === site)
      ? undefined
      : outline;
  };
  const adjacent = adjacentObjects(name, object);
  const inner = adjacent.find(accepts);
  if (inner && inner === adjacent[0]) return placeAt(accepts(inner)!, false, outlines);
  const outer = ancestors(object, context).find(accepts);
  if (outer) return placeAt(accepts(outer)!, true, outlines);
  const members = inner ? [inner] : Object.values(object).filter(accepts);
  return members.length === 1 ? placeAt(accepts(members[0])!, false, outlines) : undefined;
}

/** The object before the property, then the last one in it, and so on. */
function adjacentObjects(name: string, object: JsonObject): readonly Json[] {
  const keys = Object.keys(object);
  const found: Json[] = [];
  let current: Json | undefined = object[keys[keys.indexOf(name) - 1] ?? ""];
  while (typeof current === "object" && current !== null) {
    if (isObject(current)) found.push(current);
    current = (Object.values(current) as readonly Json[]).at(-1);
  }
  return found;
}

function ancestors(object: JsonObject, { parents }: PlaceContext): readonly Json[] {
  const found: Json[] = [];
  let current = parents.get(object)?.owner;
  while (current !== undefined) {
    if (isObject(current)) found.push(current);
    current = parents.get(current)?.owner;
  }
  return found;
}

function placeAt({ site, title }: ObjectOutline, isOuter: boolean, outlines: Outlines): PropertyPlace {
  const { value, owner, key } = site;
  const name = nameOf(value);
  const isProperty = typeof key === "string" && isObject(owner) && outlines.get(owner)?.properties.has(key) === true;
  const label =
    name !== undefined
      ? `the ${title} \`${name}\``
      : typeof key !== "string"
        ? `the ${title}`
        : isProperty
          ? `\`${key}\``
          : `the ${title} \`${key}\``;
  return { site, label, isOuter };
}
