import { assertNever } from "../json.ts";
import { propertyKey } from "./literals.ts";
import { type ListForm, list, type Output, put } from "./output.ts";
import { writeBlock } from "./print.ts";
import { writeExpression } from "./print-expressions.ts";
import { writeAnnotation, writeTypeParameters } from "./print-types.ts";
import type {
  ArrayPattern,
  Expression,
  FunctionExpression,
  Identifier,
  ObjectPattern,
  Parameter,
  Pattern,
  PatternMember,
} from "./tree.ts";

/** Writes what a value is bound to: `name`, `{ a, b: c = 1, ...rest }`, `[a, , b]`. */
export function writePattern(pattern: Pattern, output: Output): void {
  switch (pattern.kind) {
    case "identifier":
      put(output, pattern.name);
      break;
    case "objectPattern":
      writeObjectPattern(pattern, output);
      break;
    case "arrayPattern":
      writeArrayPattern(pattern, output);
      break;
    default:
      assertNever(pattern);
  }
}

/** Writes `(a: string, b = 1)`. */
export function writeParameters(parameters: readonly Parameter[], output: Output): void {
  list(parameters, output, parametersForm);
}

/** Writes `(a) => a`, `async function f(a) { … }`. */
export function writeFunction(expression: FunctionExpression, output: Output): void {
  const { style, name = "", async, generator, typeParameters, parameters, returns, body } = expression;
  if (async) put(output, "async ");
  if (style === "function") put(output, `function${generator ? "*" : ""} ${name}`);
  writeTypeParameters(typeParameters, output);
  writeParameters(parameters, output);
  writeAnnotation(returns, output);
  put(output, style === "arrow" ? " => " : " ");
  if ("kind" in body) writeResult(body, output);
  else writeBlock(body, output);
}

/** What an arrow function gives: in parentheses where it would be taken for a block. */
function writeResult(body: Expression, output: Output): void {
  const isOpen = beginsWithBrace(body);
  if (isOpen) put(output, "(");
  writeExpression(body, output);
  if (isOpen) put(output, ")");
}

/** Whether the body of an arrow function would be taken for a block. */
function beginsWithBrace(expression: Expression): boolean {
  switch (expression.kind) {
    case "object":
      return true;
    case "member":
    case "element":
      return beginsWithBrace(expression.object);
    case "call":
      return beginsWithBrace(expression.callee);
    case "binary":
      return beginsWithBrace(expression.left);
    case "conditional":
      return beginsWithBrace(expression.condition);
    case "assertion":
    case "nonNull":
      return beginsWithBrace(expression.operand);
    case "assign":
      return expression.target.kind === "objectPattern";
    default:
      return false;
  }
}

function writeParameter({ target, type, optional, rest, initial }: Parameter, output: Output): void {
  if (rest) put(output, "...");
  writePattern(target, output);
  if (optional && output.types) put(output, "?");
  writeAnnotation(type, output);
  if (!initial) return;
  put(output, " = ");
  writeExpression(initial, output);
}

function writeObjectPattern({ members, rest }: ObjectPattern, output: Output): void {
  list([...members, ...(rest ? [rest] : [])], output, patternForm);
}

function writePatternMember(member: PatternMember | Identifier, output: Output): void {
  if ("kind" in member) put(output, `...${member.name}`);
  else {
    const { key, target, initial } = member;
    const isShort = target.kind === "identifier" && target.name === key && key !== "__proto__";
    if (!isShort) put(output, `${propertyKey(key, output.charset)}: `);
    writePattern(target, output);
    if (initial) put(output, " = ");
    if (initial) writeExpression(initial, output);
  }
}

function writeArrayPattern({ elements, rest }: ArrayPattern, output: Output): void {
  put(output, "[");
  elements.forEach((element, i) => {
    if (i > 0) put(output, element ? ", " : ",");
    if (element) writePattern(element, output);
  });
  if (elements.at(-1) === undefined && elements.length > 0) put(output, ",");
  if (rest) put(output, `${elements.length > 0 ? ", " : ""}...${rest.name}`);
  put(output, "]");
}

const parametersForm: ListForm<Parameter> = {
  open: "(",
  close: ")",
  space: "",
  separator: ",",
  write: writeParameter,
};

const patternForm: ListForm<PatternMember | Identifier> = {
  open: "{",
  close: "}",
  space: " ",
  separator: ",",
  write: writePatternMember,
};
