import { assertNever } from "../json.ts";
import { isWord, numberText, propertyKey, quoted, regexLiteral, templatePiece } from "./literals.ts";
import { grouped, indented, type ListForm, lineBreak, list, type Output, put, type Write } from "./output.ts";
import { writeFunction, writePattern } from "./print-functions.ts";
import { writeDoc, writeType, writeTypeArguments } from "./print-types.ts";
import type {
  Binary,
  BinaryOperator,
  Call,
  Conditional,
  Expression,
  Literal,
  Member,
  New,
  Template,
  Unary,
} from "./tree.ts";

/** How tightly expressions bind, the loosest first. */
const level = {
  assignment: 1,
  conditional: 2,
  // Its type would go on with an operator behind it.
  assertion: 2.5,
  relation: 10,
  power: 14,
  unary: 15,
  postfix: 16,
  primary: 17,
} as const;

/** How tightly the operators between two operands bind. */
const levels: { readonly [operator in BinaryOperator]: number } = {
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

/** Writes an expression, in parentheses where it binds less tightly than its place asks for. */
export function writeExpression(whole: Expression, output: Output, least: number = level.assignment): void {
  if (output.hasFailed) return;
  const expression = shown(whole, output);
  const needsParentheses = levelOf(expression) < least;
  if (needsParentheses) put(output, "(");
  writeBare(expression, output);
  if (needsParentheses) put(output, ")");
}

/** What is left of an expression, as types may be left out. */
function shown(expression: Expression, output: Output): Expression {
  const isOfTypes = expression.kind === "assertion" || expression.kind === "nonNull";
  return isOfTypes && !output.types ? shown(expression.operand, output) : expression;
}

function levelOf(expression: Expression): number {
  switch (expression.kind) {
    case "literal":
      return isNegative(expression) ? level.unary : level.primary;
    case "function":
      return expression.style === "arrow" ? level.assignment : level.primary;
    case "assign":
    case "yield":
    case "spread":
      return level.assignment;
    case "conditional":
      return level.conditional;
    case "binary":
      return levels[expression.operator];
    case "unary":
    case "await":
      return level.unary;
    case "assertion":
      return level.assertion;
    case "nonNull":
      return level.postfix;
    case "member":
    case "element":
    case "call":
    case "new":
      return level.postfix;
    default:
      return level.primary;
  }
}

const isNegative = ({ value }: Literal): boolean => typeof value === "number" && (value < 0 || Object.is(value, -0));

function writeBare(expression: Expression, output: Output): void {
  switch (expression.kind) {
    case "literal":
      put(output, literalText(expression, output));
      break;
    case "template":
      writeTemplate(expression, output);
      break;
    case "regex":
      put(output, regexLiteral(expression.source, expression.flags, output.charset));
      break;
    case "identifier":
      put(output, expression.name);
      break;
    case "array":
      list(expression.elements, output, expression.elements.length === 1 ? oneElementForm : elementsForm);
      break;
    case "object":
      list(expression.members, output, membersForm);
      break;
    case "member":
      writeObject(expression.object, output);
      if (isWord(expression.name)) {
        put(output, `${expression.optional ? "?." : "."}${expression.name}`);
        return;
      }
      put(output, `${expression.optional ? "?." : ""}[${quoted(expression.name, output.charset)}]`);
      break;
    case "element":
      writeObject(expression.object, output);
      put(output, expression.optional ? "?.[" : "[");
      writeExpression(expression.index, output);
      put(output, "]");
      break;
    case "call":
      writeObject(expression.callee, output);
      if (expression.optional) put(output, "?.");
      writeArguments(expression, output);
      break;
    case "new":
      put(output, "new ");
      writeExpression(expression.callee, output, isPath(expression.callee) ? level.postfix : level.primary + 1);
      writeArguments(expression, output);
      break;
    case "function":
      writeFunction(expression, output);
      break;
    case "unary":
      writeUnary(expression, output);
      break;
    case "binary":
      writeBinary(expression, output);
      break;
    case "conditional":
      grouped(expression, output, writeConditional, writeConditionalInLines);
      break;
    case "assign":
      if (expression.target.kind === "objectPattern" || expression.target.kind === "arrayPattern")
        writePattern(expression.target, output);
      else writeExpression(expression.target, output, level.postfix);
      put(output, ` ${expression.operator} `);
      writeExpression(expression.value, output);
      break;
    case "await":
      put(output, "await ");
      writeExpression(expression.operand, output, level.unary);
      break;
    case "yield":
      put(output, `yield${expression.delegates ? "*" : ""}`);
      if (expression.operand) put(output, " ");
      expression.operand && writeExpression(expression.operand, output);
      break;
    case "spread":
      put(output, "...");
      writeExpression(expression.operand, output);
      break;
    case "assertion":
      writeExpression(expression.operand, output, expression.operand.kind === "assertion" ? 0 : level.relation);
      put(output, ` ${expression.operator} `);
      writeType(expression.type, output);
      break;
    case "nonNull":
      writeExpression(expression.operand, output, level.postfix);
      put(output, "!");
      break;
    default:
      assertNever(expression);
  }
}

function literalText({ value }: Literal, { types, charset }: Output): string {
  if (typeof value === "string") return quoted(value, charset);
  if (typeof value !== "number") return String(value);
  return value < 0 || Object.is(value, -0) ? `-${numberText(-value, types)}` : numberText(value, types);
}

function writeTemplate({ parts }: Template, output: Output): void {
  put(output, "`");
  for (const part of parts) {
    if (typeof part === "string") put(output, templatePiece(part, output.charset));
    else {
      put(output, "${");
      writeExpression(part, output);
      put(output, "}");
    }
  }
  put(output, "`");
}

/** What stands before a dot or a bracket: a number in parentheses. */
function writeObject(object: Expression, output: Output): void {
  const bare = shown(object, output);
  const isNumber = bare.kind === "literal" && typeof bare.value === "number";
  writeExpression(bare, output, isNumber ? level.primary + 1 : level.postfix);
}

/** Whether a callee of `new` is a name, or a member of one: of a call it would be something else. */
const isPath = (expression: Expression): boolean =>
  expression.kind === "identifier" ||
  (expression.kind === "member" && !expression.optional && isPath(expression.object));

function writeArguments({ types, args }: Call | New, output: Output): void {
  writeTypeArguments(types, output);
  list(args, output, argumentsForm);
}

/** Whether something that is too long for the line begins in it nevertheless. */
function isHugged(expression: Expression): boolean {
  switch (expression.kind) {
    case "object":
    case "array":
      return true;
    case "function":
      return "length" in expression.body || isHugged(expression.body);
    default:
      return false;
  }
}

function writeMember(member: Member, output: Output): void {
  if (member.kind === "spread") writeExpression(member, output);
  else {
    const { key, value, doc } = member;
    writeDoc(doc, output);
    const isShort = typeof key === "string" && value.kind === "identifier" && value.name === key;
    if (!isShort || key === "__proto__") writeKey(key, output);
    writeExpression(value, output);
  }
}

function writeKey(key: string | Expression, output: Output): void {
  if (typeof key === "string") put(output, propertyKey(key, output.charset));
  else {
    put(output, "[");
    writeExpression(key, output);
    put(output, "]");
  }
  put(output, ": ");
}

/** `-(-1)` must not become `--1`. */
function writeUnary({ operator, operand: whole }: Unary, output: Output): void {
  const operand = shown(whole, output);
  put(output, /\w/.test(operator) ? `${operator} ` : operator);
  const isSign = operator === "-" || operator === "+";
  const isSigned =
    (operand.kind === "unary" && operand.operator === operator) || (operand.kind === "literal" && isNegative(operand));
  writeExpression(operand, output, isSign && isSigned ? level.postfix : level.unary);
}

/** Operands of one operator that is written several times follow each other, in lines of their own where that is too long. */
function writeBinary(expression: Binary, output: Output): void {
  const { left, operator } = expression;
  if (left.kind === "binary" && left.operator === operator && operator !== "**")
    grouped({ operator, operands: chainOf(expression) }, output, writeChain, writeChainInLines);
  else grouped(expression, output, writeOperation, writeOperationInLines);
}

function writeOperation({ left, operator, right }: Binary, output: Output): void {
  writeExpression(left, output, leastOf(operator, false));
  put(output, ` ${operator} `);
  writeExpression(right, output, leastOf(operator, true));
}

const writeOperationInLines: Write<Binary> = ({ left, operator, right }, output) =>
  writeChainInLines({ operator, operands: [left, right] }, output);

/** Several operands with one operator between. */
interface Chain {
  readonly operator: BinaryOperator;
  readonly operands: readonly Expression[];
}

function writeChain({ operator, operands }: Chain, output: Output): void {
  for (const [i, operand] of operands.entries()) {
    if (i > 0) put(output, ` ${operator} `);
    writeExpression(operand, output, leastOf(operator, i > 0));
  }
}

function writeChainInLines({ operator, operands: [first, ...others] }: Chain, output: Output): void {
  writeExpression(first!, output, leastOf(operator, false));
  indented(others, output, () => {
    for (const operand of others) {
      put(output, ` ${operator}`);
      lineBreak(output);
      writeExpression(operand, output, leastOf(operator, true));
    }
  });
}

/** `a && b && c` as its operands. */
function chainOf({ operator, left, right }: Binary): readonly Expression[] {
  const operands: Expression[] = [right];
  let first = left;
  while (first.kind === "binary" && first.operator === operator && operator !== "**") {
    operands.push(first.right);
    first = first.left;
  }
  return [...operands, first].reverse();
}

/** How tightly an operand has to bind. `??` stands beside `||` and `&&` in parentheses only, and before `**` no sign stands without. */
function leastOf(operator: BinaryOperator, isRight: boolean): number {
  if (operator === "??") return levels["|"];
  if (operator === "**") return isRight ? level.power : level.postfix;
  return levels[operator] + (isRight ? 1 : 0);
}

function writeConditional({ condition, then, otherwise }: Conditional, output: Output): void {
  writeExpression(condition, output, level.conditional + 1);
  put(output, " ? ");
  writeExpression(then, output);
  put(output, " : ");
  writeExpression(otherwise, output);
}

function writeConditionalInLines({ condition, then, otherwise }: Conditional, output: Output): void {
  writeExpression(condition, output, level.conditional + 1);
  indented([then, otherwise], output, () => {
    lineBreak(output);
    put(output, "? ");
    writeExpression(then, output);
    lineBreak(output);
    put(output, ": ");
    writeExpression(otherwise, output);
  });
}

const inList: Write<Expression> = (expression, output) => writeExpression(expression, output);

const brackets = { open: "[", close: "]", space: "", separator: "," } as const;
const parentheses = { open: "(", close: ")", space: "", separator: "," } as const;
const braces = { open: "{", close: "}", space: " ", separator: "," } as const;

const elementsForm: ListForm<Expression> = { ...brackets, write: inList };
const oneElementForm: ListForm<Expression> = { ...brackets, hugs: isHugged, write: inList };
const argumentsForm: ListForm<Expression> = { ...parentheses, hugs: isHugged, write: inList };
const membersForm: ListForm<Member> = { ...braces, write: writeMember };
