import { type JsExpression as Code, js } from "../../js-ast/index.ts";
import type { Conditional, Jsonata, Operation } from "../syntax/jsonata/syntax.ts";
import { print } from "./print.ts";
import { call, constant, nothing, type Printed, refuse, type Scope } from "./scope.ts";

/** `-E`: `-1`, `negative(e)` */
export function printNegation(operand: Jsonata, scope: Scope): Printed {
  if (operand.kind === "number")
    return operand.value === 0 ? refuse("a negative zero") : constant(-operand.value, "number");
  const { code, isOptional } = print(operand, scope);
  return call(scope, "negative", [code], { type: "number", isOptional, canFail: true });
}

/** An operation of two values. */
export function printOperation({ operator, left, right }: Operation, scope: Scope): Printed {
  if (operator === "and" || operator === "or") return printLogic(operator, [left, right], scope);
  if (operator === "&") return printText([left, right], scope);
  const operands = [print(left, scope), print(right, scope)] as const;
  const canFail = operands.some((operand) => operand.canFail);
  const codes = operands.map(({ code }) => code);
  switch (operator) {
    case "=":
    case "!=":
      return isPlainEquality(operator, operands)
        ? { ...truth(js.binary(codes[0]!, "===", codes[1]!)), canFail }
        : call(scope, operator === "=" ? "equal" : "unequal", codes, { type: "boolean", canFail });
    case "in":
      return call(scope, "includedIn", codes, { type: "boolean", canFail });
    case "<":
    case "<=":
    case ">":
    case ">=":
      return printComparison(operator, operands, scope);
    default:
      return printCalculation(operator, operands, scope);
  }
}

const truth = (code: Code): Printed => ({ code, type: "boolean", isOptional: false, canFail: false });

type Operands = readonly [left: Printed, right: Printed];

/** Whether an equality is JavaScript's: of a scalar and what TypeScript lets be compared with it. Nothing equals no scalar. */
function isPlainEquality(operator: "=" | "!=", [left, right]: Operands): boolean {
  if (operator === "!=") return false;
  const [scalar, other] = isScalar(right) ? [right, left] : [left, right];
  const type = other.type ?? other.inferred;
  return isScalar(scalar) && !isScalar(other) && (type === undefined || type === scalar.type);
}

const isScalar = ({ code }: Printed): boolean => code.kind === "literal";

/** `a < b` of two numbers or two strings, otherwise `compare(a, "<", b)`. */
function printComparison(operator: "<" | "<=" | ">" | ">=", operands: Operands, scope: Scope): Printed {
  const [left, right] = operands;
  const canFail = left.canFail || right.canFail;
  const isOptional = left.isOptional || right.isOptional;
  const isTyped = left.type === right.type && (left.type === "number" || left.type === "string");
  if (isTyped && !isOptional && !(isScalar(left) && isScalar(right)))
    return { ...truth(js.binary(left.code, operator, right.code)), canFail };
  const codes = [left.code, js.literal(operator), right.code];
  return call(scope, "compare", codes, { type: "boolean", isOptional, canFail: canFail || !isTyped });
}

/** `a + b` of two numbers that count, otherwise `calculate(a, "+", b)`. */
function printCalculation(operator: "+" | "-" | "*" | "/" | "%", operands: Operands, scope: Scope): Printed {
  const [left, right] = operands;
  const stays = ["+", "-", "*"].includes(operator) && operands.every(isSmall);
  const canFail = !stays || left.canFail || right.canFail;
  const known = { type: "number", isOptional: left.isOptional || right.isOptional, canFail } as const;
  return stays
    ? { ...known, code: js.binary(left.code, operator, right.code) }
    : call(scope, "calculate", [left.code, js.literal(operator), right.code], known);
}

const isSmall = ({ code, isCount }: Printed): boolean =>
  isCount === true ||
  (code.kind === "literal" && typeof code.value === "number" && Math.abs(code.value) <= Number.MAX_SAFE_INTEGER);

function printLogic(operator: "and" | "or", parts: readonly Jsonata[], scope: Scope): Printed {
  const operands = parts.map((part) => booleanOf(print(part, scope), scope));
  const canFail = operands.some((operand) => operand.canFail);
  const codes = operands.map(({ code }) => code);
  return { ...truth(operator === "and" ? js.and(...codes) : js.or(...codes)), canFail };
}

/** The effective boolean of a value, which is false for nothing. */
export const booleanOf = (value: Printed, scope: Scope): Printed =>
  value.type === "boolean" && !value.isOptional
    ? value
    : call(scope, "truthy", [value.code], { type: "boolean", canFail: value.canFail });

/** A condition, where undefined is as good as false. */
export const conditionOf = (value: Printed, scope: Scope): Code =>
  value.type === "boolean" ? value.code : booleanOf(value, scope).code;

/** `A ? B : C` */
export function printConditional({ condition, result, otherwise }: Conditional, scope: Scope): Printed {
  const [test, then] = [print(condition, scope), print(result, scope)];
  const other = otherwise ? print(otherwise, scope) : nothing;
  return {
    code: js.conditional(conditionOf(test, scope), then.code, other.code),
    type: !otherwise || then.type === other.type ? then.type : undefined,
    isOptional: then.isOptional || other.isOptional,
    canFail: test.canFail || then.canFail || other.canFail,
  };
}

/** `A & B`: `` `${a}${b}` `` */
function printText(parts: readonly Jsonata[], scope: Scope): Printed {
  const operands = parts.flatMap((part) => textParts(part, scope));
  const pieces = operands.map((operand): string | Code => {
    const { code, type, isOptional } = operand;
    if (code.kind === "literal" && typeof code.value === "string") return code.value;
    return type === "string" && !isOptional ? code : textOf(operand, scope).code;
  });
  const [piece, ...others] = pieces.filter((each) => each !== "");
  const isOne = others.length === 0 && piece !== undefined && typeof piece !== "string";
  return {
    code: isOne ? piece : js.template(pieces),
    type: "string",
    isOptional: false,
    canFail: operands.some(({ canFail }) => canFail),
  };
}

function textParts(node: Jsonata, scope: Scope): readonly Printed[] {
  return node.kind === "operation" && node.operator === "&"
    ? [node.left, node.right].flatMap((part) => textParts(part, scope))
    : [print(node, scope)];
}

/** The string of a value, empty for nothing. */
export const textOf = (value: Printed, scope: Scope): Printed =>
  call(scope, "textOf", [value.code], { type: "string", canFail: value.canFail });
