import { describe, expect, test } from "vitest";
import { bare, definition, events, functions, last, lower } from "./lowering.ts";

const yaml = definition(
  `
- name: Wait
  type: event
  start: { kind: default }
  stateDataFilter: { dataInputPath: $.in, dataOutputPath: $.out }
  eventsActions:
  - eventRefs: [E]
    actionMode: sequential
    eventDataFilter: { dataOutputPath: $.data.x }
    actions: [{ functionRef: { refName: f } }]
  transition: { nextState: Which }
- name: Which
  type: switch
  dataConditions: [{ path: $.a, operator: exists, transition: { nextState: Both } }]
  default: { nextState: Both }
- name: Both
  type: parallel
  completionType: xor
  branches:
  - { name: A, states: [{ name: X, type: delay, timeDelay: PT1S, start: { kind: default }, end: { kind: default } }] }
  transition: { nextState: Last }
${last}`,
  functions + events,
);

describe("two spellings of a definition have the same IR", () => {
  const { workflow, findings } = lower(yaml);

  test("the canonical one, without spelling diagnostics", () => {
    expect(findings.filter((finding) => /WB210/.test(finding))).toEqual([]);
  });

  test("JSON and YAML", async () => {
    const { parse } = await import("yaml");
    expect(bare(lower(JSON.stringify(parse(yaml)), { path: "demo.json" }).workflow)).toBe(bare(workflow));
  });

  test("words in a different case", () => {
    const shouted = yaml.replace(
      /\b(?<=: )(event|switch|parallel|delay|inject|default|sequential|exists|xor)\b/g,
      (word) => word.toUpperCase(),
    );
    const read = lower(shouted);
    expect(bare(read.workflow)).toBe(bare(workflow));
    expect(read.findings.filter((finding) => finding.includes("WB2101")).length).toBe(12);
  });

  test("aliases of properties", () => {
    const renamed = yaml
      .replace("dataInputPath: $.in, dataOutputPath", "inputPath: $.in, outputPath")
      .replace("eventDataFilter: { dataOutputPath", "eventDataFilter: { dataInputPath")
      .replace("dataConditions", "conditions")
      .replace("completionType", "branchCompletionType");
    const read = lower(renamed);
    expect(bare(read.workflow)).toBe(bare(workflow));
    expect(read.findings.filter((finding) => finding.includes("WB2102"))).toEqual([
      "14 WB2102 <inputPath> `inputPath` is read as `dataInputPath`.",
      "14 WB2102 <outputPath> `outputPath` is read as `dataOutputPath`.",
      "18 WB2102 <dataInputPath> `dataInputPath` is read as `dataOutputPath`.",
      "23 WB2102 <conditions> `conditions` is read as `dataConditions`.",
      "27 WB2102 <branchCompletionType> `branchCompletionType` is read as `completionType`.",
    ]);
  });

  test("`startsAt`", () => {
    const older = yaml.replace("  start: { kind: default }\n", "").replace("states:", "startsAt: Wait\nstates:");
    const read = lower(older);
    expect(bare(read.workflow)).toBe(bare(workflow));
    expect(read.findings.filter((finding) => finding.includes("WB2104"))).toEqual([
      "10 WB2104 <startsAt> `startsAt` belongs to an older draft; state `Wait` is used as the start state.",
    ]);
  });
});

describe("spelling", () => {
  test("`timeout` of a switch by events is its `eventTimeout`", () => {
    const states = (name: string) =>
      definition(
        `- { name: S, type: switch, start: { kind: default }, eventConditions: [{ eventRef: E, transition: { nextState: Last } }], ${name}: PT1M, default: { nextState: Last } }\n${last}`,
        events,
      );
    const read = lower(states("timeout"));
    expect(bare(read.workflow)).toBe(bare(lower(states("eventTimeout")).workflow));
    expect(read.findings).toEqual(["8 WB2102 <timeout> `timeout` is read as `eventTimeout`."]);
  });

  test("an alias next to its property has no effect", () => {
    const read = lower(
      definition(
        "- { name: S, type: inject, start: { kind: default }, stateDataFilter: { outputPath: $.a, dataOutputPath: $.b }, end: { kind: default } }\n",
      ),
    );
    expect(read.findings).toEqual([
      "5 WB1002 <outputPath> `outputPath` is not a property of a state data filter and has no effect.",
      "5 WB4103 <$.b> If `$.b` selects nothing, the data is not filtered.",
    ]);
  });

  test("the operator `null` needs no quotes", () => {
    const states = (operator: string) =>
      definition(
        `- { name: S, type: switch, start: { kind: default }, dataConditions: [{ path: $.a, operator: ${operator}, transition: { nextState: Last } }], default: { nextState: Last } }\n${last}`,
      );
    const read = lower(states("null"));
    expect(read.findings).toEqual([]);
    expect(bare(read.workflow)).toBe(bare(lower(states("'null'")).workflow));
  });

  test("hostile property names are harmless", () => {
    const read = lower(
      '{"id":"a","name":"a","version":"1","__proto__":{"states":1},"constructor":2,"states":[{"name":"toString","type":"INJECT","__proto__":1,"start":{"kind":"default"},"end":{"kind":"default"}}]}',
      {
        path: "a.json",
      },
    );
    expect(read.findings).toEqual([
      '1 WB2101 <"INJECT"> `INJECT` is read as `inject`.',
      '1 WB1002 <"__proto__"> `__proto__` is not a property of a workflow and has no effect.',
      '1 WB1002 <"constructor"> `constructor` is not a property of a workflow and has no effect.',
      '1 WB1002 <"__proto__"> `__proto__` is not a property of an inject state and has no effect.',
    ]);
    expect(read.workflow?.body.entry.name).toBe("toString");
  });
});
