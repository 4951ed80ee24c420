import { isObject, type Json, own } from "../../json.ts";
import { EvaluationError, messageOf } from "../library/failure.ts";

/** The error's own name and message, otherwise `ExpressionError` and its JSON. */
export function errorOf(value: Json): { readonly name: string; readonly message: string } {
  const name = isObject(value) ? own(value, "name") : undefined;
  return { name: typeof name === "string" ? name : "ExpressionError", message: messageOf(value) };
}

/** Fails with a named error. */
export function fail(name: string, message: string): never {
  throw new EvaluationError({ name, message });
}
