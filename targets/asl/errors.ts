import { timedOut } from "../../src/ir/failures.ts";
import type { ErrorValue } from "../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import { parseErrorMarker } from "./jsonata/errors.ts";

/**
 * How an error of the IR travels on Step Functions, the one law: `Error` is its name and `Cause` its message, but
 *
 * - `States.Timeout` is the time-out of a step, named `Timeout`;
 * - what an expression failed with stands behind a mark in the Cause of `States.QueryEvaluationError`;
 * - a Lambda function's Cause is JSON with `errorMessage` and `stackTrace`;
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
    const trace = detail["stackTrace"];
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
  const cause = '($exists($e.Cause) ? $e.Cause : "")';
  const plain = `{"origin": "function", "name": $e.Error, "message": ${cause}, "data": null}`;
  const cases = [
    ...(timeout ? [`$e.Error = "States.Timeout" ? ${JSON.stringify({ ...timedOut, data: null })}`] : []),
    ...(expression ? [`$e.Error = "States.QueryEvaluationError" and $contains(${cause}, /${marker}/) ? ${fromMarker(cause)}`] : []),
    ...(called || subflow ? [`$contains(${cause}, /^\\{"errorMessage":.*\\}$/) ? ${fromLambda}`] : []),
  ];
  const law = `${cases.map((text) => `${text} : `).join("")}${plain}`;
  if (!subflow) return `($e := $states.errorOutput; ${law})`;
  const child = `$e.Error = "States.TaskFailed" and $contains(${cause}, /^\\{.*"Error":/) ? $law($parse($e.Cause)) : `;
  return `($law := function($e) { ${child}${law} }; $law($states.errorOutput))`;
}

/** The mark that failing expressions put before their name and message, as a regular expression. */
const marker = "waybill:[A-Za-z]+: ";

const fromMarker = (cause: string): string =>
  `($m := $match(${cause}, /waybill:([A-Za-z]+): (.*)$/); {"origin": "expression", "name": $m.groups[0], "message": $m.groups[1], "data": null})`;

const fromLambda =
  '($l := $parse($e.Cause); {"origin": "function", "name": $e.Error, "message": $l.errorMessage, "data": $exists($l.stackTrace) ? {"trace": $l.stackTrace} : null})';
