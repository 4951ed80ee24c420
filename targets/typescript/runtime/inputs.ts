import { WorkflowError } from "./errors.ts";
import { isObject, type Json } from "./json.ts";
import type { AnyWorkflow } from "./workflow.ts";

/** The error of a called run whose workflow does not accept its input; undefined if it starts. */
export function inputError({ anyInput, inputViolation }: AnyWorkflow, input: Json): WorkflowError | undefined {
  if (!anyInput && !isObject(input)) return invalidInput("The input of a run has to be an object.");
  const violation = inputViolation?.(input) ?? null;
  return violation === null ? undefined : invalidInput(`The input of a run has to fit its schema: ${violation}.`);
}

const invalidInput = (message: string): WorkflowError =>
  new WorkflowError("InvalidInput", message, { origin: "denied" });
