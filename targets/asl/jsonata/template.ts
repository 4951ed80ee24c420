import { canFail, type Expression, outputs } from "../../../src/expressions/index.ts";
import { isObject, type Json, setOwn } from "../../../src/json.ts";
import { printJsonata } from "./index.ts";
import { literalKeys } from "./object.ts";
import type { Environment } from "./printer.ts";
import { repeatedCalls } from "./provided.ts";

/** JSONata as the text of a field. */
export const jsonataString = (text: string): string => `{% ${text} %}`;

/**
 * An expression as the value of a field: objects and arrays as JSON with expressions at their leaves, where that is exact; the rest as one expression. Leaves
 * are computed in no certain order: where several may fail, or share what is computed once, they stay together.
 */
export function jsonataTemplate(
  expression: Expression,
  environment: Environment,
  isCount?: (variable: string) => boolean,
): Json {
  if (expression.kind === "literal") return literalTemplate(expression.value, environment);
  const parts = partsOf(expression);
  const apart = parts && parts.filter(canFail).length < 2 && repeatedCalls(expression, environment).length === 0;
  if (!apart) return jsonataString(printJsonata(expression, environment, isCount));
  const leaves = parts.map((part) => jsonataTemplate(part, environment, isCount));
  if (expression.kind !== "object")
    return leaves.some(isListOfOthers) ? jsonataString(printJsonata(expression, environment, isCount)) : leaves;
  const result: { [key: string]: Json } = {};
  for (const [i, key] of literalKeys(expression)!.entries()) setOwn(result, key, leaves[i]!);
  return result;
}

/** The members of an object or the elements of an array, where each is one value. */
function partsOf(expression: Expression): readonly Expression[] | undefined {
  if (expression.kind === "object") {
    const keys = literalKeys(expression);
    const values = expression.entries.map((entry) => entry.value);
    return keys && new Set(keys).size === keys.length && values.every(isOne) ? values : undefined;
  }
  if (expression.kind !== "array") return undefined;
  const { items } = expression;
  const elements = items?.kind === "comma" ? items.items : items ? [items] : [];
  return elements.every(isOne) ? elements : undefined;
}

const isOne = (expression: Expression): boolean => outputs(expression) === "one";

/**
 * A constant; texts in it that Step Functions would take for expressions become expressions, and so do what validators of state machines do not
 * know: empty texts, those of several lines, and lists in lists of anything but objects.
 */
function literalTemplate(value: Json, environment: Environment): Json {
  const printed = () => jsonataString(printJsonata({ kind: "literal", value }, environment));
  if (typeof value === "string") return value.includes("{%") || !/^.+$/.test(value) ? printed() : value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => literalTemplate(item, environment));
    return value.some(isListOfOthers) ? printed() : items;
  }
  if (!isObject(value)) return value;
  const result: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) setOwn(result, key, literalTemplate(value[key]!, environment));
  return result;
}

const isListOfOthers = (value: Json): boolean => Array.isArray(value) && !value.every(isObject);
