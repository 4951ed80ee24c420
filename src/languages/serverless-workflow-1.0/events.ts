import {
  access,
  balanced,
  binary,
  call,
  conditional,
  type Expression,
  firstOr,
  literal,
  member,
  variable,
} from "../../expressions/index.ts";
import type { EventFilter, EventStrategy, UntilStrategy } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { EventPattern } from "../../ir/workflow.ts";
import { isObject, type Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import { type Row, withInput } from "./arguments.ts";
import type { Context } from "./context.ts";
import { literalPattern, subsetOfData } from "./diagnostics/data.ts";
import { conditionAt, expressionAt, hasExpression, templateAt, type ValuePlace, valueAt } from "./expressions.ts";
import { wholeExpression } from "./interpolations.ts";
import { jqProgram } from "./programs.ts";

/** The filters of a strategy and how they combine. */
export interface StrategyFilters {
  readonly kind: "one" | "all" | "any";
  readonly filters: readonly EventFilter[];
}

/** The filters of a strategy. */
export function filtersOf(strategy: EventStrategy | UntilStrategy): StrategyFilters {
  if (strategy.one) return { kind: "one", filters: [strategy.one] };
  if (strategy.all) return { kind: "all", filters: strategy.all };
  return { kind: "any", filters: strategy.any ?? [] };
}

/** Whether a filter has a correlation key without `expect`. */
export const hasFreeKey = ({ correlate = {} }: EventFilter): boolean =>
  Object.values(correlate).some(({ expect }) => expect === undefined);

/** The groups of a combination: one of all patterns for `any`, otherwise one for each filter. */
export function groupsOf(
  context: Context,
  { kind, filters }: StrategyFilters,
  row: Row,
  name: string,
  span: Span,
): readonly (readonly EventPattern[])[] {
  if (kind === "any" && filters.length === 0) return [[anyEvent(context, name, span)]];
  const patterns = filters.map((filter, index) =>
    patternOf(context, filter, row, filters.length === 1 ? name : `${name}/${index}`),
  );
  return kind === "any" ? [patterns] : patterns.map((pattern) => [pattern]);
}

function anyEvent(context: Context, name: string, span: Span): EventPattern {
  context.events.push({ name, span });
  return { event: { name, span } };
}

const routed: ReadonlySet<string> = new Set(["type", "source", "subject"]);

/** The pattern of a filter: literal type, source and subject route events; the rest is a condition. */
function patternOf(context: Context, filter: EventFilter, row: Row, name: string): EventPattern {
  const wanted = filter.with;
  const span = spanOf(context, filter, "with");
  const literals = Object.entries(wanted).filter(
    (entry): entry is [string, string] =>
      routed.has(entry[0]) && typeof entry[1] === "string" && !wholeExpression(entry[1]),
  );
  for (const [key, text] of literals)
    if (/[*^$|\\[\]+]/.test(text)) context.report(literalPattern(spanOf(context, wanted, key), { text }));
  const route = Object.fromEntries(literals);
  context.events.push({ name, ...route, span });
  const conditions = [
    ...Object.keys(wanted)
      .filter((key) => !Object.hasOwn(route, key))
      .map((key) => attributeCondition(context, { owner: wanted, key }, row)),
    ...correlationConditions(context, filter, row),
  ];
  const when = conditions.length === 0 ? undefined : balanced("and", conditions);
  return { event: { name, span }, when };
}

const event = variable("event");

function attributeCondition(context: Context, place: ValuePlace, row: Row): Expression {
  const key = String(place.key);
  const value = valueAt(place);
  const attribute = firstOr(member(event, key), literal(null));
  if (typeof value === "string" && wholeExpression(value))
    return conditionAt(context, place, withInput(row, attribute));
  const wanted = templateAt(context, place, row);
  if (key === "data" && isObject(value)) {
    context.report(subsetOfData(spanOf(context, place.owner, key), {}));
    return containsAll(attribute, value, wanted);
  }
  if (key === "data") return binary("==", attribute, wanted);
  return binary("==", asText(attribute), asText(wanted));
}

/** Whether every member of an object is equal in the data, to any depth. */
function containsAll(data: Expression, value: { readonly [key: string]: Json }, wanted: Expression): Expression {
  const conditions = Object.entries(value).map(([key, each]) => {
    const found = memberOf(data, key);
    return isObject(each) && !hasExpression(each)
      ? containsAll(found, each, literal(each))
      : binary("==", found, access(wanted, literal(key)));
  });
  return balanced("and", conditions);
}

/** A member of what may be no object. */
const memberOf = (value: Expression, key: string): Expression => firstOr(member(value, key), literal(null));

const asText = (value: Expression): Expression =>
  value.kind === "literal"
    ? literal(typeof value.value === "string" ? value.value : JSON.stringify(value.value))
    : conditional(binary("==", value, literal(null)), literal(null), call("tostring", value));

/** An event matches a key with `expect` if its value is equal; every key has to be present. */
function correlationConditions(context: Context, filter: EventFilter, row: Row): readonly Expression[] {
  return Object.values(filter.correlate ?? {}).map((key) => {
    const found = expressionAt(context, { owner: key, key: "from" }, withInput(row, event));
    if (key.expect === undefined) return binary("!=", found, literal(null));
    return binary("==", asText(found), asText(templateAt(context, { owner: key, key: "expect" }, row)));
  });
}

/** The keys without `expect` of a filter, over the event in a variable. */
export function boundKeys(
  context: Context,
  filter: EventFilter,
  row: Row,
  input: Expression,
): ReadonlyMap<string, Expression> {
  const keys = Object.entries(filter.correlate ?? {}).filter(([, key]) => key.expect === undefined);
  return new Map(
    keys.map(([name, key]) => [name, expressionAt(context, { owner: key, key: "from" }, withInput(row, input))]),
  );
}

const rawData = jqProgram(
  `if has("data_base64") then .data_base64 else .data | if . == null or type == "string" then . else tojson end end`,
);
const dataOf = jqProgram(".data");

/** What `read` gives of an event. */
export function readEvent(read: "data" | "envelope" | "raw" | undefined, from: Expression): Expression {
  if (read === "envelope") return from;
  return read === "raw" ? rawData(from) : dataOf(from);
}
