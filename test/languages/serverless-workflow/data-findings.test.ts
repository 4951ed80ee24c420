import { describe, expect, test } from "vitest";
import { definition, events, functions, last, lower } from "./lowering.ts";

const start = "start: { kind: default }";
const onward = "transition: { nextState: Last }";
const inState = (properties: string, more = ""): readonly string[] =>
  lower(definition(`- { name: S, ${start}, ${properties} }\n${last}`, more)).findings;
const choosing = (condition: string): readonly string[] =>
  inState(`type: switch, dataConditions: [{ ${condition}, ${onward} }], default: { nextState: Last }`);
const calling = (properties: string, parameters = ""): readonly string[] =>
  inState(
    `type: operation, actions: [{ functionRef: { refName: f${parameters} }, ${properties} }], ${onward}`,
    functions,
  );

describe("conditions of a switch", () => {
  test.each([
    [
      "path: $.a, operator: custom",
      ["5 WB4110 <custom> The language does not define the operator `custom`; this condition cannot be compiled."],
    ],
    ["path: $.a, operator: equals", ["5 WB4111 <equals> The operator `equals` requires `value`."]],
    [
      "path: $.a, operator: lessthan, value: ten",
      [
        "5 WB4112 <ten> `ten` is neither a number nor a time; it is compared character by character, and only with strings.",
      ],
    ],
    ["path: $.a, operator: lessthan, value: '10'", []],
    ["path: $.a, operator: lessthan, value: '2026-01-01T00:00:00Z'", []],
    [
      "path: $.a, operator: greaterthan, value: [1]",
      ["5 WB4113 <[1]> This condition is never true: only numbers, times and strings can be ordered."],
    ],
    [
      "path: $.a, operator: equals, value: null",
      ["5 WB4113 <null> This condition is never true: null must be compared with the operators `null` and `notnull`."],
    ],
    [
      "path: $.a, operator: matches, value: 5",
      ["5 WB4113 <5> This condition is never true: a pattern must be a string."],
    ],
    ["path: $.a, operator: matches, value: 'x[[a]'", ["5 WB4006 <[> Write `\\[` for a bracket in a class."]],
    ["path: $.a, operator: matches, value: 'x(?=y)'", []],
    ["path: a.b, operator: exists", []],
    ["path: .a, operator: exists", ["5 WB4001 <.> A path begins with `$`, not with `.`."]],
    [
      "path: $.a., operator: exists",
      ["5 WB4001 <.> A name or `*` is missing between `.` and the end of the expression."],
    ],
  ])("%s", (condition, expected) => {
    expect(choosing(condition)).toEqual(expected);
  });
});

describe("paths", () => {
  test.each([
    [
      "actionDataFilter: { dataResultsPath: it was heads }",
      ["8 WB4106 <it was heads> `it was heads` is not a path and is ignored."],
    ],
    [
      "actionDataFilter: { dataResultsPath: '$.items[0]' }",
      ["8 WB4107 <'$.items[0]'> No value can be stored at `$.items[0]`; if it selects nothing, nothing is merged."],
    ],
    ["actionDataFilter: { dataResultsPath: $.a.b.c }", []],
  ])("%s", (properties, expected) => {
    expect(calling(properties)).toEqual(expected);
  });

  test("have precise spans of errors", () => {
    expect(calling("name: n", ", parameters: { deep: [{ x: '$.a[' }] }")).toEqual([
      "8 WB4001 <[> This `[` is not closed.",
    ]);
    expect(calling("name: n", ', parameters: { text: "to $.name" }')).toEqual([
      "8 WB4005 <$.name> `$.name` is inside a longer string and is not evaluated.",
    ]);
  });

  test("of foreach states denote places", () => {
    const each = (parameter: string, output: string) =>
      inState(
        `type: foreach, inputCollection: $.a, inputParameter: '${parameter}', outputCollection: '${output}', states: [{ name: X, type: delay, timeDelay: PT1S, ${start}, stateDataFilter: { dataOutputPath: $ }, end: { kind: default } }], ${onward}`,
      );
    expect(each("$.b", "$.c")).toEqual([]);
    expect(each("$..b", "$.c[0]")).toEqual([
      "5 WB4108 <'$.c[0]'> `$.c[0]` must consist of names only, such as `$.order.item`.",
      "5 WB4108 <'$..b'> `$..b` must consist of names only, such as `$.order.item`.",
    ]);
  });
});

