import { FunctionFailure, StepLimit } from "../environment/errors.ts";
import { EvaluationError, errorOf } from "../expressions/index.ts";
import { errorNameIn } from "../ir/errors.ts";
import type { ErrorValue, Workflow } from "../ir/workflow.ts";
import { isObject, type Json, own } from "../json.ts";

/** A step, scope or run has failed. */
export class StepFailure extends Error {
  readonly error: ErrorValue;

  constructor(error: ErrorValue) {
    super(error.message);
    this.error = error;
  }
}

/** An `End` with extent `run` was reached: everything that is still running stops. */
export class RunEnd extends Error {
  readonly ending:
    | { readonly kind: "leave"; readonly value: Json }
    | { readonly kind: "fail"; readonly error: ErrorValue };

  constructor(ending: RunEnd["ending"]) {
    super("The run has ended.");
    this.ending = ending;
  }
}

/** What a function or an expression threw, as a failure of its step; anything else is no matter of the workflow and is thrown on. */
export function failureOf(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error;
  if (error instanceof FunctionFailure)
    return new StepFailure({ origin: "function", name: error.name, message: error.message, ...dataOf(error.data) });
  if (error instanceof EvaluationError) return new StepFailure({ origin: "expression", ...errorOf(error.value) });
  if (error instanceof StepLimit)
    return new StepFailure({ origin: "limit", name: error.name, message: error.message, fatal: true });
  throw error;
}

/** The same in a workflow, which may have a name for it. */
export function failureIn({ errorNames }: Pick<Workflow, "errorNames">, error: unknown): StepFailure {
  const failure = failureOf(error);
  const name = errorNameIn(failure.error, errorNames);
  return name === failure.error.name ? failure : new StepFailure({ ...failure.error, name });
}

const origins: ReadonlySet<unknown> = new Set<ErrorValue["origin"]>([
  "function",
  "timeout",
  "expression",
  "denied",
  "noMatch",
  "limit",
  "fail",
]);

/** The error that the value of a failing `End` describes. */
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

/** An error as a value that expressions can look at. */
export const asJson = ({ origin, name, message, data }: ErrorValue): Json => ({
  origin,
  name,
  message,
  ...dataOf(data),
});
