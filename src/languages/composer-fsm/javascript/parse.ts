import { parse } from "acorn";
import type { ts } from "ts-morph";
import { loadTypescript } from "#lazy";
import { type ExternalNames, externalNames } from "./names.ts";

/** TypeScript's compiler, loaded on demand because that is slow. */
export type Typescript = typeof ts;

/** A syntax error; `problem` has no full stop. */
export interface FunctionSyntaxError {
  readonly from: number;
  readonly upTo: number;
  readonly problem: string;
  readonly hint?: string | undefined;
}

/** A syntax tree; node offsets are one larger than in the source. */
export interface FunctionTree {
  readonly ts: Typescript;
  readonly expression: ts.Expression;
}

/** Parses strict-mode code. Acorn reports syntax errors, including early ones. */
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
  const ts = loadTypescript();
  const file = ts.createSourceFile("function.js", code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const [statement, second] = file.statements;
  if (!statement || second || !ts.isExpressionStatement(statement) || !isWhole(ts, statement.expression, code))
    return { from: 0, upTo: text.length, problem: "More than one expression" };
  return { ts, expression: withoutParentheses(ts, statement.expression) };
}

const isWhole = (ts: Typescript, expression: ts.Expression, code: string): boolean =>
  ts.isParenthesizedExpression(expression) && expression.getStart() === 0 && expression.end === code.length;

/** Removes parentheses around an expression. */
export const withoutParentheses = (ts: Typescript, expression: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(expression) ? withoutParentheses(ts, expression.expression) : expression;

/** The source as one expression; a comma expression gets parentheses. */
export function asExpression(text: string, { ts, expression }: FunctionTree): string {
  const hasCommas = ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.CommaToken;
  return hasCommas ? `(${text}\n)` : text;
}

const strict = '"use strict";\n';

function syntaxErrorIn(code: string, text: string): FunctionSyntaxError | undefined {
  try {
    parse(strict + code, { ecmaVersion: "latest", sourceType: "script" });
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { pos } = error as SyntaxError & { readonly pos: number };
    const at = pos - strict.length;
    const from = Math.max(0, Math.min(at - 1, text.length - 1));
    return { from, upTo: Math.min(from + 1, text.length), problem: problemAt(error, code, at), hint: hintFor(text) };
  }
}

/** Acorn's message without the position, with the unexpected token. */
function problemAt({ message }: SyntaxError, code: string, at: number): string {
  const problem = message.replace(/ \(\d+:\d+\)$/, "");
  if (problem !== "Unexpected token") return problem;
  const [token] = /^(?:[\w$]+|\S)/.exec(code.slice(at)) ?? [];
  if (token === undefined) return "Unexpected end of input";
  return `Unexpected ${/^[\w$]/.test(token) ? "identifier" : "token"} '${token}'`;
}

function hintFor(text: string): string | undefined {
  if (/;\s*$/.test(text)) return "Remove the `;` at the end.";
  if (/\/\/[^\n]*$/.test(text)) return "Remove the comment at the end: Composer appends a `)`, which it would hide.";
  return undefined;
}

/** Describes an expression that certainly cannot be called. */
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
