import { binary, conditional, literal, object, variable } from "../../expressions/index.ts";
import type { Call, Handler, Reference } from "../../ir/workflow.ts";
import { isObject, type Json, own } from "../../json.ts";
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
  const calledFunctions = { name: defineFunction(body, symbols, writer), span };
  if (symbols.length === 0)
    return sequence(
      step(writer, "call", span, (base, next) => {
        return { ...base, ...callBase(calledFunctions, next), argument: currentParams, bind: params, handlers: [] };
      }),
      checkResult(writer),
    );
  const slots = visibleVariables(visit, writer);
  const answer = variableFor("answer", "answer", context);
  const argument = object([
    ["params", currentParams],
    ["variables", object(symbols.map((symbol) => [symbol, variable(slots.get(symbol)!)] as const))],
  ]);
  const values = symbols.map((symbol) => {
    return { variable: slots.get(symbol)!, value: memberOf(variable(answer), "variables", symbol) };
  });
  return sequence(
    step(writer, "call", span, (base, next) => {
      return { ...base, ...callBase(calledFunctions, next), argument, bind: answer, handlers: [] };
    }),
    assign(writer, "answer", span, { variable: params, value: memberOf(variable(answer), "params") }, ...values),
    checkResult(writer),
  );
}

function defineFunction(
  { state, parsed }: FunctionBody,
  variables: readonly string[],
  { visit, context }: Writer,
): string {
  const { calledFunctions, functionNames } = context;
  const key = `function ${JSON.stringify([state.Function, variables])}`;
  const known = calledFunctions.get(key);
  if (known) return known.name;
  const name = functionNames.fresh(visit.name);
  const expression = expressionOf(parsed, variables);
  const text = asExpression(state.Function, parsed);
  const protocol = { kind: "script", language: "javascript", text, variables, expression } as const;
  calledFunctions.set(key, { name, protocol, span: spanOf(context, state, "Function") });
  return name;
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
