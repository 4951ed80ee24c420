import type { Document, Origin } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../json.ts";
import { nearestName } from "../text/messages.ts";
import { type Fault, faultsOf, type Site } from "./check.ts";
import { joinFaults } from "./explain.ts";

/** What stands in for an object of which a part cannot be read, so that what refers to it is not taken for wrong; undefined: its parts are left out by themselves. */
export type StandIn = (object: JsonObject) => JsonObject | undefined;

/** Each round mends or leaves out what the one before uncovered. */
const mostRounds = 5;

/**
 * What can be read of a document that does not fit its schema, so that what is wrong elsewhere is found too: what is meant by a fault takes its place, and where that
 * is not known, the smallest part without which the rest fits is left out. Undefined where too little is left to say anything of it.
 */
export function recover(document: Document, schema: Json, standIn: StandIn): Document | undefined {
  let current = document;
  for (let round = 0; round < mostRounds; round += 1) {
    const root = { value: current.value, owner: undefined, key: undefined };
    const faults = joinFaults(faultsOf(schema, schema, root)).filter(({ kind }) => kind !== "unknown");
    if (faults.length === 0) return current;
    const changes = changesFor(faults, standIn, current.value);
    if (!changes) return undefined;
    const origins = new Map<object, Origin>();
    current = current.with(changed(current.value, changes, origins), origins);
  }
  return undefined;
}

/** What becomes of the members of an object or a list: by key another value, another name, or nothing. */
type Changes = Map<object, Map<string, Change>>;

type Change =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "drop" };

/** Undefined where the whole document, or a list or object at its top, would have to go. */
function changesFor(faults: readonly Fault[], standIn: StandIn, top: Json): Changes | undefined {
  const changes: Changes = new Map();
  const parents = placesIn(top);
  const put = (owner: object, key: string | number, change: Change): void => {
    const own = changes.get(owner) ?? new Map<string, Change>();
    if (!own.has(String(key))) own.set(String(key), change);
    changes.set(owner, own);
  };
  for (const fault of faults) {
    const { site } = fault;
    if (fault.kind === "missing" && fault.misspelt !== undefined && fault.names.length === 1) {
      put(site.value as object, fault.misspelt, { kind: "name", name: fault.names[0]! });
      continue;
    }
    const { owner, key, value } = fault.kind === "tag" ? { ...site, ...tagSite(fault) } : site;
    const meant = meantBy(fault);
    const whole = meant === undefined ? standInFor(value, owner, parents, standIn) : undefined;
    if (whole) put(whole.owner, whole.key, { kind: "value", value: whole.value });
    else if (owner === undefined || key === undefined) return undefined;
    else if (meant !== undefined) put(owner as object, key, { kind: "value", value: meant });
    else if (owner === top && typeof value === "object") return undefined;
    else put(owner as object, key, { kind: "drop" });
  }
  return changes;
}

/** Where an object or a list stands. */
interface Place {
  readonly owner: object;
  readonly key: string;
}

/** The smallest object around a value that something can stand in for. */
function standInFor(value: Json, owner: Json | undefined, parents: ReadonlyMap<object, Place>, standIn: StandIn) {
  let current = typeof value === "object" && value !== null ? value : (owner as object | undefined);
  while (current !== undefined) {
    const place = parents.get(current);
    const other = place && isObject(current as Json) ? standIn(current as JsonObject) : undefined;
    if (place && other) return { ...place, value: other };
    current = place?.owner;
  }
  return undefined;
}

function placesIn(value: Json, places: Map<object, Place> = new Map()): ReadonlyMap<object, Place> {
  if (typeof value !== "object" || value === null) return places;
  for (const [key, member] of Object.entries(value as JsonObject)) {
    if (typeof member === "object" && member !== null) places.set(member, { owner: value, key });
    placesIn(member, places);
  }
  return places;
}

/** A misspelt tag is the fault of the tag, any other that of the object. */
const tagSite = (fault: Extract<Fault, { kind: "tag" }>): Partial<Site> =>
  meantBy(fault) === undefined ? {} : { owner: fault.site.value, key: fault.tag };

/** The value that is meant, as far as a fault shows it. */
function meantBy(fault: Fault): Json | undefined {
  const { value } = fault.site;
  switch (fault.kind) {
    case "type":
      if (fault.meant !== undefined) return fault.meant;
      if (fault.format === "duration" && typeof value === "number" && value >= 0) return `PT${value}S`;
      if (fault.format === "" && (typeof value === "number" || typeof value === "boolean")) return String(value);
      return undefined;
    case "value":
      return fault.meant ?? (typeof value === "string" ? nearestName(value, textsIn(fault.known)) : undefined);
    case "tag":
      return nearestName(String((value as JsonObject)[fault.tag]), fault.known);
    default:
      return undefined;
  }
}

const textsIn = (values: readonly Json[]): readonly string[] => values.filter((each) => typeof each === "string");

/** A value with the changes in it: what has none is not copied. */
function changed(value: Json, changes: Changes, origins: Map<object, Origin>): Json {
  if (typeof value !== "object" || value === null) return value;
  const own = changes.get(value);
  const members = Object.entries(value as JsonObject).flatMap(([key, member]) => {
    const change = own?.get(key);
    if (change?.kind === "drop") return [];
    if (change?.kind === "name") return [[key, change.name, changed(member, changes, origins)] as const];
    if (change?.kind !== "value") return [[key, key, changed(member, changes, origins)] as const];
    if (typeof change.value === "object" && change.value !== null)
      origins.set(change.value, { of: typeof member === "object" && member !== null ? member : value });
    return [[key, key, change.value] as const];
  });
  const isSame = own === undefined && members.every(([key, , member]) => member === (value as JsonObject)[key]);
  if (isSame) return value;
  const isList = Array.isArray(value);
  const copy = isList ? members.map(([, , member]) => member) : objectOf(members);
  const written = members.map(([key, name], i) => [isList ? String(i) : name, key] as const);
  origins.set(copy as object, { of: value, written: new Map(written.filter(([name, key]) => name !== key)) });
  return copy;
}

function objectOf(members: readonly (readonly [key: string, name: string, value: Json])[]): JsonObject {
  const copy: { [key: string]: Json } = {};
  for (const [, name, value] of members) setOwn(copy, name, value);
  return copy;
}
