import { expect, test } from "vitest";
import { runScenarios as run } from "../../src/index.ts";
import { hostOf } from "../host.ts";

// Scenarios run programs that rely on the types in the configuration, and their results have these types.

const definition = `
id: greet
name: Greet
version: '1.0'
functions: [{ name: greet, resource: greet }]
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: greet, parameters: { name: $.name } } }]
  end: { kind: default }
`;

const result = "{ type: object, properties: { greeting: { type: string } }, required: [greeting] }";

const ran = async (functions: string) => {
  const { results, diagnostics } = await run({
    sources: [{ path: "greet.yaml", text: definition }],
    scenarios: [
      {
        path: "scenarios.yaml",
        text: `workflow: ./greet.yaml\nscenarios: [{ name: a, input: { name: Ann }, functions: ${functions}, expect: { status: succeeded } }]`,
      },
    ],
    config: { path: "waybill.config.yaml", text: `functions: { greet: { result: ${result} } }` },
    on: "all",
  });
  expect(diagnostics).toEqual([]);
  return results.map((each) => [
    each.target,
    each.outcome,
    ...each.diagnostics.flatMap(({ code, span: { source, start, end } }) =>
      code === "WB6013" ? [`${code} at ${source.text.slice(start, end)}`] : [],
    ),
  ]);
};

const targets = ["reference", "asl", "openwhisk", "typescript"];

test("results with the type of the function are not reported", async () => {
  const found = await ran("{ greet: { returns: { greeting: Hello, more: 1 } } }");
  expect(found).toEqual(targets.map((target) => [target, "passed"]));
});

test("other results are reported at the part that does not fit", async () => {
  const found = await ran(
    "{ greet: [{ returns: { greeting: Hello } }, { returns: { greeting: [1] } }, { returns: {} }] }",
  );
  const reported = ["WB6013 at [1]", "WB6013 at {}"];
  expect(found).toEqual(targets.map((target) => [target, "passed", ...reported]));
});

test("a definition whose arguments do not have the types of its functions is not run", async () => {
  const constant = definition.replace("$.name", "Ann");
  const { results } = await run({
    sources: [{ path: "greet.yaml", text: constant }],
    scenarios: [
      {
        path: "scenarios.yaml",
        text: "workflow: ./greet.yaml\nscenarios: [{ name: a, input: {}, expect: { status: succeeded } }]",
      },
    ],
    config: {
      path: "waybill.config.yaml",
      text: 'functions: { greet: { trust: types, typescript: { module: "./greet.ts#greet" } } }',
    },
    host: hostOf({ path: "greet.ts", text: "export const greet = (x: { name: number }): null => (x, null);" }),
  });
  expect(results.map(({ outcome, diagnostics }) => [outcome, ...diagnostics.map(({ code }) => code)])).toEqual([
    ["refused", "WB4309"],
  ]);
});
