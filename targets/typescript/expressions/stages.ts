import {
  builtinOf,
  canFail,
  childrenOf,
  type Expression,
  factsOf,
  identity,
  withChildren,
} from "../../../src/expressions/index.ts";

/** What is done one after the other: `A | B | …`, however it is grouped; `A.b`, `A[]` and functions of A are such too where A need not give one value. */
export function stagesOf(expression: Expression): readonly Expression[] {
  if (expression.kind === "pipe") return [...stagesOf(expression.left), ...stagesOf(expression.right)];
  const source = sourceOf(expression);
  if (!source || factsOf(source).outputs === "one") return [expression];
  const [, ...others] = childrenOf(expression);
  if (!others.every((child) => child.rebinds || child.expression.kind === "literal")) return [expression];
  return [...stagesOf(source), withChildren(expression, [identity, ...others.map((child) => child.expression)])];
}

function sourceOf(expression: Expression): Expression | undefined {
  switch (expression.kind) {
    case "access":
    case "slice":
    case "iterate":
      return expression.source;
    case "query":
      return factsOf(expression.source).outputs === "many" ? expression.source : undefined;
    case "call":
      return builtinOf(expression.name, expression.args.length)?.kind === "value" ? expression.args[0] : undefined;
    default:
      return undefined;
  }
}

/** `select(E)`, which is `if E then . else empty end`: its condition. */
export function selectCondition(expression: Expression): Expression | undefined {
  if (
    expression.kind !== "if" ||
    expression.then.kind !== "identity" ||
    factsOf(expression.condition).outputs !== "one"
  )
    return undefined;
  return isNothing(expression.otherwise) ? expression.condition : undefined;
}

/** Whether an expression gives no output, and does not fail either. */
export const isNothing = (expression: Expression): boolean =>
  factsOf(expression).outputs === "none" && !canFail(expression);

/** Whether a list can fail after it has given elements: done one after the other, what is made of these might have failed before. */
export function failsLate(expression: Expression): boolean {
  if (factsOf(expression).outputs !== "many" || !canFail(expression)) return false;
  return !(
    (expression.kind === "iterate" || expression.kind === "query") &&
    factsOf(expression.source).outputs === "one"
  );
}

/**
 * Whether all elements can go through the first stage before any goes through the second: of those that follow none fails, or none that the first one
 * lets through.
 */
export function isSeparable([stage, ...rest]: readonly Expression[]): boolean {
  if (!stage || !canFail(stage)) return true;
  const condition = selectCondition(stage);
  const [next, ...others] = rest;
  if (!condition || !next || !takesMember(condition)) return !rest.some(canFail);
  return failsForNoObject(next) && !others.some(canFail);
}

/** Whether an expression fails unless `.` is an object or null: it begins with a member of it. */
function takesMember(expression: Expression): boolean {
  switch (expression.kind) {
    case "access":
      return isMember(expression) || takesMember(expression.source);
    case "binary":
      return takesMember(expression.left) || takesMember(expression.right);
    case "logic":
      return takesMember(expression.left);
    case "call":
      return expression.name === "not" && takesMember(expression.args[0]!);
    default:
      return false;
  }
}

const isMember = (expression: Expression): boolean =>
  expression.kind === "access" &&
  !expression.optional &&
  expression.source.kind === "identity" &&
  expression.key.kind === "literal" &&
  typeof expression.key.value === "string";

/** Whether an expression cannot fail where `.` is an object or null. */
function failsForNoObject(expression: Expression): boolean {
  if (!canFail(expression) || isMember(expression)) return true;
  switch (expression.kind) {
    case "object":
      return expression.entries.every(
        ({ key, value }) => key.kind === "literal" && typeof key.value === "string" && failsForNoObject(value),
      );
    case "array":
      return expression.items === undefined || failsForNoObject(expression.items);
    case "comma":
      return expression.items.every(failsForNoObject);
    case "if":
      return [expression.condition, expression.then, expression.otherwise].every(failsForNoObject);
    case "logic":
      return failsForNoObject(expression.left) && failsForNoObject(expression.right);
    case "interpolation":
      return expression.parts.every((part) => typeof part === "string" || failsForNoObject(part));
    default:
      return false;
  }
}
