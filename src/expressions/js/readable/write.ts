import type { JsExpression as Code, ObjectMember } from "../../../js-ast/index.ts";
import { equalNodes, js } from "../../../js-ast/index.ts";
import { assertNever, type Json } from "../../../json.ts";
import { canFail, effectsOf } from "../../analysis/effects.ts";
import { textParts } from "../../analysis/text-parts.ts";
import type {
  Access,
  Alternative,
  Call,
  Conditional,
  Expression,
  Let,
  ObjectConstruction,
  Pipe,
} from "../../core/ast.ts";
import { binary, call, literal } from "../../core/build.ts";
import { equalExpressions } from "../../core/equal.ts";
import { formOf, isBinary, sliceBounds } from "../../core/views.ts";
import { excerpt } from "../../library/json-text.ts";
import { reductionOf } from "../reductions.ts";
import { writeCall } from "./calls.ts";
import { writeDialect } from "./dialects.ts";
import { conditional } from "./narrowing.ts";
import { writeBinary, writeLogic } from "./operators.ts";
import { constant, standing, writeInOtherOrder } from "./order.ts";
import { memberOfObject, writeQuery } from "./paths.ts";
import { isNothing, writeList } from "./streams.ts";
import { writeTry } from "./tries.ts";
import { writeUpdate } from "./updates.ts";
import {
  helped,
  isSimple,
  narrowed,
  type PrintedExpression,
  printedExpression,
  type Scope,
  truth,
  unguarded,
  withInput,
  withoutLines,
  withVariable,
} from "./written.ts";

/**
 * An expression as TypeScript, or without types as JavaScript, that reads as if written by hand; undefined where that has no exact form. Gives one value, or undefined for no output.
 *
 * `$data.total * 2` → `times(data?.total ?? null, 2)`
 */
export function write(expression: Expression, scope: Scope): PrintedExpression | undefined {
  if (effectsOf(expression).weight.depth > deepest) return undefined;
  switch (expression.kind) {
    case "literal":
      return writeLiteral(expression.value, scope);
    case "identity":
      return scope.input ?? writeLiteral(null);
    case "variable":
      return scope.variable(expression.name);
    case "query":
      return writeQuery(expression, scope);
    case "object":
      return writeObject(expression, scope);
    case "array":
      return expression.items ? writeList(expression.items, scope) : writeLiteral([]);
    case "pipe":
      return writePipe(expression, scope);
    case "let":
      return writeLet(expression, scope);
    case "if":
      return writeConditional(expression, scope);
    case "call":
      return writeAnyCall(expression, scope);
    case "access":
      return writeAccess(expression, scope);
    case "try":
      return writeTry(expression, scope);
    case "dialect":
      return writeDialect(expression, scope);
    case "comma":
    case "iterate":
    case "fold":
    case "label":
    case "break":
    case "define":
      return undefined;
    default:
      return assertNever(expression);
  }
}

function writeAnyCall(call: Call, scope: Scope): PrintedExpression | undefined {
  if (call.isLocal) return undefined;
  const parts = textParts(call);
  if (parts) return writeText(parts, scope);
  if (isBinary(call)) return writeBinary(call, scope);
  const form = formOf(call);
  switch (form?.name) {
    case "and":
    case "or":
      return writeLogic(form, scope);
    case "alternative":
      return writeAlternative(form, scope);
    case "update":
      return writeUpdate(form, scope);
    case "recurse":
    case "path":
      return undefined;
    case undefined:
      return writeCall(call, scope);
    default:
      return assertNever(form);
  }
}

/** What is nested deeper does not read well. */
const deepest = 200;

/** The code of exactly one value. An expression that may have no output has such code only with a substitute. */
export function writeOne(expression: Expression, scope: Scope): PrintedExpression | undefined {
  const value = write(expression, scope);
  return value && sureOf(value, scope);
}

/** What may give nothing, taken to be there: it is by its type, or becomes a guard. */
export function sureOf(value: PrintedExpression, { guards }: Scope): PrintedExpression | undefined {
  if (!value.isOptional) return value;
  if (value.sure !== undefined) return { ...value, code: value.sure, isOptional: false, isPresent: false };
  if (!guards || !isSimple(value.code)) return undefined;
  if (!guards.some((guard) => equalNodes(guard, value.code))) guards.push(value.code);
  return { ...value, code: narrowed(value.code), isOptional: false };
}

/** A condition as jq takes it: false and null are false. */
export function writeTruth(expression: Expression, scope: Scope): PrintedExpression | undefined {
  const value = writeOne(expression, scope);
  if (!value || value.type === "boolean") return value;
  return truth(value.inferred === "boolean" ? value.code : helped(scope, "isTrue", [value.code]));
}

/** A value of JSON. Nothing changes arrays and objects, so that those of constants can be made once. */
export function writeLiteral(value: Json, { engine }: Pick<Scope, "engine"> = {}): PrintedExpression {
  const code = js.value(value);
  const isFilled = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  return {
    code: engine && isFilled ? engine.constant(code) : code,
    type: typeName(value),
    isPresent: value !== null && !Number.isNaN(value),
  };
}

