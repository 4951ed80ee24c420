import { assertNever } from "../json.ts";
import type { Expression, Identity, Let, Literal, Pipe, Query, Reduce, Segment, Selector, Variable } from "./ast.ts";
import { conditional } from "./build.ts";

/** A part of an expression, and what is different there. */
export interface Child {
  readonly expression: Expression;
  /** Whether `.` is another value than outside. */
  readonly rebinds: boolean;
  /** The variable that has a value there and not outside. */
  readonly binds?: string | undefined;
}

/** The direct parts of an expression, in a fixed order. */
export function childrenOf(expression: Expression): readonly Child[] {
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
      return none;
    case "query":
      return [plain(expression.source), ...conditionsOf(expression).map((condition) => ({ expression: condition, rebinds: true }))];
    case "pipe":
      return [plain(expression.left), { expression: expression.right, rebinds: true }];
    case "let":
      return [plain(expression.value), { expression: expression.body, rebinds: false, binds: expression.name }];
    case "reduce":
      return [
        plain(expression.source),
        plain(expression.initial),
        { expression: expression.update, rebinds: true, binds: expression.name },
      ];
    default:
      return partsOf(expression).map(plain);
  }
}

/** The expression with other parts, given in the order of `childrenOf`; the same object when they are the same. */
export function withChildren(expression: Expression, parts: readonly Expression[]): Expression {
  return childrenOf(expression).every((child, i) => child.expression === parts[i]) ? expression : withParts(expression, parts);
}

/** The expression with its bound variable named otherwise; its parts are not touched. */
export function withBinder(expression: Expression, name: string): Expression {
  return expression.kind === "let" || expression.kind === "reduce" ? { ...expression, name } : expression;
}

const none: readonly Child[] = [];

const plain = (expression: Expression): Child => ({ expression, rebinds: false });

/** The parts of expressions in which nothing is different. */
function partsOf(expression: Exclude<Expression, Literal | Identity | Variable | Query | Pipe | Let | Reduce>): readonly Expression[] {
  switch (expression.kind) {
    case "object":
      return expression.entries.flatMap((entry) => [entry.key, entry.value]);
    case "array":
      return expression.items ? [expression.items] : [];
    case "comma":
      return expression.items;
    case "if":
      return [expression.condition, expression.then, expression.otherwise];
    case "logic":
    case "binary":
      return [expression.left, expression.right];
    case "call":
      return expression.args;
    default:
      return assertNever(expression);
  }
}

function withParts(expression: Expression, parts: readonly Expression[]): Expression {
  const [first, second, third] = parts as readonly [Expression, Expression, Expression];
  switch (expression.kind) {
    case "query":
      return { ...expression, source: first, segments: withConditions(expression.segments, parts.slice(1)) };
    case "object":
      return { ...expression, entries: expression.entries.map((_, i) => ({ key: parts[2 * i]!, value: parts[2 * i + 1]! })) };
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
    case "reduce":
      return { ...expression, source: first, initial: second, update: third };
    case "call":
      return { ...expression, args: parts };
    default:
      return expression;
  }
}

function conditionsOf(query: Query): readonly Expression[] {
  const filters = (segment: Segment) => segment.selectors.flatMap((selector) => (selector.kind === "filter" ? [selector.condition] : []));
  return query.segments.flatMap(filters);
}

function withConditions(segments: readonly Segment[], conditions: readonly Expression[]): readonly Segment[] {
  let next = 0;
  const replace = (selector: Selector): Selector =>
    selector.kind === "filter" ? { kind: "filter", condition: conditions[next++]! } : selector;
  return conditions.length === 0 ? segments : segments.map((segment) => ({ ...segment, selectors: segment.selectors.map(replace) }));
}
