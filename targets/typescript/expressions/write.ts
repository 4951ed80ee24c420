import type { Expression as Code, Member } from "../../../src/code/index.ts";
import { js, sameCode } from "../../../src/code/index.ts";
import {
  type Access,
  type Alternative,
  type Binary,
  binary,
  type Conditional,
  call,
  canFail,
  type Expression,
  equalExpressions,
  excerpt,
  factsOf,
  functionName,
  type Interpolation,
  identity,
  type Let,
  type Logic,
  literal,
  type ObjectConstruction,
  operatorName,
  type Pipe,
  type Slice,
  type Update,
} from "../../../src/expressions/index.ts";
import { assertNever, type Json } from "../../../src/json.ts";
import { writeCall } from "./calls.ts";
import { constant, mayStandIn, standing, writeInOtherOrder } from "./order.ts";
import { writeQuery } from "./paths.ts";
import { isNothing, writeList } from "./streams.ts";
import { compared } from "./use.ts";
import {
  type Environment,
  helped,
  isSimple,
  truth,
  unguarded,
  type Written,
  withInput,
  withoutLines,
  withVariable,
  written,
} from "./written.ts";

/**
 * An expression as TypeScript that reads as if written by hand; undefined where that has no exact form. Gives one value, or undefined for no output.
 *
 * `$data.total * 2` → `times(data?.total ?? null, 2)`
 */
export function write(expression: Expression, environment: Environment): Written | undefined {
  if (factsOf(expression).weight.depth > deepest) return undefined;
  switch (expression.kind) {
    case "literal":
      return writeLiteral(expression.value);
    case "identity":
      return environment.input ?? writeLiteral(null);
    case "variable":
      return environment.variable(expression.name);
    case "query":
      return writeQuery(expression, environment);
    case "object":
      return writeObject(expression, environment);
    case "array":
      return expression.items ? writeList(expression.items, environment) : writeLiteral([]);
    case "pipe":
      return writePipe(expression, environment);
    case "let":
      return writeLet(expression, environment);
    case "if":
      return writeConditional(expression, environment);
    case "logic":
      return writeLogic(expression, environment);
    case "binary":
      return writeBinary(expression, environment);
    case "call":
      return writeCall(expression, environment);
    case "access":
      return writeAccess(expression, environment);
    case "slice":
      return writeSlice(expression, environment);
    case "alternative":
      return writeAlternative(expression, environment);
    case "update":
      return writeUpdate(expression, environment);
    case "interpolation":
      return writeInterpolation(expression, environment);
    case "comma":
    case "reduce":
    case "iterate":
    case "recurse":
    case "path":
    case "try":
    case "foreach":
    case "label":
    case "break":
    case "define":
    case "apply":
      return undefined;
    default:
      return assertNever(expression);
  }
}

/** What is nested deeper does not read well. */
const deepest = 200;

/** A value that is there: what may give nothing has no form where one value is wanted, unless something stands in for it. */
export function writeOne(expression: Expression, environment: Environment): Written | undefined {
  const value = write(expression, environment);
  return value && sureOf(value, environment);
}

/** What may give nothing, taken to be there: it is by its type, or becomes a guard. */
export function sureOf(value: Written, { guards }: Environment): Written | undefined {
  if (!value.isOptional) return value;
  if (value.sure !== undefined) return { ...value, code: value.sure, isOptional: false, isPresent: false };
  if (!guards || !isSimple(value.code)) return undefined;
  if (!guards.some((guard) => sameCode(guard, value.code))) guards.push(value.code);
  return { ...value, isOptional: false };
}

/** A condition as jq takes it: false and null are false. */
export function writeTruth(expression: Expression, environment: Environment): Written | undefined {
  const value = writeOne(expression, environment);
  if (!value || value.type === "boolean") return value;
  return truth(helped(environment, "isTrue", [value.code]));
}

/** A value of JSON. */
export const writeLiteral = (value: Json): Written => ({
  code: js.value(value),
  type: typeName(value),
  isPresent: value !== null && !Number.isNaN(value),
});

