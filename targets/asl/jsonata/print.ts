import {
  canFail,
  childrenOf,
  containsKind,
  type Expression,
  effectsOf,
  freeVariables,
  mayThrow,
  outputs,
} from "../../../src/expressions/index.ts";
import { isObject, type Json, setOwn } from "../../../src/json.ts";
import type { Span } from "../../../src/text/source.ts";
import { nullType } from "../../../src/types/index.ts";
import { blockText, type Code, constantCode, withDefinitions } from "./code.ts";
import {
  bindCalls,
  type JsonataPrinter,
  noFacts,
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
import { containsProgram, isProgram, wholeProgramCode } from "./programs.ts";
import { bindReferences } from "./references.ts";
import { literalKeys } from "./values.ts";

/**
 * Prints an expression with one output on one line, with exactly the same value or failure. Throws
 * `UnsupportedExpression` for what `unsupportedParts` finds.
 */
export function printJsonata(
  expression: Expression,
  printVariable: VariablePrinter,
  facts: VariableFacts = noFacts,
): string {
  const parts = shareSubexpressions(expression);
  return printComplete(parts, printVariable, facts, (printer) =>
    bindCalls(parts, printer, (inner) =>
      isProgram(parts) ? wholeProgramCode(parts, inner, (part) => firstOutput(part, inner)) : firstOutput(parts, inner),
    ),
  );
}

/** The parts without an exact form in JSONata. */
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

function printComplete(
  expression: Expression,
  printVariable: VariablePrinter,
  facts: VariableFacts,
  print: (printer: JsonataPrinter) => Code,
): string {
  const taken = new Set<string>();
  for (const name of freeVariables(expression))
    for (const [, used] of variableCode(printVariable(name)).text.matchAll(/\$([A-Za-z_]\w*)/g)) taken.add(used!);
  const used = new Set<string>();
  const text = print({
    printVariable: printVariable,
    facts: facts,
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
  const form = facts.exposesMessages || catchesMessages(expression) ? "full" : facts.onlyFails ? "brief" : "plain";
  const written = blockText(withDefinitions(definitions(used, form), text));
  return isTooDeep(expression, written) ? reject("an expression this deeply nested", expression) : written;
}

const catchesMessages = (expression: Expression): boolean =>
  containsKind(expression, "try") &&
  ((expression.kind === "try" && expression.handler !== undefined && effectsOf(expression.handler).usesInput) ||
    childrenOf(expression).some((child) => catchesMessages(child.expression)));

/** A field's value that is a JSONata expression. */
export const jsonataString = (text: string): string => `{% ${bindReferences(text)} %}`;

/** The same for an expression of the core. What a user wrote stays as it is. */
export const expressionString = (expression: Expression, text: string): string =>
  containsProgram(expression) ? `{% ${text} %}` : jsonataString(text);

/**
 * Prints a field's value: JSON with expressions at the leaves if that is exact. Leaves have no order of evaluation, so
 * parts that may fail or share a value stay together.
 */
export const jsonataTemplate = (
  expression: Expression,
  printVariable: VariablePrinter,
  facts: VariableFacts = noFacts,
): Json =>
  templateOf(expression, printVariable, facts, (leaf) =>
    expressionString(leaf, printJsonata(leaf, printVariable, facts)),
  );

/** The same, with `print` for the leaves that are expressions. */
export function templateOf(
  expression: Expression,
  printVariable: VariablePrinter,
  facts: VariableFacts,
  print: (leaf: Expression) => string,
): Json {
  if (expression.kind === "literal") return literalTemplate(expression.value, print);
  const parts = partsOf(expression);
  const fails = (part: Expression): boolean => mayThrow(part, { input: nullType, variables: facts.types });
  const failing = parts?.filter(fails) ?? [];
  // Programs fail with the same error, so their order does not matter.
  const isOrdered = failing.length > 1 && !failing.every((part) => failsInPrograms(part, fails));
  const apart = parts && !isOrdered && repeatedCalls(expression, printVariable).length === 0;
  if (!apart) return print(expression);
  const leaves = parts.map((part) => templateOf(part, printVariable, facts, print));
  if (expression.kind !== "object") return leaves.some(isArrayOfNonObjects) ? print(expression) : leaves;
  const result: { [key: string]: Json } = {};
  for (const [i, key] of literalKeys(expression)!.entries()) setOwn(result, key, leaves[i]!);
  return result;
}

/** Whether only programs of states in an expression may fail, at the leaves of its template. */
function failsInPrograms(expression: Expression, fails: (part: Expression) => boolean): boolean {
  if (isProgram(expression)) return true;
  const parts = partsOf(expression);
  return parts ? parts.every((part) => !fails(part) || failsInPrograms(part, fails)) : false;
}

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
 * Validators reject empty and multi-line strings and nested arrays, so these become expressions, like strings that
 * look like one.
 */
function literalTemplate(value: Json, print: (leaf: Expression) => string): Json {
  const printed = () => print({ kind: "literal", value });
  if (typeof value === "string") return value.includes("{%") || !/^.+$/.test(value) ? printed() : value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => literalTemplate(item, print));
    return value.some(isArrayOfNonObjects) ? printed() : items;
  }
  if (!isObject(value)) return value;
  const result: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) setOwn(result, key, literalTemplate(value[key]!, print));
  return result;
}

const isArrayOfNonObjects = (value: Json): boolean => Array.isArray(value) && !value.every(isObject);
