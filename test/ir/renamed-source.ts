import { parseAllDocuments } from "yaml";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import type { Source } from "../../src/text/source.ts";

/** What the states and the branches of a definition are called instead. */
export interface SourceRenaming {
  state(name: string): string;
  branch(name: string): string;
}

/** A definition of serverless-workflow with other names for its states and branches, wherever they stand. */
export function renamedSource({ path, text }: Source, names: SourceRenaming): Source {
  const documents = parseAllDocuments(text, { merge: true, stringKeys: true });
  const texts = documents.map((document) => JSON.stringify(renamedIn(document.toJS() as Json, names), null, 1));
  return { path, text: texts.join("\n---\n") };
}

function renamedIn(value: Json, names: SourceRenaming): Json {
  if (Array.isArray(value)) return value.map((item) => renamedIn(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, renamedAt(key, renamedIn(item, names), names)]),
  );
}

function renamedAt(key: string, item: Json, names: SourceRenaming): Json {
  if (references.has(key) && typeof item === "string") return names.state(item);
  const inner = key === "states" ? names.state : key === "branches" ? names.branch : undefined;
  if (!inner || !Array.isArray(item)) return item;
  const named = ({ name, id }: JsonObject): JsonObject => ({
    ...(typeof name === "string" ? { name: inner(name) } : {}),
    ...(key === "states" && typeof id === "string" ? { id: inner(id) } : {}),
  });
  return item.map((each) => (isObject(each) ? { ...each, ...named(each) } : each));
}

/** The keys under which a state is named. */
const references: ReadonlySet<string> = new Set(["nextState", "startsAt"]);
