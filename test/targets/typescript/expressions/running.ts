import { stripTypeScriptTypes } from "node:module";
import { createContext, runInContext, Script } from "node:vm";
import { outputs } from "../../../../src/expressions/analysis/effects.ts";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { evaluateAll } from "../../../../src/expressions/interpreter/evaluate.ts";
import { runtimeText } from "../../../../src/expressions/js/runtime.ts";
import { EvaluationError } from "../../../../src/expressions/library/failure.ts";
import { toJson } from "../../../../src/expressions/library/json-text.ts";
import type { Json } from "../../../../src/json.ts";
import { printTypeScript, type TypeScriptProgram } from "../../../../targets/typescript/expressions/print.ts";
import type { Outcome } from "../../../expressions/js/running.ts";

const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });
const call = new Script("program(...values)");

/** A printed program, ready to run. */
export type PreparedProgram = (values: readonly Json[]) => Outcome;

/** Evaluates an expression for an input and variables. Returns a string with all outputs, or the error. */
export type ProgramRunner = (input: Json, values: readonly Json[]) => string;

/** Prepares a printed program to run with a timeout in milliseconds and only the imported runtime functions. */
export function prepare(expression: Expression, printed: TypeScriptProgram, patience = 10_000): PreparedProgram {
  const program: unknown = runInContext(programScript(printed), context);
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

/** Returns a script whose value is the function `program`, with the runtime functions that it imports. */
export function programScript({ code, helpers }: TypeScriptProgram): string {
  const script = stripTypeScriptTypes(code)
    .replace(/^import [\s\S]*?;$/m, "")
    .replace(/^export (?=(?:const|function) program)/m, "");
  const given = [...helpers].map(([helper, name]) => `${name}: ${helper}`).join(", ");
  const names = [...helpers.values()].join(", ");
  const runtime = `(() => {\n${runtimeText(helpers.keys())}\nreturn { ${given} };\n})()`;
  return `"use strict";\n(({ ${names} }) => {\n${script}\nreturn program;\n})(${runtime})`;
}

/** A runner of a printed program. */
function runner(expression: Expression, program: TypeScriptProgram): ProgramRunner {
  const run = prepare(expression, program);
  return (input, values) => shownOutcome(run([input, ...values]));
}

/** Normalizes values to JSON, as the reference returns them. */
const settled = (values: Json): readonly Json[] =>
  evaluateAll({ kind: "literal", value: values }, { input: null, variables: new Map() })[0] as readonly Json[];

/** Evaluates an expression with the reference interpreter. */
export const reference =
  (expression: Expression, variables: readonly string[]): ProgramRunner =>
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

/** Whether an outcome is a limit of time, memory or nesting, which forms of an expression may reach differently. */
export const isLimited = (outcome: string): boolean => outcome.includes("LimitError");

/** The printed program, its runner and the reference; undefined if it is rejected. */
export function prepareBoth(expression: Expression, variables: readonly string[]) {
  const program = printTypeScript(expression, variables);
  return "code" in program
    ? { program, run: runner(expression, program), expected: reference(expression, variables) }
    : undefined;
}

/** A printed program, which must not be rejected. */
export function printed(expression: Expression, variables: readonly string[]): TypeScriptProgram {
  const program = printTypeScript(expression, variables);
  if ("refused" in program) throw new Error(program.refused);
  return program;
}
