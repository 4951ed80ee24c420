import { copyOf, isObject, type Json } from "./json.ts";

/** What a failure comes from: a function, a time-out, an expression, a refusal to do something, a choice without a way, a limit, or the workflow itself. */
export type Origin = "function" | "timeout" | "expression" | "denied" | "noMatch" | "limit" | "fail";

/** A failure as retries and handlers look at it: JSON, as handlers may put it into the data. */
export type ErrorValue = {
  /** An `Origin`; conditions may ask again for one that they have found it not to be, so that it is any text for the type checker. */
  readonly origin: string;
  readonly name: string;
  readonly message: string;
  readonly data?: Json | undefined;
};

/** What a language calls errors that nothing has named: a failing expression, and a step that took too long. */
export interface ErrorNames {
  readonly expression: string;
  readonly timeout: string;
}

/** A step, a branch or a run has failed. Functions throw it to give their error a name and further data; any other error is taken by its own name. */
export class WorkflowError extends Error {
  readonly origin: Origin;
  readonly data: Json | undefined;
  /** No retry and no handler takes it. */
  readonly fatal: boolean;

  constructor(
    name: string,
    message: string,
    more: { readonly origin?: Origin; readonly data?: Json | undefined; readonly fatal?: boolean } = {},
  ) {
    super(message);
    this.name = name;
    this.origin = more.origin ?? "fail";
    this.data = more.data;
    this.fatal = more.fatal ?? false;
  }
}

/** A sink does not want an event: sending it again would not help. */
export class EventRefused extends Error {
  override readonly name = "EventRefused";
}

/** A sink takes nothing at present, whatever the event is: for so many seconds where it says for how long. */
export class SinkAway extends Error {
  override readonly name = "SinkAway";
  readonly seconds: number;

  constructor(message: string, seconds = 0) {
    super(message);
    this.seconds = seconds;
  }
}

/** A call was not begun, as the process is about to stop: nothing is recorded of it, and it is made at the next start. */
export class NotBegun extends Error {
  override readonly name = "NotBegun";

  constructor() {
    super("The call is not begun, as the process stops.");
  }
}

/** The whole run ends, from however deep: with a value, or with an error. */
export class RunEnd extends Error {
  readonly ending: { readonly value: Json } | { readonly error: WorkflowError };

  constructor(ending: RunEnd["ending"]) {
    super("The run has ended.");
    this.ending = ending;
  }
}

/** What was thrown, as a handler sees it. What no handler may take is thrown on: the end of the run, a cut-off branch, a fatal failure. */
export function failure(thrown: unknown, names?: ErrorNames): ErrorValue {
  const error = namedFailure(thrown, names);
  if (error.fatal) throw thrown;
  const { origin, name, message, data } = error;
  return { origin, name, message, ...(data === undefined ? {} : { data }) };
}

/** What a step or an expression threw, as a failure; anything else is thrown on. */
export function failureOf(thrown: unknown): WorkflowError {
  if (thrown instanceof WorkflowError) return thrown;
  if (isExpressionError(thrown))
    return new WorkflowError(nameIn(thrown.value) ?? "ExpressionError", thrown.message, { origin: "expression" });
  throw thrown;
}

/** The same under the name that a language has for it. */
export function namedFailure(thrown: unknown, names: ErrorNames | undefined): WorkflowError {
  const error = failureOf(thrown);
  const { message, origin, data, fatal } = error;
  const name = names ? nameOf(error, names) : error.name;
  return name === error.name ? error : new WorkflowError(name, message, { origin, data, fatal });
}

function nameOf({ origin, name }: WorkflowError, names: ErrorNames): string {
  if (origin === "timeout") return name === "Timeout" ? names.timeout : name;
  return origin === "expression" && unnamed.has(name) ? names.expression : name;
}

const unnamed: ReadonlySet<string> = new Set(["ExpressionError", "DataError"]);

/** What a function threw, as the failure of its step. */
export function functionFailure(thrown: unknown): WorkflowError {
  if (thrown instanceof WorkflowError && thrown.origin !== "fail") return withPlainData(thrown);
  if (isExpressionError(thrown)) return failureOf(thrown);
  if (!(thrown instanceof Error)) return new WorkflowError("Error", wordsOf(thrown), { origin: "function" });
  const given = thrown instanceof WorkflowError ? thrown.data : undefined;
  return withPlainData(
    new WorkflowError(wordsOf(thrown.name), wordsOf(thrown.message), { origin: "function", data: given }),
  );
}

/** The same failure with data of its own, as they are recorded; where they have no JSON its message tells that they are left out. */
function withPlainData(error: WorkflowError): WorkflowError {
  if (error.data === undefined) return error;
  const { name, message, origin, fatal } = error;
  const plain = plainData(error.data);
  if ("data" in plain) return new WorkflowError(name, message, { origin, fatal, ...plain });
  return new WorkflowError(name, `${message} (Its data are left out: ${plain.fault})`, { origin, fatal });
}

/** Data of the failure's own, or what keeps them from being JSON. */
function plainData(data: unknown): { readonly data: Json } | { readonly fault: string } {
  try {
    const copy = copyOf(data);
    return copy === undefined ? { fault: "they have no JSON." } : { data: copy };
  } catch (reason) {
    return { fault: wordsOf(reason) };
  }
}

/** What was thrown in words, whatever it is. */
function wordsOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "Something was thrown that has no text.";
  }
}

/** The failure that a value describes, as a workflow raises it. */
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
  "expression",
  "denied",
  "noMatch",
  "limit",
  "fail",
]);

const isOrigin = (value: unknown): value is Origin => origins.has(value);

/** Compiled expressions fail with an error that carries a value. */
const isExpressionError = (thrown: unknown): thrown is Error & { readonly value: Json } =>
  thrown instanceof Error && thrown.name === "EvaluationError" && "value" in thrown;

function nameIn(value: Json): string | undefined {
  const name = partOf(value, "name");
  return typeof name === "string" ? name : undefined;
}

const partOf = (value: Json, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
