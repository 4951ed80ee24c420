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
      ["5 WB4110 <custom> The operator `custom` has no meaning in the language; this condition cannot be compiled."],
    ],
    ["path: $.a, operator: equals", ["5 WB4111 <equals> The operator `equals` needs `value`."]],
    [
      "path: $.a, operator: lessthan, value: ten",
      [
        "5 WB4112 <ten> `ten` is neither a number nor a time; it is compared character by character, and only with texts.",
      ],
    ],
    ["path: $.a, operator: lessthan, value: '10'", []],
    ["path: $.a, operator: lessthan, value: '2026-01-01T00:00:00Z'", []],
    [
      "path: $.a, operator: greaterthan, value: [1]",
      ["5 WB4113 <[1]> This condition never holds: only numbers, times and texts have an order."],
    ],
    [
      "path: $.a, operator: equals, value: null",
      ["5 WB4113 <null> This condition never holds: null is compared by the operators `null` and `notnull`."],
    ],
    [
      "path: $.a, operator: matches, value: 5",
      ["5 WB4113 <5> This condition never holds: only a text can be a pattern."],
    ],
    ["path: $.a, operator: matches, value: 'x(?=y)'", ["5 WB4006 <(?=> Look-around in patterns is not supported."]],
    ["path: a.b, operator: exists", ["5 WB4001 <a> A path begins with `$`, not with `a`."]],
  ])("%s", (condition, expected) => {
    expect(choosing(condition)).toEqual(expected);
  });
});

describe("paths", () => {
  test.each([
    [
      "actionDataFilter: { dataResultsPath: it was heads }",
      ["8 WB4106 <it was heads> `it was heads` is no path; it is ignored."],
    ],
    [
      "actionDataFilter: { dataResultsPath: '$.items[0]' }",
      ["8 WB4107 <'$.items[0]'> Nothing can be placed at `$.items[0]`; where it selects nothing, nothing is merged."],
    ],
    ["actionDataFilter: { dataResultsPath: $.a.b.c }", []],
  ])("%s", (properties, expected) => {
    expect(calling(properties)).toEqual(expected);
  });

  test("have the place of what is wrong with them", () => {
    expect(calling("name: n", ", parameters: { deep: [{ x: '$.a[' }] }")).toEqual([
      "8 WB4001 <[> The `[` that begins here is not closed.",
    ]);
    expect(calling("name: n", ', parameters: { text: "to $.name" }')).toEqual([
      "8 WB4005 <$.name> `$.name` is part of a longer text, so it stays as it is written.",
    ]);
  });

  test("that say where the elements and results of a foreach state go are places", () => {
    const each = (parameter: string, output: string) =>
      inState(
        `type: foreach, inputCollection: $.a, inputParameter: '${parameter}', outputCollection: '${output}', states: [{ name: X, type: delay, timeDelay: PT1S, ${start}, stateDataFilter: { dataOutputPath: $ }, end: { kind: default } }], ${onward}`,
      );
    expect(each("$.b", "$.c")).toEqual([]);
    expect(each("$..b", "$.c[0]")).toEqual([
      "5 WB4108 <'$.c[0]'> `$.c[0]` has to name one place in the data, such as `$.order.item`.",
      "5 WB4108 <'$..b'> `$..b` has to name one place in the data, such as `$.order.item`.",
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
      ["5 WB4114 <groovy> Expressions in `groovy` are not read; `spel`, `jexl`, `cel` are."],
    ],
    ["{ body: '$.a === 1' }", ["5 WB4002 <===> The operator `===` is not supported in conditions."]],
    ["name eq 'x'", ["5 WB4003 <name> `name` is no name that has a meaning here."]],
  ])("%s", (expression, expected) => {
    expect(guarded(expression)).toEqual(expected);
  });

  test("in a language that the workflow says", () => {
    expect(guarded("$.a", "expressionLanguage: jexl\n")).toEqual([]);
    expect(guarded("$.a", "expressionLanguage: jq\n")).toEqual([
      "4 WB4114 <jq> Expressions in `jq` are not read; `spel`, `jexl`, `cel` are.",
    ]);
  });

  test("of a retry are wrong once", () => {
    expect(inState(`type: operation, actions: [], retry: [{ expression: '$.a ==' }], ${onward}`)).toEqual([
      expect.stringMatching(/^5 WB4002 /),
    ]);
  });
});

describe("filters", () => {
  test("that replace the data by what they select", () => {
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
      "13 WB4104 <$.id> `$.job.id` has replaced the data by the value of `id`, in which another `id` is unlikely.",
    ]);
  });

  test("of a state or an action, for what comes after them there", () => {
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

  test("of results that are read from two places", () => {
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
      "12 WB4105 <$.payload.greeting> What `$.payload.greeting` selects in the result is merged as `greeting`; only if it selects nothing is the result placed there. This workflow reads both.",
    ]);
    expect(lower(definition(states("$.payload"), functions)).findings).toEqual([]);
  });

  test("before which an event's data may be found", () => {
    expect(
      inState(
        "type: inject, stateDataFilter: { dataOutputPath: $.a }, end: { kind: event, produceEvent: { eventRef: E, data: $.b } }",
        events,
      ),
    ).toEqual([
      "8 WB4103 <$.a> Where `$.a` selects nothing, the data stays as it is.",
      "8 WB4109 <$.b> `$.b` is looked for in what `$.a` leaves, and where that does not have it, in the data before the filter.",
    ]);
  });

  test("before which a part of an event's data may be found, each path at its place", () => {
    const produced = (data: string) =>
      inState(
        `type: inject, stateDataFilter: { dataOutputPath: $.a }, end: { kind: event, produceEvent: { eventRef: E, data: ${data} } }`,
        events,
      );
    expect(produced("{ x: 1, y: [$.b, $], z: $5 }").slice(1)).toEqual([
      "8 WB4109 <$.b> `$.b` is looked for in what `$.a` leaves, and where that does not have it, in the data before the filter.",
    ]);
    expect(produced("{ x: 1 }").slice(1)).toEqual([]);
  });
});