function typeName(value: Json): Written["type"] {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as "string");
}

/** `{a: E, (K): F}` → `{ a: e, [k]: f }`; undefined where a member is written twice. */
function writeObject({ entries }: ObjectConstruction, environment: Environment): Written | undefined {
  const names = entries.flatMap(({ key }) => (key.kind === "literal" ? [key.value] : []));
  if (new Set(names).size < names.length) return undefined;
  const members: Member[] = [];
  let current = environment;
  for (const entry of entries) {
    const member = writeEntry(entry, current);
    if (member === undefined) return undefined;
    members.push(member);
    if (canFail(entry.value) || canFail(entry.key) || factsOf(entry.key).type !== "string")
      current = withoutLines(current);
  }
  return written(js.object(members), { type: "object", isPresent: true });
}

type Entry = ObjectConstruction["entries"][number];

function writeEntry({ key, value }: Entry, environment: Environment): Member | undefined {
  if (key.kind === "literal") {
    const made = writeOne(value, environment);
    return made && typeof key.value === "string" ? js.property(key.value, made.code) : undefined;
  }
  const name = writeOne(key, environment);
  if (!name) return undefined;
  const isText = factsOf(key).type === "string";
  if (!isText && canFail(value)) return writeChecked({ key, value }, name, environment);
  const made = writeOne(value, canFail(key) ? withoutLines(environment) : environment);
  return made && js.property(isText ? name.code : helped(environment, "objectKey", [name.code]), made.code);
}

/** That a key is a text is found out when the value is there: both become constants. */
function writeChecked({ key, value }: Entry, name: Written, environment: Environment): Member | undefined {
  const known = constant(key, name, environment);
  const made = known && writeOne(value, environment);
  const placed = made && constant(value, made, environment);
  return placed && js.property(helped(environment, "objectKey", [known.code]), placed.code);
}

function writePipe({ left, right }: Pipe, environment: Environment): Written | undefined {
  const value = standing(left, right, { kind: "input" }, environment);
  return value && write(right, withInput(value.around, value.written));
}

function writeLet({ name, value, body }: Let, environment: Environment): Written | undefined {
  const named = standing(value, body, { kind: "variable", name }, environment);
  return named && write(body, withVariable(named.around, name, named.written));
}

/** `if A then B else C end` → `a ? b : c` */
function writeConditional(expression: Conditional, environment: Environment): Written | undefined {
  if (isListOrFailure(expression)) return writeListIn(expression, environment);
  const { condition, then, otherwise } = expression;
  const alone = unguarded(environment);
  const [test, yes, no] = [writeTruth(condition, environment), writeWay(then, alone), writeWay(otherwise, alone)];
  if (!test || !yes || !no) return undefined;
  return written(js.conditional(test.code, yes.code, no.code), {
    isOptional: yes.isOptional || no.isOptional,
    isPresent: yes.isPresent && no.isPresent,
    use: yes.use === no.use ? yes.use : undefined,
    type: yes.type === no.type ? yes.type : undefined,
  });
}

/** Whether a conditional gives a value that is an array, and fails where it is none: `if type(E) == "array" then E else error(F) end` */
const isListOrFailure = ({ condition, then, otherwise }: Conditional): boolean =>
  equalExpressions(condition, binary("==", call("type", then), literal("array"))) &&
  otherwise.kind === "call" &&
  otherwise.name === "error" &&
  otherwise.args.length === 1 &&
  otherwise.args[0]!.kind === "literal";

/** `if type(E) == "array" then E else error(F) end` → `listIn(e, f)` */
function writeListIn({ then, otherwise }: Conditional, environment: Environment): Written | undefined {
  const [failure] = otherwise.kind === "call" ? otherwise.args : [];
  const value = writeOne(then, environment);
  const failed = failure && writeOne(failure, environment);
  if (!value || !failed) return undefined;
  return written(helped(environment, "listIn", [value.code, failed.code]), { type: "array", isPresent: true });
}

