import { builtinOf } from "../builtins/builtins.ts";
import type {
  Access,
  Alternative,
  Binary,
  Call,
  Expression,
  Interpolation,
  ObjectConstruction,
  Slice,
} from "../core/ast.ts";
import { factsOf } from "../facts/facts.ts";
import { excerpt } from "../library/json-text.ts";
import { library, listFunctions } from "../library/registry.ts";
import { isAtomic } from "./plain.ts";
import { refuse } from "./refusal.ts";
import { find, type Scope, withDot, withVariable } from "./scope.ts";
import { keyCode, quotedText, valueCode } from "./text.ts";
import { helper, type Writer } from "./writer.ts";

/** The expression of JavaScript that a plain expression becomes. */
export function codeOf(expression: Expression, scope: Scope): string {
  switch (expression.kind) {
    case "literal":
      return literalCode(expression.value, scope.writer);
    case "identity":
      return scope.dot.value;
    case "variable":
      return (
        find(scope.variables, expression.name) ??
        refuse(expression, `The variable \`$${expression.name}\` has no value.`)
      );
    case "array":
      return expression.items === undefined ? "[]" : `[${itemsCode(expression.items, scope)}]`;
    case "object":
      return objectCode(expression, scope);
    case "pipe":
      return codeOf(expression.right, withDot(scope, { value: codeOf(expression.left, scope) }));
    case "let":
      return codeOf(expression.body, withVariable(scope, expression.name, codeOf(expression.value, scope)));
    case "if":
      return `(${conditionCode(expression.condition, scope)} ? ${codeOf(expression.then, scope)} : ${codeOf(expression.otherwise, scope)})`;
    case "logic":
      return `(${conditionCode(expression.left, scope)} ${expression.operator === "and" ? "&&" : "||"} ${conditionCode(expression.right, scope)})`;
    default:
      return operationCode(expression, scope);
  }
}

function operationCode(expression: Expression, scope: Scope): string {
  switch (expression.kind) {
    case "binary":
      return binaryCode(expression, codeOf(expression.left, scope), codeOf(expression.right, scope), scope.writer);
    case "call":
      return callCode(
        expression,
        expression.args.map((argument) => codeOf(argument, scope)),
        scope.writer,
      );
    case "access":
      return accessCode(expression, codeOf(expression.source, scope), codeOf(expression.key, scope), scope.writer);
    case "slice":
      return sliceCode(expression, scope);
    case "alternative":
      return alternativeCode(expression, scope);
    case "interpolation":
      return interpolationCode(expression, scope);
    default:
      throw new Error(`Not a plain expression: ${expression.kind}`);
  }
}

const itemsCode = (items: Expression, scope: Scope): string =>
  items.kind === "comma" ? items.items.map((item) => codeOf(item, scope)).join(", ") : codeOf(items, scope);

/** Arrays and objects are made once: nothing changes values. */
function literalCode(value: Parameters<typeof valueCode>[0], writer: Writer): string {
  const code = valueCode(value);
  if (typeof value !== "object" || value === null || code === "[]" || code === "{}") return code;
  const name = `${writer.name}_${writer.constants.length + 1}_`;
  writer.constants.push(`const ${name} = ${code};\n`);
  return name;
}

function objectCode({ entries }: ObjectConstruction, scope: Scope): string {
  if (entries.length === 0) return "{}";
  const members = entries.map(({ key, value }) => `${memberKeyCode(key, scope)}: ${codeOf(value, scope)}`);
  return `{ ${members.join(", ")} }`;
}

function memberKeyCode(key: Expression, scope: Scope): string {
  if (key.kind === "literal" && typeof key.value === "string") return keyCode(key.value);
  const code = codeOf(key, scope);
  return factsOf(key).type === "string" ? `[${code}]` : `[${helper(scope.writer, "objectKey")}(${code})]`;
}

/** JavaScript that is true where a plain expression gives something other than false and null. */
export const conditionCode = (expression: Expression, scope: Scope): string =>
  truthCode(expression, codeOf(expression, scope), scope.writer);

/** JavaScript that is true where what an expression gave is other than false and null. */
export function truthCode(expression: Expression, code: string, writer: Writer): string {
  return factsOf(expression).type === "boolean" ? code : `${helper(writer, "isTrue")}(${code})`;
}

