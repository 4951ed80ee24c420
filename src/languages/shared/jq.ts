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
  simplify,
  substitute,
  variable,
  withChildren,
  withInput,
} from "../../expressions/index.ts";

/** What an expression as a language writes it reads under one name, be it `.` or a variable. */
export interface JqBinding {
  /** A variable, or something that gives one value. */
  readonly value: Expression;
  /** What a member of it is, over what holds it; undefined where that cannot be had by itself. Absent: what jq has. */
  readonly member?: ((whole: Expression, name: string) => Expression | undefined) | undefined;
  /** What it is as a whole, over `value`; absent: that itself. */
  readonly whole?: ((value: Expression) => Expression) | undefined;
}

/** A member of what is surely an object: null where there is none. */
export const memberOrNull = (whole: Expression, name: string): Expression =>
  firstOr(member(whole, name), literal(null));

/** An expression whose `.` is what is seen. */
export function bindInput(expression: Expression, { value, member: memberOf }: JqBinding): Expression {
  const isInput = (source: Expression): boolean => source.kind === "identity";
  const read = memberOf
    ? replaceMembers(expression, isInput, (name) => memberOf(variable(inputName), name), inputRebindingKinds)
    : expression;
  if (value.kind === "variable") return substitute(withInput(read, value.name), new Map([[inputName, value]]));
  const bound = effectsOf(read).usesInput ? bind("in", value, withInput(read, "in")) : read;
  return substitute(bound, new Map([[inputName, value]]));
}

/** An expression whose variable of a name is what is seen. */
export function bindVariable(expression: Expression, name: string, seen: JqBinding): Expression {
  const { value, member: memberOf, whole = (given) => given } = seen;
  const standIn = variable(inputName);
  const isIt = (source: Expression): boolean => source.kind === "variable" && source.name === name;
  const read = memberOf ? replaceMembers(expression, isIt, (each) => memberOf(standIn, each), new Set()) : expression;
  return substitute(substitute(read, new Map([[name, whole(standIn)]])), new Map([[inputName, value]]));
}

/** What is made of a value that is of a type, by itself the value; else what fails. */
export function ensureType(
  value: Expression,
  type: "object" | "array",
  failing: Expression,
  made: (value: Expression) => Expression = (each) => each,
): Expression {
  const given = simplify(value);
  const known = effectsOf(given).type;
  if (known === type) return made(given);
  if (known !== undefined && isTotal(given)) return failing;
  const check = (each: Expression) => conditional(binary("==", call("type", each), literal(type)), made(each), failing);
  if (given.kind === "variable" || given.kind === "identity") return check(given);
  const name = type === "array" ? "items" : "output";
  return bind(name, given, check(variable(name)));
}

/** Stands for what is seen until it is known what catches what: no variable has such a name. */
const inputName = " input";

/** Expressions in which `.` is where it stands, and no value. */
const inputRebindingKinds: ReadonlySet<Expression["kind"]> = new Set<Expression["kind"]>([
  "path",
  "update",
  "recurse",
  "apply",
]);

/** The expression with members of what is seen replaced by what they are. What is in `closed` is left as it is, as is what sees another `.`. */
function replaceMembers(
  expression: Expression,
  isSeen: (source: Expression) => boolean,
  member: (name: string) => Expression | undefined,
  closed: ReadonlySet<Expression["kind"]>,
): Expression {
  if (closed.has(expression.kind)) return expression;
  if (expression.kind === "access" && isSeen(expression.source) && expression.key.kind === "literal") {
    const { value: name } = expression.key;
    const found = typeof name === "string" ? member(name) : undefined;
    if (found) return found;
  }
  const parts = childrenOf(expression).map((child) =>
    child.rebindsInput && closed.size > 0 ? child.expression : replaceMembers(child.expression, isSeen, member, closed),
  );
  return withChildren(expression, parts);
}
