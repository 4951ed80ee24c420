import { canFail, effectsOf, isTotal } from "../analysis/effects.ts";
import { textParts } from "../analysis/text-parts.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Access, Alternative, Binary, Call, Expression, ObjectConstruction, Pipe } from "../core/ast.ts";
import { isAlternative, isBinary, isLogic, sliceBounds } from "../core/views.ts";

/**
 * Whether an expression becomes one expression of JavaScript: it has exactly one output or fails, nothing in it is needed twice, and JavaScript evaluates
 * what can fail in the same order.
 */
export function isPlain(expression: Expression): boolean {
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
      return true;
    case "array":
    case "object":
    case "pipe":
    case "if":
    case "call":
    case "access":
    case "let":
      return isPlainCached(expression);
    default:
      return false;
  }
}

/** Whether an expression becomes an atom of JavaScript. */
export const isAtomic = (expression: Expression): boolean =>
  expression.kind === "variable" ||
  expression.kind === "identity" ||
  (expression.kind === "literal" && (typeof expression.value !== "object" || expression.value === null));

function isPlainCached(expression: Expression): boolean {
  let plain = cache.get(expression);
  if (plain === undefined) {
    plain = findPlain(expression);
    cache.set(expression, plain);
  }
  return plain;
}

const cache = new WeakMap<Expression, boolean>();

function findPlain(expression: Expression): boolean {
  switch (expression.kind) {
    case "array":
      return expression.items === undefined || plainItems(expression.items);
    case "object":
      return plainObject(expression);
    case "pipe":
      return isPlain(expression.left) && isPlain(expression.right) && passesOn(expression);
    case "let":
      return isAtomic(expression.value) && isPlain(expression.body);
    case "if":
      return isPlain(expression.condition) && isPlain(expression.then) && isPlain(expression.otherwise);
    case "call":
      return plainCall(expression);
    case "access":
      return plainAccess(expression);
    default:
      return false;
  }
}

const plainItems = (items: Expression): boolean =>
  items.kind === "comma" ? items.items.every(isPlain) : isPlain(items);

/** A key is checked after its value has been computed. */
const plainObject = ({ entries }: ObjectConstruction): boolean =>
  entries.every(
    ({ key, value }) =>
      isPlain(key) && isPlain(value) && (effectsOf(key).type === "string" || (isTotal(value) && isTotal(key))),
  );

const passesOn = ({ left, right }: Pipe): boolean => isAtomic(left) || takesDotFirst(right);

/** The right operand is evaluated first. */
const plainBinary = (parts: readonly Expression[]): boolean =>
  parts.every(isPlain) && parts.filter(canFail).length <= 1;

function plainCall(call: Call): boolean {
  if (call.isLocal) return false;
  if (isBinary(call)) return plainBinary(textParts(call) ?? call.args);
  if (isLogic(call)) return call.args.every(isPlain);
  if (isAlternative(call)) return plainAlternative(call);
  return builtinOf(call.name, call.args.length)?.kind === "value" && call.args.every(isPlain);
}

/** The key is evaluated first. */
const plainAccess = ({ source, key, optional }: Access): boolean =>
  !optional && isPlain(source) && isPlain(key) && !(canFail(source) && canFail(key));

/** The right side is evaluated in any case: it must be nothing to compute. */
const plainAlternative = ({ args: [left, right] }: Alternative): boolean => isAtomic(right) && isPlain(left);

/** Whether `.` is used exactly once in an expression, before anything else is evaluated that can fail. */
export function takesDotFirst(expression: Expression): boolean {
  switch (expression.kind) {
    case "identity":
      return true;
    case "access":
      return (sliceBounds(expression) ?? [expression.key]).every(isFixed) && takesDotFirst(expression.source);
    case "iterate":
    case "query":
      return takesDotFirst(expression.source);
    case "call":
      if (isBinary(expression)) return takesDotInOperands(expression);
      if (isAlternative(expression))
        return isPlain(expression) && isFixed(expression.args[1]) && takesDotFirst(expression.args[0]);
      return (
        expression.args.length > 0 &&
        builtinOf(expression.name, expression.args.length)?.kind === "value" &&
        expression.args.every((argument, i) => (i === 0 ? takesDotFirst(argument) : isFixed(argument)))
      );
    case "pipe":
      return takesDotFirst(expression.left) && (expression.left.kind !== "identity" || takesDotFirst(expression.right));
    case "array":
      return expression.items !== undefined && takesDotFirst(expression.items);
    case "if":
      return (
        takesDotFirst(expression.condition) &&
        !effectsOf(expression.then).usesInput &&
        !effectsOf(expression.otherwise).usesInput
      );
    default:
      return false;
  }
}

function takesDotInOperands(expression: Binary): boolean {
  if (textParts(expression)) return false;
  const [left, right] = expression.args;
  return takesDotOnce(left, right) || takesDotOnce(right, left);
}

const takesDotOnce = (fixed: Expression, other: Expression): boolean => isFixed(fixed) && takesDotFirst(other);

/** A literal or variable: not `.`. */
const isFixed = (expression: Expression): boolean => isAtomic(expression) && expression.kind !== "identity";
