import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inferDataFlow } from "../../src/analysis/types/flow.ts";
import { check } from "../../src/compile.ts";
import { literal } from "../../src/expressions/core/build.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import { type Program, programOf } from "../../src/ir/workflow.ts";
import { createComputer } from "../../src/scenario/computer.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { typeOfValue, union } from "../../src/types/lattice.ts";
import { printType } from "../../src/types/print.ts";
import type { Type } from "../../src/types/type.ts";
import { seedsFrom } from "../equivalence/campaign.ts";
import { checkCase, isAborted, onReference } from "../equivalence/observe.ts";
import { serverlessWorkflow } from "../equivalence/serverless-workflow/index.ts";
import { languages } from "../languages.ts";
import { call, data, end as endStep, handler, scope, workflow } from "../reference/build.ts";
import { fits } from "../types/fits.ts";
import { schemaType } from "../types/schemas.ts";

const order = schemaType({
  type: "object",
  properties: { id: { type: "integer" }, lines: { type: "array", items: { type: "string" } } },
  required: ["id", "lines"],
  additionalProperties: false,
});

function programWith(input: Type | undefined, ...texts: readonly string[]): Program {
  const sources = texts.map((text, i) => ({ path: `${i}.yaml`, text }));
  const { program, diagnostics } = check({ sources, options: {} }, languages);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return programOf(program.workflows.map((workflow) => ({ ...workflow, inputType: input })));
}

/** The types on entry to each step and of the output. */
function flowOf(states: string, more = "", ...others: readonly string[]): readonly string[] {
  const text = `id: demo\nname: Demo\nversion: '1.0'\nfunctions:\n- { name: f, resource: f }\n${more}states:\n${states}`;
  const program = programWith(order, text, ...others);
  const workflow = program.workflows[0]!;
  const { before, output } = inferDataFlow(program).get(workflow)!;
  const steps = stepsOf(workflow).map(
    ({ id }) => `${id}: ${before.has(id) ? printType(before.get(id)!.get("data")!) : "not reached"}`,
  );
  return [...steps, `→ ${printType(output)}`];
}

const begin = "start: { kind: default }";
const end = "end: { kind: default }";

