import { FunctionFailure, StepLimit } from "../environment/errors.ts";
import { EvaluationError, errorOf } from "../expressions/index.ts";
import { errorNameIn } from "../ir/errors.ts";
import type { ErrorValue, Workflow } from "../ir/workflow.ts";
import { isObject, type Json, own } from "../json.ts";

/** The failure of a step, a scope or a run. */
export class StepFailure extends Error {
  readonly error: ErrorValue;

  constructor(error: ErrorValue) {
    super(error.message);
    this.error = error;
  }
}

/** An `End` with extent `run` was executed: all activities of the run stop. */
export class RunEnd extends Error {
  readonly ending:
    | { readonly kind: "leave"; readonly value: Json }
    | { readonly kind: "fail"; readonly error: ErrorValue };

  constructor(ending: RunEnd["ending"]) {
    super("The run has ended.");
    this.ending = ending;
  }
}

/** Converts an error of a function or an expression to a failure of its step. Rethrows any other error. */
export function failureOf(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error;
  if (error instanceof FunctionFailure)
    return new StepFailure({ origin: "function", name: error.name, message: error.message, ...dataOf(error.data) });
  if (error instanceof EvaluationError) return new StepFailure({ origin: "expression", ...errorOf(error.value) });
  if (error instanceof StepLimit)
    return new StepFailure({ origin: "limit", name: error.name, message: error.message, fatal: true });
  throw error;
}

/** As `failureOf`, with the workflow's own name for the error. */
export function failureIn({ errorNames }: Pick<Workflow, "errorNames">, error: unknown): StepFailure {
  const failure = failureOf(error);
  const name = errorNameIn(failure.error, errorNames);
  return name === failure.error.name ? failure : new StepFailure({ ...failure.error, name });
}

const origins: ReadonlySet<unknown> = new Set<ErrorValue["origin"]>([
  "function",
  "timeout",
  "heartbeat",
  "expression",
  "denied",
  "noMatch",
  "limit",
  "fail",
]);

/** The error in the value of a failing `End`. */
export function errorValueOf(value: Json): ErrorValue {
  const part = (name: string) => (isObject(value) ? own(value, name) : undefined);
  const origin = part("origin");
  return {
    origin: origins.has(origin) ? (origin as ErrorValue["origin"]) : "fail",
    name: String(part("name") ?? "Error"),
    message: String(part("message") ?? ""),
    ...dataOf(part("data")),
    ...(part("fatal") === true ? { fatal: true } : {}),
  };
}

const dataOf = (data: Json | undefined): { readonly data?: Json } => (data === undefined ? {} : { data });

/** An error as a value for expressions. */
export const asJson = ({ origin, name, message, data }: ErrorValue): Json => ({
  origin,
  name,
  message,
  ...dataOf(data),
});
