import { assertNever } from "../json.ts";
import {
  type Document,
  group,
  hardLine,
  ifBroken,
  indent,
  join,
  line,
  render,
  softLine,
  trailingComma,
} from "../layout/index.ts";
import { commentLines, isIdentifierName, quoteString } from "./literals.ts";
import { printAssignment } from "./print-assignments.ts";
import { printExpression } from "./print-expressions.ts";
import { printPattern, printSignature } from "./print-functions.ts";
import {
  printDocComment,
  printTypeAnnotation,
  printTypeBody,
  printTypeNode,
  printTypeParameters,
  printUnionLines,
} from "./print-types.ts";
import type {
  Block,
  DeclarationBase,
  ExportDeclaration,
  ForStatement,
  IfStatement,
  ImportDeclaration,
  InterfaceDeclaration,
  Statement,
  SwitchStatement,
  TryStatement,
  TypeDeclaration,
  VariableDeclaration,
} from "./statements.ts";
import { type PrintOptions, type Style, styleOf } from "./style.ts";
import type { JsExpression } from "./tree.ts";
import type { TypeNode } from "./types.ts";

/** Prints a program, with empty lines around long declarations. */
export function printProgram(statements: Block, options: PrintOptions): string {
  const style = styleOf(options);
  const printed = statements.filter((statement) => isPrinted(statement, style));
  return printed
    .map((statement, i) => {
      const before = printed[i - 1];
      const gap = before && isSeparated(before, statement) ? "\n" : "";
      return `${gap}${render(printStatement(statement, style), style.width)}\n`;
    })
    .join("");
}

/** Prints an expression. */
export function printCode(expression: JsExpression, options: PrintOptions): string {
  const style = styleOf(options);
  return render(printExpression(expression, style, "statement"), style.width);
}

/** Prints a type. */
export function printTypeCode(type: TypeNode): string {
  const style = styleOf({ types: true });
  return render(printTypeNode(type, style), style.width);
}

function isPrinted(statement: Statement, { types }: Style): boolean {
  if (types) return true;
  if (statement.kind === "import") return statement.names.length === 0 || statement.names.some(({ isType }) => !isType);
  return statement.kind !== "interface" && statement.kind !== "typeDeclaration";
}

function isSeparated(before: Statement, after: Statement): boolean {
  if (before.kind === "comment") return after.kind === "import";
  return isLarge(before) || isLarge(after) || (before.kind === "import") !== (after.kind === "import");
}

function isLarge(statement: Statement): boolean {
  switch (statement.kind) {
    case "functionDeclaration":
    case "interface":
    case "typeDeclaration":
      return true;
    case "variable":
      return statement.doc !== undefined;
    default:
      return false;
  }
}

function printStatement(statement: Statement, style: Style): Document {
  switch (statement.kind) {
    case "variable":
      return [printVariable(statement, style), ";"];
    case "expression":
      return [printExpressionStatement(statement.expression, style), ";"];
    case "if":
      return printIf(statement, style);
    case "while":
      return [group(["while (", printTest(statement.test, style), ") "]), printBlock(statement.body, style)];
    case "doWhile":
      return ["do ", printBlock(statement.body, style), group([" while (", printTest(statement.test, style), ");"])];
    case "for":
      return printFor(statement, style);
    case "forOf": {
      const { keyword, target, values, body } = statement;
      const head = `for ${statement.await ? "await " : ""}(${keyword} `;
      return [head, printPattern(target, style), " of ", printExpression(values, style), ") ", printBlock(body, style)];
    }
    case "labeled":
      return [`${statement.label}: `, printStatement(statement.body, style)];
    case "block":
      return printBlock(statement.body, style);
    case "jump":
      return `${statement.keyword}${statement.label === undefined ? "" : ` ${statement.label}`};`;
    case "switch":
      return printSwitch(statement, style);
    case "try":
      return printTry(statement, style);
    case "throw":
      return ["throw ", printReturned(statement.value, style), ";"];
    case "return":
      return ["return", statement.value ? [" ", printReturned(statement.value, style)] : "", ";"];
    case "functionDeclaration": {
      const { async, generator, name, body } = statement;
      const head = `${async ? "async " : ""}function${generator ? "*" : ""} ${name}`;
      return [printModifiers(statement), head, printSignature(statement, style), " ", printBlock(body, style)];
    }
    case "import":
      return printImport(statement, style);
    case "export":
      return printExport(statement, style);
    case "interface":
      return printInterface(statement, style);
    case "typeDeclaration":
      return printTypeDeclaration(statement, style);
    case "comment":
      return join(
        hardLine,
        commentLines(statement.text).map((text) => `// ${text}`.trimEnd()),
      );
    default:
      return assertNever(statement);
  }
}

