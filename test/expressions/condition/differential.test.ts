import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { bind, identity, variable } from "../../../src/expressions/core/build.ts";
import { simplify } from "../../../src/expressions/simplify/simplify.ts";
import { parseCondition } from "../../../src/expressions/syntax/condition/conditions.ts";
import { conditionLanguages } from "../../../src/expressions/syntax/condition/languages.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import type { Json } from "../../../src/json.ts";
import { evaluate, runnerOf, type SubjectRun } from "../../bench/expressions/differential/subjects.ts";
import { conditionData, conditionOf } from "./random.ts";

const root = variable("all");

/** A condition over `.`, or the error of the parser. */
function parse(text: string, language: (typeof conditionLanguages)[number]): Expression | string {
  const condition = parseCondition(text, { root, data: root }, { language });
  return isParseError(condition) ? condition.message : bind("all", identity, condition);
}

/** Failures are compared by their names, since each platform has its own messages. */
const shown = (outcome: ReturnType<typeof evaluate>): string =>
  "failed" in outcome ? "failed" : JSON.stringify(outcome);

describe.each(conditionLanguages)("random conditions in %s", (language) => {
  test("have the same result in the evaluator and printed as JavaScript, TypeScript and JSONata", {
    timeout: 120_000,
  }, async () => {
    const results = new Map<string, number>();
    const count = (what: string) => results.set(what, (results.get(what) ?? 0) + 1);
    const samples = fc.sample(
      fc.tuple(conditionOf(language), fc.array(conditionData, { minLength: 3, maxLength: 3 })),
      {
        seed: 38,
        numRuns: 250,
      },
    );
    for (const [i, [text, inputs]] of samples.entries()) {
      const read = parse(text, language);
      if (typeof read === "string") {
        count("rejected");
        continue;
      }
      const expression = i % 2 === 0 ? read : simplify(read);
      for (const subject of ["javascript", "typescript", "jsonata"] as const) {
        const runner = runnerOf(subject, expression);
        if ("refused" in runner) count(`${subject} refused: ${runner.refused}`);
        else await compare(text, read, runner, inputs, (what) => count(`${subject} ${what}`));
      }
    }
    expect([...results.keys()].filter((key) => key.includes("refused"))).toEqual([]);
    for (const subject of ["javascript", "typescript", "jsonata"]) {
      expect(results.get(`${subject} true`)).toBeGreaterThan(50);
      expect(results.get(`${subject} false`)).toBeGreaterThan(50);
    }
    expect(results.get("rejected") ?? 0).toBeLessThan(80);
  });
});

async function compare(
  text: string,
  expression: Expression,
  run: SubjectRun,
  inputs: readonly Json[],
  count: (what: string) => void,
): Promise<void> {
  for (const input of inputs) {
    const wanted = evaluate(expression, input);
    const actual = await run(input);
    if ("limit" in actual) continue;
    count("outputs" in wanted ? String(wanted.outputs[0]) : "failed");
    expect(shown(actual), `${text} of ${JSON.stringify(input)}`).toBe(shown(wanted));
  }
}
