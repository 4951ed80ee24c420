import type { Expression } from "../../../src/expressions/core/ast.ts";
import { fromJson } from "../../../src/expressions/library/json-reader.ts";
import { toJson } from "../../../src/expressions/library/json-text.ts";
import { equalValues } from "../../../src/expressions/library/order.ts";
import { readJq } from "../../../src/expressions/syntax/jq/lower.ts";
import type { Json } from "../../../src/json.ts";
import { isLimited, type Outcome } from "../js/running.ts";
import type { Oracle } from "./oracle.ts";
import type { SuiteCase } from "./suites.ts";

/**
 * The result of a test: right, unsupported (`foreign`: workflows lack the feature), beyond one of our limits, or wrong.
 */
export interface SuiteVerdict {
  readonly kind: "right" | "foreign" | "refused" | "limited" | "wrong";
  readonly why: string;
}

/** Runs an expression. */
export type SuiteRunner = (expression: Expression, input: Json) => Outcome;

/** Features that workflows lack: modules, further inputs and the environment. */
const foreign = /\b(?:import|include|modulemeta|inputs?|env)\b|\$ENV/;

/** A test of jq's suites whose program compiles. */
export type RunningCase = SuiteCase & { readonly input: string };

/**
 * Runs a test of jq's suites. A program that fails after its outputs is right if jq fails there with the same message.
 * Some programs are unsupported inside of another; their outputs before failing are ignored.
 */
export function judgeSuiteCase(test: RunningCase, run: SuiteRunner, oracle: Oracle): SuiteVerdict {
  const outcome = runText(test.program, test.input, run);
  if ("refused" in outcome) return { kind: foreign.test(test.program) ? "foreign" : "refused", why: outcome.refused };
  if ("limit" in outcome || isLimited(outcome)) return { kind: "limited", why: JSON.stringify(outcome) };
  const expected = written(test.outputs.map(fromJson));
  if ("outputs" in outcome) {
    const given = written(outcome.outputs);
    return equalValues(given, expected) ? right : { kind: "wrong", why: `gives ${toJson(given)}` };
  }
  const before = runText(`limit(${test.outputs.length}; ${test.program}\n)`, test.input, run);
  const isRight = "outputs" in before ? equalValues(written(before.outputs), expected) : "refused" in before;
  return isRight && failsAlike(test, outcome.failed, oracle)
    ? right
    : { kind: "wrong", why: `fails with ${toJson(outcome.failed)}` };
}

const right: SuiteVerdict = { kind: "right", why: "" };

function runText(program: string, input: string, run: SuiteRunner): Outcome {
  const read = readJq(program);
  return "expression" in read ? run(read.expression, fromJson(input)) : { refused: read[0]!.message };
}

/** Values as jq prints them: infinity as the largest double, nan as null. */
const written = (values: readonly Json[]): Json => JSON.parse(toJson(values)) as Json;

function failsAlike({ program, input }: RunningCase, failed: Json, oracle: Oracle): boolean {
  const answer = oracle.run(program, input);
  return answer.includes("jq: error") && answer.includes(typeof failed === "string" ? failed : toJson(failed));
}