/** One way of a choice: what is sure to be there is taken to be. */
function writeWay(expression: Expression, environment: Environment): Written | undefined {
  if (isNothing(expression)) return written(js.nothing, { isOptional: true });
  const value = write(expression, environment);
  return value && (sureOf(value, environment) ?? value);
}

/** A value, or null where there is none: `a ?? null`. */
export const orNull = (value: Written): Code =>
  value.isOptional ? js.binary(value.code, "??", js.literal(null)) : value.code;

/** `A // B` → `either(a, b)`: JavaScript's `??` takes null alone for nothing, but here false is too. */
function writeAlternative({ left, right }: Alternative, environment: Environment): Written | undefined {
  const alone = unguarded(environment);
  const [value, other] = [write(left, alone), write(right, alone)];
  if (!value || !other) return undefined;
  if (!canFail(right) && !other.isOptional) return written(helped(environment, "either", [orNull(value), other.code]));
  if (!isSimple(value.code)) return undefined;
  const test = helped(environment, "isTrue", [orNull(value)]);
  const sure = value.isOptional ? js.nonNull(value.code) : value.code;
  return written(js.conditional(test, sure, other.code), { isOptional: other.isOptional });
}

function writeLogic({ operator, left, right }: Logic, environment: Environment): Written | undefined {
  const [a, b] = [writeTruth(left, environment), writeTruth(right, unguarded(environment))];
  return a && b && truth(js.binary(a.code, operator === "and" ? "&&" : "||", b.code));
}

/** Arithmetic and comparison: with JavaScript's operators where types make them the same, else with the functions of the runtime. */
function writeBinary({ operator, left, right }: Binary, environment: Environment): Written | undefined {
  const asked = operator === "==" && right.kind === "literal" ? typeArgument(left) : undefined;
  if (asked && right.kind === "literal" && typeTests.has(right.value))
    return writeTypeTest(asked, right.value as string, environment);
  const operands = writeInOtherOrder([right, left], environment);
  if (!operands) return undefined;
  const [b, a] = operands as readonly [Written, Written];
  const native = nativeOperator(operator, a, b, left, right);
  if (native) return native;
  const type = ["==", "!=", "<", "<=", ">", ">="].includes(operator) ? "boolean" : undefined;
  return written(helped(environment, operatorName(operator), [a.code, b.code]), { type });
}

const typeArgument = (expression: Expression): Expression | undefined =>
  expression.kind === "call" && expression.name === "type" ? expression.args[0] : undefined;

const typeTests: ReadonlySet<unknown> = new Set(["null", "boolean", "number", "string", "array"]);

/** Whether a value has a type that JavaScript knows: `type == "array"` → `Array.isArray(value)` */
function writeTypeTest(expression: Expression, type: string, environment: Environment): Written | undefined {
  const value = writeOne(expression, environment);
  if (!value) return undefined;
  if (type === "array") return truth(js.method(js.name("Array"), "isArray", [value.code]));
  return type === "null"
    ? truth(js.binary(value.code, "===", js.literal(null)))
    : truth(js.binary(js.unary("typeof", value.code), "===", js.literal(type)));
}

/** An operator of JavaScript that gives the same for these operands. For jq what is no number is less than all others: it must not be on the less side. */
function nativeOperator(
  operator: Binary["operator"],
  a: Written,
  b: Written,
  left: Expression,
  right: Expression,
): Written | undefined {
  const isWithScalar = isScalar(left) || isScalar(right);
  if (isWithScalar) for (const side of [a, b]) compared(side);
  if (operator === "==" && isWithScalar) return truth(js.binary(a.code, "===", b.code));
  if (operator === "!=" && isWithScalar) return truth(js.binary(a.code, "!==", b.code));
  const common = a.type === b.type ? a.type : undefined;
  const isLeast = (operator.startsWith("<") ? a : b).isCount || isFiniteNumber(operator.startsWith("<") ? left : right);
  if (common === "number" && isLeast && /^[<>]/.test(operator))
    return truth(js.binary(a.code, operator as "<", b.code));
  const isSum = operator === "+" && (common === "number" || common === "string");
  const isProduct = (operator === "-" || operator === "*") && common === "number";
  return isSum || isProduct ? written(js.binary(a.code, operator, b.code), { type: common }) : undefined;
}

