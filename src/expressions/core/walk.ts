import { assertNever } from "../../json.ts";
import type { Expression, Query, Segment, Selector } from "./ast.ts";
import { conditional } from "./build.ts";

/** The direct children of an expression, in a fixed order. */
export function childrenOf(expression: Expression): readonly Child[] {
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
    case "break":
      return none;
    case "query":
      return [child(expression.source), ...conditionsOf(expression).map((condition) => childWithInput(condition))];
    case "object":
      return expression.entries.flatMap((entry) => [child(entry.key), child(entry.value)]);
    case "array":
      return expression.items ? [child(expression.items)] : none;
    case "comma":
      return expression.items.map(child);
    case "pipe":
      return [child(expression.left), childWithInput(expression.right)];
    case "let":
      return [
        child(expression.value),
        { expression: expression.body, rebindsInput: false, boundVariable: expression.name },
      ];
    case "if":
      return [child(expression.condition), child(expression.then), child(expression.otherwise)];
    case "logic":
    case "binary":
      return [child(expression.left), child(expression.right)];
    case "call":
      return expression.args.map(child);
    case "reduce":
      return [child(expression.source), child(expression.initial), childWithInput(expression.update, expression.name)];
    case "foreach": {
      const { source, initial, update, extract, name } = expression;
      return [child(source), child(initial), childWithInput(update, name), childWithInput(extract, name)];
    }
    case "alternative":
      return [child(expression.left), child(expression.right)];
    case "try":
      return expression.handler
        ? [child(expression.body), childWithInput(expression.handler)]
        : [child(expression.body)];
    case "label":
      return [child(expression.body)];
    case "define":
      return [childWithInput(expression.body), child(expression.rest)];
    case "apply":
      return expression.args.map((argument) => childWithInput(argument));
    case "interpolation":
      return expression.parts.filter((part) => typeof part !== "string").map(child);
    case "access":
      return [child(expression.source), child(expression.key)];
    case "iterate":
      return [child(expression.source)];
    case "recurse":
      return [childWithInput(expression.body)];
    case "path":
      return [child(expression.body)];
    case "update":
      return [child(expression.path), childWithInput(expression.value)];
    default:
      return assertNever(expression);
  }
}

/** Replaces the children; returns the same object if nothing changed. */
export function withChildren(expression: Expression, parts: readonly Expression[]): Expression {
  return childrenOf(expression).every((child, i) => child.expression === parts[i])
    ? expression
    : withParts(expression, parts);
}

/** Renames the bound variable, but not in the children. */
export function withBinder(expression: Expression, name: string): Expression {
  return expression.kind === "let" || expression.kind === "reduce" || expression.kind === "foreach"
    ? { ...expression, name }
    : expression;
}

/** A child expression and the change of scope for it. */
export interface Child {
  readonly expression: Expression;
  /** Whether `.` is another value than in the parent. */
  readonly rebindsInput: boolean;
  /** The same for all children with one. */
  readonly boundVariable?: string | undefined;
}

const none: readonly Child[] = [];

function withParts(expression: Expression, parts: readonly Expression[]): Expression {
  const [first, second, third, fourth] = parts as readonly [Expression, Expression, Expression, Expression];
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
      return { ...expression, parts: withInterpolated(expression.parts, parts) };
    case "access":
      return { ...expression, source: first, key: second };
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

const child = (expression: Expression): Child => ({ expression, rebindsInput: false });

const childWithInput = (expression: Expression, binds?: string): Child => ({
  expression,
  rebindsInput: true,
  boundVariable: binds,
});

function withInterpolated(
  parts: readonly (string | Expression)[],
  expressions: readonly Expression[],
): readonly (string | Expression)[] {
  let next = 0;
  return parts.map((part) => (typeof part === "string" ? part : expressions[next++]!));
}
