import { parseAllDocuments } from "yaml";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import type { Source } from "../../src/text/source.ts";

/** The new names of states and branches. */
export interface SourceRenaming {
  state(name: string): string;
  branch(name: string): string;
}

/**
 * Renames the states and branches of a definition in serverless-workflow, serverless-workflow-0.8, function-workflow or
 * sm4c. A source that YAML cannot read is returned unchanged.
 */
export function renamedSource(source: Source, names: SourceRenaming): Source {
  const documents = parseAllDocuments(source.text, { merge: true, stringKeys: true });
  if (documents.some(({ errors }) => errors.length > 0)) return source;
  const texts = documents.map((document) => {
    const value = document.toJS() as Json;
    return JSON.stringify(renamedIn(value, names, isShort(value) ? shortReferences : references), null, 1);
  });
  return { path: source.path, text: texts.join("\n---\n") };
}

function renamedIn(value: Json, names: SourceRenaming, keys: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => renamedIn(item, names, keys));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, renamedAt(value, key, renamedIn(item, names, keys), names, keys)]),
  );
}

function renamedAt(owner: JsonObject, key: string, item: Json, names: SourceRenaming, keys: ReadonlySet<string>): Json {
  const isReference = keys.has(key) || (key === "default" && "type" in owner);
  if (isReference && typeof item === "string") return names.state(item);
  const inner = key === "states" ? names.state : key === "branches" && "type" in owner ? names.branch : undefined;
  if (!inner) return item;
  if (!Array.isArray(item)) return isObject(item) ? byName(item, inner) : item;
  const named = ({ name, id }: JsonObject): JsonObject => ({
    ...(typeof name === "string" ? { name: inner(name) } : {}),
    ...(key === "states" && typeof id === "string" ? { id: inner(id) } : {}),
  });
  return item.map((each) => {
    if (!isObject(each)) return each;
    const isByName = Object.keys(each).length === 1 && typeof each["name"] !== "string";
    return isByName ? byName(each, inner) : { ...each, ...named(each) };
  });
}

/** Renames the keys of an object. */
const byName = (members: JsonObject, rename: (name: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [rename(name), member]));

/** The keys that refer to states. */
const references: ReadonlySet<string> = new Set(["nextState", "startsAt", "next-state"]);

/** Those of serverless-workflow-0.8, whose values are strings. */
const shortReferences: ReadonlySet<string> = new Set([
  ...references,
  ...["transition", "start", "stateName", "runBefore", "compensatedBy", "defaultCondition"],
]);

const isShort = (value: Json): boolean =>
  isObject(value) && (Object.hasOwn(value, "specVersion") || value["kind"] === "SonataFlow");
