import { timedOut } from "../../src/ir/failures.ts";
import type { ErrorValue } from "../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import { errorMarker, parseErrorMarker } from "./jsonata/index.ts";

/**
 * How an error of the IR travels on Step Functions, the one law: `Error` is its name and `Cause` its message, but
 *
 * - `States.Timeout` is the time-out of a step, named `Timeout`;
 * - what an expression failed with stands behind a mark in the Cause of `States.QueryEvaluationError`;
 * - a Lambda function's Cause is JSON with `errorMessage` and `errorType`, and `stackTrace` or (Node.js) `trace`;
 * - the Cause of a waited subflow's `States.TaskFailed` is JSON with the child's own `Error` and `Cause`.
 *
 * `carriedError` reads it here, `errorExpression` reads it in a machine.
 */
export function carriedError(error: string | undefined, cause: string | undefined): ErrorValue {
  if (error === "States.Timeout") return timedOut;
  const marked = error === "States.QueryEvaluationError" ? parseErrorMarker(cause ?? "") : undefined;
  if (marked) return { origin: "expression", ...marked };
  const detail = cause?.startsWith("{") ? parsed(cause) : undefined;
  if (error === "States.TaskFailed" && typeof detail?.["Error"] === "string") {
    return carriedError(detail["Error"], typeof detail["Cause"] === "string" ? detail["Cause"] : undefined);
  }
  if (typeof detail?.["errorMessage"] === "string") {
    const trace = detail["stackTrace"] ?? detail["trace"];
    return {
      origin: "function",
      name: error ?? "Error",
      message: detail["errorMessage"],
      ...(trace === undefined ? {} : { data: { trace } }),
    };
  }
  return { origin: "function", name: error ?? "Error", message: cause ?? "" };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Which of the law's cases can occur at a state. */
export interface ErrorSources {
  readonly timeout: boolean;
  readonly expression: boolean;
  readonly function: boolean;
  readonly subflow: boolean;
}

/** The law as JSONata: an expression over `$states.errorOutput` that gives the `ErrorValue`, with the cases that can occur. */
export function errorExpression({ timeout, expression, function: called, subflow }: ErrorSources): string {
  const cases = [
    ...(subflow
      ? ['$e.Error = "States.TaskFailed" and $contains($cause, /^\\{.*"Error":/) ? $law($parse($cause))']
      : []),
    ...(timeout ? [`$e.Error = "States.Timeout" ? ${JSON.stringify({ ...timedOut, data: null })}`] : []),
    ...(expression
      ? [`$e.Error = "States.QueryEvaluationError" and $contains($cause, /${errorMarker}/) ? ${fromMarker}`]
      : []),
    ...(called || subflow ? [`$contains($cause, /^\\{"error(Message|Type)":.*\\}$/) ? ${fromLambda}`] : []),
    '{"origin": "function", "name": $e.Error, "message": $cause, "data": null}',
  ];
  const law = `$cause := $exists($e.Cause) ? $e.Cause : ""; ${cases.join(" : ")}`;
  return subflow
    ? `($law := function($e) { (${law}) }; $law($states.errorOutput))`
    : `($e := $states.errorOutput; ${law})`;
}

const fromMarker = `($m := $match($cause, /${errorMarker}/).groups.$decodeUrlComponent($); {"origin": "expression", "name": $m[0], "message": $m[1], "data": null})`;

const fromLambda =
  '($l := $parse($cause); {"origin": "function", "name": $e.Error, "message": $l.errorMessage, "data": $exists($l.stackTrace) ? {"trace": $l.stackTrace} : $exists($l.trace) ? {"trace": $l.trace} : null})';
