import { isObject, type Json, type JsonObject } from "../../src/json.ts";

// The runtimes of Lambda report only the type, the message and the trace of an error. Where a workflow uses more, such as
// a status, a function puts it into the message: `{"message":"Not Found","status":404}`.

/** A string of JSON. The reader of JSONata takes a parenthesis after a backslash for an escaped one, even after two. */
const text = String.raw`"(?:[^"\x5c\u0000-\u001f]|\x5c(?:["\x5c\/bfnrt]|u[0-9a-fA-F]{4}))*"`;

/** A pattern of JavaScript and JSONata for such messages, which are always valid JSON. */
export const detailedMessage: string = String.raw`/^\{"message":${text}(?:,"[A-Za-z]+":(?:[1-9][0-9]{0,8}|${text}))*\}$/`;

/**
 * The message with further members of an error, and a message that would be taken for one; undefined for other messages,
 * and for members that are not strings and counting numbers.
 */
export function messageWithDetails(message: string, data: Json | undefined): string | undefined {
  if (data === undefined) return pattern.test(message) ? JSON.stringify({ message }) : undefined;
  if (!isObject(data) || Object.hasOwn(data, "message")) return undefined;
  const written = JSON.stringify({ message, ...data });
  return pattern.test(written) ? written : undefined;
}

/** The parts of a message with further members; undefined for other messages. */
export function detailsIn(message: string): { readonly message: string; readonly data?: Json } | undefined {
  if (!pattern.test(message)) return undefined;
  const { message: inner, ...data } = JSON.parse(message) as JsonObject & { readonly message: string };
  return { message: inner, ...(Object.keys(data).length === 0 ? {} : { data }) };
}

const pattern = new RegExp(detailedMessage.slice(1, -1));