describe("data flows", () => {
  test("through steps, and is merged where paths join", () => {
    const states = `- { name: A, type: switch, ${begin}, dataConditions: [{ path: $.id, operator: equals, value: 1, transition: { nextState: B } }], default: { nextState: C } }
- { name: B, type: inject, data: { b: 1 }, transition: { nextState: C } }
- { name: C, type: inject, data: { c: 1 }, ${end} }
`;
    expect(flowOf(states)).toMatchInlineSnapshot(`
      [
        "A: { id: integer, lines: string[] }",
        "B: { id: 1, lines: string[] }",
        "C: { id: integer, lines: string[] } | { id: 1, lines: string[], b: 1 }",
        "C/end: { id: integer, lines: string[], c: 1 } | { id: 1, lines: string[], b: 1, c: 1 }",
        "→ { id: integer, lines: string[], c: 1 } | { id: 1, lines: string[], b: 1, c: 1 }",
      ]
    `);
  });

  test("through filters and iterations", () => {
    const states = `- name: A
  type: foreach
  ${begin}
  inputCollection: $.lines
  inputParameter: $.line
  outputCollection: $.done
  states:
  - { name: B, type: inject, data: { seen: true }, ${begin}, ${end} }
  stateDataFilter: { dataOutputPath: $.done }
  ${end}
`;
    expect(flowOf(states)).toMatchInlineSnapshot(`
      [
        "A: { id: integer, lines: string[] }",
        "A/collect: { id: integer, lines: string[] }",
        "A/output: { id: integer, lines: string[], done: { id?: integer, lines?: string[], line?: string, seen?: true }[] }",
        "A/end: { id?: integer, lines?: string[], line?: string, seen?: true }[]",
        "A/B: { id: integer, lines: string[], line: string }",
        "A/B/end: { id: integer, lines: string[], line: string, seen: true }",
        "→ { id?: integer, lines?: string[], line?: string, seen?: true }[]",
      ]
    `);
  });

  test("with unknown results of functions", () => {
    const states = `- name: A
  type: operation
  ${begin}
  actions: [{ functionRef: { refName: f }, actionDataFilter: { dataResultsPath: $.answer } }, { functionRef: { refName: f } }]
  ${end}
`;
    expect(flowOf(states)).toMatchInlineSnapshot(`
      [
        "A: { id: integer, lines: string[] }",
        "A/merge: { id: integer, lines: string[] }",
        "A/f: { id: integer, lines: string[], answer: any }",
        "A/merge-2: { id: integer, lines: string[], answer: any }",
        "A/end: { id: any, lines: any, answer: any, … }",
        "→ { id: any, lines: any, answer: any, … }",
      ]
    `);
  });

  test("in loops, until a fixpoint", () => {
    const states = `- { name: A, type: inject, data: { n: 1 }, ${begin}, transition: { nextState: B } }
- { name: B, type: delay, timeDelay: PT1S, transition: { nextState: C } }
- { name: C, type: switch, dataConditions: [{ path: $.n, operator: equals, value: 1, transition: { nextState: D } }], default: { nextState: E } }
- { name: D, type: inject, data: { n: two }, transition: { nextState: B } }
- { name: E, type: inject, ${end} }
`;
    expect(flowOf(states)).toMatchInlineSnapshot(`
      [
        "A: { id: integer, lines: string[] }",
        "B: { id: integer, lines: string[], n: 1 } | { id: integer, lines: string[], n: "two" }",
        "C: { id: integer, lines: string[], n: 1 } | { id: integer, lines: string[], n: "two" }",
        "D: { id: integer, lines: string[], n: 1 }",
        "E: { id: integer, lines: string[], n: 1 } | { id: integer, lines: string[], n: "two" }",
        "→ { id: integer, lines: string[], n: 1 } | { id: integer, lines: string[], n: "two" }",
      ]
    `);
  });

  test("through retries, which start with the earlier variables", () => {
    const states = `- name: A
  type: operation
  ${begin}
  actions: [{ functionRef: { refName: f }, actionDataFilter: { dataResultsPath: $.x } }]
  retry: [{ expression: "$.error ne null", maxAttempts: 2, interval: PT1S }]
  onError: [{ expression: "$.error ne null", transition: { nextState: B } }]
  ${end}
- { name: B, type: inject, data: { failed: true }, ${end} }
`;
    expect(flowOf(states)).toMatchInlineSnapshot(`
      [
        "A: { id: integer, lines: string[] }",
        "A/onError: { id: integer, lines: string[] } | { id: integer, lines: string[], x: any }",
        "A/end: { id: integer, lines: string[], x: any }",
        "B: { id: integer, lines: string[], error: { name: string, message: string, trace: any } | { name: string, message: string } } | { id: integer, lines: string[], x: any, error: { name: string, message: string, trace: any } | { name: string, message: string } }",
        "B/end: { id: integer, lines: string[], error: { name: string, message: string, trace: any } | { name: string, message: string }, failed: true } | { id: integer, lines: string[], x: any, error: { name: string, message: string, trace: any } | { name: string, message: string }, failed: true }",
        "A/f: { id: integer, lines: string[] }",
        "A/merge: { id: integer, lines: string[] }",
        "A/done: { id: integer, lines: string[], x: any }",
        "→ { id: integer, lines: string[], x: any } | { id: integer, lines: string[], error: { name: string, message: string, trace: any } | { name: string, message: string }, failed: true } | { id: integer, lines: string[], x: any, error: { name: string, message: string, trace: any } | { name: string, message: string }, failed: true }",
      ]
    `);
  });

  test("into branches and subflows", () => {
    const states = `- name: A
  type: parallel
  ${begin}
  branches:
  - name: one
    states: [{ name: B, type: inject, data: { b: 1 }, ${begin}, ${end} }]
  - name: two
    states: [{ name: C, type: subflow, workflowId: other, waitForCompletion: true, ${begin}, ${end} }]
  ${end}
`;
    const other = `id: other\nname: Other\nversion: '1.0'\nstates:\n- { name: D, type: inject, data: { d: 1 }, ${begin}, stateDataFilter: { dataOutputPath: $.d }, ${end} }\n`;
    expect(flowOf(states, "", other)).toMatchInlineSnapshot(`
      [
        "A: { id: integer, lines: string[] }",
        "A/join: { id: integer, lines: string[] }",
        "A/end: { id: integer, lines: string[], b?: 1, other?: 1 }",
        "A/one/B: { id: integer, lines: string[] }",
        "A/one/B/end: { id: integer, lines: string[], b: 1 }",
        "A/two/C: { id: integer, lines: string[] }",
        "A/two/C/merge: { id: integer, lines: string[] }",
        "A/two/C/end: { id: integer, lines: string[], other: 1 }",
        "→ { id: integer, lines: string[], b?: 1, other?: 1 }",
      ]
    `);
  });
});

