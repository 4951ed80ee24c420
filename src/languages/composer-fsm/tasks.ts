import { binary, conditional, literal, object, variable } from "../../expressions/index.ts";
import type { Call, Handler, Reference } from "../../ir/workflow.ts";
import { isObject, type Json, own } from "../../json.ts";
import { assign, choose, type Fragment, sequence, spanOf, step } from "../shared/index.ts";
import { type FunctionBody, usedVariables } from "./functions.ts";
import { alone } from "./javascript/parse.ts";
import { expressionOf } from "./javascript/translate.ts";
import { endingsOf, errorWay } from "./visits.ts";
import {
  current,
  goto,
  hasError,
  isOfType,
  memberOf,
  onward,
  params,
  raise,
  raised,
  rejection,
  slotsOn,
  variableFor,
  type Writer,
} from "./writer.ts";

/** What an action's error is called that says that there is no such action. */
export const missingAction = "ActionNotFound";

/** Gives a value, an error where it has that member. */
export function giveValue(value: Json, writer: Writer): Fragment {
  const { fails } = endingsOf({ Type: "Task", Value: value });
  const result = isObject(value) ? (fails ? { error: own(value, "error")! } : value) : { value };
  const given = { variable: params, value: literal(result) };
  return sequence(assign(writer, "value", writer.span, given), goto(fails ? raised(writer) : onward(writer)));
}

/** Calls an action with the parameters and makes an object of its answer. What it throws is an error as one that it answers with. */
export function callAction(action: string, writer: Writer): Fragment {
  const { visit, span, common } = writer;
  const called = { name: action, span: spanOf(common, visit.state, "Action") };
  const whole = conditional(isOfType(current, "object"), current, object([["value", current]]));
  const call = (next: Reference): Omit<Call, "id" | "origin" | "span"> => ({
    ...callOf(called, next),
    argument: current,
    bind: params,
    handlers: errorWay(visit.stack) ? handlersFor(writer) : [],
  });
  return sequence(
    step(writer, "call", span, (base, next) => ({ ...base, ...call(next) })),
    assign(writer, "answer", span, { variable: params, value: whole }),
    inspected(writer),
  );
}

const callOf = (called: Reference, next: Reference) =>
  ({ kind: "call", function: called, wait: true, retries: [], next }) as const;

/** What takes what an action throws: the handler of a Try state, but where there is no such action. */
function handlersFor(writer: Writer): readonly Handler[] {
  const { span, common } = writer;
  const thrown = variableFor("thrown", "thrown", common);
  const taking: Handler = {
    when: literal(true),
    bind: thrown,
    next: raise("thrown", memberOf(variable(thrown), "message"), writer),
    span,
  };
  if (common.catchesMissing) return [taking];
  const isMissing = binary("==", memberOf(variable("error"), "name"), literal(missingAction));
  return [{ when: isMissing, next: rejection(writer), span }, taking];
}

/** Calls the function of a state, with the variables that it uses, and gives these the values that it leaves in them. */
export function callFunction(writer: Writer): Fragment {
  const { visit, span, common } = writer;
  const body = common.functions.get(visit.state)!;
  const symbols = usedVariables(body, visit);
  const called = { name: definedFunction(body, symbols, writer), span };
  if (symbols.length === 0)
    return sequence(
      step(writer, "call", span, (base, next) => {
        return { ...base, ...callOf(called, next), argument: current, bind: params, handlers: [] };
      }),
      inspected(writer),
    );
  const slots = slotsOn(visit, writer);
  const answer = variableFor("answer", "answer", common);
  const argument = object([
    ["params", current],
    ["variables", object(symbols.map((symbol) => [symbol, variable(slots.get(symbol)!)] as const))],
  ]);
  const values = symbols.map((symbol) => {
    return { variable: slots.get(symbol)!, value: memberOf(variable(answer), "variables", symbol) };
  });
  return sequence(
    step(writer, "call", span, (base, next) => {
      return { ...base, ...callOf(called, next), argument, bind: answer, handlers: [] };
    }),
    assign(writer, "answer", span, { variable: params, value: memberOf(variable(answer), "params") }, ...values),
    inspected(writer),
  );
}

/** The name of the workflow's function for the function of a state: one for each text with the variables that it uses. */
function definedFunction(
  { state, parsed }: FunctionBody,
  variables: readonly string[],
  { visit, common }: Writer,
): string {
  const { called, functionNames } = common;
  const key = `function ${JSON.stringify([state.Function, variables])}`;
  const known = called.get(key);
  if (known) return known.name;
  const name = functionNames.fresh(visit.name);
  const expression = expressionOf(parsed, variables);
  const text = alone(state.Function, parsed);
  const protocol = { kind: "script", language: "javascript", text, variables, expression } as const;
  called.set(key, { name, protocol, span: spanOf(common, state, "Function") });
  return name;
}

/** Looks for an error in the parameters: nothing else of them is left then. */
const inspected = (writer: Writer): Fragment =>
  choose(
    writer,
    "result",
    writer.span,
    [{ when: hasError, span: writer.span, take: () => goto(errorTaken(writer)) }],
    () => goto(onward(writer)),
  );

/** Where an error in the parameters goes. At the end of a run nobody sees what else they have. */
const errorTaken = (writer: Writer): Reference =>
  errorWay(writer.visit.stack) ? raise("error", memberOf(current, "error"), writer) : raised(writer);
