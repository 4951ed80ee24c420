import type { Json, JsonObject } from "../../../src/json.ts";

// Error helpers of compositions. User functions fail with `{ name, message, ...data }` or a string, the composition
// itself with `{ $waybill: origin, name, message, data }`.

/** An error as handlers receive it: `{ origin, name, message, data }`. */
export function errorOf(error: Json): Json {
  return describeError(parseError(error));
}

/** The same for errors that only an action can raise. */
export function actionErrorOf(error: Json): Json {
  return describeError(parseActionError(error));
}

function describeError({ $waybill: origin, name = "Error", message = "", ...more }: JsonObject): Json {
  const data = origin !== undefined ? more["data"] : Object.keys(more).length > 0 ? more : undefined;
  return { origin: origin ?? "function", name, message, ...(data !== undefined && { data }) };
}

/** The same, with the workflow's names for unnamed errors. */
export function errorIn(error: Json, names: { readonly expression: string; readonly timeout: string }): Json {
  const parsed = errorOf(error) as JsonObject;
  const unnamed: { readonly [name: string]: string } =
    parsed["origin"] === "timeout"
      ? { Timeout: names.timeout }
      : parsed["origin"] === "expression"
        ? { ExpressionError: names.expression, DataError: names.expression }
        : {};
  return { ...parsed, name: unnamed[parsed["name"] as string] ?? parsed["name"]! };
}

function parseError(error: Json): JsonObject {
  const [, kind, detail] = /^An error has occurred: (Failure|EvaluationError): (.*)$/s.exec(error as string) ?? [];
  if (kind === "Failure") return JSON.parse(detail!) as JsonObject;
  return kind === "EvaluationError" ? expressionErrorOf(JSON.parse(detail!) as Json) : parseActionError(error);
}

function parseActionError(error: Json): JsonObject {
  const parsed = (Object(error) === error ? error : {}) as JsonObject;
  const isTime = parsed["$waybill"] === "timeout" && parsed["name"] === undefined;
  if (isTime || /^The action exceeded its time limits/.test(error as string))
    return { $waybill: "timeout", name: "Timeout", message: "The time allowed has passed." };
  if (typeof error !== "string")
    return Array.isArray(error) || parsed !== error ? { message: JSON.stringify(error) } : parsed;
  const [, name, message] = /^An error has occurred: ([^\s:]+): (.*)$/s.exec(error) ?? [];
  if (name !== undefined) return { name, message: message! };
  return { name: error.startsWith("Failed to resolve action") ? "ActionNotFound" : "Error", message: error };
}

function expressionErrorOf(value: Json): JsonObject {
  const { name, message = value } = Object(value) as JsonObject;
  return {
    $waybill: "expression",
    name: typeof name === "string" ? name : "ExpressionError",
    message: typeof message === "string" ? message : JSON.stringify(message),
  };
}

/** Converts an error description to an error of the composition. */
export function toError(error: Json): Json {
  const { origin, name = "Error", message = "", ...more } = Object(error) as JsonObject;
  const origins = ["function", "timeout", "heartbeat", "expression", "denied", "noMatch", "limit", "fail"];
  const $waybill = origins.includes(origin as string) ? origin! : "fail";
  return { $waybill, name: String(name), message: String(message), ...more };
}

/** Whether an error bypasses all handlers. */
export function isFatal(error: Json): boolean {
  const parsed = parseError(error);
  return parsed["$waybill"] === "ended" || (parsed["$waybill"] !== undefined && parsed["fatal"] === true);
}

/** Whether an error is a timeout of an enclosing attempt. Deadlines are in milliseconds since 1970. */
export function hasPassed(error: Json, ...deadlines: readonly number[]): boolean {
  return parseError(error)["$waybill"] === "timeout" && deadlines.some((each) => Date.now() >= each);
}

/** The error of a native composition, as its caller raises it. Only what the conductor marks is not the user's. */
export function compositionError(error: Json): Json {
  const { $waybill, name, code, error: reason } = Object(error) as JsonObject;
  if ($waybill === "denied" && name === undefined) {
    if (code === 500) return { $waybill: "function", name: "InternalError", message: reason! };
    const message = "The conductor rejects this run: a state cannot do its work.";
    return { $waybill, name: "Rejected", message };
  }
  if ($waybill !== undefined) return error;
  const message = typeof error === "string" ? error : JSON.stringify(error);
  return { $waybill: "function", name: "ApplicationError", message };
}

/** The error of a workflow, as its caller raises it. Workflows report the origin themselves. */
export function subflowError(error: Json): Json {
  return Object.hasOwn(Object(error), "origin") ? toError(error) : error;
}
