import { binary, conditional, literal, object, variable } from "../../expressions/index.ts";
import type { Call, Handler, Reference } from "../../ir/workflow.ts";
import { isObject, type Json, own } from "../../json.ts";
import { any, anyObject, objectOf, recordOf, type Type } from "../../types/index.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, choose, type StepFragment, sequence, step } from "../shared/steps.ts";
import {
  currentParams,
  errorHandlerTarget,
  goto,
  hasError,
  isOfType,
  memberOf,
  nextTarget,
  params,
  raiseError,
  rejectedEnd,
  variableFor,
  visibleVariables,
  type Writer,
} from "./context.ts";
import { type FunctionBody, usedVariables } from "./functions.ts";
import { asExpression } from "./javascript/parse.ts";
import { sideEffectsOf } from "./javascript/side-effects.ts";
import { expressionOf } from "./javascript/translate.ts";
import { errorEdge, outcomesOf } from "./visits.ts";

/** The error of a missing action. */
export const missingAction = "ActionNotFound";

/** Sets the parameters to a value, which may be an error. */
export function lowerValue(value: Json, writer: Writer): StepFragment {
  const { fails } = outcomesOf({ Type: "Task", Value: value });
  const result = isObject(value) ? (fails ? { error: own(value, "error")! } : value) : { value };
  const given = { variable: params, value: literal(result) };
  return sequence(
    assign(writer, "value", writer.span, given),
    goto(fails ? errorHandlerTarget(writer) : nextTarget(writer)),
  );
}

/** Calls an action; its result becomes an object. */
export function lowerAction(action: string, writer: Writer): StepFragment {
  const { visit, span, context } = writer;
  const calledFunctions = { name: action, span: spanOf(context, visit.state, "Action") };
  const whole = conditional(isOfType(currentParams, "object"), currentParams, object([["value", currentParams]]));
  const call = (next: Reference): Omit<Call, "id" | "origin" | "span"> => ({
    ...callBase(calledFunctions, next),
    argument: currentParams,
    bind: params,
    handlers: errorEdge(visit.stack) ? handlersFor(writer) : [],
  });
  return sequence(
    step(writer, "call", span, (base, next) => ({ ...base, ...call(next) })),
    assign(writer, "answer", span, { variable: params, value: whole }),
    checkResult(writer),
  );
}

const callBase = (calledFunctions: Reference, next: Reference) =>
  ({ kind: "call", function: calledFunctions, wait: true, retries: [], next }) as const;

function handlersFor(writer: Writer): readonly Handler[] {
  const { span, context } = writer;
  const thrown = variableFor("thrown", "thrown", context);
  const taking: Handler = {
    when: literal(true),
    bind: thrown,
    next: raiseError("thrown", memberOf(variable(thrown), "message"), writer),
    span,
  };
  if (context.catchesMissing) return [taking];
  const isMissing = binary("==", memberOf(variable("error"), "name"), literal(missingAction));
  return [{ when: isMissing, next: rejectedEnd(writer), span }, taking];
}

/** Calls a function with its variables, and stores their new values. */
export function lowerFunction(writer: Writer): StepFragment {
  const { visit, span, context } = writer;
  const body = context.functions.get(visit.state)!;
  const symbols = usedVariables(body, visit);
  const { name, changes } = defineFunction(body, symbols, writer);
  const slots = visibleVariables(visit, writer);
  const whole = object([
    ["params", currentParams],
    ["variables", object(symbols.map((symbol) => [symbol, variable(slots.get(symbol)!)] as const))],
  ]);
  const argument = symbols.length === 0 ? currentParams : whole;
  const call = (bind: string): StepFragment =>
    step(writer, "call", span, (base, next) => {
      return { ...base, ...callBase({ name, span }, next), argument, bind, handlers: [] };
    });
  if (changes.length === 0) return sequence(call(params), checkResult(writer));
  const answer = variableFor("answer", "answer", context);
  const values = changes.map((symbol) => {
    return { variable: slots.get(symbol)!, value: memberOf(variable(answer), "variables", symbol) };
  });
  return sequence(
    call(answer),
    assign(writer, "answer", span, { variable: params, value: memberOf(variable(answer), "params") }, ...values),
    checkResult(writer),
  );
}

function defineFunction(
  { state, parsed, external }: FunctionBody,
  variables: readonly string[],
  { visit, context }: Writer,
): { readonly name: string; readonly changes: readonly string[] } {
  const { calledFunctions, functionNames } = context;
  const { changes, isPure } = sideEffectsOf(parsed, external, variables);
  const key = `function ${JSON.stringify([state.Function, variables])}`;
  const known = calledFunctions.get(key);
  if (known) return { name: known.name, changes };
  const name = functionNames.fresh(visit.name);
  const expression = changes.length === 0 ? expressionOf(parsed, variables) : undefined;
  const text = asExpression(state.Function, parsed);
  const protocol = { kind: "script", language: "javascript", text, variables, changes, isPure, expression } as const;
  const resultType = typeOfResult(changes);
  calledFunctions.set(key, { name, protocol, resultType, span: spanOf(context, state, "Function") });
  return { name, changes };
}

/** `{ params, variables }` if a function may change some variables, otherwise the parameters. */
function typeOfResult(changes: readonly string[]): Type {
  if (changes.length === 0) return anyObject;
  const variables = objectOf(new Map(changes.map((name) => [name, { type: any, required: true }])), any);
  return recordOf([
    ["params", anyObject],
    ["variables", variables],
  ]);
}

const checkResult = (writer: Writer): StepFragment =>
  choose(
    writer,
    "result",
    writer.span,
    [{ when: hasError, span: writer.span, build: () => goto(errorTarget(writer)) }],
    () => goto(nextTarget(writer)),
  );

const errorTarget = (writer: Writer): Reference =>
  errorEdge(writer.visit.stack)
    ? raiseError("error", memberOf(currentParams, "error"), writer)
    : errorHandlerTarget(writer);
