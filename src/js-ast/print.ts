import { assertNever } from "../json.ts";
import { commentLines, isIdentifierName, quoteString } from "./literals.ts";
import {
  append,
  createOutput,
  indent,
  newLine,
  type Output,
  type PrintOptions,
  printGroup,
  printList,
  tryFlat,
} from "./output.ts";
import { printExpression } from "./print-expressions.ts";
import { printParameters, printPattern } from "./print-functions.ts";
import {
  printDocComment,
  printTypeAnnotation,
  printTypeBody,
  printTypeNode,
  printTypeParameters,
} from "./print-types.ts";
import type {
  Block,
  DeclarationBase,
  ExportDeclaration,
  ForStatement,
  FunctionDeclaration,
  IfStatement,
  ImportDeclaration,
  InterfaceDeclaration,
  Statement,
  SwitchStatement,
  TryStatement,
  TypeDeclaration,
  VariableDeclaration,
} from "./statements.ts";
import type { JsExpression } from "./tree.ts";
import type { TypeNode } from "./types.ts";

/** Prints a program, with empty lines around long declarations. */
export function printProgram(statements: Block, options: PrintOptions): string {
  const output = createOutput(options);
  const printed = statements.filter((statement) => isPrinted(statement, output));
  printed.forEach((statement, i) => {
    const before = printed[i - 1];
    if (before && isSeparated(before, statement)) output.text += "\n";
    printStatement(statement, output);
    output.text += "\n";
    output.column = 0;
  });
  return output.text;
}

/** Prints an expression. */
export function printCode(expression: JsExpression, options: PrintOptions): string {
  const output = createOutput(options);
  printExpression(expression, output);
  return output.text;
}

/** Prints a type. */
export function printTypeCode(type: TypeNode): string {
  const output = createOutput({ types: true });
  printTypeNode(type, output);
  return output.text;
}

