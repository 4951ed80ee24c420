import type { CopyOrigin, Document } from "../../documents/index.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../../json.ts";
import { type Report, withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import { mappedTasks, namedArguments, numericVersion, olderSpelling, onAsTrue } from "./diagnostics/references.ts";

/** Reads older spellings, and reports forms of alpha versions, so that the rest of the document is still checked. */
export function canonicalize(document: Document, report: Report): Document {
  if (!isObject(document.value)) return document;
  const origins = new Map<object, CopyOrigin>();
  const value = mapMembers(document.value, definitionMembers, { document, report, origins });
  return value === document.value ? document : document.withValue(value, origins);
}

interface Canonicalization {
  readonly document: Document;
  readonly report: Report;
  readonly origins: Map<object, CopyOrigin>;
}

/** Returns the new name and value of a member, or its value under the same name. */
type MapMember = (value: Json, owner: JsonObject, key: string, state: Canonicalization) => Renamed | Json;

interface Renamed {
  readonly renamed: string;
  readonly value: Json;
}

const isRenamed = (result: Renamed | Json): result is Renamed =>
  isObject(result) && "renamed" in result && "value" in result;

type MemberMap = { readonly [key: string]: MapMember };

function mapMembers(object: JsonObject, members: MemberMap, state: Canonicalization): JsonObject {
  const changed = new Map<string, Renamed | Json>();
  for (const [key, value] of Object.entries(object)) {
    const mapped = own(members, key)?.(value, object, key, state);
    if (mapped !== undefined && mapped !== value) changed.set(key, mapped);
  }
  if (changed.size === 0) return object;
  const copy: { [key: string]: Json } = {};
  const written = new Map<string, string>();
  for (const [key, value] of Object.entries(object)) {
    const mapped = changed.get(key);
    if (mapped !== undefined && isRenamed(mapped)) {
      written.set(mapped.renamed, key);
      setOwn(copy, mapped.renamed, mapped.value);
    } else setOwn(copy, key, mapped ?? value);
  }
  state.origins.set(copy, { of: object, written });
  return copy;
}

const object =
  (members: () => MemberMap): MapMember =>
  (value, _, __, state) =>
    isObject(value) ? mapMembers(value, members(), state) : value;

/** An array of objects with one key each, or a mapping, which alpha versions have. */
const namedItems =
  (members: () => MemberMap): MapMember =>
  (value, owner, key, state) => {
    const { document, report, origins } = state;
    const mapItem = (item: JsonObject): JsonObject =>
      mapMembers(item, Object.fromEntries(Object.keys(item).map((name) => [name, object(members)])), state);
    if (isObject(value) && Object.values(value).every(isObject)) {
      report(mappedTasks(document.spanOf(owner, key, "key"), { key }));
      const items = Object.entries(value).map(([name, each]) => {
        const item = { [name]: each };
        origins.set(item, { of: value });
        return mapItem(item);
      });
      origins.set(items, { of: value });
      return items;
    }
    if (!Array.isArray(value)) return value;
    const items = value.map((item: Json) => (isObject(item) ? mapItem(item) : item));
    if (items.every((item, index) => item === value[index])) return value;
    origins.set(items, { of: value });
    return items;
  };

const mapping =
  (members: () => MemberMap): MapMember =>
  (value, _, __, state) =>
    isObject(value)
      ? mapMembers(value, Object.fromEntries(Object.keys(value).map((name) => [name, object(members)])), state)
      : value;

const respelled =
  (from: string, to: string): MapMember =>
  (value, owner, key, { document, report }) => {
    if (value !== from) return value;
    const span = document.spanOf(owner, key);
    report(withFix(olderSpelling(span, { from, to }), quoteLike(span, to)));
    return to;
  };

/** `arguments` of versions up to 1.0.2 are named values: the environment of the process. */
const processArguments: MapMember = (value, owner, key, { document, report }) => {
  if (!isObject(value)) return value;
  report(namedArguments(document.spanOf(owner, key, "key"), {}));
  return Object.hasOwn(owner, "environment") ? value : { renamed: "environment", value };
};

const processMembers: MemberMap = { arguments: processArguments, language: respelled("javascript", "js") };

const authenticationMembers: MemberMap = {
  oauth2: object(() => ({ grant: respelled("client-credentials", "client_credentials") })),
  oidc: object(() => ({ grant: respelled("client-credentials", "client_credentials") })),
};

const endpoint = object(() => ({ authentication: object(() => authenticationMembers) }));

const errorFilter = object(() => ({
  details: (value, owner) => (Object.hasOwn(owner, "detail") ? value : { renamed: "detail", value }),
}));

const taskList: MapMember = (value, owner, key, state) => namedItems(() => taskMembers)(value, owner, key, state);

const taskMembers: MemberMap = {
  do: taskList,
  try: taskList,
  switch: namedItems(() => ({})),
  fork: object(() => ({ branches: taskList })),
  foreach: object(() => ({ do: taskList })),
  catch: object(() => ({ do: taskList, errors: object(() => ({ with: errorFilter })) })),
  run: object(() => ({
    shell: object(() => processMembers),
    script: object(() => processMembers),
    container: object(() => processMembers),
  })),
  with: object(() => ({ endpoint, authentication: object(() => authenticationMembers) })),
};

const definitionMembers: MemberMap = {
  document: object(() => ({
    dsl: (value, owner, key, { document, report }) => {
      if (typeof value !== "number") return value;
      const span = document.spanOf(owner, key);
      report(withFix(numericVersion(span, {}), "'1.0.0'"));
      return value === 1 ? "1.0.0" : String(value);
    },
    version: (value, owner, key, { document }) => {
      if (typeof value !== "number") return value;
      const { start, end } = document.spanOf(owner, key);
      return document.source.text.slice(start, end);
    },
  })),
  do: taskList,
  use: object(() => ({
    functions: mapping(() => taskMembers),
    authentications: mapping(() => authenticationMembers),
    extensions: namedItems(() => ({ before: taskList, after: taskList })),
  })),
  schedule: object(() => ({
    true: (value, owner, key, { document, report }) => {
      const span = document.spanOf(owner, key, "key");
      report(withFix(onAsTrue(span, {}), quoteLike(span, "on")));
      return { renamed: "on", value };
    },
  })),
};
