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
      return [always(expression.source), ...conditionsOf(expression).map(rebound)];
    case "object": {
      const children: Child[] = [];
      for (const { key, value } of expression.entries) children.push(always(key), always(value));
      return children;
    }
    case "array":
      return expression.items ? [always(expression.items)] : none;
    case "comma":
      return expression.items.map((item, i) => createChild(item, i === 0, true));
    case "pipe":
      return [always(expression.left), reboundResult(expression.right)];
    case "let":
      return [always(expression.value), createChild(expression.body, false, true, false, expression.name)];
    case "if":
      return [always(expression.condition), result(expression.then), result(expression.otherwise)];
    case "call":
      return argumentsOf(expression);
    case "fold": {
      const { source, initial, update, extract, name } = expression;
      const steps = extract ? [update, extract] : [update];
      const first = extract ? part(source) : always(source);
      return [first, always(initial), ...steps.map((step) => createChild(step, false, false, true, name))];
    }
    case "try": {
      const { body, handler } = expression;
      return handler ? [result(body), reboundResult(handler)] : [result(body)];
    }
    case "label":
      return [result(expression.body)];
    case "define":
      return [rebound(expression.body), result(expression.rest)];
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
  const { args } = call;
  if (call.isLocal) return args.map(rebound);
  const argumentOf = isAlternative(call) ? result : part;
  if (!readsInput(call) || call.name === "path") return args.map(argumentOf);
  return args.map((argument, i) => (i === args.length - 1 ? rebound(argument) : argumentOf(argument)));
}

/** Replaces the children, which callers may know; returns the same object if nothing changed. */
export function withChildren(
  expression: Expression,
  parts: readonly Expression[],
  children: readonly Child[] = childrenOf(expression),
): Expression {
  return children.every((child, i) => child.expression === parts[i]) ? expression : withParts(expression, parts);
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

const createChild = (
  expression: Expression,
  isAlwaysEvaluated: boolean,
  isResult: boolean,
  rebindsInput = false,
  boundVariable: string | undefined = undefined,
): Child => ({ expression, rebindsInput, boundVariable, isAlwaysEvaluated, isResult });

const part = (expression: Expression): Child => createChild(expression, false, false);

const always = (expression: Expression): Child => createChild(expression, true, false);

const result = (expression: Expression): Child => createChild(expression, false, true);

const rebound = (expression: Expression): Child => createChild(expression, false, false, true);

const reboundResult = (expression: Expression): Child => createChild(expression, false, true, true);

const none: readonly never[] = [];

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

function conditionsOf({ segments }: Query): readonly Expression[] {
  const conditions: Expression[] = [];
  for (const { selectors } of segments)
    for (const selector of selectors) if (selector.kind === "filter") conditions.push(selector.condition);
  return conditions;
}

function withConditions(segments: readonly Segment[], conditions: readonly Expression[]): readonly Segment[] {
  let next = 0;
  const replace = (selector: Selector): Selector =>
    selector.kind === "filter" ? { ...selector, condition: conditions[next++]! } : selector;
  return conditions.length === 0
    ? segments
    : segments.map((segment) => ({ ...segment, selectors: segment.selectors.map(replace) }));
}
