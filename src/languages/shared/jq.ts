import {
  binary,
  bind,
  call,
  childrenOf,
  conditional,
  type Expression,
  effectsOf,
  firstOr,
  isTotal,
  literal,
  member,
  readsInput,
  simplify,
  substitute,
  variable,
  withChildren,
  withInput,
} from "../../expressions/index.ts";
import { isObject, own } from "../../json.ts";

/** A value that a jq program sees as `.` or as a variable. */
export interface JqBinding {
  /** With exactly one result. */
  readonly value: Expression;
  /** Default: jq's member access; undefined if the whole value is needed. */
  readonly member?: ((whole: Expression, name: string) => Expression | undefined) | undefined;
  /** The value as the program sees it. Default: `value`. */
  readonly whole?: ((value: Expression) => Expression) | undefined;
}

/** A member of an object, or null. */
export const memberOrNull = (whole: Expression, name: string): Expression =>
  firstOr(member(whole, name), literal(null));

/** Binds `.` in an expression. */
export function bindInput(expression: Expression, { value, member: memberOf }: JqBinding): Expression {
  const isInput = (source: Expression): boolean => source.kind === "identity";
  const read = memberOf
    ? replaceMembers(expression, isInput, (name) => memberOf(variable(inputName), name), true)
    : expression;
  if (value.kind === "variable") return substitute(withInput(read, value.name), new Map([[inputName, value]]));
  const bound = effectsOf(read).usesInput ? bind("in", value, withInput(read, "in")) : read;
  return substitute(bound, new Map([[inputName, value]]));
}

/** Binds a variable in an expression. */
export function bindVariable(expression: Expression, name: string, binding: JqBinding): Expression {
  const { value, member: memberOf, whole = (each) => each } = binding;
  const standIn = variable(inputName);
  const isIt = (source: Expression): boolean => source.kind === "variable" && source.name === name;
  const read = memberOf ? replaceMembers(expression, isIt, (each) => memberOf(standIn, each), false) : expression;
  return substitute(substitute(read, new Map([[name, whole(standIn)]])), new Map([[inputName, value]]));
}

/** Maps values of a type with `map`, others to `failing`. */
export function ensureType(
  value: Expression,
  type: "object" | "array",
  failing: Expression,
  map: (value: Expression) => Expression = (each) => each,
): Expression {
  const simplified = simplify(value);
  const known = effectsOf(simplified).type;
  if (known === type) return map(simplified);
  if (known !== undefined && isTotal(simplified)) return failing;
  const check = (each: Expression) => conditional(binary("==", call("type", each), literal(type)), map(each), failing);
  if (simplified.kind === "variable" || simplified.kind === "identity") return check(simplified);
  const name = type === "array" ? "items" : "output";
  return bind(name, simplified, check(variable(name)));
}

const inputName = " input";

/** With `replacesInput`, skips expressions with another `.`, and calls that read `.` as a whole. */
function replaceMembers(
  expression: Expression,
  isBound: (source: Expression) => boolean,
  member: (name: string) => Expression | undefined,
  replacesInput: boolean,
): Expression {
  if (replacesInput && expression.kind === "call" && readsInput(expression)) return expression;
  if (expression.kind === "access" && isBound(expression.source) && expression.key.kind === "literal") {
    const { value: name } = expression.key;
    const found = typeof name === "string" ? member(name) : undefined;
    if (found) return found;
  }
  const parts = childrenOf(expression).map((child) =>
    child.rebindsInput && replacesInput
      ? child.expression
      : replaceMembers(child.expression, isBound, member, replacesInput),
  );
  const replaced = withChildren(expression, parts);
  return partOfConstant(replaced, expression) ?? replaced;
}

/** The part of a constant that has replaced what an access reads. */
function partOfConstant(replaced: Expression, original: Expression): Expression | undefined {
  if (replaced.kind !== "access" || original.kind !== "access" || replaced.source === original.source) return undefined;
  if (replaced.source.kind !== "literal" || replaced.key.kind !== "literal") return undefined;
  const [{ value }, { value: key }] = [replaced.source, replaced.key];
  if (isObject(value) && typeof key === "string") return literal(own(value, key) ?? null);
  return Array.isArray(value) && typeof key === "number" && key >= 0
    ? literal(value[Math.floor(key)] ?? null)
    : undefined;
}
