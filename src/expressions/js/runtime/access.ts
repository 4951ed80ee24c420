import type { Json, JsonObject } from "../../../json.ts";
import { valueAt } from "../../library/access.ts";
import { EvaluationError, raise } from "../../library/failure.ts";
import { hasKey, isList, isRecord, putMember, typeOf } from "../../library/types.ts";
import { memberOf } from "./nodes.ts";

/** `input.key` for a key that messages show in full: the member, or null if it is missing. */
export function member(input: Json, key: string): Json {
  if (input === null) return null;
  if (typeof input === "object" && !Array.isArray(input))
    return Object.hasOwn(input, key) ? (input as JsonObject)[key]! : null;
  return absent(input, key);
}

/** Whether a value may have members: it is not null. A name that no array or string has is undefined in other values. */
export function mayHaveMembers(value: Json): value is JsonObject {
  return value !== null;
}

/** Null for a member that an object or null does not have; any other input has none and fails. */
export function absent(input: Json, key: string): null {
  return typeof input === "object" && !Array.isArray(input)
    ? null
    : raise(`Cannot index ${typeOf(input)} with string (${JSON.stringify(key)})`);
}

/** `input | .key = value` for a key that messages show in full. */
export function withMember(input: Json, key: string, value: Json): Json {
  member(input, key);
  const result = { ...(input as JsonObject | null) };
  putMember(result, key, value);
  return result;
}

/**
 * `.[]` as an array, if messages need not be exact: of a string that is not ASCII, a message may show more than jq's.
 */
export function elements(input: Json): readonly Json[] {
  if (typeof input === "object" && input !== null)
    return Array.isArray(input) ? input : (Object.values(input) as Json[]);
  const text = JSON.stringify(input);
  return raise(`Cannot iterate over ${typeOf(input)} (${text.length < 30 ? text : `${text.slice(0, 25)}..."`})`);
}

/** `input.key`; undefined where that fails. */
export function memberIf(input: Json, key: string): Json | undefined {
  if (isRecord(input)) return hasKey(input, key) ? input[key] : null;
  return input === null ? null : undefined;
}

/** `input[key]`; undefined where that fails. */
export function valueIf(input: Json, key: Json): Json | undefined {
  try {
    return valueAt(input, key);
  } catch (error) {
    caught(error);
    return undefined;
  }
}

/** The elements or member values of an input; empty for a scalar. */
export function itemsOf(input: Json): readonly Json[] {
  if (isList(input)) return input;
  return isRecord(input) ? Object.keys(input).map((key) => input[key]!) : [];
}

/** A value that has to be an array: fails with `failure` where it is none. */
export const listIn = (value: Json, failure: Json): readonly Json[] => (isList(value) ? value : raise(failure));

/** An error as data: its name and message, empty if absent, and the trace in its data, if any. */
export function errorData(error: Json): JsonObject {
  const [name = "", message = "", data] = ["name", "message", "data"].map((key) => memberOf(error, key));
  const trace = memberOf(data, "trace");
  return trace === undefined ? { name, message } : { name, message, trace };
}

/** `value // otherwise`. */
export function either(value: Json, otherwise: Json): Json {
  return value === null || value === false ? otherwise : value;
}

/** The value that an expression failed with; anything else that was thrown is thrown again. */
export function caught(error: unknown): Json {
  if (error instanceof EvaluationError && !error.isLimit) return error.value;
  throw error;
}

/** A value and its descendants, in the order of `..`. */
export function everything(input: Json): readonly Json[] {
  const found: Json[] = [];
  const open = [input];
  while (open.length > 0) {
    const value = open.pop()!;
    found.push(value);
    const inner = itemsOf(value);
    for (let i = inner.length - 1; i >= 0; i--) open.push(inner[i]!);
  }
  return found;
}

/** A failure that follows the values before it. */
export class Delayed {
  declare readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}
