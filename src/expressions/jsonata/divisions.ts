import type { Jsonata, Operation, SourceRange } from "../syntax/jsonata/syntax.ts";
import { childrenOf } from "../syntax/jsonata/walk.ts";

/** A division or remainder whose divisor may be zero. */
export interface RiskyDivision extends SourceRange {
  /** Whether the divisor is the constant zero. */
  readonly isZero: boolean;
}

/** The divisors of an expression that may be zero: neither a constant nor behind a condition that excludes zero. */
export function riskyDivisions(tree: Jsonata, text: string): readonly RiskyDivision[] {
  const found: RiskyDivision[] = [];
  visit(tree, { text, nonZero: new Set(), found });
  return found;
}

interface Scope {
  readonly text: string;
  /** The sources of expressions that are not zero. */
  readonly nonZero: ReadonlySet<string>;
  readonly found: RiskyDivision[];
}

function visit(node: Jsonata, scope: Scope): void {
  const knowing = (condition: Jsonata, holds: boolean): Scope => ({
    ...scope,
    nonZero: new Set([...scope.nonZero, ...nonZeroIf(condition, holds, scope.text)]),
  });
  switch (node.kind) {
    case "if":
      visit(node.condition, scope);
      visit(node.result, knowing(node.condition, true));
      if (node.otherwise) visit(node.otherwise, knowing(node.condition, false));
      return;
    case "operation":
      visit(node.left, scope);
      if (node.operator === "/" || node.operator === "%") checkDivisor(node, scope);
      if (node.operator !== "and" && node.operator !== "or") visit(node.right, scope);
      else visit(node.right, knowing(node.left, node.operator === "and"));
      return;
    case "map":
    case "filter":
    case "sort":
    case "group":
    case "lambda":
    case "transform": {
      // Names have another meaning inside, and so may variables.
      const [first, ...rest] = childrenOf(node);
      const parameters = node.kind === "lambda" ? node.parameters.map(({ name }) => name) : [];
      const nonZero = new Set([...scope.nonZero].filter((each) => isVariablePath(each, parameters)));
      if (first) visit(first, node.kind === "lambda" ? { ...scope, nonZero } : scope);
      for (const child of rest) visit(child, { ...scope, nonZero });
      return;
    }
    default:
      for (const child of childrenOf(node)) visit(child, scope);
  }
}

function isVariablePath(text: string, hidden: readonly string[]): boolean {
  const [, name] = /^\$(\w+)(?:\.\w+)*$/.exec(text) ?? [];
  return name !== undefined && !hidden.includes(name);
}

function checkDivisor({ right }: Operation, { text, nonZero, found }: Scope): void {
  const value = constantOf(right);
  const { start, end } = right;
  if (value === 0) found.push({ start, end, isZero: true });
  else if (value === undefined && !nonZero.has(textOf(right, text))) found.push({ start, end, isZero: false });
}

function constantOf(node: Jsonata): number | undefined {
  const inner = withoutParentheses(node);
  if (inner.kind === "number") return inner.value;
  if (inner.kind === "negation") {
    const operand = constantOf(inner.operand);
    return operand === undefined ? undefined : -operand || 0;
  }
  if (inner.kind !== "operation" || !"+-*".includes(inner.operator)) return undefined;
  const [left, right] = [constantOf(inner.left), constantOf(inner.right)];
  if (left === undefined || right === undefined) return undefined;
  return inner.operator === "*" ? left * right : inner.operator === "+" ? left + right : left - right;
}

const withoutParentheses = (node: Jsonata): Jsonata =>
  node.kind === "block" && node.expressions.length === 1 ? withoutParentheses(node.expressions[0]!) : node;

function textOf(node: Jsonata, text: string): string {
  const { start, end } = withoutParentheses(node);
  return text.slice(start, end).replaceAll(/\s+/g, "");
}

/** The sources of expressions that are not zero if a condition holds, or if it does not. */
function nonZeroIf(condition: Jsonata, holds: boolean, text: string): readonly string[] {
  const node = withoutParentheses(condition);
  if (node.kind === "call") {
    const [argument] = node.args;
    const name = node.procedure.kind === "variable" ? node.procedure.name : "";
    if (name === "not" && argument && argument.kind !== "placeholder") return nonZeroIf(argument, !holds, text);
    if (name === "boolean" && argument && argument.kind !== "placeholder") return nonZeroIf(argument, holds, text);
  }
  if (node.kind !== "operation") return holds ? [textOf(node, text)] : [];
  const { operator, left, right } = node;
  if (operator === (holds ? "and" : "or")) return [left, right].flatMap((each) => nonZeroIf(each, holds, text));
  const bounds = [
    { side: left, bound: constantOf(right), comparison: operator },
    { side: right, bound: constantOf(left), comparison: mirrored.get(operator) ?? operator },
  ];
  return bounds.flatMap(({ side, bound, comparison }) =>
    bound !== undefined && excludesZero(comparison, bound) === holds ? [textOf(side, text)] : [],
  );
}

const mirrored: ReadonlyMap<string, string> = new Map([
  ["<", ">"],
  [">", "<"],
  ["<=", ">="],
  [">=", "<="],
]);

/** Whether zero makes `x operator bound` false (true) or true (false); undefined for other operators. */
function excludesZero(operator: string, bound: number): boolean | undefined {
  switch (operator) {
    case "=":
      return bound !== 0;
    case "!=":
      return bound === 0;
    case "<":
      return bound <= 0;
    case "<=":
      return bound < 0;
    case ">":
      return bound >= 0;
    case ">=":
      return bound > 0;
    default:
      return undefined;
  }
}
