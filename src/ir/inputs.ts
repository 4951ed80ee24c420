import {
  binary,
  call,
  concatenate,
  conditional,
  type Expression,
  literal,
  object,
  schemaViolation,
} from "../expressions/index.ts";
import { isObject, type Json } from "../json.ts";
import type { SchemaRules } from "../types/index.ts";
import { inputOfRun } from "./starts.ts";
import type { ErrorValue, Workflow } from "./workflow.ts";

// The check of what enters a workflow: the same for every language and target. A run starts with an object that fits
// the schema of its workflow's inputs, or fails with `InvalidInput` without executing anything.

const notAnObject = "The input of a run has to be an object.";

/** The message of `InvalidInput` before the clause that says where the input does not fit. */
export const violationPrefix = "The input of a run has to fit its schema: ";

/** The error of a called run whose workflow does not accept its input. A run that events start has no input. */
export function inputError(workflow: Workflow, given: Json | undefined): ErrorValue | undefined {
  const input = inputOfRun(workflow, given);
  if (input === undefined) return undefined;
  const { anyInput, inputRules } = workflow;
  if (!anyInput && !isObject(input)) return { origin: "denied", name: "InvalidInput", message: notAnObject };
  const clause = inputRules ? schemaViolation(input, inputRules) : null;
  return clause === null
    ? undefined
    : { origin: "denied", name: "InvalidInput", message: `${violationPrefix}${clause}.` };
}

/** An input, or `InvalidInput` if the workflow does not accept it. Evaluates the input several times. */
export function acceptedInput({ anyInput, inputRules }: Workflow, input: Expression, isObject: boolean): Expression {
  const fitting = inputRules ? fittingInput(input, inputRules) : input;
  return anyInput || isObject ? fitting : conditional(isObjectTest(input), fitting, invalidInput(literal(notAnObject)));
}

/** A test whether a workflow accepts an input. */
export function acceptsInput({ anyInput, inputRules }: Workflow, input: Expression, isObject: boolean): Expression {
  const fits = inputRules ? isFitting(input, inputRules) : literal(true);
  return anyInput || isObject ? fits : conditional(isObjectTest(input), fits, literal(false));
}

/** Null if a value fits the rules of a schema, or else a clause that says where it does not, and calls it `noun`. */
export const violationOf = (value: Expression, rules: SchemaRules, noun: string): Expression =>
  call("schemaViolation", value, literal(rules), literal(noun));

const violationMessage = (clause: Expression): Expression =>
  concatenate([literal(violationPrefix), clause, literal(".")]);

const isObjectTest = (input: Expression): Expression => binary("==", call("type", input), literal("object"));

const isFitting = (input: Expression, rules: readonly Json[]): Expression =>
  binary("==", call("schemaViolation", input, literal(rules)), literal(null));

const fittingInput = (input: Expression, rules: readonly Json[]): Expression =>
  conditional(
    isFitting(input, rules),
    input,
    invalidInput(violationMessage(call("schemaViolation", input, literal(rules)))),
  );

const invalidInput = (message: Expression): Expression =>
  call(
    "error",
    object([
      ["name", literal("InvalidInput")],
      ["message", message],
    ]),
  );
