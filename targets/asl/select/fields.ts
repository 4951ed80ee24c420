import { type Expression, factsOf, inferTypeWithin } from "../../../src/expressions/index.ts";
import { isObject, type Json } from "../../../src/json.ts";
import { any, typeNameOf } from "../../../src/types/index.ts";
import { tooManyFailed } from "../errors.ts";
import {
  jsonataString,
  jsonataTemplate,
  printJsonata,
  UnsupportedExpression,
  type VariableFacts,
  type VariablePrinter,
} from "../jsonata/index.ts";
import { errorTraceText, plainErrorCause, plainErrorName } from "./caught.ts";
import type { ScopeContext } from "./context.ts";
import { withTakenMembers } from "./received-events.ts";
import { provided } from "./symbols.ts";

/** An expression as the value of a field: JSON with expressions in it where that can be read, else one expression. */
export const field = (expression: Expression, context: ScopeContext): Json =>
  jsonataTemplate(withTakenMembers(expression, context.types), environmentOf(context), knowledgeOf(context));

/** An expression as `Output` or `Arguments`: an object, or one expression. */
export function payload(expression: Expression, context: ScopeContext): Json {
  const written = field(expression, context);
  return isObject(written) || (typeof written === "string" && written.startsWith("{%"))
    ? written
    : single(expression, context);
}

/**
 * An expression as the value of a field that AWS takes as JSON text where it is a text, and for left out where it is null: these two are written as
 * JSON text.
 */
export function jsonField(expression: Expression, context: ScopeContext): Json {
  const valueType = inferTypeWithin(expression, { input: any, variables: context.types });
  const type = factsOf(expression).type ?? typeNameOf(valueType);
  if (type !== undefined && type !== "string" && type !== "null") return field(expression, context);
  const printed = text(expression, context);
  const [data, head] = /^\$[\w.]+$/.test(printed) ? [printed, ""] : ["$data", `$data := ${printed}; `];
  const encoded = `${head}$type(${data}) in ["string", "null"] ? $replace($string([${data}]), /^\\[|\\]$/, "") : ${data}`;
  return jsonataString(head === "" ? encoded : `(${encoded})`);
}

/** An expression as a single `{% … %}`. */
export const single = (expression: Expression, context: ScopeContext): Json => jsonataString(text(expression, context));

/** An expression as the text of JSONata. */
export const text = (expression: Expression, context: ScopeContext): string =>
  printJsonata(withTakenMembers(expression, context.types), environmentOf(context), knowledgeOf(context));

/** The same; undefined where it has no exact form. */
export function exactText(expression: Expression, context: ScopeContext): string | undefined {
  try {
    return text(expression, context);
  } catch (error) {
    if (error instanceof UnsupportedExpression) return undefined;
    throw error;
  }
}

/** What is known of the variables of resolved expressions in a state. */
export const knowledgeOf = ({ counts, types, seesMessages }: ScopeContext): VariableFacts => ({
  isCount: (name) => counts.has(name),
  types,
  exposesMessages: seesMessages,
});

/** What an iteration has failed with, as it was noted; one that is ended by Step Functions itself notes nothing. */
const notedFailure = `($exists($states.result.Item) ? $parse($states.result.Item.failure.S) : {"name": ${JSON.stringify(tooManyFailed)}, "message": "An iteration was ended by a limit of Step Functions."})`;

/** The input of the execution, which is there in all its states. */
export const executionInput = "$states.context.Execution.Input";

/** Whether it is from the function that takes events in: only that knows which execution it starts. */
const isStarted = `${executionInput}.started = $states.context.Execution.Id`;

/** The text of each thing that Step Functions provides. */
const texts: ReadonlyMap<string, ReturnType<VariablePrinter>> = new Map<string, ReturnType<VariablePrinter>>([
  [provided.input, "$states.input"],
  [provided.executionInput, executionInput],
  [provided.result, "$states.result"],
  [provided.errorOrigin, "$failure.origin"],
  [provided.errorName, "$failure.name"],
  [provided.errorMessage, "$failure.message"],
  [provided.errorData, "$failure.data"],
  [provided.errorTrace, errorTraceText],
  [provided.errorCause, "$failure.cause"],
  [provided.carried, "$parse($states.errorOutput.Cause).value"],
  [provided.came, "$states.result.received.events"],
  [provided.cameInGroups, "$states.result.received.groups"],
  [provided.isStarted, { call: `(${isStarted})` }],
  [provided.isCalled, { call: `$not(${isStarted})` }],
  [provided.started, `${executionInput}.received`],
  [provided.startedEvents, `${executionInput}.received.events`],
  [provided.startedGroups, `${executionInput}.received.groups`],
  [provided.startedToken, `${executionInput}.token`],
  [provided.element, "$states.context.Map.Item.Value"],
  [provided.index, "$states.context.Map.Item.Index"],
  [provided.turnElement, "$states.context.Map.Item.Value.item"],
  [provided.turn, "$states.context.Map.Item.Value.turn"],
  [provided.uuid, { call: "$uuid()" }],
  [provided.expiry, { call: "$string($floor($millis() / 1000) + 32000000)" }],
  [provided.noted, { call: "$merge([$map($states.result.Item.branchValues.SS, function($text) { $parse($text) })])" }],
  [provided.notedFailure, { call: notedFailure }],
  [provided.hasFailed, { call: "$exists($states.result.Item)" }],
  [provided.millis, { call: "$millis()" }],
  [provided.random, { call: "$random()" }],
  [provided.now, { call: "$now()" }],
  [provided.run, "$states.context.Execution.Name"],
  [provided.execution, "$states.context.Execution.Id"],
  [provided.askedToken, "$states.result.Payload"],
  [provided.failed, { call: "$exists($states.result.error)" }],
  [provided.failure, "$states.result.error"],
  [provided.computed, "$states.result.value"],
]);

/** How variables of resolved expressions are written: what is provided by its text, everything else is a variable of the machine. */
const environment: VariablePrinter = (name) => texts.get(name) ?? partText(name) ?? `$${name}`;

/** The same where the name and the Cause of a caught error stand for themselves. */
function plainly(name: string): ReturnType<VariablePrinter> {
  if (name === provided.errorName) return plainErrorName;
  return name === provided.errorCause ? { call: plainErrorCause } : environment(name);
}

function environmentOf({ isPlainError, begins }: ScopeContext): VariablePrinter {
  const written = isPlainError ? plainly : environment;
  return begins.size === 0 ? written : (name) => begins.get(name) ?? written(name);
}

/** The text for what a branch has given, or an iteration is given. */
function partText(name: string): string | undefined {
  if (name.startsWith(provided.result)) return `$states.result[${name.slice(provided.result.length)}]`;
  return name.startsWith(provided.given) ? `$states.input.${name.slice(provided.given.length)}` : undefined;
}
