import { describe, expect, test } from "vitest";
import { evaluateAll } from "../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import { readJq } from "../../src/expressions/syntax/jq/lower.ts";
import { run } from "./js/running.ts";

/** Parses a program that must be valid. */
function parse(program: string) {
  const read = readJq(program);
  if (!("expression" in read)) throw new Error(JSON.stringify(read));
  return read.expression;
}

function interpret(program: string): unknown {
  try {
    return { outputs: evaluateAll(parse(program), { input: null, variables: new Map() }) };
  } catch (error) {
    if (error instanceof EvaluationError) return { failed: error.value };
    throw error;
  }
}

describe("jq evaluates the last interpolation of a string first, compiled programs too", () => {
  test.each([
    ['"\\(error("a"))\\(error("b"))"', "b"],
    ['"\\(error("a")) \\(error("b"))"', "b"],
    ['"\\(error("a"))\\(error("b"))\\(error("c"))"', "c"],
    ['"\\(error("a"))\\(1)\\(error("c"))"', "c"],
    ['"\\(error("a"))\\(1)"', "a"],
    ['@json "\\(error("a"))\\(error("b"))"', "b"],
  ])("%s fails with %j", (program, failure) => {
    expect(interpret(program)).toEqual({ failed: failure });
    expect(run(parse(program), null)).toEqual({ failed: failure });
  });
});
