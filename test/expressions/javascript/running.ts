import { createContext, runInContext } from "node:vm";
import type { Expression } from "../../../src/expressions/ast.ts";
import { compileJavaScript, isRefusal, type JavaScriptProgram } from "../../../src/expressions/javascript/compile.ts";
import type { Refusal } from "../../../src/expressions/javascript/refusal.ts";
import { readJq } from "../../../src/expressions/jq/lower.ts";
import type { Json } from "../../../src/json.ts";

/** What came of a program: its outputs, what it failed with, that it took too much time or memory, or why there is none. */
export type Outcome =
  | { readonly outputs: readonly Json[] }
  | { readonly failed: Json }
  | { readonly limit: string }
  | { readonly refused: string };

/** The jq program in the core; throws for one that is refused. */
export function core(program: string): Expression {
  const read = readJq(program);
  if (!("expression" in read)) throw new Error(read.map(({ message }) => message).join(" "));
  return read.expression;
}

/** The expression as JavaScript; throws for one that is refused. */
export function compiled(expression: Expression): JavaScriptProgram {
  const program = compileJavaScript(expression);
  if (isRefusal(program)) throw new Error(program.refused);
  return program;
}

const context = createContext({});

/** Runs an expression as JavaScript, for so many milliseconds at most, in a world of its own in which code cannot be made from strings. */
export function run(
  expression: Expression,
  input: Json,
  variables: readonly Json[] = [],
  names?: readonly string[],
  patience = 10_000,
): Outcome {
  const program: JavaScriptProgram | Refusal = compileJavaScript(expression, { variables: names });
  if (isRefusal(program)) return { refused: program.refused };
  try {
    context.values = [input, ...variables];
    const result = runInContext(`(() => {${program.code}\nreturn program(...values); })()`, context, { timeout: patience });
    return { outputs: program.form === "one" ? [result] : result };
  } catch (error) {
    if (isFailure(error)) return { failed: error.value };
    const { name, message } = error as Error;
    if (name === "RangeError" || message.includes("timed out")) return { limit: message };
    throw new Error(`${message}\n${program.text}`);
  }
}

const isFailure = (error: unknown): error is { readonly value: Json } => (error as Error)?.name === "EvaluationError";

/** What a jq program gives for an input. */
export const runJq = (program: string, input: Json = null): Outcome => run(core(program), input);
