import type { Json } from "../../json.ts";
import type { Expression } from "../core/ast.ts";
import { childrenOf } from "../core/walk.ts";
import { isFiniteThroughout, outputs } from "../evaluate/evaluate.ts";
import { EvaluationError } from "../evaluate/failure.ts";
import { factsOf } from "../facts/facts.ts";

/** The value of an expression whose parts are all constant, if it has exactly one and does not fail; else the expression itself. */
export function fold(expression: Expression): Expression {
  const foldable =
    operations.has(expression.kind) &&
    childrenOf(expression).every((child) => child.rebinds || isConstant(child.expression));
  if (!foldable || factsOf(expression).free.size > 0 || searches(expression)) return expression;
  const values = valuesOf(expression);
  return values.length === 1 && isShort(values[0]!) && isFiniteThroughout(values[0]!)
    ? { kind: "literal", value: values[0]!, span: expression.span }
    : expression;
}

/** Whether regular expressions are applied in an expression: some take endless time, which is not for a compiler to wait. */
const searches = (expression: Expression): boolean =>
  (expression.kind === "call" && /^node(?:Matches|Searches)$/.test(expression.name)) ||
  childrenOf(expression).some((child) => searches(child.expression));

/** Longer texts are not computed ahead: a repeated string would make the program larger than it was. */
const longestFolded = 100_000;

const isShort = (value: Json): boolean => typeof value !== "string" || value.length <= longestFolded;

/** Expressions that compute one value from those of their parts. */
const operations: ReadonlySet<Expression["kind"]> = new Set<Expression["kind"]>([
  "query",
  "object",
  "array",
  "if",
  "logic",
  "binary",
  "call",
  "access",
  "slice",
  "alternative",
  "interpolation",
]);

/** Literals, and their streams where those are no longer than what is written. */
function isConstant(expression: Expression): boolean {
  if (expression.kind === "comma")
    return expression.items.every((item) => item.kind === "literal" || isConstantQuery(item));
  return expression.kind === "literal" || isConstantQuery(expression);
}

const isConstantQuery = (expression: Expression): boolean =>
  expression.kind === "query" && expression.source.kind === "literal" && factsOf(expression).free.size === 0;

function valuesOf(expression: Expression): readonly Json[] {
  try {
    return [...outputs(expression, { input: null, variables: new Map() }, 0)];
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof RangeError) return [];
    throw error;
  }
}