function isPrinted(statement: Statement, { types }: Output): boolean {
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

function printStatement(statement: Statement, output: Output): void {
  switch (statement.kind) {
    case "variable":
      printVariable(statement, output);
      append(output, ";");
      break;
    case "expression":
      printExpressionStatement(statement.expression, output);
      append(output, ";");
      break;
    case "if":
      printIf(statement, output);
      break;
    case "while":
      append(output, "while (");
      printExpression(statement.test, output);
      append(output, ") ");
      printBlock(statement.body, output);
      break;
    case "doWhile":
      append(output, "do ");
      printBlock(statement.body, output);
      append(output, " while (");
      printExpression(statement.test, output);
      append(output, ");");
      break;
    case "for":
      printFor(statement, output);
      break;
    case "forOf":
      append(output, `for ${statement.await ? "await " : ""}(${statement.keyword} `);
      printPattern(statement.target, output);
      append(output, " of ");
      printExpression(statement.values, output);
      append(output, ") ");
      printBlock(statement.body, output);
      break;
    case "labeled":
      append(output, `${statement.label}: `);
      printStatement(statement.body, output);
      break;
    case "block":
      printBlock(statement.body, output);
      break;
    case "jump":
      append(output, `${statement.keyword}${statement.label === undefined ? "" : ` ${statement.label}`};`);
      break;
    case "switch":
      printSwitch(statement, output);
      break;
    case "try":
      printTry(statement, output);
      break;
    case "throw":
      append(output, "throw ");
      printExpression(statement.value, output);
      append(output, ";");
      break;
    case "return":
      append(output, "return");
      if (statement.value) append(output, " ");
      if (statement.value) printExpression(statement.value, output);
      append(output, ";");
      break;
    case "functionDeclaration":
      printFunctionDeclaration(statement, output);
      break;
    case "import":
      printImport(statement, output);
      break;
    case "export":
      printExport(statement, output);
      break;
    case "interface":
      printInterface(statement, output);
      break;
    case "typeDeclaration":
      printTypeDeclaration(statement, output);
      break;
    case "comment":
      commentLines(statement.text).forEach((line, i) => {
        if (i > 0) newLine(output);
        append(output, `// ${line}`.trimEnd());
      });
      break;
    default:
      assertNever(statement);
  }
}

/** Prints `{ … }`. */
export function printBlock(body: Block, output: Output): void {
  if (!body.some((statement) => isPrinted(statement, output))) {
    append(output, "{}");
    return;
  }
  append(output, "{");
  indent(body, output, printStatements);
  newLine(output);
  append(output, "}");
}

function printStatements(body: Block, output: Output): void {
  for (const statement of body) {
    if (output.hasFailed) return;
    if (!isPrinted(statement, output)) continue;
    newLine(output);
    printStatement(statement, output);
  }
}

function printModifiers({ doc, exported }: DeclarationBase, output: Output): void {
  printDocComment(doc, output);
  if (exported) append(output, "export ");
}

function printVariable(declaration: VariableDeclaration, output: Output): void {
  printModifiers(declaration, output);
  append(output, `${declaration.keyword} `);
  printPattern(declaration.target, output);
  if (declaration.definite && output.types) append(output, "!");
  printTypeAnnotation(declaration.type, output);
  if (!declaration.value) return;
  append(output, " = ");
  printExpression(declaration.value, output);
}

function printExpressionStatement(expression: JsExpression, output: Output): void {
  const first = leadingKind(expression);
  const isOpen =
    first === "object" ||
    first === "function" ||
    (expression.kind === "literal" && typeof expression.value === "string");
  if (isOpen) append(output, "(");
  printExpression(expression, output);
  if (isOpen) append(output, ")");
}

function leadingKind(expression: JsExpression): "object" | "function" | undefined {
  switch (expression.kind) {
    case "object":
      return "object";
    case "function":
      return expression.style === "function" ? "function" : undefined;
    case "member":
    case "element":
      return leadingKind(expression.object);
    case "call":
      return leadingKind(expression.callee);
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

function printIf({ test, then, otherwise = [] }: IfStatement, output: Output): void {
  append(output, "if (");
  printExpression(test, output);
  append(output, ") ");
  const [only] = then;
  const isShort = then.length === 1 && otherwise.length === 0 && isSimple(only!);
  if (isShort && tryFlat(only!, output, printStatement)) return;
  printBlock(then, output);
  if (otherwise.length === 0) return;
  append(output, " else ");
  if (otherwise.length === 1 && otherwise[0]!.kind === "if") printIf(otherwise[0]!, output);
  else printBlock(otherwise, output);
}

const isSimple = ({ kind }: Statement): boolean =>
  kind === "expression" || kind === "jump" || kind === "return" || kind === "throw";

function printFor({ initial, test, update, body }: ForStatement, output: Output): void {
  append(output, "for (");
  if (initial) printVariable(initial, output);
  append(output, ";");
  if (test) append(output, " ");
  if (test) printExpression(test, output);
  append(output, ";");
  if (update) append(output, " ");
  if (update) printExpression(update, output);
  append(output, ") ");
  printBlock(body, output);
}

function printSwitch({ subject, cases }: SwitchStatement, output: Output): void {
  append(output, "switch (");
  printExpression(subject, output);
  append(output, ") {");
  indent(cases, output, () => {
    for (const { tests, body } of cases) {
      for (const test of tests) {
        newLine(output);
        append(output, "case ");
        printExpression(test, output);
        append(output, ":");
      }
      if (tests.length === 0) newLine(output);
      append(output, tests.length === 0 ? "default: " : " ");
      printBlock(body, output);
    }
  });
  newLine(output);
  append(output, "}");
}

function printTry({ body, handler, finalizer }: TryStatement, output: Output): void {
  append(output, "try ");
  printBlock(body, output);
  if (handler) {
    append(output, " catch ");
    if (handler.caught) {
      append(output, "(");
      printPattern(handler.caught, output);
      append(output, ") ");
    }
    printBlock(handler.body, output);
  }
  if (!finalizer) return;
  append(output, " finally ");
  printBlock(finalizer, output);
}

function printFunctionDeclaration(declaration: FunctionDeclaration, output: Output): void {
  printModifiers(declaration, output);
  append(output, `${declaration.async ? "async " : ""}function${declaration.generator ? "*" : ""} ${declaration.name}`);
  printTypeParameters(declaration.typeParameters, output);
  printParameters(declaration.parameters, output);
  printTypeAnnotation(declaration.returns, output);
  append(output, " ");
  printBlock(declaration.body, output);
}

function printImport({ names, module, namespace }: ImportDeclaration, output: Output): void {
  append(output, "import ");
  const shown = names.filter(({ isType }) => output.types || !isType);
  const areTypes = shown.length > 0 && shown.every(({ isType }) => isType);
  if (areTypes) append(output, "type ");
  if (namespace !== undefined) append(output, `* as ${namespace} from `);
  else if (shown.length > 0) {
    printList(shown, output, {
      ...braces,
      print: ({ name, exported, isType }) => {
        const from = exported === undefined || exported === name ? "" : `${moduleName(exported, output)} as `;
        append(output, `${isType && !areTypes ? "type " : ""}${from}${name}`);
      },
    });
    append(output, " from ");
  }
  append(output, `${quoteString(module, output.charset)};`);
}

function printExport({ names, module }: ExportDeclaration, output: Output): void {
  append(output, "export ");
  printList(names, output, {
    ...braces,
    print: ({ name, exported }) =>
      append(output, exported === undefined || exported === name ? name : `${name} as ${moduleName(exported, output)}`),
  });
  append(output, module === undefined ? ";" : ` from ${quoteString(module, output.charset)};`);
}

function printInterface(declaration: InterfaceDeclaration, output: Output): void {
  printModifiers(declaration, output);
  append(output, `interface ${declaration.name}`);
  printTypeParameters(declaration.typeParameters, output);
  declaration.extends.forEach((type, i) => {
    append(output, i === 0 ? " extends " : ", ");
    printTypeNode(type, output);
  });
  append(output, " ");
  printTypeBody(declaration.members, output);
}

function printTypeDeclaration(declaration: TypeDeclaration, output: Output): void {
  printModifiers(declaration, output);
  append(output, `type ${declaration.name}`);
  printTypeParameters(declaration.typeParameters, output);
  printGroup(declaration.type, output, printAliasedType, (type) => {
    if (type.kind !== "unionType" || type.operator === "&") printAliasedType(type, output);
    else {
      append(output, " =");
      printTypeNode(type, output);
    }
  });
  append(output, ";");
}

function printAliasedType(type: TypeNode, output: Output): void {
  append(output, " = ");
  printTypeNode(type, output);
}

/** Exports may have any name. */
const moduleName = (name: string, { charset }: Output): string =>
  isIdentifierName(name) ? name : quoteString(name, charset);

const braces = { open: "{", close: "}", space: " ", separator: "," } as const;
