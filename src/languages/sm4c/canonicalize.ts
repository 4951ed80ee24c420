import type { CopyOrigin, Document } from "../../documents/index.ts";
import { spelling } from "../../generated/sm4c-definition.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import { canonicalize as foldSpelling } from "../shared/spelling.ts";
import { blankProperty } from "./diagnostics/kinds.ts";

/**
 * Folds spellings, removes blank attributes, which the engine takes for absent ones, and converts a version that is
 * written as a number to its text.
 */
export function canonicalize(written: Document, report: Report): Document {
  return mapDocument(foldSpelling(written, spelling, report), definitionMembers, report);
}

/** Converts `start: "true"`, which is an error, to what it means: the check of the initial state says nothing then. */
export const withMeantStarts = (document: Document): Document =>
  mapDocument(
    document,
    {
      states: each(() => ({
        start: (value) => (typeof value === "string" ? value.trim().toLowerCase() === "true" : value),
      })),
    },
    () => {},
  );

function mapDocument(document: Document, members: MemberMap, report: Report): Document {
  if (!isObject(document.value)) return document;
  const origins = new Map<object, CopyOrigin>();
  const states = own(document.value, "states");
  const listed = Array.isArray(states) ? (states as readonly Json[]) : [];
  const names = new Set(listed.map((state) => (isObject(state) ? own(state, "name") : undefined)));
  const value = mapMembers(document.value, members, { document, report, origins, names });
  return value === document.value ? document : document.withValue(value, origins);
}

interface Canonicalization {
  readonly document: Document;
  readonly report: Report;
  readonly origins: Map<object, CopyOrigin>;
  /** The names of the states. A state may have a blank one, which transitions then lead to. */
  readonly names: ReadonlySet<Json | undefined>;
}

/** Returns the new value of a member; undefined removes it. */
type MapMember = (value: Json, owner: JsonObject, key: string, state: Canonicalization) => Json | undefined;

type MemberMap = { readonly [key: string]: MapMember };

const numberAsText: MapMember = (value, owner, key, { document }) => {
  if (typeof value !== "number") return value;
  const { start, end } = document.spanOf(owner, key);
  return document.source.text.slice(start, end);
};

const withoutBlank: MapMember = (value, owner, key, { document, report }) => {
  const isBlank = typeof value === "string" ? value.trim() === "" : Array.isArray(value) && value.length === 0;
  if (!isBlank) return value;
  report(blankProperty(document.spanOf(owner, key, "key"), { name: key }));
  return undefined;
};

const each =
  (members: () => MemberMap): MapMember =>
  (value, _, __, state) => {
    if (!Array.isArray(value)) return value;
    const items = value as readonly Json[];
    const mapped = items.map((item) => (isObject(item) ? mapMembers(item, members(), state) : item));
    if (mapped.every((item, i) => item === items[i])) return value;
    state.origins.set(mapped, { of: value });
    return mapped;
  };

const one =
  (members: () => MemberMap): MapMember =>
  (value, _, __, state) =>
    isObject(value) ? mapMembers(value, members(), state) : value;

const handlerMembers: MemberMap = { condition: withoutBlank };

const actionMembers: MemberMap = {
  errorHandlers: each(() => handlerMembers),
  action: one(() => actionMembers),
  actions: each(() => actionMembers),
};

const groupMembers: MemberMap = { condition: withoutBlank };

const transitionMembers: MemberMap = {
  condition: withoutBlank,
  nextState: (value, owner, key, state) => (state.names.has(value) ? value : withoutBlank(value, owner, key, state)),
  eventGroups: (value, owner, key, state) => {
    const present = withoutBlank(value, owner, key, state);
    return present === undefined ? undefined : each(() => groupMembers)(present, owner, key, state);
  },
  action: one(() => actionMembers),
};

const stateMembers: MemberMap = {
  enterAction: one(() => actionMembers),
  exitAction: one(() => actionMembers),
  transitions: each(() => transitionMembers),
};

const definitionMembers: MemberMap = {
  version: numberAsText,
  timeout: one(() => ({ action: one(() => actionMembers) })),
  states: each(() => stateMembers),
};

function mapMembers(object: JsonObject, members: MemberMap, state: Canonicalization): JsonObject {
  const changed = new Map<string, Json | undefined>();
  for (const [key, map] of Object.entries(members)) {
    const value = own(object, key);
    const mapped = value === undefined ? undefined : map(value, object, key, state);
    if (mapped !== value) changed.set(key, mapped);
  }
  if (changed.size === 0) return object;
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(object)) {
    const value = changed.has(key) ? changed.get(key) : object[key];
    if (value !== undefined) setOwn(copy, key, value);
  }
  state.origins.set(copy, { of: object });
  return copy;
}
