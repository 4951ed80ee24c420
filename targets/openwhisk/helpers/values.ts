import type { Json, JsonObject } from "../../../src/json.ts";

// Functions of compositions that say how any value crosses the platform, which carries objects without a member `error`.

/** Whether a value crosses in an object of its own. */
function isWrapped(value: Json): boolean {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return true;
  if (Object.hasOwn(value, "error")) return true;
  return Object.hasOwn(value, "value") && Object.keys(value).length === 1 && isWrapped((value as JsonObject)["value"]!);
}

/** A value as params. */
export function carried(value: Json): Json {
  return isWrapped(value) ? { value } : value;
}

/** The value that params are. */
export function taken(params: JsonObject): Json {
  const wraps = Object.hasOwn(params, "value") && Object.keys(params).length === 1 && isWrapped(params["value"]!);
  return wraps ? params["value"]! : params;
}

/** The input of a run, which has to be an object. */
export function inputOf(params: JsonObject): Json {
  const input = taken(params);
  if (input !== null && typeof input === "object" && !Array.isArray(input)) return input;
  throw failure({ $waybill: "denied", name: "InvalidInput", message: "The input of a run has to be an object." });
}

/** The values of the branches that a join counts, by their names. */
export function byName(
  results: readonly { readonly index: number; readonly result: JsonObject }[],
  names: readonly string[],
): Json {
  return Object.fromEntries(results.map(({ index, result }) => [names[index]!, taken(result)]));
}

/** The values of the iterations. */
export function inOrder(results: readonly { readonly index: number; readonly result: JsonObject }[]): Json {
  return results.map(({ result }) => taken(result));
}

/** An error that a function of a composition fails with: the conductor writes what is thrown as a text. */
function failure(error: JsonObject): unknown {
  return { toString: () => `Failure: ${JSON.stringify(error)}` };
}

/** Milliseconds to wait. */
export function milliseconds(seconds: Json): number {
  const time = Number(seconds) * 1000;
  if (!Number.isNaN(time)) return Math.max(time, 0);
  throw failure({ $waybill: "expression", name: "DataError", message: "There is no time to wait for." });
}

/** Milliseconds that are left until the first of some instants, in milliseconds since 1970; of all these and a number the least. */
export function least(...[first, ...deadlines]: readonly number[]): number {
  return Math.min(first!, ...deadlines.map((each) => Math.max(each - Date.now(), 0)));
}

/** Fails where one of some instants has come. */
export function before(...deadlines: readonly number[]): Json {
  return deadlines.some((each) => Date.now() >= each) ? { error: { $waybill: "timeout" } } : {};
}

/** Milliseconds until an instant. */
export function millisecondsUntil(instant: Json): number {
  return milliseconds((Date.parse(String(instant)) - Date.now()) / 1000);
}

/** The elements to go over. */
export function elementsOf(items: Json): readonly Json[] {
  if (Array.isArray(items)) return items;
  throw failure({ $waybill: "expression", name: "DataError", message: "There is no array to go over." });
}
