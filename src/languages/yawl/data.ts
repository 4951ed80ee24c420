import {
  binary,
  bind,
  call,
  conditional,
  type Expression,
  factsOf,
  literal,
  simplify,
  variable,
} from "../../expressions/index.ts";
import { raise } from "./templates.ts";

/** A state with an output merged into it: members of the output replace those of the state. What is no object is an error. */
export function merged(state: Expression, output: Expression): Expression {
  const given = simplify(output);
  if (isObjectSurely(given)) return binary("+", state, given);
  return checkedObject(given, (value) => binary("+", state, value), outputError);
}

/** A value that has to be an object. */
export const objectOnly = (value: Expression, failing: Expression = outputError): Expression => {
  const given = simplify(value);
  return isObjectSurely(given) ? given : checkedObject(given, (object) => object, failing);
};

/** What a step fails with whose output is no object. */
export const outputErrorName = "STEP_INVALID_OUTPUT";

const outputError: Expression = raise(outputErrorName, "The output of a step has to be an object.");

const isObjectSurely = (value: Expression): boolean => factsOf(value).type === "object";

function checkedObject(value: Expression, use: (object: Expression) => Expression, failing: Expression): Expression {
  const check = (object: Expression) =>
    conditional(binary("==", call("type", object), literal("object")), use(object), failing);
  return value.kind === "variable" ? check(value) : bind("output", value, check(variable("output")));
}

/** What a run begins with: the variable holds its input. */
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