/** Whether an expression is a text, a number, a truth value or null. */
export const isScalar = (expression: Expression): boolean =>
  expression.kind === "literal" && (expression.value === null || typeof expression.value !== "object");

const isFiniteNumber = (expression: Expression): boolean =>
  expression.kind === "literal" && Number.isFinite(expression.value);

/** `.name` and `.[key]` → `get(value, "name")`: they fail for values of other types, or with `?` give nothing. */
function writeAccess({ source, key, optional }: Access, environment: Environment): Written | undefined {
  const parts = writeInOtherOrder([key, source], environment);
  if (!parts) return undefined;
  const [name, value] = parts as readonly [Written, Written];
  const isShown =
    key.kind === "literal" && typeof key.value === "string" && excerpt(key.value) === JSON.stringify(key.value);
  const helper = `${isShown ? "member" : "value"}${optional ? "If" : isShown ? "" : "At"}`;
  return written(helped(environment, helper, [value.code, name.code]), { isOptional: optional });
}

/** `.[from:upTo]` → `slice(value, from, upTo)` */
function writeSlice({ source, from, upTo, optional }: Slice, environment: Environment): Written | undefined {
  if (optional) return undefined;
  const parts = writeInOtherOrder([from ?? missing, upTo ?? missing, source], environment);
  if (!parts) return undefined;
  const [start, end, value] = parts as readonly [Written, Written, Written];
  return written(helped(environment, "slice", [value.code, start.code, end.code]));
}

const missing = literal(null);

/** `.a.b |= E` → `setpath(value, ["a", "b"], e)`: one member gets another value. */
function writeUpdate({ path, value }: Update, environment: Environment): Written | undefined {
  const keys = namesOfPath(path);
  if (!keys || factsOf(value).outputs !== "one") return undefined;
  const target = write(identity, environment);
  const old = target && isSimple(target.code) ? writeOne(path, environment) : undefined;
  if (!target || !old || !isDoneAfter(path, old, value)) return undefined;
  const changed = writeOne(value, withInput({ ...environment, lines: undefined }, old));
  const args = changed && [target.code, js.value(keys), changed.code];
  return args && written(helped(environment, functionName("setpath", 3)!, args));
}

/** Whether a value is made from what is there, so that it is seen first whether there can be such a member; or cannot fail. */
const isDoneAfter = (path: Expression, old: Written, value: Expression): boolean =>
  factsOf(value).usesInput ? mayStandIn(path, old, value, { kind: "input" }) : !canFail(value);

/** The names of a path that is a chain of members. */
function namesOfPath(path: Expression): readonly string[] | undefined {
  if (path.kind === "identity") return [];
  if (path.kind !== "access" || path.optional || path.key.kind !== "literal" || typeof path.key.value !== "string")
    return undefined;
  const names = namesOfPath(path.source);
  return names && [...names, path.key.value];
}

/** `"a \(E)"` → `` `a ${e}` ``. The last part is evaluated first. */
function writeInterpolation({ parts }: Interpolation, environment: Environment): Written | undefined {
  const values = writeInOtherOrder(parts.filter((part) => typeof part !== "string").reverse(), environment);
  if (!values) return undefined;
  let next = values.length;
  const pieces = parts.map((part) => (typeof part === "string" ? part : textOf(values[--next]!, environment)));
  return written(js.template(pieces), { type: "string", isPresent: true });
}

const textOf = (value: Written, environment: Environment): Code =>
  value.type === "string" || value.type === "boolean" ? value.code : helped(environment, "toText", [value.code]);
