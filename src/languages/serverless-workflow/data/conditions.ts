import type { Expression } from "../../../expressions/ast.ts";
import { type BooleanEnvironment, parseBoolean } from "../../../expressions/boolean.ts";
import { literal, query } from "../../../expressions/build.ts";
import { isFault } from "../../../expressions/fault.ts";
import { childrenOf, withChildren } from "../../../expressions/walk.ts";
import { expressionFault } from "../../../messages/expressions.ts";
import { unknownExpressionLanguage } from "../../../messages/serverless-workflow.ts";
import { type Context, spanOf } from "../context.ts";
import type { Condition } from "../definition.ts";
import { data } from "./paths.ts";

/** The names of expression languages that conditions may say; all are read by the same grammar. */
export const expressionLanguages: readonly string[] = ["spel", "jexl", "cel"];

/** The condition in `owner.expression`, over the data; true where it cannot be read. */
export const conditionAt = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  readCondition(context, owner, { root: data, data });

/** Reads the condition in `owner.expression` in an environment; reports what is wrong with it, and takes it for true. */
export function readCondition(context: Context, owner: { readonly expression?: Condition }, environment: BooleanEnvironment): Expression {
  const { expression } = owner;
  if (typeof expression !== "object") return read(context, owner, "expression", expression!, environment);
  if (expression.language !== undefined && !checkLanguage(context, expression, "language", expression.language)) return literal(true);
  return read(context, expression, "body", expression.body, environment);
}

/** Whether a name that is written in `owner[key]` is that of an expression language that is read; reports it if not. */
export function checkLanguage(context: Context, owner: object, key: string, name: string): boolean {
  if (expressionLanguages.includes(name.toLowerCase())) return true;
  context.report(unknownExpressionLanguage(spanOf(context, owner, key), { name, known: expressionLanguages }));
  return false;
}

function read({ document, report }: Context, owner: object, key: string, text: string, environment: BooleanEnvironment): Expression {
  const condition = parseBoolean(text, environment);
  if (!isFault(condition)) return joinQueries(condition);
  report(expressionFault(document.spanWithin(owner, key, condition.from, condition.to), condition, "condition"));
  return literal(true);
}

/** A path over what a path selects becomes one path. */
function joinQueries(expression: Expression): Expression {
  const parts = childrenOf(expression).map((child) => joinQueries(child.expression));
  const joined = withChildren(expression, parts);
  if (joined.kind !== "query" || joined.source.kind !== "query") return joined;
  return query(joined.source.source, [...joined.source.segments, ...joined.segments]);
}
