import type { Binary, Expression } from "../core/ast.ts";
import { isBinary } from "../core/views.ts";
import { effectsOf } from "./effects.ts";

/**
 * The operands of a sum of strings, from first to last: `"a" + tostring(.b) + "c"`; undefined for other expressions. They
 * are evaluated from the last to the first.
 */
export function textParts(expression: Expression): readonly Expression[] | undefined {
  if (!isTextSum(expression)) return undefined;
  const parts: Expression[] = [];
  const waiting: Expression[] = [expression];
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (isTextSum(part)) waiting.push(...part.args.toReversed());
    else parts.push(part);
  }
  return parts;
}

const isTextSum = (expression: Expression): expression is Binary =>
  isBinary(expression) && expression.name === "+" && expression.args.every((part) => effectsOf(part).type === "string");
