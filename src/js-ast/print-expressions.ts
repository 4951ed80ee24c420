import { assertNever } from "../json.ts";
import { isIdentifierName, printNumber, propertyKey, quoteString, regexLiteral, templatePiece } from "./literals.ts";
import {
  append,
  indent,
  type ListFormat,
  newLine,
  type Output,
  type PrintNode,
  printGroup,
  printList,
} from "./output.ts";
import { printFunction, printPattern } from "./print-functions.ts";
import { printDocComment, printTypeArguments, printTypeNode } from "./print-types.ts";
import type {
  BinaryExpression,
  CallExpression,
  ConditionalExpression,
  JsBinaryOperator,
  JsExpression,
  LiteralExpression,
  NewExpression,
  ObjectMember,
  TemplateLiteral,
  UnaryExpression,
} from "./tree.ts";

const precedence = {
  assignment: 1,
  conditional: 2,
  // An operator after the type would be parsed as part of it.
  assertion: 2.5,
  relation: 10,
  power: 14,
  unary: 15,
  postfix: 16,
  primary: 17,
} as const;

const binaryPrecedence: { readonly [operator in JsBinaryOperator]: number } = {
  "??": 3,
  "||": 4,
  "&&": 5,
  "|": 6,
  "^": 7,
  "&": 8,
  "===": 9,
  "!==": 9,
  "==": 9,
  "!=": 9,
  "<": 10,
  "<=": 10,
  ">": 10,
  ">=": 10,
  in: 10,
  instanceof: 10,
  "<<": 11,
  ">>": 11,
  ">>>": 11,
  "+": 12,
  "-": 12,
  "*": 13,
  "/": 13,
  "%": 13,
  "**": 14,
};

/** Prints an expression with the necessary parentheses. */
export function printExpression(whole: JsExpression, output: Output, least: number = precedence.assignment): void {
  if (output.hasFailed) return;
  const expression = eraseTypes(whole, output);
  const needsParentheses = precedenceOf(expression) < least;
  if (needsParentheses) append(output, "(");
  printBare(expression, output);
  if (needsParentheses) append(output, ")");
}

function eraseTypes(expression: JsExpression, output: Output): JsExpression {
  const isOfTypes = expression.kind === "assertion" || expression.kind === "nonNull";
  return isOfTypes && !output.types ? eraseTypes(expression.operand, output) : expression;
}

function precedenceOf(expression: JsExpression): number {
  switch (expression.kind) {
    case "literal":
      return isNegative(expression) ? precedence.unary : precedence.primary;
    case "function":
      return expression.style === "arrow" ? precedence.assignment : precedence.primary;
    case "assign":
    case "yield":
    case "spread":
      return precedence.assignment;
    case "conditional":
      return precedence.conditional;
    case "binary":
      return binaryPrecedence[expression.operator];
    case "unary":
    case "await":
      return precedence.unary;
    case "assertion":
      return precedence.assertion;
    case "nonNull":
      return precedence.postfix;
    case "member":
    case "element":
    case "call":
    case "new":
      return precedence.postfix;
    default:
      return precedence.primary;
  }
}

const isNegative = ({ value }: LiteralExpression): boolean =>
  typeof value === "number" && (value < 0 || Object.is(value, -0));