function typeName(value: Json): PrintedExpression["type"] {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as "string");
}

/** `{a: E, (K): F}` → `{ a: e, [k]: f }`; undefined where a member is written twice. */
function writeObject({ entries }: ObjectConstruction, scope: Scope): PrintedExpression | undefined {
  const names = entries.flatMap(({ key }) => (key.kind === "literal" ? [key.value] : []));
  if (new Set(names).size < names.length) return undefined;
  const members = writeMembers(entries, scope);
  return members && printedExpression(js.object(members), { type: "object", isPresent: true });
}

/** The members of an object, in the order of their evaluation. */
export function writeMembers(
  entries: ObjectConstruction["entries"],
  scope: Scope,
): readonly ObjectMember[] | undefined {
  const members: ObjectMember[] = [];
  let current = scope;
  for (const entry of entries) {
    const member = writeEntry(entry, current);
    if (member === undefined) return undefined;
    members.push(member);
    if (canFail(entry.value) || canFail(entry.key) || effectsOf(entry.key).type !== "string")
      current = withoutLines(current);
  }
  return members;
}

type Entry = ObjectConstruction["entries"][number];

function writeEntry({ key, value }: Entry, scope: Scope): ObjectMember | undefined {
  if (key.kind === "literal") {
    const made = writeOne(value, scope);
    return made && typeof key.value === "string" ? js.property(key.value, made.code) : undefined;
  }
  const name = writeOne(key, scope);
  if (!name) return undefined;
  const isText = effectsOf(key).type === "string";
  if (!isText && canFail(value)) return writeChecked({ key, value }, name, scope);
  const made = writeOne(value, canFail(key) ? withoutLines(scope) : scope);
  return made && js.property(isText ? name.code : helped(scope, "objectKey", [name.code]), made.code);
}

/** The type of a key is checked after the value is computed, so both become constants. */
function writeChecked({ key, value }: Entry, name: PrintedExpression, scope: Scope): ObjectMember | undefined {
  const known = constant(key, name, scope);
  const made = known && writeOne(value, scope);
  const placed = made && constant(value, made, scope);
  return placed && js.property(helped(scope, "objectKey", [known.code]), placed.code);
}

function writePipe({ left, right }: Pipe, scope: Scope): PrintedExpression | undefined {
  if (scope.hasLoops && reductionOf(left, right)) return undefined;
  const value = standing(left, right, { kind: "input" }, scope);
  return value && write(right, withInput(value.around, value.written));
}

function writeLet({ name, value, body }: Let, scope: Scope): PrintedExpression | undefined {
  const named = standing(value, body, { kind: "variable", name }, scope);
  return named && write(body, withVariable(named.around, name, named.written));
}

/** `if A then B else C end` → `a ? b : c` */
function writeConditional(expression: Conditional, scope: Scope): PrintedExpression | undefined {
  if (isListOrFailure(expression)) return writeListIn(expression, scope);
  const { condition, then, otherwise } = expression;
  const alone = unguarded(scope);
  if (isSureToExist(condition, alone)) return writeWay(then, alone);
  const [test, yes, no] = [writeTruth(condition, scope), writeWay(then, alone), writeWay(otherwise, alone)];
  if (!test || !yes || !no) return undefined;
  return printedExpression(conditional(test.code, yes.code, no.code), {
    isOptional: yes.isOptional || no.isOptional,
    isPresent: yes.isPresent && no.isPresent,
    use: yes.use === no.use ? yes.use : undefined,
    type: isFailure(otherwise) || yes.type === no.type ? yes.type : isFailure(then) ? no.type : undefined,
  });
}

/** Whether a condition is `exists(E)` of a value that is proven to exist. */
function isSureToExist(condition: Expression, scope: Scope): boolean {
  const [node] = condition.kind === "call" && condition.name === "exists" ? condition.args : [];
  const value = node && node.kind === "query" && !canFail(node) ? write(node, scope) : undefined;
  return value !== undefined && (!value.isOptional || value.sure !== undefined);
}

/** Whether an expression only fails: `error(E)` */
export const isFailure = (expression: Expression): expression is Call =>
  expression.kind === "call" && expression.name === "error" && expression.args.length === 1;

/** Whether a conditional gives a value that is an array, and fails where it is none: `if type(E) == "array" then E else error(F) end` */
const isListOrFailure = ({ condition, then, otherwise }: Conditional): boolean =>
  equalExpressions(condition, binary("==", call("type", then), literal("array"))) &&
  isFailure(otherwise) &&
  otherwise.kind === "call" &&
  otherwise.args[0]!.kind === "literal";

