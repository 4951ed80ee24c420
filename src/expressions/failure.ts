import { isObject, type Json, own } from "../json.ts";

/** What a failing expression throws. Anything else that evaluation throws is a bug of ours. */
export class EvaluationError extends Error {
  /** What the expression failed with; `errorOf` reads a name and a message out of it. */
  readonly value: Json;

  constructor(value: Json) {
    super(errorOf(value).message);
    this.name = "EvaluationError";
    this.value = value;
  }
}

/** The name and message of what an expression failed with: its own where it is an object that has them, else `ExpressionError` and its text. */
export function errorOf(value: Json): { readonly name: string; readonly message: string } {
  const name = isObject(value) ? own(value, "name") : undefined;
  const message = isObject(value) ? own(value, "message") : value;
  return {
    name: typeof name === "string" ? name : "ExpressionError",
    message: typeof message === "string" ? message : JSON.stringify(message ?? value),
  };
}

/** Fails with a name and a message, as handlers will see them. */
export function fail(name: string, message: string): never {
  throw new EvaluationError({ name, message });
}
