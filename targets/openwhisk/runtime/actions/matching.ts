import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import {
  type Attributes,
  type Alternative as Combination,
  correlationText,
  hasAttributes,
  type Matcher,
} from "../../../../src/matching/matching.ts";

/** The text of a JavaScript function of one object, such as `({ event, order }) => event.data.id === order.id`. */
export type FunctionText = string;

/** An event that a workflow receives. */
export interface Definition extends Attributes {
  /** What of an event has to equal the run's correlation value: a function of `{ event }`; where it gives nothing or null, the event does not match. */
  readonly token?: FunctionText;
}

/** The definitions of a workflow, by their names. */
export interface Definitions {
  readonly [name: string]: Definition;
}

/** An event of a definition for which a condition holds: a function of `{ event }` and the variables of the wait. */
export interface Pattern {
  readonly event: string;
  readonly when?: FunctionText;
}

/** A combination of events that ends a wait, if those of `none` have not come since it began. */
export interface Alternative extends Combination<Pattern> {
  /** How long the alternative counts; absent: for ever. */
  readonly withinMs?: number;
}

/** How events are looked at: by which definitions, with which variables, and how functions are evaluated. */
export interface View {
  readonly definitions: Definitions;
  readonly variables: JsonObject;
  /** What a function gives. */
  readonly evaluate: Evaluate;
}

/** What the function of a text gives for an object. */
export type Evaluate = (text: FunctionText, argument: JsonObject) => unknown;

/** Evaluates texts, each of which is read once: they come from the composition, as those of the states that the conductor runs. */
export function createEvaluate(): Evaluate {
  const functions = new Map<FunctionText, (argument: JsonObject) => unknown>();
  return (text, argument) => {
    let known = functions.get(text);
    if (!known) {
      known = new Function(`"use strict";\nreturn (${text}\n);`)() as (argument: JsonObject) => unknown;
      functions.set(text, known);
    }
    return known(argument);
  };
}

/** How a workflow looks at events. */
export const matcherOf = (view: View): Matcher<Pattern, JsonObject> => ({
  nameOf: ({ event }) => event,
  isOf: (name, event) => hasAttributes(event, own(view.definitions, name)!),
  tokenOf: (name, event) =>
    own(view.definitions, name)!.token === undefined ? undefined : correlationText(tokenOf(name, event, view)),
  holds: ({ when }, event) => when === undefined || view.evaluate(when, { ...view.variables, event }) === true,
});

/** What of an event has to equal the correlation value, where its definition asks for that. Null is none. */
export function tokenOf(
  name: string,
  event: JsonObject,
  { definitions, evaluate }: Pick<View, "definitions" | "evaluate">,
): Json | undefined {
  const text = own(definitions, name)?.token;
  return text === undefined ? undefined : ((evaluate(text, { event }) as Json | undefined) ?? undefined);
}

/** The error that a function of a wait fails with, as the composition has errors of expressions. */
export function errorOf(thrown: unknown): JsonObject {
  const { value, message = String(thrown) } = (isObject(thrown) ? thrown : {}) as { value?: Json; message?: Json };
  const name = isObject(value) ? own(value, "name") : undefined;
  return {
    $waybill: "expression",
    name: typeof name === "string" ? name : "ExpressionError",
    message: String(message),
  };
}
