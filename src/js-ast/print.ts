import { assertNever } from "../json.ts";
import { commentLines, isWord, quoted } from "./literals.ts";
import {
  emptyOutput,
  fits,
  grouped,
  indented,
  lineBreak,
  list,
  type Output,
  type PrintOptions,
  put,
} from "./output.ts";
import { writeExpression } from "./print-expressions.ts";
import { writeParameters, writePattern } from "./print-functions.ts";
import { writeAnnotation, writeDoc, writeMemberLines, writeType, writeTypeParameters } from "./print-types.ts";
import type {
  Block,
  Declared,
  Export,
  For,
  FunctionDeclaration,
  If,
  Import,
  InterfaceDeclaration,
  Statement,
  Switch,
  Try,
  TypeDeclaration,
  VariableDeclaration,
} from "./statements.ts";
import type { Expression } from "./tree.ts";
import type { TypeNode } from "./types.ts";

/** The text of statements and declarations, a line each at least, with an empty line around declarations that have a comment or a body. */
export function printProgram(statements: Block, options: PrintOptions): string {
  const output = emptyOutput(options);
  const printed = statements.filter((statement) => isPrinted(statement, output));
  printed.forEach((statement, i) => {
    const before = printed[i - 1];
    if (before && isApart(before, statement)) output.text += "\n";
    writeStatement(statement, output);
    output.text += "\n";
    output.column = 0;
  });
  return output.text;
}

/** The text of an expression. */
export function printCode(expression: Expression, options: PrintOptions): string {
  const output = emptyOutput(options);
  writeExpression(expression, output);
  return output.text;
}

/** The text of a type. */
export function printTypeNode(type: TypeNode): string {
  const output = emptyOutput({ types: true });
  writeType(type, output);
  return output.text;
}

/** Whether anything is left of a statement, as types may be left out. */
function isPrinted(statement: Statement, { types }: Output): boolean {
  if (types) return true;
  if (statement.kind === "import") return statement.names.length === 0 || statement.names.some(({ isType }) => !isType);
  return statement.kind !== "interface" && statement.kind !== "typeDeclaration";
}

