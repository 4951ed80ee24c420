import { stripTypeScriptTypes } from "node:module";
import { createContext, runInContext, Script } from "node:vm";
import { outputs } from "../../../../src/expressions/analysis/effects.ts";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { EvaluationError } from "../../../../src/expressions/core/failure.ts";
import { evaluateAll } from "../../../../src/expressions/interpreter/evaluate.ts";
import { runtimeText } from "../../../../src/expressions/javascript/runtime.ts";
import { toJson } from "../../../../src/expressions/library/json-text.ts";
import type { Json } from "../../../../src/json.ts";
import { printTypeScript, type TypeScriptProgram } from "../../../../targets/typescript/expressions/print.ts";
import type { Outcome } from "../../../expressions/javascript/running.ts";

const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });
const call = new Script("program(...values)");

/** A printed program made ready to be run for an input and the values of its variables. */
export type Prepared = (values: readonly Json[]) => Outcome;

/** What an expression gives for an input and the values of variables: a text that shows all outputs, or what it failed with. */
export type Runner = (input: Json, values: readonly Json[]) => string;

/** The printed program, run for so many milliseconds at most with the functions of the runtime that it imports and no others. */
export function prepare(expression: Expression, { code, helpers }: TypeScriptProgram, patience = 10_000): Prepared {
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
  return (values) => {
    try {
      Object.assign(context, { program, values });
      const result = call.runInContext(context, { timeout: patience });
      return { outputs: settled(isList ? result : result === undefined ? [] : [result]) };
    } catch (error) {
      if ((error as Error).name === "EvaluationError") return { failed: (error as EvaluationError).value };
      const { name, message } = error as Error;
      if (name === "RangeError" || message.includes("timed out")) return { limit: message };
      throw error;
    }
  };
}

/** The printed program, with what it gives as a text. */
function runner(expression: Expression, program: TypeScriptProgram): Runner {
  const run = prepare(expression, program);
  return (input, values) => shownOutcome(run([input, ...values]));
}

/** Values as JSON has them: the reference gives them so. */
const settled = (values: Json): readonly Json[] =>
  evaluateAll({ kind: "literal", value: values }, { input: null, variables: new Map() })[0] as readonly Json[];

/** The expression as the reference interpreter evaluates it. */
export const reference =
  (expression: Expression, variables: readonly string[]): Runner =>
  (input, values) =>
    shownOutcome(evaluated(expression, input, new Map(variables.map((name, i) => [name, values[i]!]))));

function evaluated(expression: Expression, input: Json, variables: ReadonlyMap<string, Json>): Outcome {
  try {
    return { outputs: evaluateAll(expression, { input, variables }) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { failed: error.value };
  }
}

function shownOutcome(outcome: Outcome): string {
  if ("outputs" in outcome) return toJson(outcome.outputs);
  return "failed" in outcome ? `fails with ${toJson(outcome.failed)}` : `LimitError: ${Object.values(outcome)[0]}`;
}

/** Whether an outcome is that time, memory or nesting did not suffice: an expression may reach such a limit in one form and not in another. */
export const isLimited = (outcome: string): boolean => outcome.includes("LimitError");

/** The program, and both ways to run it; undefined where there is no readable form. */
export function prepared(expression: Expression, variables: readonly string[]) {
  const program = printTypeScript(expression, variables);
  return program && { program, run: runner(expression, program), expected: reference(expression, variables) };
}