function printBare(expression: JsExpression, output: Output): void {
  switch (expression.kind) {
    case "literal":
      append(output, literalText(expression, output));
      break;
    case "template":
      printTemplate(expression, output);
      break;
    case "regex":
      append(output, regexLiteral(expression.source, expression.flags, output.charset));
      break;
    case "identifier":
      append(output, expression.name);
      break;
    case "array":
      printList(expression.elements, output, expression.elements.length === 1 ? oneElementFormat : elementsFormat);
      break;
    case "object":
      printList(expression.members, output, membersFormat);
      break;
    case "member":
      printObject(expression.object, output);
      if (isIdentifierName(expression.name)) {
        append(output, `${expression.optional ? "?." : "."}${expression.name}`);
        return;
      }
      append(output, `${expression.optional ? "?." : ""}[${quoteString(expression.name, output.charset)}]`);
      break;
    case "element":
      printObject(expression.object, output);
      append(output, expression.optional ? "?.[" : "[");
      printExpression(expression.index, output);
      append(output, "]");
      break;
    case "call":
      printObject(expression.callee, output);
      if (expression.optional) append(output, "?.");
      printArguments(expression, output);
      break;
    case "new":
      append(output, "new ");
      printExpression(
        expression.callee,
        output,
        isPath(expression.callee) ? precedence.postfix : precedence.primary + 1,
      );
      printArguments(expression, output);
      break;
    case "function":
      printFunction(expression, output);
      break;
    case "unary":
      printUnary(expression, output);
      break;
    case "binary":
      printBinary(expression, output);
      break;
    case "conditional":
      printGroup(expression, output, printConditional, printConditionalBroken);
      break;
    case "assign":
      if (expression.target.kind === "objectPattern" || expression.target.kind === "arrayPattern")
        printPattern(expression.target, output);
      else printExpression(expression.target, output, precedence.postfix);
      append(output, ` ${expression.operator} `);
      printExpression(expression.value, output);
      break;
    case "await":
      append(output, "await ");
      printExpression(expression.operand, output, precedence.unary);
      break;
    case "yield":
      append(output, `yield${expression.delegates ? "*" : ""}`);
      if (expression.operand) append(output, " ");
      expression.operand && printExpression(expression.operand, output);
      break;
    case "spread":
      append(output, "...");
      printExpression(expression.operand, output);
      break;
    case "assertion":
      printExpression(expression.operand, output, expression.operand.kind === "assertion" ? 0 : precedence.relation);
      append(output, ` ${expression.operator} `);
      printTypeNode(expression.type, output);
      break;
    case "nonNull":
      printExpression(expression.operand, output, precedence.postfix);
      append(output, "!");
      break;
    default:
      assertNever(expression);
  }
}

function literalText({ value }: LiteralExpression, { types, charset }: Output): string {
  if (typeof value === "string") return quoteString(value, charset);
  if (typeof value !== "number") return String(value);
  return value < 0 || Object.is(value, -0) ? `-${printNumber(-value, types)}` : printNumber(value, types);
}

function printTemplate({ parts }: TemplateLiteral, output: Output): void {
  append(output, "`");
  for (const part of parts) {
    if (typeof part === "string") append(output, templatePiece(part, output.charset));
    else {
      append(output, "${");
      printExpression(part, output);
      append(output, "}");
    }
  }
  append(output, "`");
}

function printObject(object: JsExpression, output: Output): void {
  const bare = eraseTypes(object, output);
  const isNumber = bare.kind === "literal" && typeof bare.value === "number";
  printExpression(bare, output, isNumber ? precedence.primary + 1 : precedence.postfix);
}

const isPath = (expression: JsExpression): boolean =>
  expression.kind === "identifier" ||
  (expression.kind === "member" && !expression.optional && isPath(expression.object));

function printArguments({ types, args }: CallExpression | NewExpression, output: Output): void {
  printTypeArguments(types, output);
  printList(args, output, argumentsFormat);
}

function mayHug(expression: JsExpression): boolean {
  switch (expression.kind) {
    case "object":
    case "array":
      return true;
    case "function":
      return "length" in expression.body || mayHug(expression.body);
    default:
      return false;
  }
}

function printMember(member: ObjectMember, output: Output): void {
  if (member.kind === "spread") printExpression(member, output);
  else {
    const { key, value, doc } = member;
    printDocComment(doc, output);
    const isShort = typeof key === "string" && value.kind === "identifier" && value.name === key;
    if (!isShort || key === "__proto__") printKey(key, output);
    printExpression(value, output);
  }
}

function printKey(key: string | JsExpression, output: Output): void {
  if (typeof key === "string") append(output, propertyKey(key, output.charset));
  else {
    append(output, "[");
    printExpression(key, output);
    append(output, "]");
  }
  append(output, ": ");
}

