import { errorNameIn, stepTimeoutError } from "../../src/ir/errors.ts";
import type { StandardErrors } from "../../src/ir/problems.ts";
import type { ErrorNames } from "../../src/ir/workflow.ts";
import { detailedMessage } from "./detailed-message.ts";
import { callErrorNames } from "./errors.ts";
import { errorMarker } from "./jsonata/errors.ts";
import { errorParts, kindOf, orNull, standardParts, thrownParts } from "./problem-parts.ts";

/** The kinds of errors that can occur at a state. */
export interface ErrorSources {
  readonly timeout: boolean;
  /** A missed heartbeat, which Step Functions reports as a timeout and a Catch takes by its name. */
  readonly heartbeat?: boolean | undefined;
  /** The origin of a timeout; by default `timeout`. */
  readonly timeoutOrigin?: "timeout" | "heartbeat" | undefined;
  /** Whether an error may have no name and no Cause: that of a callback. */
  readonly isUnnamed?: boolean | undefined;
  readonly expression: boolean;
  readonly function: boolean;
  readonly subflow: boolean;
  /** The error names of the subflow's language, if they differ. */
  readonly subflowNames?: ErrorNames | undefined;
  /** The generated error names that carry a value; default: none. */
  readonly carryingErrors?: readonly string[];
  /** Whether the Cause may have the data of an error. */
  readonly isDetailed?: boolean;
  /** Whether a Cause is the message as it is, also that of a Lambda function. */
  readonly isPlain?: boolean | undefined;
  /** The standard errors by which errors become problem details. */
  readonly standard?: StandardErrors | undefined;
  /** Whether runners derive what an error that ends an execution becomes. */
  readonly derives?: boolean;
}

/** The parts of an error that are needed; `traceOnly` if its data is only needed for the trace. */
export interface ErrorProjection {
  readonly fields: ReadonlySet<ErrorField>;
  readonly traceOnly: boolean;
}

/** A field of an error that can be rethrown. */
export type ErrorField = (typeof rethrowableFields)[number];

/** The fields of an `ErrorValue`. */
export const errorFields = ["origin", "name", "message", "data"] as const;

/** The same, the Cause with which the error can be rethrown unchanged, and parts of problem details. */
export const rethrowableFields = [...errorFields, "cause", ...errorParts] as const;

/** Whether only functions can have failed, so that error names need no mapping. */
export const hasOnlyFunctionErrors = (
  { timeout, expression, subflow, isUnnamed, carryingErrors: carried = [] }: ErrorSources,
  names?: ErrorNames,
): boolean => !timeout && !expression && !subflow && !isUnnamed && carried.length === 0 && !names?.calls;

/**
 * JSONata that maps `$states.errorOutput` to the needed fields of the `ErrorValue`, with the cases that can occur. With
 * `traceOnly`, data without a trace is omitted.
 */
export function errorExpression(
  sources: ErrorSources,
  names?: ErrorNames,
  projection: ErrorProjection = { fields: new Set(errorFields), traceOnly: false },
): string {
  const { subflow, subflowNames: within } = sources;
  const asked = mappingOf(sources, names, projection);
  const heads = definitionsFor(asked);
  const mapping = [...heads, casesFor(asked).join(" : ")].join("; ");
  if (subflow && within) return `($law := function($e, $within) { (${mapping}) }; $law($states.errorOutput, false))`;
  if (subflow) return `($law := function($e) { (${mapping}) }; $law($states.errorOutput))`;
  const all = asked.error === "$e" ? `$e := $states.errorOutput; ${mapping}` : mapping;
  return heads.length === 0 && asked.error !== "$e" ? all : `(${all})`;
}

/** The definitions and the code of each field where one case can occur; undefined if there are several. */
export function errorFieldCodes(
  sources: ErrorSources,
  names: ErrorNames | undefined,
  projection: ErrorProjection,
):
  | { readonly definitions: readonly string[]; readonly fields: { readonly [Field in ErrorField]: string } }
  | undefined {
  if (!hasOnlyFunctionErrors(sources, names)) return undefined;
  const mapping = mappingOf(sources, names, projection);
  const { readsThrownDetails, error } = mapping;
  const thrown = thrownFields(error, projection, sources);
  const fields = readsThrownDetails ? thrown : { ...thrown, message: "$c", data: "null" };
  return { definitions: definitionsFor(mapping), fields };
}

