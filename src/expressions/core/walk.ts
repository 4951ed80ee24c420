import { assertNever } from "../../json.ts";
import type { Call, Expression, Query, Segment, Selector } from "./ast.ts";
import { conditional } from "./build.ts";
import { isAlternative, readsInput } from "./views.ts";

/** The direct children of an expression, in a fixed order. */
export function childrenOf(expression: Expression): readonly Child[] {
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
    case "break":
      return none;
    case "query":
      return [always(expression.source), ...conditionsOf(expression).map((condition) => withInput(part(condition)))];
    case "object":
      return expression.entries.flatMap((entry) => [always(entry.key), always(entry.value)]);
    case "array":
      return expression.items ? [always(expression.items)] : none;
    case "comma":
      return expression.items.map((item, i) => createChild(item, i === 0, true));
    case "pipe":
      return [always(expression.left), withInput(result(expression.right))];
    case "let":
      return [always(expression.value), { ...result(expression.body), boundVariable: expression.name }];
    case "if":
      return [always(expression.condition), result(expression.then), result(expression.otherwise)];
    case "call":
      return argumentsOf(expression);
    case "fold": {
      const { source, initial, update, extract, name } = expression;
      const steps = extract ? [update, extract] : [update];
      const first = extract ? part(source) : always(source);
      return [first, always(initial), ...steps.map((step) => ({ ...withInput(part(step)), boundVariable: name }))];
    }
    case "try": {
      const { body, handler } = expression;
      return handler ? [result(body), withInput(result(handler))] : [result(body)];
    }
    case "label":
      return [result(expression.body)];
    case "define":
      return [withInput(part(expression.body)), result(expression.rest)];
    case "access":
      return [always(expression.source), always(expression.key)];
    case "iterate":
      return [always(expression.source)];
    case "dialect":
      return expression.inputs.map(({ value }) => always(value));
    default:
      return assertNever(expression);
  }
}

/** Arguments that are evaluated for several values are evaluated with these as `.`. */
function argumentsOf(call: Call): readonly Child[] {
  const isRebound = (index: number): boolean =>
    call.isLocal === true || (readsInput(call) && call.name !== "path" && index === call.args.length - 1);
  const argumentOf = isAlternative(call) ? result : part;
  return call.args.map((argument, i) => (isRebound(i) ? withInput(part(argument)) : argumentOf(argument)));
}

/** Replaces the children; returns the same object if nothing changed. */
export function withChildren(expression: Expression, parts: readonly Expression[]): Expression {
  return childrenOf(expression).every((child, i) => child.expression === parts[i])
    ? expression
    : withParts(expression, parts);
}

/** Renames the bound variable, but not in the children. */
export function withBinder(expression: Expression, name: string): Expression {
  return expression.kind === "let" || expression.kind === "fold" ? { ...expression, name } : expression;
}

/** A child expression, the change of scope for it, and its part in the whole. */
export interface Child {
  readonly expression: Expression;
  /** Whether `.` is another value than in the parent. */
  readonly rebindsInput: boolean;
  /** The same for all children with one. */
  readonly boundVariable?: string | undefined;
  /** Whether it is evaluated whenever the parent is, which fails if it does. Builtins know it of their arguments. */
  readonly isAlwaysEvaluated: boolean;
  /** Whether its outputs are outputs of the parent as they are. */
  readonly isResult: boolean;
}

const createChild = (expression: Expression, isAlwaysEvaluated: boolean, isResult: boolean): Child => ({
  expression,
  rebindsInput: false,
  boundVariable: undefined,
  isAlwaysEvaluated,
  isResult,
});

const part = (expression: Expression): Child => createChild(expression, false, false);

const always = (expression: Expression): Child => createChild(expression, true, false);

const result = (expression: Expression): Child => createChild(expression, false, true);

const withInput = (child: Child): Child => ({ ...child, rebindsInput: true });

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
    case "fold":
      return { ...expression, source: first, initial: second, update: third, extract: expression.extract && fourth };
    case "try":
      return { ...expression, body: first, handler: second };
    case "label":
      return { ...expression, body: first };
    case "define":
      return { ...expression, body: first, rest: second };
    case "access":
      return { ...expression, source: first, key: second };
    case "iterate":
      return { ...expression, source: first };
    case "dialect":
      return { ...expression, inputs: expression.inputs.map(({ name }, i) => ({ name, value: parts[i]! })) };
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
