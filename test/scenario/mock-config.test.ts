import { describe, expect, test } from "vitest";
import { printMockedScenarios, readMockConfig } from "../../src/scenario/mock-config.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";

function read(config: unknown) {
  const diagnostics: Diagnostic[] = [];
  const text = JSON.stringify(config);
  const machines = readMockConfig({ path: "MockConfigFile.json", text }, (found) => diagnostics.push(found));
  const problems = diagnostics.map(({ message, span }) => `${text.slice(span.start, span.end)}: ${message}`);
  return { machines, problems };
}

const config = (responses: unknown, states: unknown = { Charge: "answers" }): unknown => ({
  StateMachines: { order: { TestCases: { charged: states } } },
  MockedResponses: { answers: responses },
});

test("answers are in the order of their numbers, and a range repeats one", () => {
  const responses = {
    "3": { Return: { receipt: "R1" } },
    "0": { Throw: { Error: "Busy", Cause: "try later" } },
    "1-2": { Throw: { Error: "Down" } },
  };
  const { machines, problems } = read(config(responses));
  expect(problems).toEqual([]);
  expect(machines?.[0]?.scenarios).toEqual([
    {
      name: "charged",
      functions: {
        Charge: [
          { throws: { error: "Busy", cause: "try later" } },
          { throws: { error: "Down" } },
          { throws: { error: "Down" } },
          { returns: { receipt: "R1" } },
        ],
      },
    },
  ]);
});

test("a scenario file has a scenario for each test case", () => {
  const { machines } = read(config({ "0": { Return: null } }));
  expect(
    printMockedScenarios(machines![0]!, { workflow: "./template.yaml", pick: "Order", input: { id: 1 } }),
  ).toBe(`# Give each scenario its own input. \`waybill test --update\` adds what the runs do as \`expect\`.

workflow: ./template.yaml
pick: Order
scenarios:
  - name: charged
    input:
      id: 1
    functions:
      Charge:
        - returns: null
`);
});

describe("what a scenario file does not have is reported", () => {
  const answer = { Return: 1 };
  test.each<[string, unknown, readonly string[]]>([
    ["a gap", config({ "1": answer }), ['"1": This must begin with 0, the next number.']],
    ["an overlap", config({ "0-1": answer, "1": answer }), ['"1": This must begin with 2, the next number.']],
    [
      "another key",
      config({ first: answer }),
      ['"first": This must be a number or a range such as `1-2`, below 1000.'],
    ],
    [
      "a long range",
      config({ "0-5000": answer }),
      ['"0-5000": This must be a number or a range such as `1-2`, below 1000.'],
    ],
    [
      "two results",
      config({ "0": { Return: 1, Throw: {} } }),
      ['{"Return":1,"Throw":{}}: This must have either `Return` or `Throw`.'],
    ],
    ["no result", config({ "0": {} }), ["{}: This must have either `Return` or `Throw`."]],
    ["an unknown response", config({}, { Charge: "other" }), ['"other": No response has this name.']],
    [
      "a nested execution",
      config({}, { "#SFN_Charge": "answers" }),
      ['"#SFN_Charge": Mocks of nested executions are not imported.'],
    ],
    [
      "an unknown member",
      { StateMachines: {}, MockedResponses: {}, Other: 1 },
      ['"Other": This member does not exist.'],
    ],
    ["another type", { StateMachines: [], MockedResponses: {} }, ["[]: This must be an object."]],
  ])("%s", (_, given, problems) => {
    expect(read(given)).toEqual({ machines: undefined, problems });
  });
});
