import { type Expression, effectsOf, inferTypeWithin } from "../../../src/expressions/index.ts";
import { isObject, type Json } from "../../../src/json.ts";
import { any, typeNameOf } from "../../../src/types/index.ts";
import { distributedMapFailed } from "../errors.ts";
import { intrinsics } from "../intrinsics.ts";
import {
  jsonataString,
  jsonataTemplate,
  printJsonata,
  UnsupportedExpression,
  type VariableFacts,
  type VariablePrinter,
} from "../jsonata/index.ts";
import { errorTraceText, plainErrorCause, plainErrorName } from "./caught-errors.ts";
import type { ScopeContext } from "./context.ts";
import { takeMembers } from "./received-events.ts";

/** An expression as the value of a field: JSON with expressions in it where that can be read, else one expression. */
export const field = (expression: Expression, context: ScopeContext): Json =>
  context.machine.printsExpressions
    ? jsonataTemplate(takeMembers(expression, context.types), environmentOf(context), knowledgeOf(context))
    : null;

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
  const type = effectsOf(expression).type ?? typeNameOf(valueType);
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
  context.machine.printsExpressions ? print(expression, context) : "";

const print = (expression: Expression, context: ScopeContext): string =>
  printJsonata(takeMembers(expression, context.types), environmentOf(context), knowledgeOf(context));

/** The same; undefined where it has no exact form. */
export function exactText(expression: Expression, context: ScopeContext): string | undefined {
  try {
    return print(expression, context);
  } catch (error) {
    if (error instanceof UnsupportedExpression) return undefined;
    throw error;
  }
}

/** What is known of the variables of resolved expressions in a state. */
export const knowledgeOf = ({ counterNames: counts, types, seesMessages }: ScopeContext): VariableFacts => ({
  isCount: (name) => counts.has(name),
  types,
  exposesMessages: seesMessages,
});

/** What an iteration has failed with, as it was noted; one that is ended by Step Functions itself notes nothing. */
const notedFailure = `($exists($states.result.Item) ? $parse($states.result.Item.failure.S) : {"name": ${JSON.stringify(distributedMapFailed)}, "message": "An iteration was ended by a limit of Step Functions."})`;

/** The input of the execution, which is there in all its states. */
export const executionInput = "$states.context.Execution.Input";

/** Whether it is from the function that takes events in: only that knows which execution it starts. */
const isStarted = `${executionInput}.started = $states.context.Execution.Id`;

/** The text of each thing that Step Functions provides. */
const texts: ReadonlyMap<string, ReturnType<VariablePrinter>> = new Map<string, ReturnType<VariablePrinter>>([
  [intrinsics.input, "$states.input"],
  [intrinsics.executionInput, executionInput],
  [intrinsics.result, "$states.result"],
  [intrinsics.errorOrigin, "$failure.origin"],
  [intrinsics.errorName, "$failure.name"],
  [intrinsics.errorMessage, "$failure.message"],
  [intrinsics.errorData, "$failure.data"],
  [intrinsics.errorTrace, errorTraceText],
  [intrinsics.errorCause, "$failure.cause"],
  [intrinsics.carried, "$parse($states.errorOutput.Cause).value"],
  [intrinsics.came, "$states.result.received.events"],
  [intrinsics.cameInGroups, "$states.result.received.groups"],
  [intrinsics.isStarted, { call: `(${isStarted})` }],
  [intrinsics.isCalled, { call: `$not(${isStarted})` }],
  [intrinsics.started, `${executionInput}.received`],
  [intrinsics.startedEvents, `${executionInput}.received.events`],
  [intrinsics.startedGroups, `${executionInput}.received.groups`],
  [intrinsics.startedToken, `${executionInput}.token`],
  [intrinsics.element, "$states.context.Map.Item.Value"],
  [intrinsics.index, "$states.context.Map.Item.Index"],
  [intrinsics.turnElement, "$states.context.Map.Item.Value.item"],
  [intrinsics.turn, "$states.context.Map.Item.Value.turn"],
  [intrinsics.uuid, { call: "$uuid()" }],
  [intrinsics.expiry, { call: "$string($floor($millis() / 1000) + 32000000)" }],
  [
    intrinsics.noted,
    { call: "$merge([$map($states.result.Item.branchValues.SS, function($text) { $parse($text) })])" },
  ],
  [intrinsics.notedFailure, { call: notedFailure }],
  [intrinsics.hasFailed, { call: "$exists($states.result.Item)" }],
  [intrinsics.millis, { call: "$millis()" }],
  [intrinsics.random, { call: "$random()" }],
  [intrinsics.now, { call: "$now()" }],
  [intrinsics.run, "$states.context.Execution.Name"],
  [intrinsics.execution, "$states.context.Execution.Id"],
  [intrinsics.askedToken, "$states.result.Payload"],
  [intrinsics.failed, { call: "$exists($states.result.error)" }],
  [intrinsics.failure, "$states.result.error"],
  [intrinsics.computed, "$states.result.value"],
]);

/** How variables of resolved expressions are written: what is provided by its text, everything else is a variable of the machine. */
const environment: VariablePrinter = (name) => texts.get(name) ?? partText(name) ?? `$${name}`;

/** The same where the name and the Cause of a caught error stand for themselves. */
function plainly(name: string): ReturnType<VariablePrinter> {
  if (name === intrinsics.errorName) return plainErrorName;
  return name === intrinsics.errorCause ? { call: plainErrorCause } : environment(name);
}

function environmentOf({ isPlainError, initialCode: begins }: ScopeContext): VariablePrinter {
  const written = isPlainError ? plainly : environment;
  return begins.size === 0 ? written : (name) => begins.get(name) ?? written(name);
}

/** The text for what a branch has given, or an iteration is given. */
function partText(name: string): string | undefined {
  if (name.startsWith(intrinsics.result)) return `$states.result[${name.slice(intrinsics.result.length)}]`;
  return name.startsWith(intrinsics.given) ? `$states.input.${name.slice(intrinsics.given.length)}` : undefined;
}