/** Whether there is an empty line between two statements of a file. */
function isApart(before: Statement, after: Statement): boolean {
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

function writeStatement(statement: Statement, output: Output): void {
  switch (statement.kind) {
    case "variable":
      writeVariable(statement, output);
      put(output, ";");
      break;
    case "expression":
      writeExpressionStatement(statement.expression, output);
      put(output, ";");
      break;
    case "if":
      writeIf(statement, output);
      break;
    case "while":
      put(output, "while (");
      writeExpression(statement.test, output);
      put(output, ") ");
      writeBlock(statement.body, output);
      break;
    case "doWhile":
      put(output, "do ");
      writeBlock(statement.body, output);
      put(output, " while (");
      writeExpression(statement.test, output);
      put(output, ");");
      break;
    case "for":
      writeFor(statement, output);
      break;
    case "forOf":
      put(output, `for ${statement.await ? "await " : ""}(${statement.keyword} `);
      writePattern(statement.target, output);
      put(output, " of ");
      writeExpression(statement.values, output);
      put(output, ") ");
      writeBlock(statement.body, output);
      break;
    case "labelled":
      put(output, `${statement.label}: `);
      writeStatement(statement.body, output);
      break;
    case "block":
      writeBlock(statement.body, output);
      break;
    case "jump":
      put(output, `${statement.keyword}${statement.label === undefined ? "" : ` ${statement.label}`};`);
      break;
    case "switch":
      writeSwitch(statement, output);
      break;
    case "try":
      writeTry(statement, output);
      break;
    case "throw":
      put(output, "throw ");
      writeExpression(statement.value, output);
      put(output, ";");
      break;
    case "return":
      put(output, "return");
      if (statement.value) put(output, " ");
      if (statement.value) writeExpression(statement.value, output);
      put(output, ";");
      break;
    case "functionDeclaration":
      writeFunction(statement, output);
      break;
    case "import":
      writeImport(statement, output);
      break;
    case "export":
      writeExport(statement, output);
      break;
    case "interface":
      writeInterface(statement, output);
      break;
    case "typeDeclaration":
      writeTypeDeclaration(statement, output);
      break;
    case "comment":
      commentLines(statement.text).forEach((line, i) => {
        if (i > 0) lineBreak(output);
        put(output, `// ${line}`.trimEnd());
      });
      break;
    default:
      assertNever(statement);
  }
}

/** Writes `{ … }` with a line for each statement at least. */
export function writeBlock(body: Block, output: Output): void {
  if (!body.some((statement) => isPrinted(statement, output))) {
    put(output, "{}");
    return;
  }
  put(output, "{");
  indented(body, output, writeStatements);
  lineBreak(output);
  put(output, "}");
}

function writeStatements(body: Block, output: Output): void {
  for (const statement of body) {
    if (output.hasFailed) return;
    if (!isPrinted(statement, output)) continue;
    lineBreak(output);
    writeStatement(statement, output);
  }
}

function writeHead({ doc, exported }: Declared, output: Output): void {
  writeDoc(doc, output);
  if (exported) put(output, "export ");
}

function writeVariable(declaration: VariableDeclaration, output: Output): void {
  writeHead(declaration, output);
  put(output, `${declaration.keyword} `);
  writePattern(declaration.target, output);
  if (declaration.definite && output.types) put(output, "!");
  writeAnnotation(declaration.type, output);
  if (!declaration.value) return;
  put(output, " = ");
  writeExpression(declaration.value, output);
}

/** What begins like a block, a function or a directive is put into parentheses. */
function writeExpressionStatement(expression: Expression, output: Output): void {
  const first = firstOf(expression);
  const isOpen =
    first === "object" ||
    first === "function" ||
    (expression.kind === "literal" && typeof expression.value === "string");
  if (isOpen) put(output, "(");
  writeExpression(expression, output);
  if (isOpen) put(output, ")");
}

/** What a statement made of an expression begins with, as far as that matters. */
function firstOf(expression: Expression): "object" | "function" | undefined {
  switch (expression.kind) {
    case "object":
      return "object";
    case "function":
      return expression.style === "function" ? "function" : undefined;
    case "member":
    case "element":
      return firstOf(expression.object);
    case "call":
      return firstOf(expression.callee);
    case "binary":
      return firstOf(expression.left);
    case "conditional":
      return firstOf(expression.condition);
    case "assertion":
    case "nonNull":
      return firstOf(expression.operand);
    case "assign":
      if (expression.target.kind === "objectPattern") return "object";
      return expression.target.kind === "arrayPattern" ? undefined : firstOf(expression.target);
    default:
      return undefined;
  }
}

/** `if (test) statement;` in one line where that is short and all, else with a block. */
function writeIf({ test, then, otherwise = [] }: If, output: Output): void {
  put(output, "if (");
  writeExpression(test, output);
  put(output, ") ");
  const [only] = then;
  const isShort = then.length === 1 && otherwise.length === 0 && isSimple(only!);
  if (isShort && fits(only!, output, writeStatement)) return;
  writeBlock(then, output);
  if (otherwise.length === 0) return;
  put(output, " else ");
  if (otherwise.length === 1 && otherwise[0]!.kind === "if") writeIf(otherwise[0]!, output);
  else writeBlock(otherwise, output);
}

const isSimple = ({ kind }: Statement): boolean =>
  kind === "expression" || kind === "jump" || kind === "return" || kind === "throw";

function writeFor({ initial, test, update, body }: For, output: Output): void {
  put(output, "for (");
  if (initial) writeVariable(initial, output);
  put(output, ";");
  if (test) put(output, " ");
  if (test) writeExpression(test, output);
  put(output, ";");
  if (update) put(output, " ");
  if (update) writeExpression(update, output);
  put(output, ") ");
  writeBlock(body, output);
}

function writeSwitch({ subject, cases }: Switch, output: Output): void {
  put(output, "switch (");
  writeExpression(subject, output);
  put(output, ") {");
  indented(cases, output, () => {
    for (const { tests, body } of cases) {
      for (const test of tests) {
        lineBreak(output);
        put(output, "case ");
        writeExpression(test, output);
        put(output, ":");
      }
      if (tests.length === 0) lineBreak(output);
      put(output, tests.length === 0 ? "default: " : " ");
      writeBlock(body, output);
    }
  });
  lineBreak(output);
  put(output, "}");
}

function writeTry({ body, handler, finalizer }: Try, output: Output): void {
  put(output, "try ");
  writeBlock(body, output);
  if (handler) {
    put(output, " catch ");
    if (handler.caught) {
      put(output, "(");
      writePattern(handler.caught, output);
      put(output, ") ");
    }
    writeBlock(handler.body, output);
  }
  if (!finalizer) return;
  put(output, " finally ");
  writeBlock(finalizer, output);
}

function writeFunction(declaration: FunctionDeclaration, output: Output): void {
  writeHead(declaration, output);
  put(output, `${declaration.async ? "async " : ""}function${declaration.generator ? "*" : ""} ${declaration.name}`);
  writeTypeParameters(declaration.typeParameters, output);
  writeParameters(declaration.parameters, output);
  writeAnnotation(declaration.returns, output);
  put(output, " ");
  writeBlock(declaration.body, output);
}

function writeImport({ names, module, namespace }: Import, output: Output): void {
  put(output, "import ");
  const shown = names.filter(({ isType }) => output.types || !isType);
  const areTypes = shown.length > 0 && shown.every(({ isType }) => isType);
  if (areTypes) put(output, "type ");
  if (namespace !== undefined) put(output, `* as ${namespace} from `);
  else if (shown.length > 0) {
    list(shown, output, {
      ...braces,
      write: ({ name, exported, isType }) => {
        const from = exported === undefined || exported === name ? "" : `${moduleName(exported, output)} as `;
        put(output, `${isType && !areTypes ? "type " : ""}${from}${name}`);
      },
    });
    put(output, " from ");
  }
  put(output, `${quoted(module, output.charset)};`);
}

function writeExport({ names, module }: Export, output: Output): void {
  put(output, "export ");
  list(names, output, {
    ...braces,
    write: ({ name, exported }) =>
      put(output, exported === undefined || exported === name ? name : `${name} as ${moduleName(exported, output)}`),
  });
  put(output, module === undefined ? ";" : ` from ${quoted(module, output.charset)};`);
}

function writeInterface(declaration: InterfaceDeclaration, output: Output): void {
  writeHead(declaration, output);
  put(output, `interface ${declaration.name}`);
  writeTypeParameters(declaration.typeParameters, output);
  declaration.extends.forEach((type, i) => {
    put(output, i === 0 ? " extends " : ", ");
    writeType(type, output);
  });
  put(output, " ");
  writeMemberLines(declaration.members, output);
}

function writeTypeDeclaration(declaration: TypeDeclaration, output: Output): void {
  writeHead(declaration, output);
  put(output, `type ${declaration.name}`);
  writeTypeParameters(declaration.typeParameters, output);
  grouped(declaration.type, output, writeBehindEquals, (type) => {
    if (type.kind !== "unionType" || type.operator === "&") writeBehindEquals(type, output);
    else {
      put(output, " =");
      writeType(type, output);
    }
  });
  put(output, ";");
}

function writeBehindEquals(type: TypeNode, output: Output): void {
  put(output, " = ");
  writeType(type, output);
}

/** Names of exports can be any text. */
const moduleName = (name: string, { charset }: Output): string => (isWord(name) ? name : quoted(name, charset));

const braces = { open: "{", close: "}", space: " ", separator: "," } as const;
