import { expect, test } from "vitest";
import { check, generate } from "../../../src/compile.ts";
import { readJq } from "../../../src/expressions/parse/jq/lower.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { languages } from "../../../src/languages/index.ts";
import { programOf } from "../../../src/program.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { greeting } from "../../cli/command.ts";

test("an expression that cannot be computed exactly is an error at its place, and nothing is emitted", async () => {
  const { program } = check({ sources: [{ path: "greet.yaml", text: greeting() }], options: {} }, languages);
  const [workflow] = program!.workflows as readonly [Workflow];
  const read = readJq("path(. as [$z] | .)");
  if (!("expression" in read)) throw new Error("It cannot be read.");
  const value = { ...read.expression, span: { ...workflow.span, start: 4, end: 9 } };
  const steps = workflow.body.steps.map((step) => (step.kind === "end" ? { ...step, value } : step));
  const { files, diagnostics } = await generate(
    programOf([{ ...workflow, body: { ...workflow.body, steps } }]),
    typescript,
  );
  expect(files).toEqual([]);
  expect(diagnostics.map(({ code, span: { start, end } }) => ({ code, start, end }))).toEqual([
    { code: "WB4003", start: 4, end: 9 },
  ]);
});
