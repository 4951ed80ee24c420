import { createHmac, timingSafeEqual } from "node:crypto";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";

/**
 * The state of a run travels through parameters, which a caller may invent. The conductor and the helper action
 * therefore sign what they pass to each other with a key of the deployment: an HMAC (SHA-256) of the JSON with sorted
 * members, because the platform does not keep their order.
 */
export type Signed<T extends object> = T & { readonly proof: string };

/** What a signed state is for: one that is issued for one purpose is not accepted for another. */
export type Purpose = "resume" | "call" | "continue";

/** Signs a state. */
export function sign<T extends object>(state: T, purpose: Purpose, key: string): Signed<T> {
  const json = JSON.parse(JSON.stringify(state)) as JsonObject;
  return { ...state, proof: proofOf(json, purpose, key).toString("base64url") };
}

/** The signed state, or undefined if it was not signed with this key for this purpose. */
export function verify(value: Json | undefined, purpose: Purpose, key: string): JsonObject | undefined {
  const proof = isObject(value) ? own(value, "proof") : undefined;
  if (typeof proof !== "string") return undefined;
  const { proof: _, ...state } = value as JsonObject;
  const [actual, expected] = [Buffer.from(proof, "base64url"), proofOf(state, purpose, key)];
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? state : undefined;
}

/** Whether a parameter is a key. An unset environment variable is deployed as an empty string. */
export const isKey = (key: unknown): key is string => typeof key === "string" && key.length >= minKeyLength;

/** Compares a parameter with the key, in constant time. */
export const isSameKey = (given: unknown, key: string): boolean =>
  typeof given === "string" && timingSafeEqual(digestOf(given), digestOf(key));

const digestOf = (text: string): Buffer => createHmac("sha256", "compare").update(text).digest();

/** The minimum length of a key, in characters. */
export const minKeyLength = 16;

const proofOf = (state: JsonObject, purpose: Purpose, key: string): Buffer =>
  createHmac("sha256", key)
    .update(`${purpose}\n${JSON.stringify(state, canonical)}`)
    .digest();

/** Sorts members, and replaces lone surrogates as the platform does when it encodes UTF-8. */
function canonical(_: string, part: Json): Json {
  if (typeof part === "string") return part.isWellFormed() ? part : part.replace(/\p{Surrogate}/gu, "?");
  if (!isObject(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
}