function mappingOf(sources: ErrorSources, names: ErrorNames | undefined, projection: ErrorProjection): ErrorMapping {
  const { subflow, subflowNames: within, carryingErrors: carried = [] } = sources;
  const calls = names?.calls ?? within?.calls;
  const isTold =
    ["message", "data", ...errorParts].some((name) => projection.fields.has(name as ErrorField)) || calls !== undefined;
  return {
    sources,
    names,
    projection,
    hasCallNames: calls !== undefined,
    readsCarriedValue: carried.length > 0 && projection.fields.has("data") && !projection.traceOnly,
    readsThrownDetails: (sources.function || subflow) && isTold && !sources.isPlain,
    error: hasOnlyFunctionErrors(sources, names) ? "$states.errorOutput" : "$e",
  };
}

interface ErrorMapping {
  readonly sources: ErrorSources;
  readonly names: ErrorNames | undefined;
  readonly projection: ErrorProjection;
  readonly hasCallNames: boolean;
  readonly readsCarriedValue: boolean;
  readonly readsThrownDetails: boolean;
  readonly error: string;
}

function definitionsFor(asked: ErrorMapping): readonly string[] {
  const { sources, hasCallNames, readsCarriedValue: isCarried, readsThrownDetails: isThrown, error } = asked;
  const { fields: members } = asked.projection;
  const { subflow, expression } = sources;
  const readsParts = errorParts.some((name) => members.has(name));
  const isRead = isCarried || isThrown || subflow || expression || members.has("message") || members.has("cause");
  return [
    ...(isRead ? [`$c := ${sources.isUnnamed ? textOrEmpty(`${error}.Cause`) : `"" & ${error}.Cause`}`] : []),
    ...(expression && readsMarker(asked) ? [`$m := ${isExpressionError} ? ${readMarker}`] : []),
    ...(isThrown ? [`$l := ${readDetails}${hasCallNames ? "" : ' : {"errorMessage": $c}'}`] : []),
    ...(isThrown && sources.isDetailed ? [`$p := ${readMessage}`] : []),
    ...(isThrown && readsParts ? ["$d := $exists($p) ? $p : $l.data"] : []),
    ...(isThrown && sources.standard && errorParts.some((name) => name !== "given" && members.has(name))
      ? [`$k := ${kindOf(error, sources.standard)}`]
      : []),
  ];
}

/** Whether the name or message of a failed expression is read, apart from those that all of them have. */
const readsMarker = ({ sources: { derives }, projection: { fields } }: ErrorMapping): boolean =>
  !derives || fields.has("message") || fields.has("origin");

const isExpressionError = '$e.Error = "States.QueryEvaluationError"';

function casesFor(asked: ErrorMapping): readonly string[] {
  const { sources, names, projection, hasCallNames, error } = asked;
  const { readsCarriedValue: isCarried, readsThrownDetails: isThrown } = asked;
  const { timeout, expression, subflow, subflowNames: within, carryingErrors: carried } = sources;
  const either = (text: (names: ErrorNames | undefined) => string): string =>
    within && text(within) !== text(names) ? `($within ? ${text(within)} : ${text(names)})` : text(names);
  const isChild = '$e.Error = "States.TaskFailed" and $contains($c, /^\\{[\\s\\S]*"Error":/)';
  const named = () => either((each) => callErrorName(error, each, sources));
  return [
    ...(isCarried ? [`$e.Error in ${JSON.stringify(carried)} ? ${carryingError(projection)}`] : []),
    ...(subflow ? [`${isChild} ? $law($parse($c)${within ? ", true" : ""})`] : []),
    ...(timeout ? [`$e.Error = "States.Timeout" ? ${timeoutError(projection, either(timeoutName), sources)}`] : []),
    ...(expression
      ? [
          `${readsMarker(asked) ? "$exists($m)" : isExpressionError} ? ${markedError(projection, either(markedName), sources)}`,
        ]
      : []),
    ...(isThrown && hasCallNames ? [`$exists($l) ? ${thrownError("$e", projection, sources)}`] : []),
    isThrown && !hasCallNames ? thrownError(error, projection, sources) : functionError(named(), "$c", projection),
  ];
}

const readMarker = `$match($c, /${errorMarker}/).groups.$decodeUrlComponent($)`;

