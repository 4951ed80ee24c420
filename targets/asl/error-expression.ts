import { nameOfError, stepTimeoutError } from "../../src/ir/failures.ts";
import type { ErrorNames } from "../../src/ir/workflow.ts";
import { namedCalls } from "./errors.ts";
import { errorMarker } from "./jsonata/index.ts";

/** Which of the law's cases can occur at a state. */
export interface ErrorSources {
  readonly timeout: boolean;
  readonly expression: boolean;
  readonly function: boolean;
  readonly subflow: boolean;
  /** What the language of subflows calls errors that nothing has named, where that is another. */
  readonly subflowNames?: ErrorNames | undefined;
  /** The names of errors of ours that come, which carry a value; absent: none. */
  readonly carryingErrors?: readonly string[];
}

/** What of an error is wanted: its members, its Cause, and of its data perhaps the trace only. */
export interface ErrorProjection {
  readonly fields: ReadonlySet<ErrorField>;
  readonly traceOnly: boolean;
}

type ErrorField = (typeof rethrowableFields)[number];

/** The members of an error. */
export const errorFields = ["origin", "name", "message", "data"] as const;

/** The same, and the Cause with which it can be raised as it came. */
export const rethrowableFields = [...errorFields, "cause"] as const;

/** Whether only functions can have failed, whose errors' names stand for themselves. */
export const hasOnlyFunctionErrors = (
  { timeout, expression, subflow, carryingErrors: carried = [] }: ErrorSources,
  names?: ErrorNames,
): boolean => !timeout && !expression && !subflow && carried.length === 0 && !names?.calls;

/**
 * The law as JSONata: an expression over `$states.errorOutput` that gives an object of what is wanted of the `ErrorValue`, with the cases that can occur.
 * Of data that has no trace nothing is there where only the trace is wanted.
 */
export function errorExpression(
  sources: ErrorSources,
  names?: ErrorNames,
  wanted: ErrorProjection = { fields: new Set(errorFields), traceOnly: false },
): string {
  const { subflow, subflowNames: within, carryingErrors: carried = [] } = sources;
  const calls = names?.calls ?? within?.calls;
  const isTold = wanted.fields.has("message") || wanted.fields.has("data") || calls !== undefined;
  const asked: ErrorMapping = {
    sources,
    names,
    projection: wanted,
    hasCallNames: calls !== undefined,
    readsCarriedValue: carried.length > 0 && wanted.fields.has("data") && !wanted.traceOnly,
    readsThrownDetails: (sources.function || subflow) && isTold,
    error: hasOnlyFunctionErrors(sources, names) ? "$states.errorOutput" : "$e",
  };
  const heads = definitionsFor(asked);
  const law = [...heads, casesFor(asked).join(" : ")].join("; ");
  if (subflow && within) return `($law := function($e, $within) { (${law}) }; $law($states.errorOutput, false))`;
  if (subflow) return `($law := function($e) { (${law}) }; $law($states.errorOutput))`;
  const all = asked.error === "$e" ? `$e := $states.errorOutput; ${law}` : law;
  return heads.length === 0 && asked.error !== "$e" ? all : `(${all})`;
}

/** What is asked of the law. */
interface ErrorMapping {
  readonly sources: ErrorSources;
  readonly names: ErrorNames | undefined;
  readonly projection: ErrorProjection;
  /** Whether a language has names for calls that Step Functions itself lets fail. */
  readonly hasCallNames: boolean;
  /** Whether the value is wanted that an error of ours carries. */
  readonly readsCarriedValue: boolean;
  /** Whether it is to be known if a function has thrown. */
  readonly readsThrownDetails: boolean;
  /** How the error is written. */
  readonly error: string;
}

/** What the cases read. */
function definitionsFor({
  sources,
  projection: { fields: members },
  hasCallNames,
  readsCarriedValue: isCarried,
  readsThrownDetails: isThrown,
  error,
}: ErrorMapping): readonly string[] {
  const { subflow, expression } = sources;
  const isRead = isCarried || isThrown || subflow || expression || members.has("message") || members.has("cause");
  return [
    ...(isRead ? [`$cause := "" & ${error}.Cause`] : []),
    ...(expression ? [`$m := $e.Error = "States.QueryEvaluationError" ? ${readMarker}`] : []),
    ...(isThrown ? [`$l := ${readDetails}${hasCallNames ? "" : ' : {"errorMessage": $cause}'}`] : []),
  ];
}

