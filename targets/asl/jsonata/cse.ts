import {
  binary,
  bind,
  builtinOf,
  type Call,
  canFail,
  childrenOf,
  collect,
  conditional,
  type Expression,
  equalExpressions,
  factsOf,
  isTotal,
  literal,
  outputs,
  variable,
  withChildren,
} from "../../../src/expressions/index.ts";

/**
 * Whether a part is shorter than a name for it, such as a path and a default. Parts that can fail are long: their
 * errors stand in them.
 */
function isShort(part: Expression): boolean {
  return factsOf(part).weight.size < (canFail(part) ? 3 : 6);
}

/** Names of parts: no variable of a workflow has a quote in its name. */
const nameOf = (count: number): string => `value${"'".repeat(count + 1)}`;

/**
 * An expression with the same outputs and failures in which each large part that it has in several places stands once,
 * and has a name. Substitution puts the same object in several places: parts are the same when they are one object.
 */
export function shareParts(expression: Expression): Expression {
  if (factsOf(expression).weight.size < 7) return expression;
  let result = collectOnce(expression);
  for (const [count, part] of repeatedParts(result).entries()) result = shared(result, part, nameOf(count));
  return result;
}

/** `if exists(E) then … [E] …` with one array of all that E yields. */
function collectOnce(expression: Expression): Expression {
  const result = withChildren(
    expression,
    childrenOf(expression).map((child) => collectOnce(child.expression)),
  );
  if (result.kind !== "if" || result.condition.kind !== "call" || result.condition.name !== "exists") return result;
  const [items] = result.condition.args as readonly [Expression];
  if (items.kind !== "query" || outputs(items) !== "many" || conditionsOf(items).some(canFail)) return result;
  const array = collect(items);
  const then = replace(result.then, (part) => equalExpressions(part, array), "found'", array);
  if (then.count === 0) return result;
  return bind(
    "found'",
    array,
    conditional(binary("!=", variable("found'"), literal([])), then.expression, result.otherwise),
  );
}

const conditionsOf = (query: Expression): readonly Expression[] =>
  childrenOf(query)
    .slice(1)
    .map((child) => child.expression);

/** Parts that stand in several places, the outermost ones. */
function repeatedParts(expression: Expression): readonly Expression[] {
  const seen = new Set<Expression>();
  const repeated = new Set<Expression>();
  const waiting = [expression];
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (isShort(part)) continue;
    if (seen.has(part)) repeated.add(part);
    else for (const child of childrenOf(part)) waiting.push(child.expression);
    seen.add(part);
  }
  return [...repeated].filter((part) => outputs(part) === "one");
}

/**
 * The expression with a name for a part, where all places of it are within one part that may compute it at its
 * beginning.
 */
function shared(expression: Expression, part: Expression, name: string): Expression {
  const children = childrenOf(expression);
  const places = children.map((child) => placesOf(child.expression, part));
  const [only, ...others] = children.filter((_, i) => places[i]! > 0);
  if (only && others.length === 0 && only.expression !== part) {
    return withChildren(
      expression,
      children.map((child) => (child === only ? shared(child.expression, part, name) : child.expression)),
    );
  }
  const total = places.reduce((sum, count) => sum + count, 0);
  const replaced = total > 1 ? replace(expression, (other) => other === part, name, part) : { expression, count: 0 };
  return replaced.count === total && total > 1 && (isTotal(part) || leads(expression, part))
    ? bind(name, part, replaced.expression)
    : expression;
}

function placesOf(expression: Expression, part: Expression): number {
  if (expression === part) return 1;
  return childrenOf(expression).reduce((count, child) => count + placesOf(child.expression, part), 0);
}

interface Replaced {
  readonly expression: Expression;
  readonly count: number;
}

/**
 * The expression with a name in place of a part, except where a variable of the part is another one, or `.` is; and how
 * many places these are.
 */
function replace(
  expression: Expression,
  isPart: (other: Expression) => boolean,
  name: string,
  part: Expression,
): Replaced {
  if (isPart(expression)) return { expression: variable(name), count: 1 };
  const { free, usesInput } = factsOf(part);
  let count = 0;
  const parts = childrenOf(expression).map((child) => {
    if (child.binds === name || (child.rebinds && usesInput) || (child.binds !== undefined && free.has(child.binds)))
      return child.expression;
    const inner = replace(child.expression, isPart, name, part);
    count += inner.count;
    return inner.expression;
  });
  return { expression: count > 0 ? withChildren(expression, parts) : expression, count };
}

/** Whether an expression computes a part before anything else that may fail. */
function leads(expression: Expression, part: Expression): boolean {
  if (expression === part) return true;
  const first = firstOf(expression);
  return first !== undefined && leads(first, part);
}

/** The part that an expression computes first, constants aside; undefined where that is not certain. */
function firstOf(expression: Expression): Expression | undefined {
  const isConstant = ({ kind }: Expression) => kind === "literal" || kind === "variable";
  const [first] = childrenOf(expression);
  switch (expression.kind) {
    case "binary":
      return isConstant(expression.right) ? expression.left : expression.right;
    case "reduce":
      return expression.initial;
    case "object":
    case "call":
      return childrenOf(expression).find((child) => !isConstant(child.expression))?.expression;
    default:
      return first?.expression;
  }
}

/**
 * `L | E` as E with L in the place of its `.`: undefined unless there is one such place, and E computes it before all
 * else that is not constant. So `.a | length` becomes what it would be if jq's functions had the input in parentheses.
 */
export function withHead(expression: Expression, head: Expression): Expression | undefined {
  const isConstant = (part: Expression | undefined) => part === undefined || part.kind === "literal";
  const within = <Part extends Expression>(part: Expression, make: (part: Expression) => Part): Part | undefined => {
    const made = withHead(part, head);
    return made && make(made);
  };
  switch (expression.kind) {
    case "identity":
      return head;
    case "access":
      return isConstant(expression.key)
        ? within(expression.source, (source) => ({ ...expression, source }))
        : undefined;
    case "slice":
      return isConstant(expression.from) && isConstant(expression.upTo)
        ? within(expression.source, (source) => ({ ...expression, source }))
        : undefined;
    case "iterate":
      return within(expression.source, (source) => ({ ...expression, source }));
    case "binary":
      return isConstant(expression.right) ? within(expression.left, (left) => ({ ...expression, left })) : undefined;
    case "call":
      return withHeadOfCall(expression, head);
    default:
      return undefined;
  }
}

/** Functions of values only: others have expressions as arguments, which they compute as often as they want. */
function withHeadOfCall(call: Call, head: Expression): Expression | undefined {
  const [first, ...others] = call.args;
  const isPlain = first !== undefined && others.every((other) => other.kind === "literal");
  if (!isPlain || builtinOf(call.name, call.args.length)?.kind !== "value") return undefined;
  const made = withHead(first, head);
  return made && { ...call, args: [made, ...others] };
}
