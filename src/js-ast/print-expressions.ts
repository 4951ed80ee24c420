import { assertNever } from "../json.ts";
import {
  brokenGroup,
  type Document,
  group,
  indent,
  join,
  line,
  oneLine,
  softLine,
  trailingComma,
  willBreak,
} from "../layout/index.ts";
import { isIdentifierName, printNumber, regexLiteral, stringLiteral, templatePiece } from "./literals.ts";
import { isNegative, precedence, precedenceOf } from "./precedence.ts";
import { printAssignment, printProperty } from "./print-assignments.ts";
import { printCall, printLookup, printNew } from "./print-calls.ts";
import { printFunction, printPattern } from "./print-functions.ts";
import { printBinary, printConditional } from "./print-operators.ts";
import { printTypeNode } from "./print-types.ts";
import type { Place, Style } from "./style.ts";
import type {
  ArrayLiteral,
  AwaitExpression,
  ElementAccess,
  JsExpression,
  LiteralExpression,
  ObjectLiteral,
  PropertyAccess,
  TemplateLiteral,
  TypeAssertion,
  UnaryExpression,
} from "./tree.ts";

/** Prints an expression with the necessary parentheses. */
export function printExpression(
  whole: JsExpression,
  style: Style,
  place: Place = "other",
  least: number = precedence.assignment,
): Document {
  const expression = eraseTypes(whole, style);
  const printed = printBare(expression, style, place);
  return precedenceOf(expression) < least || isClearerInParentheses(expression, place) ? ["(", printed, ")"] : printed;
}

/** Removes type assertions in JavaScript. */
export function eraseTypes(expression: JsExpression, { types }: Style): JsExpression {
  let bare = expression;
  while (!types && (bare.kind === "assertion" || bare.kind === "nonNull")) bare = bare.operand;
  return bare;
}

/** An assignment in another expression, and an assertion or `??` in a branch of a conditional. */
function isClearerInParentheses(expression: JsExpression, place: Place): boolean {
  if (expression.kind === "assign") return place !== "statement" && place !== "assigned";
  if (place !== "branch" && place !== "indentedBranch") return false;
  return expression.kind === "assertion" || (expression.kind === "binary" && expression.operator === "??");
}

function printBare(expression: JsExpression, style: Style, place: Place): Document {
  switch (expression.kind) {
    case "literal":
      return literalText(expression, style);
    case "template":
      return printTemplate(expression, style);
    case "regex":
      return regexLiteral(expression.source, expression.flags, style.charset);
    case "identifier":
      return expression.name;
    case "array":
      return printArray(expression, style);
    case "object":
      return printObject(expression, style);
    case "member":
    case "element":
      return printAccess(expression, style, place);
    case "call":
      return printCall(expression, style, place);
    case "new":
      return printNew(expression, style);
    case "function":
      return printFunction(expression, style).whole;
    case "unary":
      return printUnary(expression, style);
    case "binary":
      return printBinary(expression, style, place);
    case "conditional":
      return printConditional(expression, style, place);
    case "assign": {
      const { target, operator, value } = expression;
      const isPattern = target.kind === "objectPattern" || target.kind === "arrayPattern";
      const left = isPattern
        ? printPattern(target, style)
        : printExpression(target, style, "other", precedence.postfix);
      return printAssignment({ left, operator: ` ${operator}`, value, pattern: isPattern ? target : undefined }, style);
    }
    case "await":
      return printAwait(expression, style, place);
    case "yield": {
      const { operand, delegates } = expression;
      return [`yield${delegates ? "*" : ""}`, operand ? [" ", printExpression(operand, style)] : ""];
    }
    case "spread":
      return ["...", printOperand(expression.operand, style, precedence.postfix)];
    case "assertion":
      return printAssertion(expression, style, place);
    case "nonNull":
      return [printExpression(expression.operand, style, "other", precedence.postfix), "!"];
    default:
      return assertNever(expression);
  }
}

/** A broken conditional has lines of its own between the parentheses. */
function printAssertion({ operand, operator, type }: TypeAssertion, style: Style, place: Place): Document {
  const isWrapped = operand.kind === "conditional" && (place === "assigned" || place === "returned");
  const least = operand.kind === "assertion" ? precedence.assertion : precedence.postfix;
  const parts = [
    isWrapped
      ? ["(", group([indent([softLine, printConditional(operand, style, "other")]), softLine]), ")"]
      : printOperand(operand, style, least),
    ` ${operator} `,
    printTypeNode(type, style),
  ];
  return place === "callee" || place === "object" ? group([indent([softLine, ...parts]), softLine]) : parts;
}

