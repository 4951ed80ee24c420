import { attributeText, equalJson, isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";

/** The text of a JavaScript function of one object, such as `({ event, order }) => event.data.id === order.id`. */
export type FunctionText = string;

/** An event that a workflow receives. An event is of a definition when it has all the attributes given here. */
export interface Definition {
  readonly type?: string;
  readonly source?: string;
  readonly subject?: string;
  /** Attributes are compared without regard to case. */
  readonly foldCase?: boolean;
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

/** A combination of events that ends a wait. */
export interface Alternative {
  /** Of each group any pattern suffices; of several events the earliest counts; one event may serve several groups. */
  readonly all: readonly (readonly Pattern[])[];
  /** No event of these may have come since the wait began. */
  readonly none?: readonly Pattern[];
  /** How long the alternative counts; absent: for ever. */
  readonly withinMs?: number;
}

/** An event that a wait takes, and the name of its definition. */
export interface Taken {
  readonly name: string;
  readonly event: JsonObject;
}

/** How events are looked at: by which definitions, with which variables, and for which correlation value. */
export interface Matcher {
  readonly definitions: Definitions;
  readonly variables: JsonObject;
  readonly token: Json | undefined;
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

/** The event that counts for each group of an alternative; undefined when it is not fulfilled. */
export function fulfilled(
  { all, none = [] }: Alternative,
  events: readonly JsonObject[],
  matcher: Matcher,
): readonly Taken[] | undefined {
  if (events.some((event) => none.some((pattern) => matches(pattern, event, matcher)))) return undefined;
  const groups: Taken[] = [];
  let { token } = matcher;
  for (const group of all) {
    const taken = firstOf(group, events, { ...matcher, token });
    if (!taken) return undefined;
    token ??= tokenOf(taken.name, taken.event, matcher);
    groups.push(taken);
  }
  return groups;
}

function firstOf(group: readonly Pattern[], events: readonly JsonObject[], matcher: Matcher): Taken | undefined {
  for (const event of events) {
    const pattern = group.find((candidate) => matches(candidate, event, matcher));
    if (pattern) return { name: pattern.event, event };
  }
  return undefined;
}

/** Whether two correlation values are the same: that of an attribute that is a number is the same as its text. */
export const isSameToken = (a: Json, b: Json): boolean => equalJson(attributeText(a), attributeText(b));

/** The events of groups, each once, in the order in which they came. */
export const inOrder = (groups: readonly Taken[], events: readonly JsonObject[]): readonly Taken[] =>
  events.flatMap((event) => groups.find((taken) => taken.event === event) ?? []);

/** Whether an event is of a pattern's definition, correlated with the run, and what its condition asks for. */
export const matches = ({ event: name, when }: Pattern, event: JsonObject, matcher: Matcher): boolean =>
  isHeard(name, event, matcher) &&
  (when === undefined || matcher.evaluate(when, { ...matcher.variables, event }) === true);

/** Whether an event is of a definition, and for a run with this correlation value. */
export function isHeard(name: string, event: JsonObject, matcher: Matcher): boolean {
  const definition = own(matcher.definitions, name);
  if (!definition || !isOf(definition, event)) return false;
  if (definition.token === undefined) return true;
  const token = tokenOf(name, event, matcher);
  return token !== undefined && (matcher.token === undefined || isSameToken(token, matcher.token));
}

/** What of an event has to equal the correlation value, where its definition asks for that. Null is none. */
export function tokenOf(
  name: string,
  event: JsonObject,
  { definitions, evaluate }: Pick<Matcher, "definitions" | "evaluate">,
): Json | undefined {
  const text = own(definitions, name)?.token;
  return text === undefined ? undefined : ((evaluate(text, { event }) as Json | undefined) ?? undefined);
}

/** Whether an event has the attributes of a definition. */
export function isOf(definition: Definition, event: JsonObject): boolean {
  const same = (wanted: string | undefined, given: Json | undefined) =>
    wanted === undefined ||
    wanted === given ||
    (definition.foldCase === true && String(given).toLowerCase() === wanted.toLowerCase());
  return (["type", "source", "subject"] as const).every((attribute) =>
    same(definition[attribute], own(event, attribute)),
  );
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
