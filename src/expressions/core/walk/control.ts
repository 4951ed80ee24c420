import { assertNever } from "../../../json.ts";
import type { Expression } from "../ast.ts";
import { type Child, plain, rebound } from "./child.ts";

/** The kinds of expressions that decide what is evaluated and how often: folds, and those of `ast/control.ts`. */
export type ControlKind = "reduce" | "foreach" | "alternative" | "try" | "label" | "define" | "apply" | "interpolation";

type ControlExpression = Extract<Expression, { kind: ControlKind }>;

/** The direct parts of such an expression. What `.` is in a function and in an argument is up to those who call it. */
export function controlChildren(expression: ControlExpression): readonly Child[] {
  switch (expression.kind) {
    case "reduce":
      return [plain(expression.source), plain(expression.initial), rebound(expression.update, expression.name)];
    case "foreach": {
      const { source, initial, update, extract, name } = expression;
      return [plain(source), plain(initial), rebound(update, name), rebound(extract, name)];
    }
    case "alternative":
      return [plain(expression.left), plain(expression.right)];
    case "try":
      return expression.handler ? [plain(expression.body), rebound(expression.handler)] : [plain(expression.body)];
    case "label":
      return [plain(expression.body)];
    case "define":
      return [rebound(expression.body), plain(expression.rest)];
    case "apply":
      return expression.args.map((argument) => rebound(argument));
    case "interpolation":
      return expression.parts.filter((part) => typeof part !== "string").map(plain);
    default:
      return assertNever(expression);
  }
}

/** The expression with other parts, in the same order. */
export function withControlParts(expression: ControlExpression, parts: readonly Expression[]): Expression {
  const [first, second, third, fourth] = parts as readonly [Expression, Expression, Expression, Expression];
  switch (expression.kind) {
    case "reduce":
      return { ...expression, source: first, initial: second, update: third };
    case "foreach":
      return { ...expression, source: first, initial: second, update: third, extract: fourth };
    case "alternative":
      return { ...expression, left: first, right: second };
    case "try":
      return { ...expression, body: first, handler: second };
    case "label":
      return { ...expression, body: first };
    case "define":
      return { ...expression, body: first, rest: second };
    case "apply":
      return { ...expression, args: parts };
    case "interpolation":
      return { ...expression, parts: withTexts(expression.parts, parts) };
    default:
      return assertNever(expression);
  }
}

function withTexts(
  parts: readonly (string | Expression)[],
  expressions: readonly Expression[],
): readonly (string | Expression)[] {
  let next = 0;
  return parts.map((part) => (typeof part === "string" ? part : expressions[next++]!));
}
