import type { Json, JsonObject, MutableJsonObject } from "../../../src/json.ts";

// Functions of compositions for errors. What a function of the user fails with is `{ name, message, ...data }` or a text. What the composition itself fails
// with says so by a member `$waybill`: where it comes from.

/** What names a workflow has for errors that nothing has named. */
interface ErrorNames {
  readonly expression: string;
  readonly timeout: string;
}

/** An error as handlers see it: `{ origin, name, message, data }`. */
export function errorOf(error: Json, names?: ErrorNames): Json {
  const told = toldBy(error);
  const { $waybill: origin = "function", name = "Error", message = "" } = told;
  const data = Object.hasOwn(told, "$waybill") ? told["data"] : dataOf(told);
  return {
    origin,
    name: names ? nameIn(names, String(origin), String(name)) : String(name),
    message: typeof message === "string" ? message : JSON.stringify(message),
    ...(data === undefined ? {} : { data }),
  };
}

/** What a function has told beside name and message. */
function dataOf({ name: _, message: __, ...data }: JsonObject): Json | undefined {
  return Object.keys(data).length === 0 ? undefined : data;
}

/** What an error says, whatever form it has. */
function toldBy(error: Json): JsonObject {
  if (error !== null && typeof error === "object" && !Array.isArray(error)) {
    const own = error as JsonObject;
    return own["$waybill"] === "timeout" && !Object.hasOwn(own, "name") ? timeout : own;
  }
  if (typeof error !== "string") return { message: JSON.stringify(error) };
  const [, kind, detail = ""] = /^An error has occurred: ([^\s:]+): ([\s\S]*)$/.exec(error) ?? [];
  if (kind === "Failure") return JSON.parse(detail) as JsonObject;
  if (kind === "EvaluationError") return failedWith(JSON.parse(detail) as Json);
  if (kind !== undefined) return { name: kind, message: detail };
  if (isMissing(error)) return { name: "ActionNotFound", message: error };
  return /^The action exceeded its time limits of \d+ milliseconds/.test(error) ? timeout : { message: error };
}

/** The error that an expression is which fails with a value. */
function failedWith(value: Json): JsonObject {
  const isNamed = value !== null && typeof value === "object" && !Array.isArray(value);
  const { name = undefined, message = value } = isNamed ? (value as JsonObject) : {};
  return {
    $waybill: "expression",
    name: typeof name === "string" ? name : "ExpressionError",
    message: typeof message === "string" ? message : JSON.stringify(message),
  };
}

/** Whether an error is that there is no action of a name. */
export function isMissing(error: Json): boolean {
  return typeof error === "string" && error.startsWith("Failed to resolve action");
}

const timeout = { $waybill: "timeout", name: "Timeout", message: "The time allowed has passed." };

/** The name that an error has in a workflow. */
function nameIn({ expression, timeout }: ErrorNames, origin: string, name: string): string {
  if (origin === "timeout") return name === "Timeout" ? timeout : name;
  return origin === "expression" && (name === "ExpressionError" || name === "DataError") ? expression : name;
}

const origins = ["function", "timeout", "expression", "denied", "noMatch", "limit", "fail"];

/** An error that the composition fails with, of its description. */
export function raised(error: Json): Json {
  const told = error !== null && typeof error === "object" && !Array.isArray(error) ? (error as JsonObject) : {};
  const { origin = "fail", name, message, data } = told;
  const made: MutableJsonObject = {
    $waybill: origins.includes(origin as string) ? origin : "fail",
    name: String(name ?? "Error"),
    message: String(message ?? ""),
  };
  if (data !== undefined) made["data"] = data;
  if (told["fatal"] === true) made["fatal"] = true;
  return made;
}

/** Whether no handler takes an error. */
export function isFatal(error: Json): boolean {
  const told = toldBy(error);
  return told["$waybill"] === "ended" || (Object.hasOwn(told, "$waybill") && told["fatal"] === true);
}

/** Whether an error is that the time is over that an attempt around allows, by instants in milliseconds since 1970. */
export function hasPassed(error: Json, ...deadlines: readonly number[]): boolean {
  return toldBy(error)["$waybill"] === "timeout" && deadlines.some((each) => Date.now() >= each);
}

/** What a workflow has failed with, as its caller fails: it says itself where that comes from. */
export function ofFlow(error: Json): Json {
  const isTold = error !== null && typeof error === "object" && !Array.isArray(error) && Object.hasOwn(error, "origin");
  return isTold ? raised(error) : error;
}
