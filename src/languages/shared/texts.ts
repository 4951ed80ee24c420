import { expressionFault, lostDigits } from "../../diagnostics/expressions.ts";
import {
  type BooleanEnvironment,
  call,
  childrenOf,
  collect,
  conditional,
  conditionLanguageOf,
  conditionLanguages,
  type Expression,
  firstOr,
  isFault,
  type JsonPath,
  type Loss,
  literal,
  parseBoolean,
  parseJsonPath,
  query,
  variable,
  withChildren,
} from "../../expressions/index.ts";
import { type Duration, isProblem, parseDuration, secondsOf } from "../../text/iso8601.ts";
import { type Context, spanOf } from "../serverless-workflow/context.ts";
import type { Condition } from "../serverless-workflow/definition.ts";
import {
  inexactDuration,
  unknownExpressionLanguage,
  unreadableDuration,
} from "../serverless-workflow/diagnostics/kinds.ts";

/** The duration in `owner[key]`, in seconds; undefined, and reported, where it is none. */
export function secondsAt(context: Context, owner: object, key: string): number | undefined {
  const text = (owner as { readonly [key: string]: string })[key]!;
  const duration = parseDuration(text);
  if (!isProblem(duration)) return exactly(context, owner, key, duration);
  context.report(unreadableDuration(spanOf(context, owner, key), duration));
  return undefined;
}

/** The seconds of a duration that is written in `owner[key]`; says so when years or months had to be taken for days. */
export function exactly(context: Context, owner: object, key: string, duration: Duration): number {
  const { seconds, exact } = secondsOf(duration);
  const text = String((owner as { readonly [key: string]: unknown })[key]);
  if (!exact) context.report(inexactDuration(spanOf(context, owner, key), { text, seconds }));
  return seconds;
}

/** The data of the workflow, the state's own where one is running. */
export const data: Expression = variable("data");

/** What a path is for: to read what is there, or to say where something goes, where nothing need be. */
export type Purpose = "read" | "place";

/** Parses the path in `owner[key]`, and reports what is wrong with it. What is read by it knows its places. */
export function pathAt(
  { document, report }: Context,
  owner: object,
  key: string,
  source: Expression,
  purpose: Purpose = "read",
): JsonPath | undefined {
  const text = (owner as { readonly [key: string]: string })[key]!;
  const placeOf = (from: number, to: number) => document.spanWithin(owner, key, from, to);
  const path = parseJsonPath(text, source, purpose === "read" ? { placeOf } : {});
  if (!isFault(path)) return path;
  report(expressionFault(placeOf(path.from, path.to), path, "path"));
  return undefined;
}

/** What a path selects: its value, or null where there is none; the list of its values where it can select several. */
export const selected = (path: JsonPath): Expression =>
  path.definite ? firstOr(path.query, literal(null)) : collect(path.query);

/** What a path selects, or something else where it selects nothing. */
export const selectedOr = (path: JsonPath, otherwise: Expression): Expression =>
  path.definite
    ? firstOr(path.query, otherwise)
    : conditional(call("exists", path.query), collect(path.query), otherwise);

/** The condition in `owner.expression`, over the data; true where it cannot be read. */
export const conditionAt = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  readCondition(context, owner, { root: data, data });

/** Reads the condition in `owner.expression` in an environment; reports what is wrong with it, and takes it for true. */
export function readCondition(
  context: Context,
  owner: { readonly expression?: Condition },
  environment: BooleanEnvironment,
): Expression {
  const { expression } = owner;
  const { expressionLanguage } = context.definition;
  if (typeof expression !== "object")
    return read(context, owner, "expression", expression!, environment, expressionLanguage);
  const { language = expressionLanguage, body } = expression;
  if (expression.language !== undefined && !checkLanguage(context, expression, "language", expression.language))
    return literal(true);
  return read(context, expression, "body", body, environment, language);
}

/** Whether a name that is written in `owner[key]` is that of an expression language that is read; reports it if not. */
export function checkLanguage(context: Context, owner: object, key: string, name: string): boolean {
  if (conditionLanguageOf(name) !== undefined) return true;
  context.report(unknownExpressionLanguage(spanOf(context, owner, key), { name, known: conditionLanguages }));
  return false;
}

function read(
  { document, report }: Context,
  owner: object,
  key: string,
  text: string,
  environment: BooleanEnvironment,
  language: string | undefined,
): Expression {
  const warn = ({ from, to, message }: Loss) => report(lostDigits(placeOf(from, to), { message }));
  const placeOf = (from: number, to: number) => document.spanWithin(owner, key, from, to);
  const condition = parseBoolean(
    text,
    { ...environment, placeOf },
    { language: conditionLanguageOf(language ?? ""), warn },
  );
  if (!isFault(condition)) return joinQueries(condition);
  report(expressionFault(placeOf(condition.from, condition.to), condition, "condition"));
  return literal(true);
}

/** A path over what a path selects becomes one path. */
function joinQueries(expression: Expression): Expression {
  const parts = childrenOf(expression).map((child) => joinQueries(child.expression));
  const joined = withChildren(expression, parts);
  if (joined.kind !== "query" || joined.source.kind !== "query") return joined;
  return query(joined.source.source, [...joined.source.segments, ...joined.segments]);
}
