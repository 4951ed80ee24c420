import { createRequire } from "node:module";
import { Script } from "node:vm";
import type { ts } from "ts-morph";
import { type ExternalNames, externalNames } from "./names.ts";

/** TypeScript's compiler, used as a parser. Loaded on demand because that is slow. */
export type Typescript = typeof ts;

/** A syntax error in a function; `problem` is a sentence without its period. */
export interface FunctionSyntaxError {
  readonly from: number;
  readonly upTo: number;
  readonly problem: string;
  readonly hint?: string | undefined;
}

/** The syntax tree of a function. Node offsets are one larger than in the source. */
export interface FunctionTree {
  readonly ts: Typescript;
  readonly expression: ts.Expression;
}

/** Parses a function as an expression. The JavaScript engine checks its syntax in strict mode, without running it. */
export function parseFunction(text: string): ParsedFunction | FunctionSyntaxError {
  try {
    const parsed = parseTree(text);
    return "problem" in parsed ? parsed : { ...parsed, external: externalNames(parsed) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { from: 0, upTo: text.length, problem: "Too deeply nested" };
  }
}

/** A function with its external names. */
export interface ParsedFunction extends FunctionTree {
  readonly external: ExternalNames;
}

function parseTree(text: string): FunctionTree | FunctionSyntaxError {
  const code = `(${text})`;
  const fault = syntaxErrorIn(code, text);
  if (fault) return fault;
  const ts = typescript();
  const file = ts.createSourceFile("function.js", code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const [statement, second] = file.statements;
  if (!statement || second || !ts.isExpressionStatement(statement) || !isWhole(ts, statement.expression, code))
    return { from: 0, upTo: text.length, problem: "More than one expression" };
  return { ts, expression: withoutParentheses(ts, statement.expression) };
}

const isWhole = (ts: Typescript, expression: ts.Expression, code: string): boolean =>
  ts.isParenthesizedExpression(expression) && expression.getStart() === 0 && expression.end === code.length;

export const withoutParentheses = (ts: Typescript, expression: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(expression) ? withoutParentheses(ts, expression.expression) : expression;

/** The source as one expression in any context: a comma expression gets parentheses. */
export function asExpression(text: string, { ts, expression }: FunctionTree): string {
  const hasCommas = ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.CommaToken;
  return hasCommas ? `(${text}\n)` : text;
}

const require = createRequire(import.meta.url);

const typescript = (): Typescript => (require("ts-morph") as { readonly ts: Typescript }).ts;

function syntaxErrorIn(code: string, text: string): FunctionSyntaxError | undefined {
  try {
    new Script(`"use strict";\n${code}`, { filename: fileName });
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = errorOffset(error, code);
    const from = Math.max(0, Math.min(at - 1, text.length - 1));
    return { from, upTo: Math.min(from + 1, text.length), problem: error.message, hint: hintFor(text) };
  }
}

const fileName = "function";

/** The offset of a syntax error, from the line number and the marker in the engine's stack. */
function errorOffset({ stack = "" }: Error, code: string): number {
  const [, line = "2", shown = "", marks = ""] = /^function:(\d+)\n(.*)\n( *)\^/.exec(stack) ?? [];
  const lines = code.split("\n");
  const before = lines.slice(0, Number(line) - 2).reduce((sum, each) => sum + each.length + 1, 0);
  return lines[Number(line) - 2] === shown ? before + marks.length : code.length;
}

function hintFor(text: string): string | undefined {
  if (/;\s*$/.test(text)) return "Remove the `;` at the end.";
  if (/\/\/[^\n]*$/.test(text)) return "Remove the comment at the end: Composer appends a `)`, which it would hide.";
  return undefined;
}

/** Describes an expression that certainly cannot be called; otherwise undefined. */
export function describeUncallable({ ts, expression }: FunctionTree): string | undefined {
  switch (expression.kind) {
    case ts.SyntaxKind.StringLiteral:
    case ts.SyntaxKind.NoSubstitutionTemplateLiteral:
    case ts.SyntaxKind.TemplateExpression:
      return "A string";
    case ts.SyntaxKind.NumericLiteral:
    case ts.SyntaxKind.BigIntLiteral:
      return "A number";
    case ts.SyntaxKind.TrueKeyword:
    case ts.SyntaxKind.FalseKeyword:
    case ts.SyntaxKind.NullKeyword:
      return `\`${expression.getText()}\``;
    case ts.SyntaxKind.ObjectLiteralExpression:
      return "An object";
    case ts.SyntaxKind.ArrayLiteralExpression:
      return "An array";
    case ts.SyntaxKind.RegularExpressionLiteral:
      return "A regular expression";
    case ts.SyntaxKind.ClassExpression:
      return "A class";
    case ts.SyntaxKind.PrefixUnaryExpression:
    case ts.SyntaxKind.PostfixUnaryExpression:
    case ts.SyntaxKind.TypeOfExpression:
    case ts.SyntaxKind.VoidExpression:
    case ts.SyntaxKind.DeleteExpression:
      return "The result of an operator";
    default:
      return undefined;
  }
}
