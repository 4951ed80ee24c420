import { binary, call, conditional, type Expression, literal, outputError } from "../../expressions/index.ts";
import { ensureType } from "../shared/jq.ts";
import { raise } from "./expressions.ts";

/** Workflow, "Workflow state": replaces members by the output; fails unless it is an object. */
export const mergeOutput = (state: Expression, output: Expression): Expression => call("mergeOutput", state, output);

/** Requires an object. */
export const requireObject = (
  value: Expression,
  failing: Expression = raise(outputError.name, outputError.message),
): Expression => ensureType(value, "object", failing);

/** The initial state of a run. */
export function initialState(input: Expression, mode: "input" | "wrapped" | "auto", readsInput: boolean): Expression {
  const isObject = binary("==", call("type", input), literal("object"));
  const whole: Expression = { kind: "object", entries: [{ key: literal("input"), value: input }] };
  switch (mode) {
    case "input":
      return conditional(isObject, input, raise("INVALID_INPUT", "The input of a run has to be an object."));
    case "wrapped":
      return conditional(isObject, binary("+", input, whole), whole);
    case "auto": {
      const hasOwn = call("has", input, literal("input"));
      return conditional(isObject, readsInput ? conditional(hasOwn, input, binary("+", input, whole)) : input, whole);
    }
  }
}
