import type { Json, JsonObject } from "../../../src/json.ts";

// Functions of compositions that say how any value crosses the platform, which carries objects without the members that it and conductors read themselves.

/** Whether a value crosses in an object of its own. */
export function isWrapped(value: Json): boolean {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return true;
  if ("error" in value || "$waybill" in value || "$resume" in value) return true;
  return Object.keys(value).join() === "value" && isWrapped((value as JsonObject)["value"]!);
}

/** A value as params. */
export function carried(value: Json): JsonObject {
  return isWrapped(value) ? { value } : (value as JsonObject);
}

/** The value that params are. */
export function taken(params: JsonObject): Json {
  return Object.keys(params).join() === "value" && isWrapped(params["value"]!) ? params["value"]! : params;
}

/** Whether a value can be the input of a run. */
export function isInput(value: Json): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** A value as the input of a composition of Composer, which gets an object as it is: its conductor would take some members for a run that goes on. */
export function inputOf(value: Json): Json {
  const wrong = isInput(value) ? ["$waybill", "$resume"].find((name) => name in (value as JsonObject)) : "";
  if (wrong === undefined) return value;
  const message = wrong === "" ? "The input of a run has to be an object." : `A composition has no input ${wrong}.`;
  throw failure({ $waybill: "denied", name: "InvalidInput", message });
}

/** The values of the branches that a join counts, by their names. */
export function byName(
  results: readonly { readonly index: number; readonly result: JsonObject }[],
  names: readonly string[],
): Json {
  return Object.fromEntries(results.map(({ index, result }) => [names[index]!, taken(result)]));
}

/** The values of the iterations. */
export function inOrder(results: readonly { readonly result: JsonObject }[]): Json {
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

/** Milliseconds until an instant. */
export function millisecondsUntil(instant: Json): number {
  return milliseconds((Date.parse(String(instant)) - Date.now()) / 1000);
}

/** A number of milliseconds, but no more than are left until instants, in milliseconds since 1970. */
export function least(time: number, ...deadlines: readonly number[]): number {
  return Math.min(time, ...deadlines.map((each) => Math.max(each - Date.now(), 0)));
}

/** Fails where one of some instants has come. */
export function before(...deadlines: readonly number[]): Json {
  return deadlines.some((each) => Date.now() >= each) ? { error: { $waybill: "timeout" } } : {};
}

/** The elements to go over. */
export function elementsOf(items: Json): readonly Json[] {
  if (Array.isArray(items)) return items;
  throw failure({ $waybill: "expression", name: "DataError", message: "There is no array to go over." });
}
