import type { Json } from "../../json.ts";
import { EvaluationError, raise } from "../library/failure.ts";
import { describeFailure, failWith } from "./failures.ts";

/** The error of expressions in state machines. */
export const queryEvaluationError = "States.QueryEvaluationError";

/**
 * The value of a JSONata expression of a state, or what a function computes. `place`: its field and state. Fails with
 * `States.QueryEvaluationError` where JSONata fails, and if the value is nothing.
 */
export function query<T>(text: string, place: readonly string[], value: T | (() => T)): Exclude<T, undefined> {
  const found = typeof value === "function" ? computed(text, place, value as () => T) : value;
  if (found === undefined) return failQuery(text, place, "returned nothing (undefined).");
  return found as Exclude<T, undefined>;
}

function computed<T>(text: string, place: readonly string[], compute: () => T): T {
  try {
    const value = compute();
    return (value === 0 ? 0 : checkFinite(value)) as T;
  } catch (thrown) {
    if (thrown instanceof EvaluationError) throw thrown;
    const { code, message } = describeFailure(thrown);
    const reason = code === undefined ? message : `${code}: ${message}`;
    return failQuery(text, place, `threw an error during evaluation. ${reason}`);
  }
}

/** Fails because an expression has no value. */
export function failQuery(text: string, place: readonly Json[], reason: string): never {
  const [field, state] = place;
  const message =
    `An error occurred while executing the state '${state}'. ` +
    `The JSONata expression '${text}' specified for the field '${field}' ${reason}`;
  return raise({ name: queryEvaluationError, message });
}

/** Fails if a value contains an infinite number, which JSON cannot carry. */
function checkFinite<T>(value: T): T {
  if (typeof value === "number" && !Number.isFinite(value)) return failWith("D1001", `Number out of range: ${value}`);
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) checkFinite(part);
  return value;
}
