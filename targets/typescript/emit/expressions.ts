import { compileJavaScript, equalExpressions, effectsOf, isRefusal, outputs } from "../../../src/expressions/index.ts";
import {
  type Block,
  type JsExpression as Code,
  type ImportDeclaration,
  js,
  printProgram,
} from "../../../src/js-ast/index.ts";
import type { Span } from "../../../src/text/source.ts";
import { helperWord, jsonType } from "../expressions/runtime.ts";
import { jsonOrNothing } from "../expressions/types.ts";
import type { Compiled } from "./module.ts";

/** The module of the expressions that have no readable form. */
export interface ExpressionModule {
  readonly text: string;
  /** The expressions that have no form at all: with any of these the text is not whole. */
  readonly refusals: readonly Refusal[];
}

/** An expression that cannot be computed exactly, and why. */
export interface Refusal {
  readonly span: Span | undefined;
  readonly reason: string;
}

/**
 * A module that exports a function for each expression: `export const assign = (v1: Json): Json => assign_(null, v1);`, and for one that is written as
 * another is, `export const check = assign;` `runtime`: where the program has its runtime from.
 */
export function expressionModule(compiled: readonly Compiled[], runtime: string): ExpressionModule {
  const made = compiled.map((each, i) => {
    const same = compiled.slice(0, i).find((before) => isSame(before, each));
    return same ? sharing(each, same) : programOf(each);
  });
  const programs = made.filter((program) => "statements" in program);
  const helpers = [...new Set(programs.flatMap(({ needs }) => needs))].sort();
  const imports: ImportDeclaration = {
    kind: "import",
    module: runtime,
    names: [
      { name: "Json", isType: true },
      ...helpers.map((helper) => ({ name: helper, exported: helperWord(helper), isType: false })),
    ],
  };
  const text = printProgram([imports, ...programs.flatMap(({ statements }) => statements)], { types: true });
  return { text: `${head}\n${text}`, refusals: made.filter((program) => "reason" in program) };
}

const head = `// @ts-nocheck: JavaScript compiled from expressions has no types inside; what is exported has them.`;

interface Program {
  readonly statements: Block;
  readonly needs: readonly string[];
}

const isSame = (a: Compiled, b: Compiled): boolean =>
  effectsOf(a.expression).weight.size === effectsOf(b.expression).weight.size &&
  a.isOptional === b.isOptional &&
  equalExpressions(a.expression, b.expression);

const sharing = ({ name }: Compiled, same: Compiled): Program => ({
  statements: [js.constant(name, js.name(same.name), { exported: true })],
  needs: [],
});

/** A function of the variables of an expression, which gives its first output. */
function programOf({ name, expression, variables, isOptional }: Compiled): Program | Refusal {
  const program = compileJavaScript(expression, { name: `${name}_`, variables });
  if (isRefusal(program)) return { span: program.span ?? expression.span, reason: program.refused };
  const parameters = variables.map((_, i) => js.parameter(`v${i + 1}`, jsonType));
  const values = variables.map((_, i) => js.name(`v${i + 1}`));
  const all: Code = js.call(`${name}_`, [js.literal(null), ...values]);
  const first = outputs(expression) === "one" ? all : js.element(all, js.literal(0));
  const given = js.arrow(parameters, first, { returns: isOptional ? jsonOrNothing : jsonType });
  return {
    statements: [...program.statements, js.constant(name, given, { exported: true })],
    needs: program.helpers,
  };
}
