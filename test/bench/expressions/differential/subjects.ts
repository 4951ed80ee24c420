import { outputs } from "../../../../src/expressions/analysis/effects.ts";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { pipe, variable } from "../../../../src/expressions/core/build.ts";
import { evaluateAll } from "../../../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../../../src/expressions/library/failure.ts";
import type { Json } from "../../../../src/json.ts";
import { UnsupportedExpression } from "../../../../targets/asl/jsonata/context.ts";
import { parseErrorMarker } from "../../../../targets/asl/jsonata/errors.ts";
import { jsonataString, printJsonata } from "../../../../targets/asl/jsonata/print.ts";
import { StateError } from "../../../../targets/asl/simulator/environment.ts";
import { createEvaluator } from "../../../../targets/asl/simulator/evaluator.ts";
import { printTypeScript } from "../../../../targets/typescript/expressions/print.ts";
import { type Outcome, prepare } from "../../../expressions/js/running.ts";
import { environment, one } from "../../../targets/asl/jsonata/compared-with-core.ts";
import { prepare as prepareTypeScript } from "../../../targets/typescript/expressions/running.ts";

/** Our implementations of jq. */
export const subjects = ["javascript", "typescript", "evaluator", "jsonata"] as const;
export type Subject = (typeof subjects)[number];

/** Runs a program on an input. */
export type SubjectRun = (input: Json) => Outcome | Promise<Outcome>;

/** A compiled program, or the reason why it was rejected. */
export type SubjectRunner = { readonly refused: string } | SubjectRun;

/** Milliseconds per input. */
const timeoutMs = 300;

/** Compiles an expression for a subject. A crash is an outcome that no program has. */
export function runnerOf(subject: Subject, expression: Expression): SubjectRunner {
  try {
    const run = compileFor(subject, expression);
    return "refused" in run ? run : async (input) => await crashing(() => run(input));
  } catch (error) {
    return () => crashed(error);
  }
}

const crashed = (error: unknown): Outcome => ({ refused: `crashed: ${String(error)}` });

async function crashing(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    return crashed(error);
  }
}

function compileFor(subject: Subject, expression: Expression): SubjectRunner {
  switch (subject) {
    case "javascript": {
      const run = prepare(expression, [], timeoutMs);
      return "refused" in run ? run : (input) => run([input]);
    }
    case "typescript": {
      const program = printTypeScript(expression, []);
      if ("refused" in program) return { refused: program.refused };
      const run = prepareTypeScript(expression, program, timeoutMs);
      return (input) => run([input]);
    }
    case "evaluator":
      return (input) => evaluate(expression, input);
    case "jsonata":
      return jsonataRunner(expression);
  }
}

/** Runs an expression with the evaluator. */
export function evaluate(expression: Expression, input: Json): Outcome {
  try {
    return { outputs: evaluateAll(expression, { input, variables: new Map() }) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { failed: error.value };
  }
}

/** Runs an expression in the Step Functions simulator on jsonata 2.0.6. U1001 is its depth limit. */
function jsonataRunner(expression: Expression): SubjectRunner {
  const text = printed(expression);
  if (typeof text !== "string") return text;
  const isOne = outputs(expression) === "one";
  const evaluator = createEvaluator({ uuid: () => "" } as Parameters<typeof createEvaluator>[0]);
  return async (input) => {
    try {
      const view = { states: { input }, variables: { own: new Map<string, Json>(), outer: undefined }, state: "S" };
      const value = await evaluator.field("Output", jsonataString(text), view);
      return { outputs: isOne ? [value] : (value as readonly Json[]) };
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const cause = error.cause ?? "";
      if (cause.includes(" U1001: ")) return { limit: "depth" };
      return { failed: parseErrorMarker(cause) ?? { name: "unmarked", message: cause } };
    }
  };
}

function printed(expression: Expression): string | { readonly refused: string } {
  try {
    return printJsonata(one(pipe(variable("data"), expression)), environment);
  } catch (error) {
    if (!(error instanceof UnsupportedExpression)) throw error;
    return { refused: error.construct };
  }
}
