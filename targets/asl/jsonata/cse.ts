import {
  binary,
  bind,
  builtinOf,
  type Call,
  canFail,
  childrenOf,
  collect,
  conditional,
  containsKind,
  type Expression,
  effectsOf,
  equalExpressions,
  isAlternative,
  isBinary,
  isLogic,
  isTotal,
  literal,
  outputs,
  sliceBounds,
  textParts,
  variable,
  withChildren,
} from "../../../src/expressions/index.ts";

/** Parts that can fail include their error messages, so repeating them is longer. */
function isShort(part: Expression): boolean {
  return effectsOf(part).weight.size < (canFail(part) ? 3 : 6);
}

/** Workflow variables have no quotes in their names. */
const nameOf = (count: number): string => `value${"'".repeat(count + 1)}`;

/**
 * Eliminates common subexpressions, with the same outputs and failures. Substitution reuses objects, so parts are
 * compared by identity.
 */
export function shareSubexpressions(expression: Expression): Expression {
  if (effectsOf(expression).weight.size < 7) return expression;
  let result = collectOnce(expression);
  for (const [count, part] of repeatedSubexpressions(result).entries())
    result = bindRepeated(result, part, nameOf(count));
  return result;
}

/** `if exists(E) then … [E] …` evaluates E once, as an array. */
function collectOnce(expression: Expression): Expression {
  if (!containsKind(expression, "if")) return expression;
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

function repeatedSubexpressions(expression: Expression): readonly Expression[] {
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

/** In the innermost expression with all occurrences, if that may evaluate it first. */
function bindRepeated(expression: Expression, part: Expression, name: string): Expression {
  const children = childrenOf(expression);
  const places = children.map((child) => countOccurrences(child.expression, part));
  const [only, ...others] = children.filter((_, i) => places[i]! > 0);
  if (only && others.length === 0 && only.expression !== part) {
    return withChildren(
      expression,
      children.map((child) => (child === only ? bindRepeated(child.expression, part, name) : child.expression)),
    );
  }
  const total = places.reduce((sum, count) => sum + count, 0);
  const replaced = total > 1 ? replace(expression, (other) => other === part, name, part) : { expression, count: 0 };
  return replaced.count === total && total > 1 && (isTotal(part) || isEvaluatedFirst(expression, part))
    ? bind(name, part, replaced.expression)
    : expression;
}

function countOccurrences(expression: Expression, part: Expression): number {
  if (expression === part) return 1;
  return childrenOf(expression).reduce((count, child) => count + countOccurrences(child.expression, part), 0);
}

interface PartReplacement {
  readonly expression: Expression;
  readonly count: number;
}

/** Except where its variables or `.` are rebound. */
function replace(
  expression: Expression,
  isPart: (other: Expression) => boolean,
  name: string,
  part: Expression,
): PartReplacement {
  if (isPart(expression)) return { expression: variable(name), count: 1 };
  const { free, usesInput } = effectsOf(part);
  let count = 0;
  const parts = childrenOf(expression).map((child) => {
    if (
      child.boundVariable === name ||
      (child.rebindsInput && usesInput) ||
      (child.boundVariable !== undefined && free.has(child.boundVariable))
    )
      return child.expression;
    const inner = replace(child.expression, isPart, name, part);
    count += inner.count;
    return inner.expression;
  });
  return { expression: count > 0 ? withChildren(expression, parts) : expression, count };
}

function isEvaluatedFirst(expression: Expression, part: Expression): boolean {
  if (expression === part) return true;
  const first = firstEvaluated(expression);
  return first !== undefined && isEvaluatedFirst(first, part);
}

/** Except for constants; undefined if unknown. */
function firstEvaluated(expression: Expression): Expression | undefined {
  const isConstant = ({ kind }: Expression) => kind === "literal" || kind === "variable";
  const [first] = childrenOf(expression);
  switch (expression.kind) {
    case "fold":
      return expression.extract ? first?.expression : expression.initial;
    case "call":
      if (isBinary(expression)) return isConstant(expression.args[1]) ? expression.args[0] : expression.args[1];
      if (isLogic(expression) || isAlternative(expression)) return expression.args[0];
      return childrenOf(expression).find((child) => !isConstant(child.expression))?.expression;
    case "object":
      return childrenOf(expression).find((child) => !isConstant(child.expression))?.expression;
    default:
      return first?.expression;
  }
}

/** Rewrites `L | E` to E with L for `.`, if there is one such place and it is evaluated first. */
export function substituteInput(expression: Expression, head: Expression): Expression | undefined {
  const isConstant = (part: Expression | undefined) => part === undefined || part.kind === "literal";
  const within = <Part extends Expression>(part: Expression, make: (part: Expression) => Part): Part | undefined => {
    const made = substituteInput(part, head);
    return made && make(made);
  };
  switch (expression.kind) {
    case "identity":
      return head;
    case "access":
      return (sliceBounds(expression) ?? [expression.key]).every(isConstant)
        ? within(expression.source, (source) => ({ ...expression, source }))
        : undefined;
    case "iterate":
      return within(expression.source, (source) => ({ ...expression, source }));
    case "call":
      return substituteInputOfCall(expression, head);
    default:
      return undefined;
  }
}

function substituteInputOfCall(call: Call, head: Expression): Expression | undefined {
  if (textParts(call)) return undefined;
  const [first, ...others] = call.args;
  const isPlain = first !== undefined && others.every((other) => other.kind === "literal");
  if (!isPlain || builtinOf(call.name, call.args.length)?.kind !== "value") return undefined;
  const made = substituteInput(first, head);
  return made && { ...call, args: [made, ...others] };
}