test("types that grow with each iteration are widened", () => {
  const states = `- name: A
  type: foreach
  ${begin}
  inputCollection: $.lines
  inputParameter: $.line
  outputCollection: $.lines
  states: [{ name: B, type: inject, data: { seen: true }, stateDataFilter: { dataOutputPath: "$['line','seen']" }, ${begin}, ${end} }]
  transition: { nextState: C }
- { name: C, type: switch, dataConditions: [{ path: $.id, operator: equals, value: 1, transition: { nextState: A } }], default: { nextState: D } }
- { name: D, type: inject, ${end} }
`;
  expect(flowOf(states).at(-1)).toBe("→ any");
});

describe("random workflows", () => {
  test("return values of the inferred types", { timeout: 120_000 }, async () => {
    let compared = 0;
    const computer = createComputer();
    for (const seed of seedsFrom(1, 250)) {
      const { program, scenarios } = checkCase(
        fc.sample(serverlessWorkflow.cases, { seed: Number(seed), numRuns: 1 })[0]!,
      );
      if (!program) continue;
      const runsOf = (scenario: Scenario) => [scenario, ...scenario.runs];
      const inputs = scenarios.flatMap(runsOf).map(({ input = {} }) => typeOfValue(input));
      const typed = programOf(
        program.workflows.map((workflow, i) => (i === 0 ? { ...workflow, inputType: union(...inputs) } : workflow)),
      );
      const { output } = inferDataFlow(typed).get(typed.workflows[0]!)!;
      for (const scenario of scenarios) {
        const seen = await onReference(program, scenario, computer);
        for (const { outcome } of isAborted(seen) ? [] : seen) {
          if (outcome.status !== "succeeded") continue;
          expect({ seed, fits: fits(outcome.output, output), type: printType(output) }).toEqual({
            seed,
            fits: true,
            type: printType(output),
          });
          if (output.kind !== "any") compared++;
        }
      }
    }
    await computer.close();
    expect(compared).toBeGreaterThan(50);
  });
});

test("handlers bind errors", () => {
  const recovery = { handlers: [handler(literal(true), "Caught", "failure")] };
  const built = workflow(
    scope(
      ["data", "failure"],
      call("Call", "f", data, "Done", recovery),
      endStep("Caught", data),
      endStep("Done", data),
    ),
  );
  const { before } = inferDataFlow(programOf([built])).get(built)!;
  const shown = (step: string) => printType(before.get(step)!.get("failure")!);
  expect([shown("Caught"), shown("Done")]).toEqual([
    "{ origin: string, name: string, message: string, data?: any, … }",
    "null",
  ]);
});
