import { type JsExpression as Code, js, type ObjectMember } from "../../js-ast/index.ts";
import type { Json } from "../../json.ts";
import { effectsOf } from "../analysis/effects.ts";
import { lookUp } from "../analysis/substitute.ts";
import { textParts } from "../analysis/text-parts.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Access, Binary, Call, Expression, ObjectConstruction } from "../core/ast.ts";
import { isAlternative, isBinary, isLogic, sliceBounds } from "../core/views.ts";
import { excerpt } from "../library/json-text.ts";
import { isAtomic } from "./plain.ts";
import { refuse, type Scope, withDot, withVariable } from "./scope.ts";
import { constantFor, helped, type Writer } from "./writer.ts";

/** The expression of JavaScript that a plain expression becomes: `.a + 1` → `plus(program_a(input), 1)`. */
export function codeOf(expression: Expression, scope: Scope): Code {
  const { writer } = scope;
  switch (expression.kind) {
    case "literal":
      return literalCode(expression.value, writer);
    case "identity":
      return scope.dot.value;
    case "variable":
      return (
        lookUp(scope.variables, expression.name) ??
        refuse(expression, `The variable \`$${expression.name}\` has no value.`)
      );
    case "array":
      return js.array(expression.items === undefined ? [] : itemsCode(expression.items, scope));
    case "object":
      return objectCode(expression, scope);
    case "pipe":
      return codeOf(expression.right, withDot(scope, { value: codeOf(expression.left, scope) }));
    case "let":
      return codeOf(expression.body, withVariable(scope, expression.name, codeOf(expression.value, scope)));
    case "if":
      return js.conditional(
        conditionCode(expression.condition, scope),
        codeOf(expression.then, scope),
        codeOf(expression.otherwise, scope),
      );
    case "call":
      return anyCallCode(expression, scope);
    case "access": {
      const bounds = sliceBounds(expression);
      if (bounds) {
        const [source, from, upTo] = [expression.source, ...bounds].map((part) => codeOf(part, scope));
        return helped(writer, "slice", source!, from!, upTo!);
      }
      return accessCode(expression, codeOf(expression.source, scope), codeOf(expression.key, scope), writer);
    }
    default:
      throw new Error(`Not a plain expression: ${expression.kind}`);
  }
}

function anyCallCode(call: Call, scope: Scope): Code {
  const { writer } = scope;
  if (isLogic(call)) {
    const [left, right] = call.args.map((side) => conditionCode(side, scope));
    return js.binary(left!, call.name === "and" ? "&&" : "||", right!);
  }
  const parts = textParts(call);
  const args = (parts ?? call.args).map((part) => codeOf(part, scope));
  if (parts) return joinedCode(args);
  if (isBinary(call)) return binaryCode(call, args[0]!, args[1]!, writer);
  return isAlternative(call) ? helped(writer, "either", ...args) : callCode(call, args, writer);
}

const itemsCode = (items: Expression, scope: Scope): readonly Code[] =>
  items.kind === "comma" ? items.items.map((item) => codeOf(item, scope)) : [codeOf(items, scope)];

/** Arrays and objects are made once: nothing changes values. */
function literalCode(value: Json, writer: Writer): Code {
  const code = js.value(value);
  const isEmpty = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  return isEmpty || writer.isReadable ? code : js.name(constantFor(writer, code));
}

function objectCode({ entries }: ObjectConstruction, scope: Scope): Code {
  return js.object(entries.map((entry) => memberCode(entry, scope)));
}

function memberCode({ key, value }: ObjectConstruction["entries"][number], scope: Scope): ObjectMember {
  if (key.kind === "literal" && typeof key.value === "string") return js.property(key.value, codeOf(value, scope));
  const code = codeOf(key, scope);
  const name = effectsOf(key).type === "string" ? code : helped(scope.writer, "objectKey", code);
  return js.property(name, codeOf(value, scope));
}

/** What is true where a plain expression gives something other than false and null. */
export const conditionCode = (expression: Expression, scope: Scope): Code =>
  truthCode(expression, codeOf(expression, scope), scope.writer);

/** What is true where an expression gave something other than false and null. */
export const truthCode = (expression: Expression, code: Code, writer: Writer): Code =>
  effectsOf(expression).type === "boolean" ? code : helped(writer, "isTrue", code);

/** An operation with the operands that JavaScript gave: `a === 1`, `plus(a, b)`. */
export function binaryCode({ name, args: [left, right] }: Binary, a: Code, b: Code, writer: Writer): Code {
  const sign = name === "==" ? "===" : name === "!=" ? "!==" : undefined;
  if (sign !== undefined && (isScalar(left) || isScalar(right))) return js.binary(a, sign, b);
  return helped(writer, functionName(name, 2)!, a, b);
}

const isScalar = (expression: Expression): boolean => expression.kind === "literal" && isAtomic(expression);

/** A call of a function of values, with the arguments that JavaScript gave. */
export function callCode({ name, args }: Call, codes: readonly Code[], writer: Writer): Code {
  if (name === "infinite" || name === "nan") return js.literal(name === "nan" ? Number.NaN : Number.POSITIVE_INFINITY);
  const called = functionName(name, args.length);
  if (called === undefined) throw new Error(`Unknown function: ${name}/${args.length}`);
  return helped(writer, called, ...codes);
}

/** The function of the runtime that does what a function of values does; undefined where there is none. */
export function functionName(name: string, arity: number): string | undefined {
  const builtin = builtinOf(name, arity);
  return builtin?.kind === "value" ? builtin.javascript : undefined;
}

/** An access to what JavaScript gave; with a key that messages show in full it is shorter: `program_a(input)`. */
export function accessCode(
  { key, optional }: Pick<Access, "key" | "optional">,
  source: Code,
  keyCode: Code,
  writer: Writer,
): Code {
  if (key.kind !== "literal" || typeof key.value !== "string" || excerpt(key.value) !== JSON.stringify(key.value))
    return helped(writer, optional ? "valueIf" : "valueAt", source, keyCode);
  if (optional) return helped(writer, "memberIf", source, keyCode);
  return isOrdinary(key.value) && !writer.isReadable
    ? js.call(accessorOf(key.value, writer), [source])
    : helped(writer, "member", source, keyCode);
}

/** Whether no value has a property of that name which is no member. */
const isOrdinary = (key: string): boolean => /^[A-Za-z_]\w*$/.test(key) && !inherited.has(key);

const inherited: ReadonlySet<string> = new Set(
  [Object.prototype, Array.prototype].flatMap((prototype) => Object.getOwnPropertyNames(prototype)),
);

/** A function for one key: engines learn where to find it. */
function accessorOf(key: string, writer: Writer): string {
  const known = writer.accessors.get(key);
  if (known !== undefined) return known;
  const name = `${writer.name}_${key.length > 40 ? writer.constants.length : key}`;
  writer.accessors.set(key, name);
  const x = js.name("x");
  const isThere = js.and(
    js.binary(js.unary("typeof", x), "===", js.literal("object")),
    js.binary(x, "!==", js.literal(null)),
    js.binary(js.member(x, key), "!==", js.undefinedName),
  );
  const otherwise = helped(writer, "member", x, js.literal(key));
  writer.constants.push({ name, value: js.arrow(["x"], js.conditional(isThere, js.member(x, key), otherwise)) });
  return name;
}

/** Texts in a row: `"a" + b`. */
export function joinedCode(codes: readonly Code[]): Code {
  const [first, ...rest] = codes.filter((code, i) => i === 0 || code.kind !== "literal" || code.value !== "");
  return rest.reduce((text, code) => js.binary(text, "+", code), first ?? js.literal(""));
}