describe("expressions", () => {
  const guarded = (expression: string, more = ""): readonly string[] =>
    inState(`type: inject, transition: { nextState: Last, expression: ${expression} }`, more);

  test.each([
    ["$.a == 1", []],
    ["{ language: SpEL, body: $.a == 1 }", []],
    [
      "{ language: groovy, body: $.a == 1 }",
      ["5 WB4114 <groovy> Unknown expression language `groovy`; supported are `spel`, `jexl`, `cel`."],
    ],
    ["{ body: '$.a === 1' }", ["5 WB4002 <===> The operator `===` is not supported in conditions."]],
    ["name eq 'x'", []],
  ])("%s", (expression, expected) => {
    expect(guarded(expression)).toEqual(expected);
  });

  test("in the language of the workflow", () => {
    expect(guarded("$.a", "expressionLanguage: jexl\n")).toEqual([]);
    expect(guarded("$.a", "expressionLanguage: jq\n")).toEqual([
      "4 WB4114 <jq> Unknown expression language `jq`; supported are `spel`, `jexl`, `cel`.",
    ]);
  });

  test("of a retry are reported once", () => {
    expect(inState(`type: operation, actions: [], retry: [{ expression: '$.a ==' }], ${onward}`)).toEqual([
      expect.stringMatching(/^5 WB4002 /),
    ]);
  });
});

describe("filters", () => {
  test("that replace the data by their selection", () => {
    const states = `
- { name: A, type: inject, ${start}, data: {}, stateDataFilter: { dataOutputPath: $.job.id }, transition: { nextState: Wait } }
- { name: Wait, type: delay, timeDelay: PT1S, transition: { nextState: B } }
- name: B
  type: operation
  actions:
  - { functionRef: { refName: f, parameters: { id: $.id, job: $.job } } }
  - { functionRef: { refName: f, parameters: { id: $.id } } }
  transition: { nextState: C }
- { name: C, type: switch, dataConditions: [{ path: $.id, operator: exists, transition: { nextState: Last } }], default: { nextState: Last } }
${last}`;
    expect(lower(definition(states, functions)).findings.filter((finding) => finding.includes("WB4104"))).toEqual([
      "13 WB4104 <$.id> `$.job.id` has replaced the data with the value of `id`, which is unlikely to contain another `id`.",
    ]);
  });

  test("of a state or an action affect later paths there", () => {
    const filtered = "type: operation, stateDataFilter: { dataInputPath: $.order }, actions:";
    const found = (actions: string) =>
      inState(`${filtered} [${actions}], ${onward}`, functions).filter((finding) => finding.includes("WB4104"));
    expect(found("{ functionRef: { refName: f, parameters: { id: $.order.id } } }").length).toBe(1);
    expect(found("{ functionRef: { refName: f, parameters: { id: $.id } } }")).toEqual([]);
    expect(
      found("{ functionRef: { refName: f, parameters: { id: $.a.id } }, actionDataFilter: { dataInputPath: $.a } }")
        .length,
    ).toBe(1);
  });

  test("of results read from two places", () => {
    const states = (second: string) => `
- name: S
  type: operation
  ${start}
  actions:
  - { functionRef: { refName: f }, actionDataFilter: { dataResultsPath: $.payload.greeting } }
  - { functionRef: { refName: f, parameters: { one: $.greeting, two: ${second} } } }
  ${onward}
${last}`;
    expect(lower(definition(states("$.payload.greeting.text"), functions)).findings).toEqual([
      "12 WB4105 <$.payload.greeting> If `$.payload.greeting` selects a value in the result, it is merged as `greeting`; otherwise, the whole result is stored at that path. This workflow reads both.",
    ]);
    expect(lower(definition(states("$.payload"), functions)).findings).toEqual([]);
  });

  test("read the unfiltered data of an event as a fallback", () => {
    expect(
      inState(
        "type: inject, stateDataFilter: { dataOutputPath: $.a }, end: { kind: event, produceEvent: { eventRef: E, data: $.b } }",
        events,
      ),
    ).toEqual([
      "8 WB4103 <$.a> If `$.a` selects nothing, the data is not filtered.",
      "8 WB4109 <$.b> `$.b` is read from the output of the filter `$.a` or, if it selects nothing there, from the data before the filter.",
    ]);
  });

  test("report each path that falls back to unfiltered data", () => {
    const produced = (data: string) =>
      inState(
        `type: inject, stateDataFilter: { dataOutputPath: $.a }, end: { kind: event, produceEvent: { eventRef: E, data: ${data} } }`,
        events,
      );
    expect(produced("{ x: 1, y: [$.b, $], z: $5 }").slice(1)).toEqual([
      "8 WB4109 <$.b> `$.b` is read from the output of the filter `$.a` or, if it selects nothing there, from the data before the filter.",
    ]);
    expect(produced("{ x: 1 }").slice(1)).toEqual([]);
  });
});