const operators: { readonly [operator in Binary["operator"]]: string } = {
  "+": "plus",
  "-": "minus",
  "*": "times",
  "/": "divide",
  "%": "modulo",
  "==": "equalValues",
  "!=": "unequalValues",
  "<": "isLess",
  "<=": "isLessOrEqual",
  ">": "isGreater",
  ">=": "isGreaterOrEqual",
};

/** An operation with the operands that JavaScript gave. */
export function binaryCode({ operator, left, right }: Binary, a: string, b: string, writer: Writer): string {
  const sign = operator === "==" ? "===" : operator === "!=" ? "!==" : undefined;
  if (sign !== undefined && (isScalar(left) || isScalar(right))) return `(${a} ${sign} ${b})`;
  return `${helper(writer, operators[operator])}(${a}, ${b})`;
}

const isScalar = (expression: Expression): boolean => expression.kind === "literal" && isAtomic(expression);

/** A call of a function of values, with the arguments that JavaScript gave. */
export function callCode({ name, args }: Call, codes: readonly string[], writer: Writer): string {
  if (name === "infinite" || name === "nan") return name === "nan" ? "NaN" : "Infinity";
  const called = functionName(name, args.length);
  if (called === undefined) throw new Error(`Unknown function: ${name}/${args.length}`);
  return `${helper(writer, called)}(${codes.join(", ")})`;
}

/** The function of the runtime that does what a function of values does; undefined where there is none. */
export function functionName(name: string, arity: number): string | undefined {
  const signature = `${name}/${arity}`;
  const found = library.get(signature) ?? listFunctions.get(signature) ?? library.get(`${name}/${arity + 1}`);
  return dialectFunctions.get(signature) ?? (builtinOf(name, arity) ? found?.name : undefined);
}

/** The function of the runtime that does what an operator does. */
export const operatorName = (operator: Binary["operator"]): string => operators[operator];

/** The functions of values that jq does not have, and what JavaScript calls for them. */
const dialectFunctions: ReadonlyMap<string, string> = new Map([
  ["not/1", "isFalse"],
  ["text/1", "text"],
  ["merge/2", "mergeJson"],
  ["mergeResult/3", "mergeResultJson"],
  ["place/3", "placeJson"],
  ["difference/2", "differenceJson"],
  ["switchCondition/3", "switchCondition"],
]);

/** An access to what JavaScript gave; with a key that messages show in full it is shorter. */
export function accessCode(
  { key, optional }: Pick<Access, "key" | "optional">,
  source: string,
  keyText: string,
  writer: Writer,
): string {
  if (key.kind !== "literal" || typeof key.value !== "string" || excerpt(key.value) !== JSON.stringify(key.value))
    return `${helper(writer, optional ? "valueIf" : "valueAt")}(${source}, ${keyText})`;
  if (optional) return `${helper(writer, "memberIf")}(${source}, ${keyText})`;
  return isOrdinary(key.value)
    ? `${accessorOf(key.value, writer)}(${source})`
    : `${helper(writer, "member")}(${source}, ${keyText})`;
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
  const isThere = `typeof x === "object" && x !== null && x.${key} !== undefined`;
  writer.constants.push(`const ${name} = (x) => (${isThere} ? x.${key} : ${helper(writer, "member")}(x, "${key}"));\n`);
  return name;
}

function sliceCode({ source, from, upTo }: Slice, scope: Scope): string {
  const bound = (part: Expression | undefined) => (part === undefined ? "null" : codeOf(part, scope));
  return `${helper(scope.writer, "slice")}(${codeOf(source, scope)}, ${bound(from)}, ${bound(upTo)})`;
}

const alternativeCode = ({ left, right }: Alternative, scope: Scope): string =>
  `${helper(scope.writer, "either")}(${codeOf(left, scope)}, ${codeOf(right, scope)})`;

function interpolationCode({ parts }: Interpolation, scope: Scope): string {
  return joinedCode(parts.map((part) => (typeof part === "string" ? quotedText(part) : codeOf(part, scope))));
}

/** Texts in a row. */
export function joinedCode(codes: readonly string[]): string {
  const parts = codes.filter((code, i) => code !== '""' || i === 0);
  return parts.length === 1 ? parts[0]! : parts.length === 0 ? '""' : `(${parts.join(" + ")})`;
}