/** An operand of `...`, `as` or an operator, with parentheses around operations. */
const printOperand = (operand: JsExpression, style: Style, least: number): Document =>
  printExpression(operand, style, "other", operand.kind === "unary" ? precedence.unary : least);

function literalText({ value }: LiteralExpression, { types, charset }: Style): string {
  if (typeof value === "string") return stringLiteral(value, charset);
  if (typeof value !== "number") return String(value);
  return value < 0 || Object.is(value, -0) ? `-${printNumber(-value, types)}` : printNumber(value, types);
}

function printTemplate({ parts }: TemplateLiteral, style: Style): Document {
  const printed = parts.map((part): Document => {
    if (typeof part === "string") return templatePiece(part, style.charset);
    const hole = printExpression(part, style, "template");
    return ["${", willBreak(hole) ? hole : oneLine(hole), "}"];
  });
  return ["`", ...printed, "`"];
}

function printArray({ elements }: ArrayLiteral, style: Style): Document {
  if (elements.length === 0) return "[]";
  const printed = elements.map((element): Document => printExpression(element, style, "argument"));
  if (isListOfNumbers(elements)) {
    const [first, ...others] = printed.map((number, i) => [number, i < printed.length - 1 ? "," : trailingComma]);
    return group(["[", indent([softLine, first!, ...others.map((number) => group([line, number]))]), softLine, "]"]);
  }
  const items = join(
    [",", line],
    printed.map((item) => group(item)),
  );
  const contents = ["[", indent([softLine, items, trailingComma]), softLine, "]"];
  return isTable(elements) ? brokenGroup(contents) : group(contents);
}

/** Whether elements are numbers, which share lines. */
export const isListOfNumbers = (elements: readonly JsExpression[]): boolean =>
  elements.length > 0 && elements.every((element) => element.kind === "literal" && typeof element.value === "number");

/** Whether elements are arrays or objects with several members, each of which has its own lines. */
function isTable(elements: readonly JsExpression[]): boolean {
  const [first] = elements;
  return (
    elements.length > 1 &&
    elements.every((element) => {
      if (element.kind !== first!.kind) return false;
      if (element.kind === "array") return element.elements.length > 1;
      return element.kind === "object" && element.members.length > 1;
    })
  );
}

function printObject({ members }: ObjectLiteral, style: Style): Document {
  if (members.length === 0) return "{}";
  const printed = members.map((member) =>
    member.kind === "spread" ? printExpression(member, style) : printProperty(member, style),
  );
  return group(["{", indent([line, join([",", line], printed), trailingComma]), line, "}"]);
}

/** A member of a member breaks before its dot. */
function printAccess(access: PropertyAccess | ElementAccess, style: Style, place: Place): Document {
  const object = eraseTypes(access.object, style);
  const lookup = printLookup(access, style);
  const isComputed = access.kind === "element" || !isIdentifierName(access.name);
  const isInline =
    isComputed ||
    (object.kind === "identifier" && place !== "object") ||
    (place === "assigned" && object.kind === "call" && object.args.length > 0);
  return [printAccessed(object, style), isInline ? lookup : group(indent([softLine, lookup]))];
}

/** The object of a member or the callee of a call. */
export function printAccessed(object: JsExpression, style: Style, place: Place = "object"): Document {
  const bare = eraseTypes(object, style);
  const isNumber = bare.kind === "literal" && typeof bare.value === "number";
  const isFunction = bare.kind === "function";
  return printExpression(bare, style, place, isNumber || isFunction ? precedence.primary + 1 : precedence.postfix);
}

function printAwait({ operand }: AwaitExpression, style: Style, place: Place): Document {
  const parts = ["await ", printExpression(operand, style, "other", precedence.unary)];
  return place === "callee" || place === "object" ? group([indent([softLine, ...parts]), softLine]) : parts;
}

/** `-(-1)` must not print as `--1`. */
function printUnary({ operator, operand: whole }: UnaryExpression, style: Style): Document {
  const operand = eraseTypes(whole, style);
  const isSign = operator === "-" || operator === "+";
  const isSigned =
    (operand.kind === "unary" && operand.operator === operator) || (operand.kind === "literal" && isNegative(operand));
  const isAwait = operand.kind === "await";
  const least = (isSign && isSigned) || isAwait ? precedence.postfix : precedence.unary;
  return [/\w/.test(operator) ? `${operator} ` : operator, printExpression(operand, style, "unaryOperand", least)];
}
