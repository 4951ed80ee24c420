import { errorOf, isFailure, namedFailure, WorkflowError } from "../errors.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { AnyWorkflow, Problems } from "../workflow.ts";

/** What was thrown may pass several flows; the first one gives it problem details. */
const raised = new WeakMap<Error, WorkflowError>();

/**
 * What a failure becomes outside the step with a pointer: an error with problem details, unless it has some. The end of
 * the run, a cancellation and a fatal failure stay as they are.
 */
export function raisedError(thrown: unknown, { errors, problems }: AnyWorkflow, pointer: string | undefined): unknown {
  if (!problems || pointer === undefined || !(thrown instanceof Error) || !isFailure(thrown)) return thrown;
  const known = raised.get(thrown);
  if (known) return known;
  const failure = namedFailure(thrown, errors);
  const { fatal, origin, name, message, data, cause } = failure;
  if (fatal || (isObject(data) && Object.hasOwn(data, "instance"))) return thrown;
  const problem = errorOf(problems.of({ origin, name, message, data: data ?? null }, pointer, problems.rules));
  const error = new WorkflowError(problem.name, problem.message, { origin, data: problem.data, cause });
  raised.set(thrown, error);
  return error;
}

/** The error with problem details: its name is that of the standard error with this type, or else the type. */
export function errorWith(
  details: JsonObject & { readonly type: string },
  problems: Problems | undefined,
  pointer: string | undefined,
): WorkflowError {
  const { prefix, errors } = problems?.rules ?? { prefix: "", errors: {} };
  const { type, title = null } = details;
  const standard = type.startsWith(prefix) ? type.slice(prefix.length) : "";
  const name = Object.hasOwn(errors, standard) ? standard : type;
  return errorOf({ name, message: title ?? "", data: { ...details, instance: pointer ?? null } });
}
