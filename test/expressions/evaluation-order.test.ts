import { describe, expect, test } from "vitest";
import { loadJqRunner } from "../bench/expressions/differential/jq.ts";
import { judge } from "../bench/expressions/differential/judge.ts";
import { type Subject, subjects } from "../bench/expressions/differential/subjects.ts";
import { describeDisagreement } from "../bench/expressions/differential/tally.ts";
import { fill, type OrderTemplate, orderTemplates } from "./evaluation-order.ts";

const jq = await loadJqRunner();

/** Writes a part that fails with a message that contains its number. */
type Failure = (value: string, number: number) => string;

const failing: Failure = (_, number) => `error("part ${number}")`;

/** Has an output before it fails. */
const failingLater: Failure = (value, number) => `(${value}, error("part ${number}"))`;

/** Compiles to an expression, not to a statement that throws. Even parts are strings, so that they may be keys. */
const failingInPlace: Failure = (_, number) =>
  number % 2 === 0 ? `(["part ${number}"] | implode)` : `("part ${number}" | tonumber)`;

/** Compiles to a constant for the last part of the string, which is evaluated first, before the expression. */
const failingInStatements: Failure = (_, number) => `"\\("x" | tonumber)\\("part ${number}" | tonumber)"`;

/** The template with one part replaced, in each possible way. */
const withOneFailure = (template: OrderTemplate, failure: Failure): readonly string[] =>
  template.parts.map((part, i) => fill(template, template.parts.with(i, failure(part, i))));

/** The template with two parts replaced, in each possible way. */
function withTwoFailures(template: OrderTemplate, first: Failure, second = first): readonly string[] {
  const { parts } = template;
  return parts.flatMap((part, i) =>
    parts.flatMap((other, j) =>
      i < j ? [fill(template, parts.with(i, first(part, i)).with(j, second(other, j)))] : [],
    ),
  );
}

/** Keeps the outputs before a failure. */
const withOutputs = (program: string): string => `[try (${program}) catch {failed: .}]`;

const compiled: readonly Subject[] = ["evaluator", "javascript", "typescript"];

describe.each(Object.entries(orderTemplates))("%s evaluate their parts in jq's order", (_, templates) => {
  test.each(templates.map((template) => [fill(template, template.parts), template] as const))(
    "%s",
    async (_, template) => {
      const different: string[] = [];
      let failures = 0;
      const check = async (program: string, chosen: readonly Subject[], simplified: boolean) => {
        const judgements = await judge(jq, { program, inputs: ["null"] }, chosen, simplified);
        different.push(...judgements.flatMap(({ disagreements }) => disagreements.map(describeDisagreement)));
        failures += judgements[0]!.failures;
      };
      for (const program of [...withOneFailure(template, failing), ...withTwoFailures(template, failing)])
        await check(program, subjects, true);
      for (const program of [...withOneFailure(template, failingLater), ...withTwoFailures(template, failingLater)]) {
        await check(program, ["jsonata"], true);
        await check(withOutputs(program), compiled, false);
      }
      for (const program of [
        ...withTwoFailures(template, failing),
        ...withTwoFailures(template, failingInPlace),
        ...withTwoFailures(template, failingInPlace, failingInStatements),
        ...withTwoFailures(template, failingInStatements, failingInPlace),
      ])
        await check(program, compiled, false);
      expect(different).toEqual([]);
      expect(failures).toBeGreaterThan(0);
    },
  );
});