/** `-(-1)` must not print as `--1`. */
function printUnary({ operator, operand: whole }: UnaryExpression, output: Output): void {
  const operand = eraseTypes(whole, output);
  append(output, /\w/.test(operator) ? `${operator} ` : operator);
  const isSign = operator === "-" || operator === "+";
  const isSigned =
    (operand.kind === "unary" && operand.operator === operator) || (operand.kind === "literal" && isNegative(operand));
  printExpression(operand, output, isSign && isSigned ? precedence.postfix : precedence.unary);
}

function printBinary(expression: BinaryExpression, output: Output): void {
  const { left, operator } = expression;
  if (left.kind === "binary" && left.operator === operator && operator !== "**")
    printGroup({ operator, operands: flattenChain(expression) }, output, printChain, printChainBroken);
  else printGroup(expression, output, printOperation, printOperationBroken);
}

function printOperation({ left, operator, right }: BinaryExpression, output: Output): void {
  printExpression(left, output, operandPrecedence(operator, false));
  append(output, ` ${operator} `);
  printExpression(right, output, operandPrecedence(operator, true));
}

const printOperationBroken: PrintNode<BinaryExpression> = ({ left, operator, right }, output) =>
  printChainBroken({ operator, operands: [left, right] }, output);

interface OperandChain {
  readonly operator: JsBinaryOperator;
  readonly operands: readonly JsExpression[];
}

function printChain({ operator, operands }: OperandChain, output: Output): void {
  for (const [i, operand] of operands.entries()) {
    if (i > 0) append(output, ` ${operator} `);
    printExpression(operand, output, operandPrecedence(operator, i > 0));
  }
}

function printChainBroken({ operator, operands: [first, ...others] }: OperandChain, output: Output): void {
  printExpression(first!, output, operandPrecedence(operator, false));
  indent(others, output, () => {
    for (const operand of others) {
      append(output, ` ${operator}`);
      newLine(output);
      printExpression(operand, output, operandPrecedence(operator, true));
    }
  });
}

function flattenChain({ operator, left, right }: BinaryExpression): readonly JsExpression[] {
  const operands: JsExpression[] = [right];
  let first = left;
  while (first.kind === "binary" && first.operator === operator && operator !== "**") {
    operands.push(first.right);
    first = first.left;
  }
  return [...operands, first].reverse();
}

/** `??` cannot mix with `||` and `&&`, and the left operand of `**` cannot have a sign. */
function operandPrecedence(operator: JsBinaryOperator, isRight: boolean): number {
  if (operator === "??") return binaryPrecedence["|"];
  if (operator === "**") return isRight ? precedence.power : precedence.postfix;
  return binaryPrecedence[operator] + (isRight ? 1 : 0);
}

function printConditional({ condition, then, otherwise }: ConditionalExpression, output: Output): void {
  printExpression(condition, output, precedence.conditional + 1);
  append(output, " ? ");
  printExpression(then, output);
  append(output, " : ");
  printExpression(otherwise, output);
}

function printConditionalBroken({ condition, then, otherwise }: ConditionalExpression, output: Output): void {
  printExpression(condition, output, precedence.conditional + 1);
  indent([then, otherwise], output, () => {
    newLine(output);
    append(output, "? ");
    printExpression(then, output);
    newLine(output);
    append(output, ": ");
    printExpression(otherwise, output);
  });
}

const printItem: PrintNode<JsExpression> = (expression, output) => printExpression(expression, output);

const brackets = { open: "[", close: "]", space: "", separator: "," } as const;
const parentheses = { open: "(", close: ")", space: "", separator: "," } as const;
const braces = { open: "{", close: "}", space: " ", separator: "," } as const;

const elementsFormat: ListFormat<JsExpression> = { ...brackets, print: printItem };
const oneElementFormat: ListFormat<JsExpression> = { ...brackets, hugs: mayHug, print: printItem };
const argumentsFormat: ListFormat<JsExpression> = { ...parentheses, hugs: mayHug, print: printItem };
const membersFormat: ListFormat<ObjectMember> = { ...braces, print: printMember };
