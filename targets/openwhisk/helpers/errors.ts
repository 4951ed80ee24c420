import type { Json, JsonObject } from "../../../src/json.ts";

// Functions of compositions for errors. What a function of the user fails with is `{ name, message, ...data }` or a text. What the composition itself fails
// with says where it comes from by a member `$waybill`: `{ $waybill, name, message, data }`.

/** An error as handlers see it: `{ origin, name, message, data }`. */
export function errorOf(error: Json): Json {
  return described(toldBy(error));
}

/** The same of an error of an action, where nothing else can fail. */
export function answeredError(error: Json): Json {
  return described(answered(error));
}

function described({ $waybill: origin, name = "Error", message = "", ...more }: JsonObject): Json {
  const data = origin !== undefined ? more["data"] : Object.keys(more).length > 0 ? more : undefined;
  return { origin: origin ?? "function", name, message, ...(data !== undefined && { data }) };
}

/** The same where a workflow has names of its own for errors that nothing has named. */
export function errorIn(error: Json, names: { readonly expression: string; readonly timeout: string }): Json {
  const told = errorOf(error) as JsonObject;
  const unnamed: { readonly [name: string]: string } =
    told["origin"] === "timeout"
      ? { Timeout: names.timeout }
      : told["origin"] === "expression"
        ? { ExpressionError: names.expression, DataError: names.expression }
        : {};
  return { ...told, name: unnamed[told["name"] as string] ?? told["name"]! };
}

/** What an error says, whatever form it has. */
function toldBy(error: Json): JsonObject {
  const [, kind, detail] = /^An error has occurred: (Failure|EvaluationError): (.*)$/s.exec(error as string) ?? [];
  if (kind === "Failure") return JSON.parse(detail!) as JsonObject;
  return kind === "EvaluationError" ? failedWith(JSON.parse(detail!) as Json) : answered(error);
}

/** What an action says that has failed, or what called it: that its time is over. */
function answered(error: Json): JsonObject {
  const told = (Object(error) === error ? error : {}) as JsonObject;
  const isTime = told["$waybill"] === "timeout" && told["name"] === undefined;
  if (isTime || /^The action exceeded its time limits/.test(error as string))
    return { $waybill: "timeout", name: "Timeout", message: "The time allowed has passed." };
  if (typeof error !== "string")
    return Array.isArray(error) || told !== error ? { message: JSON.stringify(error) } : told;
  const [, name, message] = /^An error has occurred: ([^\s:]+): (.*)$/s.exec(error) ?? [];
  if (name !== undefined) return { name, message: message! };
  return { name: error.startsWith("Failed to resolve action") ? "ActionNotFound" : "Error", message: error };
}

/** The error that an expression is which fails with a value. */
function failedWith(value: Json): JsonObject {
  const { name, message = value } = Object(value) as JsonObject;
  return {
    $waybill: "expression",
    name: typeof name === "string" ? name : "ExpressionError",
    message: typeof message === "string" ? message : JSON.stringify(message),
  };
}

/** An error that the composition fails with, of its description. */
export function raised(error: Json): Json {
  const { origin, name = "Error", message = "", ...more } = Object(error) as JsonObject;
  const origins = ["function", "timeout", "expression", "denied", "noMatch", "limit", "fail"];
  const $waybill = origins.includes(origin as string) ? origin! : "fail";
  return { $waybill, name: String(name), message: String(message), ...more };
}

/** Whether no handler takes an error. */
export function isFatal(error: Json): boolean {
  const told = toldBy(error);
  return told["$waybill"] === "ended" || (told["$waybill"] !== undefined && told["fatal"] === true);
}

/** Whether an error is that the time is over that an attempt around allows, by instants in milliseconds since 1970. */
export function hasPassed(error: Json, ...deadlines: readonly number[]): boolean {
  return toldBy(error)["$waybill"] === "timeout" && deadlines.some((each) => Date.now() >= each);
}

/** What a composition of Composer has failed with, as its caller fails: with a text, or as the conductor has rejected it. */
export function ofComposition(error: Json): Json {
  const { $waybill, code } = Object(error) as JsonObject;
  if ($waybill !== undefined) return error;
  if (code === undefined) {
    const message = typeof error === "string" ? error : "The run has failed with an error that is no text.";
    return { $waybill: "function", name: "ApplicationError", message };
  }
  const message = "The conductor rejects this run: a state cannot do its work.";
  return { $waybill: "denied", name: "Rejected", message };
}

/** What a workflow has failed with, as its caller fails: it says itself where that comes from. */
export function ofFlow(error: Json): Json {
  return Object.hasOwn(Object(error), "origin") ? raised(error) : error;
}
