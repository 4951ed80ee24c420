import { isIdentifierName, js } from "../../../js-ast/index.ts";
import { canFail, effectsOf } from "../../analysis/effects.ts";
import type { Expression } from "../../core/ast.ts";
import { isAlternative, isLogic, readsInput } from "../../core/views.ts";
import { childrenOf } from "../../core/walk.ts";
import { wordOf } from "../words.ts";
import { writeOne } from "./write.ts";
import {
  isSimple,
  lengthOf,
  longestCopied,
  type PrintedExpression,
  printedExpression,
  type Scope,
  withoutLines,
} from "./written.ts";

/** Prints values that are evaluated in the order of their code. */
export function writeInOrder(parts: readonly Expression[], scope: Scope): readonly PrintedExpression[] | undefined {
  const found: PrintedExpression[] = [];
  let current = scope;
  for (const part of parts) {
    const value = writeOne(part, current);
    if (!value) return undefined;
    found.push(value);
    if (canFail(part)) current = withoutLines(current);
  }
  return found;
}

/** Prints values in their order of evaluation, which their code does not have: those that can fail become constants, except the last. */
export function writeInOtherOrder(
  parts: readonly Expression[],
  scope: Scope,
): readonly PrintedExpression[] | undefined {
  const last = parts.findLastIndex(canFail);
  const found: PrintedExpression[] = [];
  for (const [i, part] of parts.entries()) {
    const value = writeOne(part, scope);
    const placed = value && canFail(part) && i < last ? constant(part, value, scope) : value;
    if (!placed) return undefined;
    found.push(placed);
  }
  return found;
}

/** What a body uses as `.` or as a variable: the code of the value, or a constant, and the scope of the body. */
export function standing(
  value: Expression,
  body: Expression,
  named: Named,
  scope: Scope,
): { readonly written: PrintedExpression; readonly around: Scope } | undefined {
  const made = writeOne(value, scope);
  if (!made) return undefined;
  if (mayStandIn(value, made, body, named))
    return { written: made, around: canFail(value) ? withoutLines(scope) : scope };
  if (scope.lines && usesIn(body, named) === 0) {
    scope.lines.statements.push(js.expressionStatement(made.code));
    return { written: made, around: scope };
  }
  const placed = constant(value, made, scope, named.kind === "variable" ? named.name : undefined);
  return placed && { written: placed, around: scope };
}

/** A constant in a statement before; undefined if no statement is possible there. */
export function constant(
  expression: Expression,
  value: PrintedExpression,
  { lines, fresh }: Scope,
  wanted = wordFor(expression),
): PrintedExpression | undefined {
  if (!lines) return undefined;
  if (isSimple(value.code) && !canFail(expression)) return value;
  const known = { type: value.type, use: value.use, isPresent: value.isPresent, proven: value.proven };
  if (fresh) {
    const own = fresh(wordOf(wanted));
    lines.statements.push(js.constant(own, value.code));
    return printedExpression(js.name(own), known);
  }
  const stem =
    isIdentifierName(wanted) && wanted !== "__proto__" && wanted.length <= longestWord ? `${wanted}Value` : "value";
  let name = stem;
  for (let i = 2; lines.names.has(name); i += 1) name = `${stem}${i}`;
  lines.names.add(name);
  lines.statements.push(js.constant(name, value.code));
  return printedExpression(js.name(name), known);
}

const longestWord = 40;

/** What a value is called after: the member that it is, or the function that gives it. */
function wordFor(expression: Expression): string {
  switch (expression.kind) {
    case "access":
      return expression.key.kind === "literal" && typeof expression.key.value === "string"
        ? expression.key.value
        : wordFor(expression.source);
    case "call":
      return expression.args[0] && /^(?:tostring|text|tojson)$/.test(expression.name)
        ? wordFor(expression.args[0])
        : expression.name;
    case "pipe":
      return wordFor(expression.right);
    default:
      return "";
  }
}

/** Something that has a value: `.`, or a variable. */
export type Named = { readonly kind: "input" } | { readonly kind: "variable"; readonly name: string };

/**
 * Whether the tree of a value can be written where a body uses it, so that it is evaluated no more often than before, and fails where it failed: it is a
 * path or constant; or it is used once, and where it may fail, that is the first thing that the body does.
 */
export function mayStandIn(value: Expression, made: PrintedExpression, body: Expression, named: Named): boolean {
  if (isSimple(made.code) && !canFail(value)) return true;
  if (value.kind === "literal" && made.code.kind === "literal" && lengthOf(made.code) <= longestCopied) return true;
  if (canFail(value)) return isUsedFirst(body, named);
  return usesIn(body, named) <= 1;
}

/** How often a value is used: several times too where that is for each of many values. */
function usesIn(expression: Expression, named: Named): number {
  if (isUse(expression, named)) return 1;
  let count = 0;
  for (const child of childrenOf(expression)) {
    if (!mayUse(child, named)) continue;
    count += child.rebindsInput ? 2 : usesIn(child.expression, named);
    if (count > 1) return count;
  }
  return count;
}

/** Whether a body uses a value once, before all else in it that could fail, and whatever the values are. */
function isUsedFirst(expression: Expression, named: Named): boolean {
  if (isUse(expression, named)) return true;
  for (const [i, child] of childrenOf(expression).entries()) {
    if (mayUse(child, named))
      return (
        isDoneAnyway(expression, child, i) && usesIn(expression, named) === 1 && isUsedFirst(child.expression, named)
      );
    if (canFail(child.expression)) return false;
  }
  return false;
}

const isUse = (expression: Expression, named: Named): boolean =>
  named.kind === "input"
    ? expression.kind === "identity"
    : expression.kind === "variable" && expression.name === named.name;

type Part = ReturnType<typeof childrenOf>[number];

const mayUse = ({ expression, rebindsInput: rebinds, boundVariable: binds }: Part, named: Named): boolean =>
  named.kind === "input"
    ? !rebinds && effectsOf(expression).usesInput
    : binds !== named.name && effectsOf(expression).free.has(named.name);

/** Whether a part of an expression is evaluated exactly once, in the order of the source, and in its code too. */
function isDoneAnyway(expression: Expression, part: Part, index: number): boolean {
  if (expression.kind === "call") {
    if (isLogic(expression) || isAlternative(expression)) return index === 0;
    return !readsInput(expression) && !streamFunctions.has(expression.name);
  }
  if (expression.kind === "object") return expression.entries.every(({ key }) => effectsOf(key).type === "string");
  if (expression.kind === "comma") return true;
  if (!part.isAlwaysEvaluated) return false;
  if (expression.kind === "let") return isUsedFirst(expression.body, { kind: "variable", name: expression.name });
  const isPiped = expression.kind === "pipe" && effectsOf(expression.left).outputs === "one";
  return !isPiped || isUsedFirst(expression.right, { kind: "input" });
}

/** Functions that decide how much of their arguments is evaluated, or are written without some. */
const streamFunctions: ReadonlySet<string> = new Set([
  "switchCondition",
  "first",
  "exists",
  "truthy",
  "isEmpty",
  "compareInCondition",
  "comparesNodes",
  "nodeMatches",
  "nodeSearches",
  "attribute",
]);