/** The cases, of which the last is for all that is left. */
function casesFor({
  sources,
  names,
  projection: wanted,
  hasCallNames,
  readsCarriedValue: isCarried,
  readsThrownDetails: isThrown,
  error,
}: ErrorMapping): readonly string[] {
  const { timeout, expression, subflow, subflowNames: within, carryingErrors: carried } = sources;
  const either = (text: (names: ErrorNames | undefined) => string): string =>
    within && text(within) !== text(names) ? `($within ? ${text(within)} : ${text(names)})` : text(names);
  const isChild = '$e.Error = "States.TaskFailed" and $contains($cause, /^\\{.*"Error":/)';
  const named = () => either((each) => callErrorName(error, each));
  return [
    ...(isCarried ? [`$e.Error in ${JSON.stringify(carried)} ? ${carryingError(wanted)}`] : []),
    ...(subflow ? [`${isChild} ? $law($parse($cause)${within ? ", true" : ""})`] : []),
    ...(timeout ? [`$e.Error = "States.Timeout" ? ${timeoutError(wanted, either(timeoutName))}`] : []),
    ...(expression ? [`$exists($m) ? ${markedError(wanted, either(markedName))}`] : []),
    ...(isThrown && hasCallNames ? [`$exists($l) ? ${thrownError("$e", wanted)}`] : []),
    isThrown && !hasCallNames ? thrownError(error, wanted) : functionError(named(), "$cause", wanted),
  ];
}

const readMarker = `$match($cause, /${errorMarker}/).groups.$decodeUrlComponent($)`;

/** The members that are wanted, of all. */
function errorObject(
  all: { readonly [Member in ErrorField]: string },
  { fields: members, traceOnly }: ErrorProjection,
): string {
  const some = Object.entries(all).filter(
    ([name, text]) => members.has(name as ErrorField) && !(traceOnly && name === "data" && text === "null"),
  );
  return `{${some.map(([name, text]) => `"${name}": ${text}`).join(", ")}}`;
}

const timeoutError = (wanted: ErrorProjection, name: string): string => {
  const message = JSON.stringify(stepTimeoutError.message);
  return errorObject({ origin: '"timeout"', name, message, data: "null", cause: message }, wanted);
};

const timeoutName = (names: ErrorNames | undefined): string => JSON.stringify(nameOfError(stepTimeoutError, names));

const markedError = (wanted: ErrorProjection, name: string): string => {
  const cause = `$string({"errorMessage": $m[1], "errorType": ${name}})`;
  return errorObject({ origin: '"expression"', name, message: "$m[1]", data: "null", cause }, wanted);
};

const markedName = (names: ErrorNames | undefined): string =>
  names ? `$m[0] in ["ExpressionError", "DataError"] ? ${JSON.stringify(names.expression)} : $m[0]` : "$m[0]";

const functionError = (name: string, message: string, wanted: ErrorProjection, data = "null"): string =>
  errorObject({ origin: '"function"', name, message, data, cause: "$cause" }, wanted);

/** An error of ours: nothing but the value that it carries. */
const carryingError = (wanted: ErrorProjection): string =>
  functionError("$e.Error", '""', wanted, "$parse($cause).value");

/** What a Lambda function says of its error, where the Cause is that. */
const readDetails = '$contains($cause, /^\\{"error(Message|Type)":.*\\}$/) ? $parse($cause)';

/** What a function has thrown. */
const thrownError = (error: string, wanted: ErrorProjection): string =>
  functionError(
    `${error}.Error`,
    "$l.errorMessage",
    wanted,
    wanted.traceOnly
      ? '{"trace": $exists($l.stackTrace) ? $l.stackTrace : $l.trace}'
      : '$exists($l.stackTrace) ? {"trace": $l.stackTrace} : $exists($l.trace) ? {"trace": $l.trace} : null',
  );

/** The name under which Step Functions itself lets a call fail, as the language has it. */
function callErrorName(error: string, names: ErrorNames | undefined): string {
  if (!names?.calls) return `${error}.Error`;
  const table = JSON.stringify(Object.fromEntries(namedCalls(names.calls)));
  return `($n := $lookup(${table}, ${error}.Error); $exists($n) ? $n : ${error}.Error)`;
}
