import { assertNever } from "../../../json.ts";
import type { Expression } from "../ast.ts";
import { type Child, plain, rebound } from "./child.ts";

/** The kinds of expressions of `ast/paths.ts`. */
export type PathKind = "access" | "slice" | "iterate" | "recurse" | "path" | "update";

const pathKinds: ReadonlySet<string> = new Set<PathKind>(["access", "slice", "iterate", "recurse", "path", "update"]);

/** Whether an expression is of one of these kinds. */
export const isPathKind = (expression: Expression): expression is Extract<Expression, { kind: PathKind }> =>
  pathKinds.has(expression.kind);

type PathExpression = Extract<Expression, { kind: PathKind }>;

/** The direct parts of an expression that leads into values. */
export function pathChildren(expression: PathExpression): readonly Child[] {
  switch (expression.kind) {
    case "access":
      return [plain(expression.source), plain(expression.key)];
    case "slice":
      return [expression.source, expression.from, expression.upTo].filter((part) => part !== undefined).map(plain);
    case "iterate":
      return [plain(expression.source)];
    case "recurse":
      return [rebound(expression.body)];
    case "path":
      return [plain(expression.body)];
    case "update":
      return [plain(expression.path), rebound(expression.value)];
    default:
      return assertNever(expression);
  }
}

/** The expression with other parts, in the same order. */
export function withPathParts(expression: PathExpression, parts: readonly Expression[]): Expression {
  const [first, second, third] = parts as readonly [Expression, Expression, Expression];
  switch (expression.kind) {
    case "access":
      return { ...expression, source: first, key: second };
    case "slice":
      return {
        ...expression,
        source: first,
        from: expression.from && second,
        upTo: expression.upTo && (expression.from ? third : second),
      };
    case "iterate":
      return { ...expression, source: first };
    case "recurse":
    case "path":
      return { ...expression, body: first };
    case "update":
      return { ...expression, path: first, value: second };
    default:
      return assertNever(expression);
  }
}
