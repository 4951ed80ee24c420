import { compileJavaScript, effectsOf, equalExpressions, isRefusal, outputs } from "../../../src/expressions/index.ts";
import {
  type Block,
  type JsExpression as Code,
  type ImportDeclaration,
  js,
  printProgram,
} from "../../../src/js-ast/index.ts";
import type { Span } from "../../../src/text/source.ts";
import type { ExpressionFunction } from "./module.ts";
import { helperAlias, jsonType, optionalJson } from "./runtime-imports.ts";

/** The module of expressions without a readable form. */
export interface ExpressionModule {
  readonly text: string;
  /** If not empty, the source is incomplete. */
  readonly unsupported: readonly UnprintableExpression[];
}

/** An expression that cannot be computed exactly, and the reason. */
export interface UnprintableExpression {
  readonly span: Span | undefined;
  readonly reason: string;
}

/**
 * Prints a function for each expression: `export const assign = (v1: Json): Json => assign_(null, v1);` An equal
 * expression becomes an alias: `export const check = assign;`
 */
export function printExpressionModule(compiled: readonly ExpressionFunction[], runtime: string): ExpressionModule {
  const results = compiled.map((each, i) => {
    const same = compiled.slice(0, i).find((before) => isSame(before, each));
    return same ? aliasOf(each, same) : compileFunction(each);
  });
  const functions = results.filter((result) => "statements" in result);
  const helpers = [...new Set(functions.flatMap((each) => each.helpers))].sort();
  const imports: ImportDeclaration = {
    kind: "import",
    module: runtime,
    names: [
      { name: "Json", isType: true },
      ...helpers.map((helper) => ({ name: helper, exported: helperAlias(helper), isType: false })),
    ],
  };
  const text = printProgram([imports, ...functions.flatMap(({ statements }) => statements)], { types: true });
  return { text: `${head}\n${text}`, unsupported: results.filter((result) => "reason" in result) };
}

const head = `// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.`;

interface CompiledFunction {
  readonly statements: Block;
  readonly helpers: readonly string[];
}

const isSame = (a: ExpressionFunction, b: ExpressionFunction): boolean =>
  effectsOf(a.expression).weight.size === effectsOf(b.expression).weight.size &&
  a.isOptional === b.isOptional &&
  equalExpressions(a.expression, b.expression);

const aliasOf = ({ name }: ExpressionFunction, same: ExpressionFunction): CompiledFunction => ({
  statements: [js.constant(name, js.name(same.name), { exported: true })],
  helpers: [],
});

/** A function of the variables that returns the first output. */
function compileFunction({
  name,
  expression,
  variables,
  isOptional,
}: ExpressionFunction): CompiledFunction | UnprintableExpression {
  const program = compileJavaScript(expression, { name: `${name}_`, variables });
  if (isRefusal(program)) return { span: program.span ?? expression.span, reason: program.refused };
  const parameters = variables.map((_, i) => js.parameter(`v${i + 1}`, jsonType));
  const values = variables.map((_, i) => js.name(`v${i + 1}`));
  const all: Code = js.call(`${name}_`, [js.literal(null), ...values]);
  const first = outputs(expression) === "one" ? all : js.element(all, js.literal(0));
  const exported = js.arrow(parameters, first, { returns: isOptional ? optionalJson : jsonType });
  return {
    statements: [...program.statements, js.constant(name, exported, { exported: true })],
    helpers: program.helpers,
  };
}
