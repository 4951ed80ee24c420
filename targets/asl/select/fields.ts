import { type Expression, effectsOf, inferTypeWithin } from "../../../src/expressions/index.ts";
import { isObject, type Json } from "../../../src/json.ts";
import { any, typeNameOf } from "../../../src/types/index.ts";
import { distributedMapFailed } from "../errors.ts";
import { intrinsics } from "../intrinsics.ts";
import { UnsupportedExpression, type VariableFacts, type VariablePrinter } from "../jsonata/context.ts";
import { expressionString, jsonataString, jsonataTemplate, printJsonata } from "../jsonata/print.ts";
import { caughtParts, errorParts } from "../problem-parts.ts";
import { errorTraceText, plainErrorCause, plainErrorName } from "./caught-errors.ts";
import type { ScopeContext } from "./context.ts";
import { takeMembers } from "./received-events.ts";
import { symbolValue } from "./symbols.ts";

/** Prints a field: JSON with expressions at its leaves if that is exact, else one expression. */
export const field = (expression: Expression, context: ScopeContext): Json =>
  context.machine.printsExpressions
    ? jsonataTemplate(takeMembers(expression, context.types), environmentOf(context), knowledgeOf(context))
    : null;

/** Prints `Output` or `Arguments`: an object, or one expression. */
export function payload(expression: Expression, context: ScopeContext): Json {
  const written = field(expression, context);
  return isObject(written) || (typeof written === "string" && written.startsWith("{%"))
    ? written
    : single(expression, context);
}

/** Prints a field where AWS parses strings as JSON and treats null as missing; such values are encoded as JSON. */
export function jsonField(expression: Expression, context: ScopeContext): Json {
  const valueType = inferTypeWithin(expression, { input: any, variables: context.types });
  const type = effectsOf(expression).type ?? typeNameOf(valueType);
  if (type !== undefined && type !== "string" && type !== "null") return field(expression, context);
  const printed = text(expression, context);
  const [data, head] = /^\$[\w.]+$/.test(printed) ? [printed, ""] : ["$data", `$data := ${printed}; `];
  const encoded = `${head}$type(${data}) in ["string", "null"] ? $replace($string([${data}]), /^\\[|\\]$/, "") : ${data}`;
  return jsonataString(head === "" ? encoded : `(${encoded})`);
}

/** Prints an expression as one `{% … %}`. */
export const single = (expression: Expression, context: ScopeContext): Json =>
  expressionString(expression, text(expression, context));

/** Prints an expression as JSONata. */
export const text = (expression: Expression, context: ScopeContext): string =>
  context.machine.printsExpressions ? print(expression, context) : "";

const print = (expression: Expression, context: ScopeContext): string =>
  printJsonata(takeMembers(expression, context.types), environmentOf(context), knowledgeOf(context));

/** Like `text`; undefined if the expression has no exact form. */
export function exactText(expression: Expression, context: ScopeContext): string | undefined {
  try {
    return print(expression, context);
  } catch (error) {
    if (error instanceof UnsupportedExpression) return undefined;
    throw error;
  }
}

/** Facts about the variables of a state. */
export const knowledgeOf = ({ counterNames: counts, types, seesMessages, machine }: ScopeContext): VariableFacts => ({
  isCount: (name) => counts.has(name),
  types,
  exposesMessages: seesMessages,
  onlyFails: !seesMessages && machine.workflow.problems !== undefined,
});

/** Nothing is recorded if Step Functions itself ended the iteration. */
const notedFailure = `($exists($states.result.Item) ? $parse($states.result.Item.failure.S) : {"name": ${JSON.stringify(distributedMapFailed)}, "message": "An iteration was ended by a limit of Step Functions."})`;

/** The input of the execution, which is available in all states. */
export const executionInput = "$states.context.Execution.Input";

/** When the execution began, in milliseconds since 1970. */
const ageOf = (started: string): string => `$toMillis(${started})`;

/** The age in the name of a subflow's execution, or else the own one. */
const rootAgeOf = (id: string, started: string): string =>
  `[$match(${id}, /:since-(\\d+)-[^:]+$/).groups, ${ageOf(started)}][0]`;

/** The code for an execution, or for the first one of a run. */
const runTexts = (id: string, started: string): readonly (readonly [string, ReturnType<VariablePrinter>])[] => [
  [intrinsics.execution, id],
  [intrinsics.began, started],
  [intrinsics.rootAge, { call: rootAgeOf(id, started) }],
  [intrinsics.ownAge, { call: ageOf(started) }],
];

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
  ...errorParts.map((part) => [caughtParts[part], `$failure.${part}`] as const),
  [intrinsics.carried, "$parse($states.errorOutput.Cause).value"],
  [intrinsics.came, "$states.result.received.events"],
  [intrinsics.cameInGroups, "$states.result.received.groups"],
  [intrinsics.cameAlone, "$states.result.received.events[0].event"],
  [intrinsics.cameAloneInGroup, "$states.result.received.groups[0].event"],
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
  ...runTexts("$states.context.Execution.Id", "$states.context.Execution.StartTime"),
  [intrinsics.taskToken, "$states.context.Task.Token"],
  [intrinsics.askedToken, "$states.result.Payload"],
  [intrinsics.failed, { call: "$exists($states.result.error)" }],
  [intrinsics.failure, "$states.result.error"],
  [intrinsics.computed, "$states.result.value"],
]);

const environment: VariablePrinter = (name) => texts.get(name) ?? partText(name) ?? `$${name}`;

/** Used if the caught error's name and Cause are what Step Functions provides. */
function plainly(name: string): ReturnType<VariablePrinter> {
  if (name === intrinsics.errorName) return plainErrorName;
  return name === intrinsics.errorCause ? { call: plainErrorCause } : environment(name);
}

function environmentOf({
  isPlainError,
  initialCode,
  canonical,
  machine: { continuation },
}: ScopeContext): VariablePrinter {
  const written = isPlainError ? plainly : environment;
  const run = continuation?.run === undefined ? undefined : symbolValue(canonical, continuation.run);
  const known = run?.kind === "variable" ? runTexts(`$${run.name}.id`, `$${run.name}.started`) : [];
  const own = new Map([...initialCode, ...known]);
  return own.size === 0 ? written : (name) => own.get(name) ?? written(name);
}

/** The code for the result of a branch, or for a member of an iteration's input. */
function partText(name: string): string | undefined {
  if (name.startsWith(intrinsics.result)) return `$states.result[${name.slice(intrinsics.result.length)}]`;
  return name.startsWith(intrinsics.given) ? `$states.input.${name.slice(intrinsics.given.length)}` : undefined;
}
