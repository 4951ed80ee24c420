import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { ActivationScope } from "./activation-scope.ts";
import { PlatformError } from "./entities.ts";

/** The response of an activation. Status 0: success, 1: application error, 2: action developer error. */
export interface ActivationResponse {
  readonly statusCode: 0 | 1 | 2;
  readonly result: JsonObject | readonly Json[];
}

const maxBytes = 1024 * 1024;

/** Rejects a request with a value above the size limit. `what` begins the sentence of the report. */
export function requireSize(value: Json, what: string, { environment }: ActivationScope): void {
  if (sizeOf(value) <= maxBytes) return;
  environment.recorder?.onLimit(`${what} more than 1,048,576 bytes, which OpenWhisk rejects.`);
  throw new PlatformError(413, `The request is larger than the ${maxBytes} bytes that are allowed.`);
}

const sizeOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

const tooLong = "The action produced a response that exceeded the allowed length:";

/** Whether a result was above the size limit. */
export function isCutShort({ result }: ActivationResponse): boolean {
  const error = isObject(result) ? own(result, "error") : undefined;
  return typeof error === "string" && error.startsWith(tooLong);
}

/** The response for the result of an action. The platform drops all members next to `error`. */
export function responseOf(value: unknown): ActivationResponse {
  if (typeof value !== "object") return broken("The action did not return a dictionary.");
  const json = JSON.parse(JSON.stringify(value)) as Json;
  if (!isObject(json) && !Array.isArray(json)) return broken("The action did not produce a valid JSON response: null");
  const size = sizeOf(json);
  if (size > maxBytes) {
    const error = `${tooLong} ${size} > ${maxBytes} bytes.`;
    return { statusCode: 1, result: { error } };
  }
  const error = isObject(json) ? own(json, "error") : undefined;
  return error === undefined ? { statusCode: 0, result: json } : { statusCode: 1, result: { error } };
}

/** The response of an action that is itself at fault. */
export const broken = (error: string): ActivationResponse => ({ statusCode: 2, result: { error } });

/** The result of an action whose promise is rejected: the error as an object. */
export function rejectedWith(reason: unknown): JsonObject {
  if (!reason) return { error: {} };
  if (typeof reason !== "object" || typeof (reason as Error).stack !== "string") return { error: reason as Json };
  const { name, message, stack } = reason as Error;
  return { error: { ...(reason as object), name, message, stack } as unknown as Json };
}

/** The response of an action that exceeds its time limit. */
export const timedOut = (ms: number): ActivationResponse =>
  broken(`The action exceeded its time limits of ${ms} milliseconds.`);
