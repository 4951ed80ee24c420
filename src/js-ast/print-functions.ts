import { assertNever } from "../json.ts";
import { propertyKey } from "./literals.ts";
import { append, type ListFormat, type Output, printList } from "./output.ts";
import { printBlock } from "./print.ts";
import { printExpression } from "./print-expressions.ts";
import { printTypeAnnotation, printTypeParameters } from "./print-types.ts";
import type {
  ArrayBindingPattern,
  BindingPattern,
  BindingProperty,
  FunctionExpression,
  Identifier,
  JsExpression,
  ObjectBindingPattern,
  ParameterDeclaration,
} from "./tree.ts";

/** Prints a binding pattern: `name`, `{ a, b: c = 1, ...rest }`, `[a, , b]`. */
export function printPattern(pattern: BindingPattern, output: Output): void {
  switch (pattern.kind) {
    case "identifier":
      append(output, pattern.name);
      break;
    case "objectPattern":
      printObjectPattern(pattern, output);
      break;
    case "arrayPattern":
      printArrayPattern(pattern, output);
      break;
    default:
      assertNever(pattern);
  }
}

/** Prints `(a: string, b = 1)`. */
export function printParameters(parameters: readonly ParameterDeclaration[], output: Output): void {
  printList(parameters, output, parametersFormat);
}

/** Prints `(a) => a`, `async function f(a) { … }`. */
export function printFunction(expression: FunctionExpression, output: Output): void {
  const { style, name = "", async, generator, typeParameters, parameters, returns, body } = expression;
  if (async) append(output, "async ");
  if (style === "function") append(output, `function${generator ? "*" : ""} ${name}`);
  printTypeParameters(typeParameters, output);
  printParameters(parameters, output);
  printTypeAnnotation(returns, output);
  append(output, style === "arrow" ? " => " : " ");
  if ("kind" in body) printConciseBody(body, output);
  else printBlock(body, output);
}

function printConciseBody(body: JsExpression, output: Output): void {
  const isOpen = beginsWithBrace(body);
  if (isOpen) append(output, "(");
  printExpression(body, output);
  if (isOpen) append(output, ")");
}

function beginsWithBrace(expression: JsExpression): boolean {
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

function printParameter({ target, type, optional, rest, initial }: ParameterDeclaration, output: Output): void {
  if (rest) append(output, "...");
  printPattern(target, output);
  if (optional && output.types) append(output, "?");
  printTypeAnnotation(type, output);
  if (!initial) return;
  append(output, " = ");
  printExpression(initial, output);
}

function printObjectPattern({ members, rest }: ObjectBindingPattern, output: Output): void {
  printList([...members, ...(rest ? [rest] : [])], output, patternFormat);
}

function printBindingProperty(member: BindingProperty | Identifier, output: Output): void {
  if ("kind" in member) append(output, `...${member.name}`);
  else {
    const { key, target, initial } = member;
    const isShort = target.kind === "identifier" && target.name === key && key !== "__proto__";
    if (!isShort) append(output, `${propertyKey(key, output.charset)}: `);
    printPattern(target, output);
    if (initial) append(output, " = ");
    if (initial) printExpression(initial, output);
  }
}

function printArrayPattern({ elements, rest }: ArrayBindingPattern, output: Output): void {
  append(output, "[");
  elements.forEach((element, i) => {
    if (i > 0) append(output, element ? ", " : ",");
    if (element) printPattern(element, output);
  });
  if (elements.at(-1) === undefined && elements.length > 0) append(output, ",");
  if (rest) append(output, `${elements.length > 0 ? ", " : ""}...${rest.name}`);
  append(output, "]");
}

const parametersFormat: ListFormat<ParameterDeclaration> = {
  open: "(",
  close: ")",
  space: "",
  separator: ",",
  print: printParameter,
};

const patternFormat: ListFormat<BindingProperty | Identifier> = {
  open: "{",
  close: "}",
  space: " ",
  separator: ",",
  print: printBindingProperty,
};
