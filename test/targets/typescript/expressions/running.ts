import { stripTypeScriptTypes } from "node:module";
import { createContext, runInContext, Script } from "node:vm";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { evaluateAll } from "../../../../src/expressions/evaluate/evaluate.ts";
import { EvaluationError } from "../../../../src/expressions/evaluate/failure.ts";
import { outputs } from "../../../../src/expressions/facts/facts.ts";
import { runtimeText } from "../../../../src/expressions/javascript/runtime.ts";
import { toJson } from "../../../../src/expressions/library/json-text.ts";
import type { Json } from "../../../../src/json.ts";
import { printTypeScript, type TypeScriptProgram } from "../../../../targets/typescript/expressions/function.ts";

const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });
const call = new Script("program(...values)");

/** What an expression gives for an input and the values of variables: a text that shows all outputs, or what it failed with. */
export type Runner = (input: Json, values: readonly Json[]) => string;

/** The printed program, run with the functions of the runtime that it imports and no others. */
export function runner(expression: Expression, { code, helpers }: TypeScriptProgram): Runner {
  const script = stripTypeScriptTypes(code)
    .replace(/^import [\s\S]*?;$/m, "")
    .replace("export const program", "const program");
  const given = [...helpers].map(([helper, name]) => `${name}: ${helper}`).join(", ");
  const names = [...helpers.values()].join(", ");
  const runtime = `(() => {\n${runtimeText(helpers.keys())}\nreturn { ${given} };\n})()`;
  const program: unknown = runInContext(
    `"use strict";\n(({ ${names} }) => {\n${script}\nreturn program;\n})(${runtime})`,
    context,
  );
  const isList = outputs(expression) === "many";
  return (input, values) =>
    shown(() => {
      Object.assign(context, { program, values: [input, ...values] });
      const result = call.runInContext(context, { timeout: 10_000 });
      return settled(isList ? result : result === undefined ? [] : [result]);
    });
}

/** Values as JSON has them: the reference gives them so. */
const settled = (values: Json): readonly Json[] =>
  evaluateAll({ kind: "literal", value: values }, { input: null, variables: new Map() })[0] as readonly Json[];

/** The expression as the reference interpreter evaluates it. */
export const reference =
  (expression: Expression, variables: readonly string[]): Runner =>
  (input, values) =>
    shown(() => evaluateAll(expression, { input, variables: new Map(variables.map((name, i) => [name, values[i]!])) }));

function shown(outputs: () => readonly Json[]): string {
  try {
    return toJson(outputs());
  } catch (error) {
    if (error instanceof EvaluationError || (error as Error).name === "EvaluationError")
      return `fails with ${toJson((error as EvaluationError).value)}`;
    throw error;
  }
}

/** Whether an outcome is that time, memory or nesting did not suffice: an expression may reach such a limit in one form and not in another. */
export const isLimited = (outcome: string): boolean => outcome.includes("LimitError");

/** The program, and both ways to run it; undefined where there is no readable form. */
export function prepared(expression: Expression, variables: readonly string[]) {
  const program = printTypeScript(expression, variables);
  return program && { program, run: runner(expression, program), expected: reference(expression, variables) };
}
