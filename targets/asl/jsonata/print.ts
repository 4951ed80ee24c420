import {
  canFail,
  childrenOf,
  type Expression,
  factsOf,
  failsWithin,
  freeVariables,
  outputs,
} from "../../../src/expressions/index.ts";
import { isObject, type Json, setOwn } from "../../../src/json.ts";
import type { Span } from "../../../src/text/source.ts";
import { nullType } from "../../../src/types/index.ts";
import { blockText, type Code, constantCode, withDefinitions } from "./code.ts";
import {
  bindCalls,
  noFacts,
  type Printer,
  reject,
  repeatedCalls,
  UnsupportedExpression,
  type VariableFacts,
  type VariablePrinter,
  variableCode,
} from "./context.ts";
import { shareSubexpressions } from "./cse.ts";
import { definitions } from "./helpers/index.ts";
import { isTooDeep } from "./nesting.ts";
import { firstOutput } from "./printer.ts";
import { literalKeys } from "./values.ts";

/**
 * An expression with one output as JSONata, on one line, that gives exactly that value, or fails exactly when it fails
 * and carries the same name and message (`parseErrorMarker`). Throws `Refused` for what `refusals` names. What is known
 * of the variables makes it shorter.
 */
export function printJsonata(
  expression: Expression,
  variableText: VariablePrinter,
  knowledge: VariableFacts = noFacts,
): string {
  const parts = shareSubexpressions(expression);
  return printComplete(parts, variableText, knowledge, (printer) =>
    bindCalls(parts, printer, (inner) => firstOutput(parts, inner)),
  );
}

/** What of an expression has no exact form in JSONata: nothing when `printJsonata` can print it. */
export function unsupportedParts(
  expression: Expression,
): readonly { readonly span: Span | undefined; readonly construct: string; readonly expression: Expression }[] {
  try {
    printJsonata(expression, (name) => `$${name.replace(/\W/g, "_")}`);
    return [];
  } catch (error) {
    if (!(error instanceof UnsupportedExpression)) throw error;
    return [{ span: spanOf(expression, error.expression), construct: error.construct, expression: error.expression }];
  }
}

/** Where a part of an expression was written, or else the innermost expression around it of which that is known. */
function spanOf(expression: Expression, part: Expression): Span | undefined {
  if (part.span !== undefined) return part.span;
  const parents: Expression[] = [];
  const find = (other: Expression): boolean => {
    if (other === part) return true;
    parents.push(other);
    if (childrenOf(other).some((child) => find(child.expression))) return true;
    parents.pop();
    return false;
  };
  return find(expression) ? parents.findLast(({ span }) => span !== undefined)?.span : expression.span;
}

/** What is printed for an expression, after the functions and with the names that it needs. */
function printComplete(
  expression: Expression,
  variableText: VariablePrinter,
  knowledge: VariableFacts,
  print: (printer: Printer) => Code,
): string {
  const taken = new Set<string>();
  for (const name of freeVariables(expression))
    for (const [, used] of variableCode(variableText(name)).text.matchAll(/\$([A-Za-z_]\w*)/g)) taken.add(used!);
  const used = new Set<string>();
  const text = print({
    printVariable: variableText,
    facts: knowledge,
    canFail: canFail(expression),
    presentPaths: new Set<string>(),
    usedHelpers: used,
    usedNames: taken,
    bindings: new Map(),
    dot: constantCode("null"),
    dotType: nullType,
    catchesFailures: false,
    copies: { count: 0 },
    functions: new Map(),
  });
  const seesMessages = knowledge.exposesMessages || catchesMessages(expression);
  const written = blockText(withDefinitions(definitions(used, seesMessages), text));
  return isTooDeep(expression, written) ? reject("an expression that is nested so deeply", expression) : written;
}

/** Whether an expression reads what errors in it say: `try E catch .` */
const catchesMessages = (expression: Expression): boolean =>
  (expression.kind === "try" && expression.handler !== undefined && factsOf(expression.handler).usesInput) ||
  childrenOf(expression).some((child) => catchesMessages(child.expression));

/** JSONata as the text of a field. */
export const jsonataString = (text: string): string => `{% ${text} %}`;

/**
 * An expression as the value of a field: objects and arrays as JSON with expressions at their leaves, where that is
 * exact; the rest as one expression. Leaves are computed in no certain order: where several may fail, or share what is
 * computed once, they stay together.
 */
export function jsonataTemplate(
  expression: Expression,
  variableText: VariablePrinter,
  knowledge: VariableFacts = noFacts,
): Json {
  if (expression.kind === "literal") return literalTemplate(expression.value, variableText);
  const parts = partsOf(expression);
  const fails = (part: Expression): boolean => failsWithin(part, { input: nullType, variables: knowledge.types });
  const apart = parts && parts.filter(fails).length < 2 && repeatedCalls(expression, variableText).length === 0;
  if (!apart) return jsonataString(printJsonata(expression, variableText, knowledge));
  const leaves = parts.map((part) => jsonataTemplate(part, variableText, knowledge));
  if (expression.kind !== "object")
    return leaves.some(isArrayOfNonObjects) ? jsonataString(printJsonata(expression, variableText, knowledge)) : leaves;
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
 * A constant; texts in it that Step Functions would take for expressions become expressions, and so do what validators
 * of state machines do not know: empty texts, those of several lines, and lists in lists of anything but objects.
 */
function literalTemplate(value: Json, variableText: VariablePrinter): Json {
  const printed = () => jsonataString(printJsonata({ kind: "literal", value }, variableText));
  if (typeof value === "string") return value.includes("{%") || !/^.+$/.test(value) ? printed() : value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => literalTemplate(item, variableText));
    return value.some(isArrayOfNonObjects) ? printed() : items;
  }
  if (!isObject(value)) return value;
  const result: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) setOwn(result, key, literalTemplate(value[key]!, variableText));
  return result;
}

const isArrayOfNonObjects = (value: Json): boolean => Array.isArray(value) && !value.every(isObject);
