import { equalJson, isObject, type Json, type JsonObject } from "../../../src/json.ts";

/** The name of a secret, as in a reference to it. */
export interface SecretName {
  readonly id: string;
  readonly key: string;
  readonly version?: string | undefined;
}

/** Where an argument refers to secrets, and to which. */
export interface SecretPlace {
  readonly path: readonly (string | number)[];
  readonly secrets: readonly SecretName[];
}

/**
 * Replaces the references at the given places by secrets. Anything else, including data of a run that looks like a
 * reference, stays.
 */
export async function resolveReferences(
  argument: Json,
  places: readonly SecretPlace[],
  read: (name: SecretName) => string | Promise<string>,
): Promise<Json> {
  let resolved = argument;
  for (const { path, secrets } of places) resolved = await resolveAt(resolved, path, secrets, read);
  return resolved;
}

/** The message of the error `SecretNotFound`. */
export const missingSecret = ({ id, key }: SecretName): string => `There is no secret ${id} with a key ${key}.`;

type ReadSecret = (name: SecretName) => string | Promise<string>;

async function resolveAt(
  value: Json,
  [key, ...rest]: SecretPlace["path"],
  secrets: readonly SecretName[],
  read: ReadSecret,
): Promise<Json> {
  if (key === undefined) return (await textAt(value, secrets, read)) ?? value;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    if (typeof key !== "number" || key >= items.length) return value;
    return items.with(key, await resolveAt(items[key]!, rest, secrets, read));
  }
  if (!isObject(value) || typeof key !== "string" || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: await resolveAt(value[key]!, rest, secrets, read) };
}

/** Resolves a reference or a concatenation; returns undefined for anything else. */
async function textAt(value: Json, secrets: readonly SecretName[], read: ReadSecret): Promise<string | undefined> {
  const parts =
    isOnly(value, "$concat") && Array.isArray(value["$concat"]) ? (value["$concat"] as readonly Json[]) : [value];
  const known = parts.map((part) => (typeof part === "string" ? part : referredSecret(part, secrets)));
  if (known.includes(undefined) || known.every((part) => typeof part === "string")) return undefined;
  let text = "";
  for (const part of known) text += typeof part === "string" ? part : await read(part!);
  return text;
}

function referredSecret(part: Json, secrets: readonly SecretName[]): SecretName | undefined {
  if (!isOnly(part, "$secret")) return undefined;
  return secrets.find(({ id, key, version }) =>
    equalJson(part["$secret"]!, { id, key, ...(version === undefined ? {} : { version }) }),
  );
}

const isOnly = (value: Json, key: string): value is JsonObject =>
  isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, key);
