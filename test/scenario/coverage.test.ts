import { describe, expect, test } from "vitest";
import { type Coverage, isCovered, sumOf, tallyOf, totalsOf } from "../../src/scenario/coverage.ts";
import { coverageJson, renderCoverage } from "../../src/scenario/report/coverage.ts";
import { openScenarios } from "../../src/scenario/run.ts";
import { languages } from "../languages.ts";
import { readScenarios } from "./reading.ts";

const head =
  "id: order\nname: Order\nversion: '1.0'\nfunctions:\n- { name: charge, resource: charge }\n- { name: ship, resource: ship }\nstates:\n";

/** The coverage of definitions, the main workflow first. */
async function covered(scenarios: readonly string[], definitions: readonly string[]): Promise<Coverage> {
  const coverages: Coverage[] = [];
  for (const text of scenarios) {
    const { file, findings } = readScenarios(`workflow: ./order.yaml\nscenarios:\n${text}`);
    if (!file) throw new Error(findings.join("\n"));
    const sources = definitions.map((source, i) => ({ path: i === 0 ? "order.yaml" : `sub${i}.yaml`, text: source }));
    const session = openScenarios(file, { sources }, languages);
    coverages.push(...(await session.coverage()));
    await session.close();
  }
  return sumOf(coverages);
}
/** The report without its header. */
const missing = async (scenarios: readonly string[], definitions: readonly string[]) =>
  renderCoverage(await covered(scenarios, definitions), 0)
    .split("\n")
    .filter((line) => /:\d+:\d+:/.test(line))
    .map((line) => line.trim());

const routed = `${head}- name: Route
  type: switch
  start: { kind: default }
  dataConditions:
  - { path: $.kind, operator: equals, value: a, transition: { nextState: Charge } }
  - { path: $.kind, operator: equals, value: b, transition: { nextState: Charge } }
  default: { nextState: Rest }
- name: Charge
  type: operation
  actions: [{ functionRef: { refName: charge } }]
  onError:
  - { expression: { body: name eq 'Busy' }, transition: { nextState: Rest } }
  end: { kind: default }
- { name: Rest, type: inject, data: { rested: true }, end: { kind: default } }
`;
const given = (input: string, rest = "") => `- { name: x, input: ${input}, ${rest}expect: { status: succeeded } }\n`;

describe("states, cases, the default, and errors", () => {
  test("of one scenario", async () => {
    expect(await missing([given("{ kind: a }")], [routed])).toEqual([
      "order.yaml:21:11: Rest, inject state",
      "order.yaml:13:74: Route → Charge, a case",
      "order.yaml:14:25: Route → Rest, the default",
      "order.yaml:19:70: Charge → Rest, on an error",
      "order.yaml:21:68: Rest → end",
    ]);
  });

  test("two cases with the same target count separately", async () => {
    const both = await covered([given("{ kind: a }") + given("{ kind: b }")], [routed]);
    expect(totalsOf(both)).toEqual({ states: { reached: 2, total: 3 }, transitions: { reached: 3, total: 6 } });
  });

  test("the sum over all scenario files", async () => {
    const failing = given("{ kind: a }", "functions: { charge: { throws: { name: Busy } } }, ");
    expect(await missing([given("{ kind: b }"), failing + given("{}")], [routed])).toEqual([]);
  });

  test("a failed or waiting run counts up to its last step", async () => {
    const failing =
      "- { name: x, input: { kind: a }, functions: { charge: { throws: { name: Bad } } }, expect: { status: failed } }\n";
    expect(await missing([failing], [routed])).toContain("order.yaml:20:16: Charge → end");
  });
});

test("iterations and their states", async () => {
  const each = `${head}- name: Each
  type: foreach
  start: { kind: default }
  inputCollection: $.all
  inputParameter: $.one
  startsAt: Ship
  states:
  - { name: Ship, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: ship } }], end: { kind: default } }
  end: { kind: default }
`;
  const none = await missing([given("{ all: [] }")], [each]);
  expect(none).toEqual([
    expect.stringMatching(/^order\.yaml:\d+:\d+: Ship, operation state$/),
    expect.stringMatching(/^order\.yaml:\d+:\d+: Each → Ship, for an element$/),
    expect.stringMatching(/^order\.yaml:\d+:\d+: Ship → end$/),
  ]);
  expect(await missing([given("{ all: [1, 2] }")], [each])).toEqual([]);
});

test("a wait with a timeout: whether the event arrived", async () => {
  const waits = `${head.replace("functions:", "events:\n- { name: Paid, type: paid, source: /s }\nfunctions:")}- name: Begin
  type: inject
  start: { kind: default }
  data: {}
  transition: { nextState: Wait }
- name: Wait
  type: event
  timeout: PT1H
  eventsActions: [{ eventRefs: [Paid], actions: [] }]
  end: { kind: default }
`;
  expect(await missing([given("{}")], [waits])).toEqual(["order.yaml:18:32: Wait → end, the default at `[Paid]`"]);
});

test("subflows count separately, including unused ones", async () => {
  const parent = `${head}- { name: Sub, type: subflow, start: { kind: default }, workflowId: child, waitForCompletion: false, end: { kind: default } }\n`;
  const child = `id: child\nname: Child\nversion: '1.0'\nstates:\n- { name: Wait, type: delay, start: { kind: default }, timeDelay: PT1H, end: { kind: default } }\n`;
  const other = child.replaceAll("hild", "ousin");
  expect(renderCoverage(await covered([given("{}")], [parent, child, other]), 0)).toMatch(
    /^coverage\n {2}order.yaml, workflow order: 1 of 1 states, 1 of 1 transitions\n {2}sub1.yaml, workflow child: 1 of 1 states, 1 of 1 transitions\n {2}sub2.yaml, workflow cousin: 0 of 1 states, 0 of 1 transitions\n {4}sub2.yaml:5:11: Wait, delay state\n {4}sub2.yaml:5:.*: Wait → end\n {2}in all: 2 of 3 states, 2 of 3 transitions\n$/,
  );
});

test("a definition that does not compile counts as covered", async () => {
  const none = await covered([given("{}")], ["id: order\n"]);
  expect(none).toEqual([]);
  expect(isCovered(none, 100)).toBe(true);
  expect(renderCoverage(none, 100)).toBe("coverage\n  in all: 0 of 0 steps, 0 of 0 transitions\n");
});

test("a required share applies to states and transitions", async () => {
  const one = await covered([given("{ kind: a }") + given("{ kind: b }")], [routed]);
  expect([50, 50.1, 67].map((percent) => isCovered(one, percent))).toEqual([true, false, false]);
  expect(renderCoverage(one, 60)).toMatch(/\n {2}less than 60% is reached\n$/);
  expect(renderCoverage(one, 50)).not.toContain("less than");
  expect(tallyOf([])).toEqual({ reached: 0, total: 0 });
});

test("as JSON: totals and the positions of missing items", async () => {
  const one = await covered([given("{ kind: a }") + given("{}")], [routed]);
  expect(coverageJson(one, 80)).toEqual({
    states: { reached: 3, total: 3 },
    transitions: { reached: 4, total: 6 },
    minimum: 80,
    workflows: [
      {
        file: "order.yaml",
        workflow: "order",
        states: { reached: 3, total: 3, unreached: [] },
        transitions: {
          reached: 4,
          total: 6,
          unreached: [
            { from: "Route", leads: "state", to: "Charge", way: "case", file: "order.yaml", line: 13, column: 74 },
            { from: "Charge", leads: "state", to: "Rest", way: "error", file: "order.yaml", line: 19, column: 70 },
          ],
        },
      },
    ],
  });
});
