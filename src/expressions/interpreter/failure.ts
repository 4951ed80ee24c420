import { isObject, type Json, own } from "../../json.ts";
import { EvaluationError, messageOf } from "../library/failure.ts";

export { EvaluationError } from "../library/failure.ts";

/** The name and message of what an expression failed with: its own where it is an object that has them, else `ExpressionError` and its text. */
export function errorOf(value: Json): { readonly name: string; readonly message: string } {
  const name = isObject(value) ? own(value, "name") : undefined;
  return { name: typeof name === "string" ? name : "ExpressionError", message: messageOf(value) };
}

/** Fails with a name and a message, as handlers will see them. */
export function fail(name: string, message: string): never {
  throw new EvaluationError({ name, message });
}
