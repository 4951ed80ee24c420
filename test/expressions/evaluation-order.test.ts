import { describe, expect, test } from "vitest";
import { loadJqRunner } from "../bench/expressions/differential/jq.ts";
import { judge } from "../bench/expressions/differential/judge.ts";
import { type Subject, subjects } from "../bench/expressions/differential/subjects.ts";
import { describeDisagreement } from "../bench/expressions/differential/tally.ts";
import { fill, type OrderTemplate, orderTemplates } from "./evaluation-order.ts";

const jq = await loadJqRunner();

/** A part that fails at once; the number tells which part failed. */
const failing = (_: string, number: number): string => `error("part ${number}")`;

/** A part that has an output before it fails. */
const failingLater = (value: string, number: number): string => `(${value}, error("part ${number}"))`;

/** The template with each choice of one or two parts replaced. */
function variants(template: OrderTemplate, replace: (value: string, number: number) => string): readonly string[] {
  const { parts } = template;
  const choices = parts.flatMap((_, i) => [[i], ...parts.slice(i + 1).map((_, j) => [i, i + 1 + j])]);
  return choices.map((chosen) =>
    fill(
      template,
      parts.map((part, i) => (chosen.includes(i) ? replace(part, i) : part)),
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
      for (const program of variants(template, failing)) {
        await check(program, subjects, true);
        await check(program, compiled, false);
      }
      for (const program of variants(template, failingLater)) {
        await check(program, ["jsonata"], true);
        await check(withOutputs(program), compiled, false);
      }
      expect(different).toEqual([]);
      expect(failures).toBeGreaterThan(0);
    },
  );
});