/** Prints `{ … }`. */
export function printBlock(body: Block, style: Style): Document {
  const printed = body.filter((statement) => isPrinted(statement, style));
  if (printed.length === 0) return "{}";
  return ["{", indent(printed.map((statement) => [hardLine, printStatement(statement, style)])), hardLine, "}"];
}

const printModifiers = ({ doc, exported }: DeclarationBase): Document => [
  printDocComment(doc),
  exported ? "export " : "",
];

function printTest(test: JsExpression, style: Style): Document {
  const printed = printExpression(test, style, "test");
  return test.kind === "unary" && test.operand.kind === "binary"
    ? group(printed)
    : group([indent([softLine, printed]), softLine]);
}

/** Operations are in parentheses if they are broken, because a line break after `return` would end the statement. */
function printReturned(value: JsExpression, style: Style): Document {
  const printed = printExpression(value, style, "returned");
  // A line that begins with a condition would end the statement before it.
  const startsOnNextLine = value.kind === "conditional" && value.condition.kind === "conditional";
  return value.kind === "binary" || startsOnNextLine
    ? group([ifBroken("("), indent([softLine, printed]), softLine, ifBroken(")")])
    : printed;
}

function printVariable(declaration: VariableDeclaration, style: Style): Document {
  const { keyword, target, type, definite, value } = declaration;
  const left = [printPattern(target, style), definite && style.types ? "!" : "", printTypeAnnotation(type, style)];
  const head = [printModifiers(declaration), `${keyword} `];
  return [
    head,
    value
      ? printAssignment({ left, operator: " =", value, pattern: target, type: style.types ? type : undefined }, style)
      : left,
  ];
}

function printExpressionStatement(expression: JsExpression, style: Style): Document {
  const first = leadingKind(expression);
  const isOpen =
    first === "object" ||
    first === "function" ||
    (expression.kind === "literal" && typeof expression.value === "string");
  const printed = printExpression(expression, style, "statement");
  return isOpen ? ["(", printed, ")"] : printed;
}

function leadingKind(expression: JsExpression): "object" | "function" | undefined {
  switch (expression.kind) {
    case "object":
      return "object";
    case "function":
      return expression.style === "function" ? "function" : undefined;
    case "member":
    case "element":
      return leadingKindOfAccessed(expression.object);
    case "call":
      return leadingKindOfAccessed(expression.callee);
    case "binary":
      return leadingKind(expression.left);
    case "conditional":
      return leadingKind(expression.condition);
    case "assertion":
    case "nonNull":
      return leadingKind(expression.operand);
    case "assign":
      if (expression.target.kind === "objectPattern") return "object";
      return expression.target.kind === "arrayPattern" ? undefined : leadingKind(expression.target);
    default:
      return undefined;
  }
}

/** Functions have parentheses there. */
const leadingKindOfAccessed = (object: JsExpression): "object" | "function" | undefined =>
  object.kind === "function" ? undefined : leadingKind(object);

/** A short statement follows its condition if both fit the line. */
function printIf({ test, then, otherwise = [] }: IfStatement, style: Style): Document {
  const head = ["if (", printTest(test, style), ")"];
  const [only] = then;
  if (then.length === 1 && otherwise.length === 0 && isSimple(only!))
    return group([...head, ifBroken(" {"), indent([line, printStatement(only!, style)]), ifBroken([line, "}"])]);
  const first = group([...head, " ", printBlock(then, style)]);
  if (otherwise.length === 0) return first;
  const [next] = otherwise;
  const isChain = otherwise.length === 1 && next!.kind === "if";
  return [first, " else ", isChain ? printIf(next!, style) : printBlock(otherwise, style)];
}

