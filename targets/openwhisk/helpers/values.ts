import type { Json, JsonObject } from "../../../src/json.ts";

// Value helpers of compositions. OpenWhisk passes only objects, and interprets some of their members.

/** Whether a value is passed as `{ value }`. */
export function isWrapped(value: Json): boolean {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return true;
  if (reservedMembers.some((name) => name in value)) return true;
  return Object.keys(value).join() === "value" && isWrapped((value as JsonObject)["value"]!);
}

/** The members that the platform and conductors interpret. */
const reservedMembers = ["error", "$waybill", "$resume", "$waybillKey"];

/** Wraps a value as params. */
export function wrap(value: Json): JsonObject {
  return isWrapped(value) ? { value } : (value as JsonObject);
}

/** Unwraps params. */
export function unwrap(params: JsonObject): Json {
  return Object.keys(params).join() === "value" && isWrapped(params["value"]!) ? params["value"]! : params;
}

/** Whether a value is a valid input of a run. */
export function isInput(value: Json): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The input of a native composition. Its conductor would mistake some members for a resumed run. */
export function inputOf(value: Json): Json {
  const reserved = reservedMembers.filter((name) => name !== "error");
  const wrong = isInput(value) ? reserved.find((name) => name in (value as JsonObject)) : "";
  if (wrong === undefined) return value;
  const message = wrong === "" ? "The input of a run has to be an object." : `A composition has no input ${wrong}.`;
  throw failure({ $waybill: "denied", name: "InvalidInput", message });
}

/** The results of branches, by branch name. */
export function byName(
  results: readonly { readonly index: number; readonly result: JsonObject }[],
  names: readonly string[],
): Json {
  return Object.fromEntries(results.map(({ index, result }) => [names[index]!, unwrap(result)]));
}

/** The results of iterations, in order. */
export function inOrder(results: readonly { readonly result: JsonObject }[]): Json {
  return results.map(({ result }) => unwrap(result));
}

/** An error to throw. The conductor converts thrown values to strings. */
function failure(error: JsonObject): unknown {
  return { toString: () => `Failure: ${JSON.stringify(error)}` };
}

/** The first string, number or boolean, or null. */
export function firstScalar(...values: readonly Json[]): Json {
  return values.find((value) => value !== null && typeof value !== "object") ?? null;
}

/** Converts seconds to milliseconds. */
export function milliseconds(seconds: Json): number {
  const time = Number(seconds) * 1000;
  if (!Number.isNaN(time)) return Math.max(time, 0);
  throw failure({ $waybill: "expression", name: "DataError", message: "There is no time to wait for." });
}

/** The milliseconds until an instant. */
export function millisecondsUntil(instant: Json): number {
  return milliseconds((Date.parse(String(instant)) - Date.now()) / 1000);
}

/** The minimum of a duration and the time until each deadline, in milliseconds. */
export function timeLeft(time: number, ...deadlines: readonly number[]): number {
  return Math.min(time, ...deadlines.map((each) => Math.max(each - Date.now(), 0)));
}

/** Fails if a deadline has passed. */
export function checkDeadlines(...deadlines: readonly number[]): Json {
  return deadlines.some((each) => Date.now() >= each) ? { error: { $waybill: "timeout" } } : {};
}

/** Checks that the value of an iteration is an array. */
export function iterationItems(items: Json): readonly Json[] {
  if (Array.isArray(items)) return items;
  throw failure({ $waybill: "expression", name: "DataError", message: "There is no array to go over." });
}