/** `if type(E) == "array" then E else error(F) end` → `listIn(e, f)` */
function writeListIn({ then, otherwise }: Conditional, scope: Scope): PrintedExpression | undefined {
  const [failure] = otherwise.kind === "call" ? otherwise.args : [];
  const value = writeOne(then, scope);
  const failed = failure && writeOne(failure, scope);
  if (!value || !failed) return undefined;
  return printedExpression(helped(scope, "listIn", [value.code, failed.code]), { type: "array", isPresent: true });
}

/** One way of a choice: what is sure to be there is taken to be. */
function writeWay(expression: Expression, scope: Scope): PrintedExpression | undefined {
  if (isNothing(expression)) return printedExpression(js.undefinedName, { isOptional: true });
  const value = write(expression, scope);
  return value && (sureOf(value, scope) ?? value);
}

/** A value, or null without one: `a ?? null`. */
export const orNull = (value: PrintedExpression): Code =>
  value.isOptional ? js.binary(value.code, "??", js.literal(null)) : value.code;

/** `A // B` → `either(a, b)`: JavaScript's `??` takes null alone for nothing, but here false is too. */
function writeAlternative({ args: [left, right] }: Alternative, scope: Scope): PrintedExpression | undefined {
  const alone = unguarded(scope);
  const [value, other] = [write(left, alone), write(right, alone)];
  if (!value || !other) return undefined;
  if (!canFail(right) && !other.isOptional)
    return printedExpression(helped(scope, "either", [orNull(value), other.code]));
  if (!isSimple(value.code)) return undefined;
  const test = helped(scope, "isTrue", [orNull(value)]);
  const sure = value.isOptional ? js.nonNull(value.code) : value.code;
  return printedExpression(js.conditional(test, sure, other.code), { isOptional: other.isOptional });
}

/**
 * `.name` and `.[key]` → `get(value, "name")`: they fail for values of other types, or with `?` give nothing. Members of
 * proven objects are paths: `data.check!.status!`
 */
function writeAccess(expression: Access, scope: Scope): PrintedExpression | undefined {
  const { source, key, optional } = expression;
  const bounds = sliceBounds(expression);
  if (bounds) return optional ? undefined : writeSlice(source, bounds, scope);
  const parts = writeInOtherOrder([key, source], scope);
  if (!parts) return undefined;
  const [name, value] = parts as readonly [PrintedExpression, PrintedExpression];
  const member = key.kind === "literal" && typeof key.value === "string" && memberOfObject(value, key.value, scope);
  if (member) return sureOf(member, unguarded(scope)) ?? printedExpression(orNull(member), { use: member.use });
  return printedExpression(accessCode(expression, value.code, name.code, scope), { isOptional: optional });
}

/** An access to a value by a key that have been printed. */
export function accessCode(
  { key, optional }: Pick<Access, "key" | "optional">,
  value: Code,
  name: Code,
  scope: Scope,
): Code {
  const shown = key.kind === "literal" && typeof key.value === "string" && isShown(key.value) ? key.value : undefined;
  if (shown !== undefined && !optional && scope.accessor && isOwn(shown))
    return js.call(scope.accessor(shown), [value]);
  const isShort = shown !== undefined;
  return helped(scope, `${isShort ? "member" : "value"}${optional ? "If" : isShort ? "" : "At"}`, [value, name]);
}

/** Whether only members have that name, and no inherited property. */
export const isOwn = (key: string): boolean => /^[A-Za-z_]\w*$/.test(key) && !inherited.has(key);

const inherited: ReadonlySet<string> = new Set(
  [Object.prototype, Array.prototype].flatMap((prototype) => Object.getOwnPropertyNames(prototype)),
);

/** Whether messages show a name in full. */
export const isShown = (name: string): boolean => excerpt(name) === JSON.stringify(name);

/** `.[from:upTo]` → `slice(value, from, upTo)` */
function writeSlice(source: Expression, bounds: readonly Expression[], scope: Scope): PrintedExpression | undefined {
  const parts = writeInOtherOrder([...bounds, source], scope);
  if (!parts) return undefined;
  const [start, end, value] = parts as readonly [PrintedExpression, PrintedExpression, PrintedExpression];
  return printedExpression(helped(scope, "slice", [value.code, start.code, end.code]));
}

/** `"a \(E)"` → `` `a ${e}` ``. The last part is evaluated first. */
function writeText(parts: readonly Expression[], scope: Scope): PrintedExpression | undefined {
  const isConstant = (part: Expression) => part.kind === "literal" && typeof part.value === "string";
  const values = writeInOtherOrder(parts.filter((part) => !isConstant(part)).reverse(), scope);
  if (!values) return undefined;
  let next = values.length;
  const pieces = parts.map((part) =>
    part.kind === "literal" && typeof part.value === "string" ? part.value : textOf(values[--next]!, scope),
  );
  return printedExpression(textCode(pieces), { type: "string", isPresent: true });
}

/** Strings one after the other. */
export const textCode = (pieces: readonly (string | Code)[]): Code => js.template(pieces);

const textOf = (value: PrintedExpression, scope: Scope): Code =>
  value.type === "string" || value.type === "boolean" ? value.code : helped(scope, "toText", [value.code]);