const isSimple = ({ kind }: Statement): boolean =>
  kind === "expression" || kind === "jump" || kind === "return" || kind === "throw";

function printFor({ initial, test, update, body }: ForStatement, style: Style): Document {
  const parts = [
    initial ? printVariable(initial, style) : "",
    ";",
    test ? [line, printExpression(test, style)] : "",
    ";",
    update ? [line, printExpression(update, style, "statement")] : "",
  ];
  if (!initial && !test && !update) return ["for (;;) ", printBlock(body, style)];
  return ["for (", group([indent([softLine, ...parts]), softLine]), ") ", printBlock(body, style)];
}

function printSwitch({ subject, cases }: SwitchStatement, style: Style): Document {
  const printed = cases.flatMap(({ tests, body }): Document[] => {
    const labels = tests.map((test): Document => [hardLine, "case ", printExpression(test, style), ":"]);
    return [labels.length === 0 ? [hardLine, "default: "] : [...labels, " "], printBlock(body, style)];
  });
  const head = group(["switch (", indent([softLine, printExpression(subject, style, "test")]), softLine, ") {"]);
  return [head, indent(printed), hardLine, "}"];
}

function printTry({ body, handler, finalizer }: TryStatement, style: Style): Document {
  const caught = handler?.caught ? ["(", printPattern(handler.caught, style), ") "] : "";
  return [
    "try ",
    printBlock(body, style),
    handler ? [" catch ", caught, printBlock(handler.body, style)] : "",
    finalizer ? [" finally ", printBlock(finalizer, style)] : "",
  ];
}

function printImport({ names, module, namespace }: ImportDeclaration, style: Style): Document {
  const from = `${quoteString(module, style.charset)};`;
  const shown = names.filter(({ isType }) => style.types || !isType);
  const areTypes = shown.length > 0 && shown.every(({ isType }) => isType);
  const head = `import ${areTypes ? "type " : ""}`;
  if (namespace !== undefined) return `${head}* as ${namespace} from ${from}`;
  if (shown.length === 0) return `${head}${from}`;
  const printed = shown.map(({ name, exported, isType }) => {
    const alias = exported === undefined || exported === name ? "" : `${moduleName(exported, style)} as `;
    return `${isType && !areTypes ? "type " : ""}${alias}${name}`;
  });
  return [head, printNames(printed), ` from ${from}`];
}

function printExport({ names, module }: ExportDeclaration, style: Style): Document {
  const printed = names.map(({ name, exported }) =>
    exported === undefined || exported === name ? name : `${name} as ${moduleName(exported, style)}`,
  );
  return ["export ", printNames(printed), module === undefined ? ";" : ` from ${quoteString(module, style.charset)};`];
}

function printNames(names: readonly string[]): Document {
  if (names.length === 0) return "{}";
  if (names.length === 1) return `{ ${names[0]} }`;
  return group(["{", indent([line, join([",", line], names), trailingComma]), line, "}"]);
}

function printInterface(declaration: InterfaceDeclaration, style: Style): Document {
  const { name, typeParameters, extends: bases, members } = declaration;
  const types = bases.map((type, i) => [i === 0 ? " extends " : ", ", printTypeNode(type, style)]);
  const head = [printModifiers(declaration), `interface ${name}`, printTypeParameters(typeParameters, style), types];
  return [head, " ", printTypeBody(members, style)];
}

function printTypeDeclaration(declaration: TypeDeclaration, style: Style): Document {
  const { name, typeParameters, type } = declaration;
  const head = [printModifiers(declaration), `type ${name}`, printTypeParameters(typeParameters, style), " ="];
  const isUnion = type.kind === "unionType" && type.operator === "|";
  return isUnion
    ? group([head, group(indent([line, printUnionLines(type, style)])), ";"])
    : [head, " ", printTypeNode(type, style), ";"];
}

/** Exports may have any name. */
const moduleName = (name: string, { charset }: Style): string =>
  isIdentifierName(name) ? name : quoteString(name, charset);
