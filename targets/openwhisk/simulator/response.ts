import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";

/** What comes of an activation: 0 it succeeded, 1 the action says that it failed, 2 it is broken. */
export interface Response {
  readonly statusCode: 0 | 1 | 2;
  readonly result: JsonObject | readonly Json[];
}

/** The most bytes of what an action is called with, and of what it gives. */
const mostBytes = 1024 * 1024;

/** Whether a value is more than may go over the platform at once. */
export const isTooLarge = (value: Json): boolean => sizeOf(value) > mostBytes;

const sizeOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

/** What the platform makes of what an action gives. Beside an error nothing else is kept. */
export function responseOf(value: unknown): Response {
  if (typeof value !== "object") return broken("The action did not return a dictionary.");
  const json = JSON.parse(JSON.stringify(value)) as Json;
  if (!isObject(json) && !Array.isArray(json)) return broken("The action did not produce a valid JSON response: null");
  const size = sizeOf(json);
  if (size > mostBytes) {
    const error = `The action produced a response that exceeded the allowed length: ${size} > ${mostBytes} bytes.`;
    return { statusCode: 1, result: { error } };
  }
  const error = isObject(json) ? own(json, "error") : undefined;
  return error === undefined ? { statusCode: 0, result: json } : { statusCode: 1, result: { error } };
}

/** An action that is at fault itself. */
export const broken = (error: string): Response => ({ statusCode: 2, result: { error } });

/** What an action gives that rejects its promise: an error as an object. */
export function rejectedWith(reason: unknown): JsonObject {
  if (!reason) return { error: {} };
  if (typeof reason !== "object" || typeof (reason as Error).stack !== "string") return { error: reason as Json };
  const { name, message, stack } = reason as Error;
  return { error: { ...(reason as object), name, message, stack } as unknown as Json };
}

/** An action that takes longer than it may. */
export const tooLate = (ms: number): Response => broken(`The action exceeded its time limits of ${ms} milliseconds.`);
