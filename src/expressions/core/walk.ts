import type { Expression, Query, Segment, Selector } from "./ast.ts";
import { conditional } from "./build.ts";
import { type Child, plain, rebound } from "./walk/child.ts";
import { type ControlKind, controlChildren, withControlParts } from "./walk/control.ts";
import { isPathKind, type PathKind, pathChildren, withPathParts } from "./walk/paths.ts";

export type { Child } from "./walk/child.ts";

/** The direct parts of an expression, in a fixed order. */
export function childrenOf(expression: Expression): readonly Child[] {
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
    case "break":
      return none;
    case "query":
      return [plain(expression.source), ...conditionsOf(expression).map((condition) => rebound(condition))];
    case "object":
      return expression.entries.flatMap((entry) => [plain(entry.key), plain(entry.value)]);
    case "array":
      return expression.items ? [plain(expression.items)] : none;
    case "comma":
      return expression.items.map(plain);
    case "pipe":
      return [plain(expression.left), rebound(expression.right)];
    case "let":
      return [plain(expression.value), { expression: expression.body, rebinds: false, binds: expression.name }];
    case "if":
      return [plain(expression.condition), plain(expression.then), plain(expression.otherwise)];
    case "logic":
    case "binary":
      return [plain(expression.left), plain(expression.right)];
    case "call":
      return expression.args.map(plain);
    default:
      return moreChildrenOf(expression);
  }
}

type More = Extract<Expression, { kind: ControlKind | PathKind }>;

const moreChildrenOf = (expression: More): readonly Child[] =>
  isPathKind(expression) ? pathChildren(expression) : controlChildren(expression);

/** The expression with other parts, given in the order of `childrenOf`; the same object when they are the same. */
export function withChildren(expression: Expression, parts: readonly Expression[]): Expression {
  return childrenOf(expression).every((child, i) => child.expression === parts[i])
    ? expression
    : withParts(expression, parts);
}

/** The expression with its bound variable named otherwise; its parts are not touched. */
export function withBinder(expression: Expression, name: string): Expression {
  return expression.kind === "let" || expression.kind === "reduce" || expression.kind === "foreach"
    ? { ...expression, name }
    : expression;
}

const none: readonly Child[] = [];

function withParts(expression: Expression, parts: readonly Expression[]): Expression {
  const [first, second, third] = parts as readonly [Expression, Expression, Expression];
  switch (expression.kind) {
    case "query":
      return { ...expression, source: first, segments: withConditions(expression.segments, parts.slice(1)) };
    case "object":
      return {
        ...expression,
        entries: expression.entries.map((_, i) => ({ key: parts[2 * i]!, value: parts[2 * i + 1]! })),
      };
    case "array":
      return { ...expression, items: first };
    case "comma":
      return { ...expression, items: parts };
    case "pipe":
    case "logic":
    case "binary":
      return { ...expression, left: first, right: second };
    case "let":
      return { ...expression, value: first, body: second };
    case "if":
      return { ...conditional(first, second, third), span: expression.span };
    case "call":
      return { ...expression, args: parts };
    case "literal":
    case "identity":
    case "variable":
    case "break":
      return expression;
    default:
      return isPathKind(expression) ? withPathParts(expression, parts) : withControlParts(expression, parts);
  }
}

function conditionsOf(query: Query): readonly Expression[] {
  const filters = (segment: Segment) =>
    segment.selectors.flatMap((selector) => (selector.kind === "filter" ? [selector.condition] : []));
  return query.segments.flatMap(filters);
}

function withConditions(segments: readonly Segment[], conditions: readonly Expression[]): readonly Segment[] {
  let next = 0;
  const replace = (selector: Selector): Selector =>
    selector.kind === "filter" ? { ...selector, condition: conditions[next++]! } : selector;
  return conditions.length === 0
    ? segments
    : segments.map((segment) => ({ ...segment, selectors: segment.selectors.map(replace) }));
}
