import { createContext, runInContext, Script } from "node:vm";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import {
  compileJavaScript,
  isRefusal,
  type JavaScriptProgram,
  javaScriptText,
  standaloneText,
} from "../../../src/expressions/js/compile.ts";
import type { Refusal } from "../../../src/expressions/js/scope.ts";
import { readJq } from "../../../src/expressions/syntax/jq/lower.ts";
import { isObject, type Json } from "../../../src/json.ts";

/** The result of a program: outputs, an error, an exceeded limit, or the reason for its rejection. */
export type Outcome =
  | { readonly outputs: readonly Json[] }
  | { readonly failed: Json }
  | { readonly limit: string }
  | { readonly refused: string };

/** Whether a program exceeded a limit on time, memory, numbers or strings that jq might not have. */
export const isLimited = (outcome: Outcome): boolean =>
  "limit" in outcome || ("failed" in outcome && isObject(outcome.failed) && outcome.failed.name === "LimitError");

/** Parses a jq program. Throws if it is rejected. */
export function core(program: string): Expression {
  const read = readJq(program);
  if (!("expression" in read)) throw new Error(read.map(({ message }) => message).join(" "));
  return read.expression;
}

/** Compiles an expression to JavaScript. Throws if it is rejected. */
export function compiled(expression: Expression): JavaScriptProgram {
  const program = compileJavaScript(expression);
  if (isRefusal(program)) throw new Error(program.refused);
  return program;
}

const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });

/** A compiled program, to be run on an input and the values of its variables. */
export type Prepared = (values: readonly Json[]) => Outcome;

const call = new Script("program(...values)");

/**
 * Compiles an expression to JavaScript that runs with a timeout, in a context that forbids creating code from strings.
 */
export function prepare(
  expression: Expression,
  names?: readonly string[],
  patience = 10_000,
): Prepared | { readonly refused: string } {
  const program: JavaScriptProgram | Refusal = compileJavaScript(expression, { variables: names });
  if (isRefusal(program)) return { refused: program.refused };
  const main: unknown = runInContext(`(() => {${standaloneText(program)}\nreturn program; })()`, context);
  return (values) => {
    try {
      Object.assign(context, { program: main, values });
      const result = call.runInContext(context, { timeout: patience });
      return { outputs: program.form === "one" ? [result] : result };
    } catch (error) {
      if (isFailure(error)) return { failed: error.value };
      const { name, message } = error as Error;
      if (name === "RangeError" || message.includes("timed out")) return { limit: message };
      throw new Error(`${message}\n${javaScriptText(program)}`);
    }
  };
}

/** Runs an expression as JavaScript. */
export function run(
  expression: Expression,
  input: Json,
  variables: readonly Json[] = [],
  names?: readonly string[],
  patience?: number,
): Outcome {
  const prepared = prepare(expression, names, patience);
  return "refused" in prepared ? prepared : prepared([input, ...variables]);
}

const isFailure = (error: unknown): error is { readonly value: Json } => (error as Error)?.name === "EvaluationError";

/** Runs a jq program. */
export const runJq = (program: string, input: Json = null): Outcome => run(core(program), input);