function errorObject(
  all: { readonly [Member in ErrorField]: string },
  { fields: members, traceOnly }: ErrorProjection,
): string {
  const some = Object.entries(all).filter(
    ([name, text]) => members.has(name as ErrorField) && !(traceOnly && name === "data" && text === "null"),
  );
  return `{${some.map(([name, text]) => `"${name}": ${text}`).join(", ")}}`;
}

/** Runners give an error of a standard name without a message the same details. */
function timeoutError(
  projection: ErrorProjection,
  given: string,
  { standard, derives, timeoutOrigin = "timeout" }: ErrorSources,
): string {
  const message = JSON.stringify(stepTimeoutError.message);
  const parts = standardParts("timeout", standard);
  const name = derives ? parts.kind : given;
  const cause = derives ? '""' : message;
  return errorObject({ origin: `"${timeoutOrigin}"`, name, message, data: "null", cause, ...parts }, projection);
}

const timeoutName = (names: ErrorNames | undefined): string => JSON.stringify(errorNameIn(stepTimeoutError, names));

function markedError(projection: ErrorProjection, name: string, sources: ErrorSources): string {
  const parts = standardParts("expression", sources.standard);
  const known = sources.derives ? parts.kind : name;
  const thrown = sources.isPlain ? "$m[1]" : `$string({"errorMessage": $m[1], "errorType": ${name}})`;
  const cause = sources.derives ? '""' : thrown;
  return errorObject(
    { origin: '"expression"', name: known, message: "$m[1]", data: "null", cause, ...parts },
    projection,
  );
}

const markedName = (names: ErrorNames | undefined): string =>
  names ? `$m[0] in ["ExpressionError", "DataError"] ? ${JSON.stringify(names.expression)} : $m[0]` : "$m[0]";

const functionError = (name: string, message: string, projection: ErrorProjection, data = "null"): string =>
  errorObject(functionFields(name, message, data), projection);

const functionFields = (name: string, message: string, data: string) => ({
  origin: '"function"',
  name,
  message,
  data,
  cause: "$c",
  kind: name,
  type: name,
  status: "null",
  title: message,
  detail: "null",
  given: "null",
});

const carryingError = (projection: ErrorProjection): string =>
  functionError("$e.Error", '""', projection, "$parse($c).value");

/** The members of a message that is a flat JSON object, such as `{"message":"Not Found","status":404}`. */
const readMessage = `$contains($l.errorMessage, ${detailedMessage}) ? $parse($l.errorMessage)`;

/** The error object of a Lambda function, if the Cause is one. */
const readDetails = '$contains($c, /^\\{"error(Message|Type)":[\\s\\S]*\\}(?![\\s\\S])/) ? $parse($c)';

const thrownError = (error: string, projection: ErrorProjection, sources: ErrorSources): string =>
  errorObject(thrownFields(error, projection, sources), projection);

function thrownFields(error: string, { traceOnly }: ErrorProjection, sources: ErrorSources) {
  const { isDetailed, standard } = sources;
  const name = nameIn(error, sources);
  const trace = '$exists($l.stackTrace) ? {"trace": $l.stackTrace} : $exists($l.trace) ? {"trace": $l.trace} : null';
  const details = isDetailed
    ? `$exists($p) ? $sift($p, function($v, $k) { $k != "message" }) : $exists($l.data) ? $l.data : ${trace}`
    : trace;
  const message = isDetailed ? "($exists($p) ? $p.message : $l.errorMessage)" : "$l.errorMessage";
  return {
    ...functionFields(name, message, traceOnly ? `{"trace": ${anyTrace}}` : details),
    ...(standard && thrownParts(name, message, standard)),
    given: orNull("$d.status"),
  };
}

/** The trace of `thrownError`, or nothing. */
export const anyTrace = "$exists($l.stackTrace) ? $l.stackTrace : $l.trace";

const nameIn = (error: string, { isUnnamed }: ErrorSources): string =>
  isUnnamed ? `(${textOrEmpty(`${error}.Error`)})` : `${error}.Error`;

/** A string, or an empty one for null and a missing value. */
const textOrEmpty = (value: string): string => `$type(${value}) = "string" ? ${value} : ""`;

function callErrorName(error: string, names: ErrorNames | undefined, sources: ErrorSources): string {
  if (!names?.calls) return nameIn(error, sources);
  const table = JSON.stringify(Object.fromEntries(callErrorNames(names.calls)));
  return `($n := $lookup(${table}, ${error}.Error); $exists($n) ? $n : ${error}.Error)`;
}
