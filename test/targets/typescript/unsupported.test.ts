import { expect, test } from "vitest";
import { check, generate } from "../../../src/compile.ts";
import { type Expression, object, variable } from "../../../src/expressions/index.ts";
import { readJq } from "../../../src/expressions/syntax/jq/lower.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { programOf } from "../../../src/ir/workflow.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { greeting } from "../../cli/command.ts";
import { languages } from "../../languages.ts";

test("an expression that cannot be computed exactly is an error at its span, and nothing is emitted", async () => {
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

test("a workflow that is nested too deeply for a program is an error", async () => {
  const path = Array.from({ length: 600 }, () => "a").join(".");
  const text = greeting().replace("$.name", `$.${path}`);
  const { program } = check({ sources: [{ path: "greet.yaml", text }], options: {} }, languages);
  const files = (await generate(program!, typescript)).files.map((file) => file.path);
  expect(files).toContain("greet.ts");
  const [workflow] = program!.workflows as readonly [Workflow];
  let value: Expression = variable(workflow.input);
  for (let i = 0; i < 20_000; i++) value = object([["a", value]]);
  const steps = workflow.body.steps.map((step) => (step.kind === "end" ? { ...step, value } : step));
  const deep = programOf([{ ...workflow, body: { ...workflow.body, steps } }]);
  const { diagnostics } = await generate(deep, typescript);
  expect(
    diagnostics.filter(({ severity }) => severity === "error").map(({ code, message }) => [code, message]),
  ).toEqual([["WB4004", "This workflow is nested too deeply for a program."]]);
});
