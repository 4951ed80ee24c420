import { expect, test } from "vitest";
import { check, compileWith, generate } from "../../../src/compile.ts";
import { readConfiguration } from "../../../src/configuration/index.ts";
import type { Program } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { readerOf } from "../../../src/text/uris.ts";
import { asl } from "../../../targets/asl/index.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";
import { returns } from "../../reference/interpreting.ts";
import { generateMachine, runOnAsl } from "./reference-comparison.ts";

const definition = `
id: order
name: Order
version: '1.0'
dataInputSchema: order.json
functions: [{ name: f, resource: f }]
states:
- name: A
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: f, parameters: { id: $.id } } }]
  end: { kind: default }
`;

const schema = '{ "type": "object", "properties": { "id": { "type": "integer" } }, "required": ["id"] }';

const input = {
  sources: [{ path: "order.yaml", text: definition }],
  options: {},
  read: readerOf([{ path: "order.json", text: schema }]),
};

const programOf = (): Program => check(input, languages).program!;

const run = async (given: Json) => {
  const [workflow] = programOf().workflows;
  const seen = await runOnAsl(
    workflow!,
    { input: given, functions: { f: [returns({ ok: true })] } },
    { checkInput: true },
  );
  return seen.outcome;
};

test("with `checkInput`, the machine checks its input in its first state", async () => {
  expect(await run({ id: 1 })).toEqual({ status: "succeeded", output: { id: 1, ok: true } });
  expect(await run({ id: "1" })).toMatchObject({
    error: { name: "InvalidInput", message: "The input of a run has to fit its schema: /id is not an integer." },
  });
  expect(await run([1])).toMatchObject({
    error: { name: "InvalidInput", message: "The input of a run has to be an object." },
  });
});

test("without it, the machine relies on the input", async () => {
  const { states, lambda } = await generateMachine(programOf().workflows[0]!);
  expect([Object.keys(states), states["A"]!["Arguments"], lambda]).toEqual([
    ["A"],
    { id: "{% $states.input.id %}" },
    "",
  ]);
});

test("its README names the schemas that callers have to check", async () => {
  const readme = async (settings: string) => {
    const configuration = readConfiguration(
      { path: "waybill.config.yaml", text: `targets: { asl: ${settings} }` },
      [],
      targets,
      () => {},
    );
    const { files } = await compileWith({ ...input, configurationOf: () => configuration }, languages, asl);
    return files.find(({ path }) => path === "README.md")!.text;
  };
  expect(await readme("{ template: sam }")).toContain("| Order | `order.json` |");
  expect(await readme("{ template: sam, checkInput: true }")).not.toContain("## Input");
  expect((await generate(programOf(), asl)).files).not.toEqual([]);
});
