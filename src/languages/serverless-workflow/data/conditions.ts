import { expressionFault, lostDigits } from "../../../diagnostics/expressions.ts";
import {
  type BooleanEnvironment,
  childrenOf,
  conditionLanguageOf,
  conditionLanguages,
  type Expression,
  isFault,
  type Loss,
  literal,
  parseBoolean,
  query,
  withChildren,
} from "../../../expressions/index.ts";
import { type Context, spanOf } from "../context.ts";
import type { Condition } from "../definition.ts";
import { unknownExpressionLanguage } from "../diagnostics/kinds.ts";
import { data } from "./paths.ts";

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
