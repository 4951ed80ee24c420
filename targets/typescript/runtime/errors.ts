import { copyOf, isObject, type Json } from "./json.ts";

/**
 * The cause of a failure: a function, a timeout, an expression, a denied request, a choice without a match, a limit, or
 * the workflow.
 */
export type Origin = "function" | "timeout" | "heartbeat" | "expression" | "denied" | "noMatch" | "limit" | "fail";

/** A failure as retries and handlers see it. JSON, because handlers may store it in the data. */
export type ErrorValue = {
  /** An `Origin`. A string, so that the type checker accepts conditions that it would narrow to never. */
  readonly origin: string;
  readonly name: string;
  readonly message: string;
  readonly data?: Json | undefined;
};

/** A failure with problem details (RFC 9457). */
export type Problem = ErrorValue & { readonly data: ProblemDetails };

/** Those of a function may lack members, and have others. */
interface ProblemDetails {
  readonly type?: Json;
  readonly status?: Json;
  readonly title?: Json;
  readonly detail?: Json;
  readonly instance?: Json;
  readonly [member: string]: Json | undefined;
}

/** A language's names for errors without a name of their own: failing expressions and timeouts. */
export interface ErrorNames {
  readonly expression: string;
  readonly timeout: string;
}

/**
 * A step, a branch or a run failed. Functions throw it to give their error a name and data; other errors keep their own
 * name.
 */
export class WorkflowError extends Error {
  readonly origin: Origin;
  readonly data: Json | undefined;
  /** Whether no retry and no handler applies. */
  readonly fatal: boolean;

  constructor(name: string, message: string, more: ErrorDetails = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = name;
    this.origin = more.origin ?? "fail";
    this.data = more.data;
    this.fatal = more.fatal ?? false;
  }
}

/** The details of an error. */
interface ErrorDetails {
  /** Default: `fail`. */
  readonly origin?: Origin;
  readonly data?: Json | undefined;
  readonly fatal?: boolean;
  /** What a function has thrown, for logs. It is not recorded. */
  readonly cause?: unknown;
}

/** A sink rejects an event permanently. */
export class EventRefused extends Error {
  override readonly name = "EventRefused";
}

/** Why a run cannot be retried from a step. */
export class CannotRetry extends Error {
  override readonly name = "CannotRetry";
}

/** A sink accepts no events at present: for `seconds`, if it said how long. */
export class SinkAway extends Error {
  override readonly name = "SinkAway";
  readonly seconds: number;

  constructor(message: string, seconds = 0) {
    super(message);
    this.seconds = seconds;
  }
}

/** A call did not begin because the process is about to stop. Nothing is recorded; the next process makes the call. */
export class NotBegun extends Error {
  override readonly name = "NotBegun";

  constructor() {
    super("The call is not begun, as the process stops.");
  }
}

/** Ends the whole run from any depth, with a value or an error. */
export class RunEnd extends Error {
  readonly ending: { readonly value: Json } | { readonly error: WorkflowError };

  constructor(ending: RunEnd["ending"]) {
    super("The run has ended.");
    this.ending = ending;
  }
}

/**
 * Converts a thrown value to what handlers see. Rethrows what no handler may catch: the end of the run, a cancellation,
 * a fatal failure.
 */
export function failure(thrown: unknown, names?: ErrorNames): ErrorValue {
  const error = namedFailure(thrown, names);
  if (error.fatal) throw thrown;
  const { origin, name, message, data } = error;
  return { origin, name, message, ...(data === undefined ? {} : { data }) };
}

/** Converts what a step or an expression threw to a failure. Rethrows anything else. */
export function failureOf(thrown: unknown): WorkflowError {
  if (thrown instanceof WorkflowError) return thrown;
  if (isExpressionError(thrown))
    return new WorkflowError(nameIn(thrown.value) ?? "ExpressionError", thrown.message, { origin: "expression" });
  throw thrown;
}

/** Whether a step or an expression threw it, so that the run may continue. */
export const isFailure = (thrown: unknown): boolean => thrown instanceof WorkflowError || isExpressionError(thrown);

/** The failure under the language's name for it. */
export function namedFailure(thrown: unknown, names: ErrorNames | undefined): WorkflowError {
  const error = failureOf(thrown);
  const { message, origin, data, fatal } = error;
  const name = names ? nameOf(error, names) : error.name;
  return name === error.name ? error : new WorkflowError(name, message, { origin, data, fatal });
}

function nameOf({ origin, name }: WorkflowError, names: ErrorNames): string {
  if (origin === "timeout" || origin === "heartbeat") return name === "Timeout" ? names.timeout : name;
  return origin === "expression" && unnamedErrors.has(name) ? names.expression : name;
}

const unnamedErrors: ReadonlySet<string> = new Set(["ExpressionError", "DataError"]);

/** Converts what a function threw to the failure of its step. */
export function functionFailure(thrown: unknown): WorkflowError {
  if (thrown instanceof WorkflowError && thrown.origin !== "fail") return withPlainData(thrown);
  if (isExpressionError(thrown)) return failureOf(thrown);
  if (!(thrown instanceof Error)) return new WorkflowError("Error", describe(thrown), { origin: "function" });
  const given = thrown instanceof WorkflowError ? thrown.data : undefined;
  return withPlainData(
    new WorkflowError(describe(thrown.name), describe(thrown.message), {
      origin: "function",
      data: given,
      cause: thrown,
    }),
  );
}

/** Copies the data as JSON, as they are recorded. If they have no JSON, the message says that they are omitted. */
function withPlainData(error: WorkflowError): WorkflowError {
  if (error.data === undefined) return error;
  const { name, message, origin, fatal, cause } = error;
  const plain = plainData(error.data);
  if ("data" in plain) return new WorkflowError(name, message, { origin, fatal, cause, ...plain });
  return new WorkflowError(name, `${message} (Its data are omitted: ${plain.fault})`, { origin, fatal, cause });
}

/** A JSON copy of data, or the reason why it has none. */
function plainData(data: unknown): { readonly data: Json } | { readonly fault: string } {
  try {
    const copy = copyOf(data);
    return copy === undefined ? { fault: "they have no JSON." } : { data: copy };
  } catch (reason) {
    return { fault: describe(reason) };
  }
}

/** A description of any thrown value. */
function describe(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "A value without a string form was thrown.";
  }
}

/** The failure that a value describes. */
export function errorOf(value: Json): WorkflowError {
  const origin = partOf(value, "origin");
  return new WorkflowError(textOf(partOf(value, "name") ?? "Error"), textOf(partOf(value, "message") ?? ""), {
    origin: isOrigin(origin) ? origin : "fail",
    data: partOf(value, "data"),
    fatal: partOf(value, "fatal") === true,
  });
}

const origins: ReadonlySet<unknown> = new Set<Origin>([
  "function",
  "timeout",
  "heartbeat",
  "expression",
  "denied",
  "noMatch",
  "limit",
  "fail",
]);

const isOrigin = (value: unknown): value is Origin => origins.has(value);

/** Errors of compiled expressions carry a value. */
const isExpressionError = (thrown: unknown): thrown is Error & { readonly value: Json } =>
  thrown instanceof Error && thrown.name === "EvaluationError" && "value" in thrown;

function nameIn(value: Json): string | undefined {
  const name = partOf(value, "name");
  return typeof name === "string" ? name : undefined;
}

const partOf = (value: Json, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
