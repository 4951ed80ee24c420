import { expect, test } from "vitest";
import { printExpression } from "../../src/expressions/core/print.ts";
import type { Answer } from "../../src/scenario/model.ts";
import { recognisesScenario } from "../../src/scenario/read.ts";
import { languages } from "../languages.ts";
import { readScenarios } from "./reading.ts";

const whole = `
workflow: ./order.yaml
language: serverless-workflow
subflows: { audit: ./audit.yaml }
options: { timeout: fail, interpolate: true }
secrets: { vault: { key: text } }
scenarios:
- name: card is declined
  targets: [typescript, asl]
  input: { orderId: "42" }
  clock: 2026-02-01T00:00:00Z
  options: { timeout: proceed }
  secrets: { other: { key: more } }
  functions:
    chargeCard:
    - throws: { name: Declined, message: no, code: 5 }
    - returns: { receipt: c1 }
    reserve: { returns: null, takes: PT3S }
    double: { computes: "{ n: (.n * 2) }" }
  events:
  - at: PT5M
    event: { type: order.paid, source: /payments, customerid: "7", data: { amount: 10 } }
  expect:
    status: succeeded
    output: { receipt: c1 }
    error: { name: Timeout }
    calls:
    - chargeCard: { orderId: "42" }
    maybe:
    - quote: { carrier: slow }
    ordered: false
    emitted:
    - { type: order.placed }
    elapsed: PT4M
`;

test("every key is read", () => {
  const { file, findings } = readScenarios(whole);
  expect(findings).toEqual([]);
  const { scenarios, workflowSpan, ...rest } = file!;
  expect(workflowSpan).toMatchObject({ start: whole.indexOf("./order.yaml") });
  expect(rest).toEqual({
    path: "scenarios.yaml",
    workflow: "./order.yaml",
    language: "serverless-workflow",
    subflows: new Map([["audit", "./audit.yaml"]]),
  });
  const [scenario] = scenarios;
  expect(scenario).toMatchObject({
    name: "card is declined",
    targets: ["typescript", "asl"],
    input: { orderId: "42" },
    clock: Date.UTC(2026, 1, 1),
    options: { "serverless-workflow": { timeout: "proceed", interpolate: true } },
    events: [{ at: 300, event: { type: "order.paid", source: "/payments", customerid: "7", data: { amount: 10 } } }],
    expect: {
      status: "succeeded",
      output: { receipt: "c1" },
      error: { name: "Timeout" },
      calls: [{ function: "chargeCard", argument: { orderId: "42" } }],
      maybe: [{ function: "quote", argument: { carrier: "slow" } }],
      ordered: false,
      emitted: [{ type: "order.placed" }],
      elapsed: 240,
    },
  });
  expect([...scenario!.secrets]).toEqual([
    ["vault", new Map([["key", "text"]])],
    ["other", new Map([["key", "more"]])],
  ]);
  expect(
    [...scenario!.functions].map(([name, { list }]) => [
      name,
      list.map(({ takes, does }) => ({ takes, ...shownAnswer(does) })),
    ]),
  ).toEqual([
    [
      "chargeCard",
      [
        { takes: 0, kind: "throws", error: { name: "Declined", message: "no", code: 5 } },
        { takes: 0, kind: "returns", value: { receipt: "c1" } },
      ],
    ],
    ["reserve", [{ takes: 3, kind: "returns", value: null }]],
    ["double", [{ takes: 0, kind: "computes", expression: "{ n: .n * 2 }" }]],
  ]);
});

const shownAnswer = (does: Answer["does"]) =>
  does.kind === "computes" ? { ...does, expression: printExpression(does.expression) } : does;

test("omitted keys have defaults", () => {
  const { file, findings } = readScenarios(
    "workflow: a.yaml\nscenarios:\n- { name: x, expect: { status: waiting } }\n",
  );
  expect(findings).toEqual([]);
  expect(file!.scenarios[0]).toMatchObject({
    targets: ["typescript", "asl"],
    clock: Date.UTC(2026, 0, 1),
    events: [],
    options: {},
    expect: { status: "waiting", maybe: [], ordered: true },
  });
  expect(file!.scenarios[0]!.input).toBeUndefined();
  expect(file!.scenarios[0]!.expect.calls).toBeUndefined();
});

test("further runs are read", () => {
  const { file, findings } = readScenarios(
    `workflow: a\nscenarios:\n- name: x\n  expect: { status: succeeded }\n  runs:\n  - { id: b, input: null, at: PT1M, expect: { status: waiting } }\n  - { id: c, expect: { status: failed } }\n`,
  );
  expect(findings).toEqual([]);
  expect(file!.scenarios[0]!.runs).toMatchObject([
    { id: "b", input: null, at: 60, expect: { status: "waiting" } },
    { id: "c", input: undefined, at: 0, expect: { status: "failed" } },
  ]);
});

test("parts of the output, the order of tasks and firings of timers are read", () => {
  const { file, findings } = readScenarios(`workflow: a
scenarios:
- name: x
  fires: [{ at: PT1H }, { at: PT2H, timer: 1 }]
  expect:
    status: succeeded
    outputHas: [a.b, .]
    outputIs: { a.0: null }
    items: { ".": 2, .a: 0 }
    tasks: { first: a, last: b, order: [[a, b]] }
  runs: [{ id: b, firing: 1, expect: { status: waiting } }]
`);
  expect(findings).toEqual([]);
  expect(file!.scenarios[0]).toMatchObject({
    fires: [
      { at: 3600, timer: 0 },
      { at: 7200, timer: 1 },
    ],
    expect: {
      outputHas: ["a.b", "."],
      outputIs: { "a.0": null },
      items: new Map([
        [".", 2],
        [".a", 0],
      ]),
      tasks: { first: "a", last: "b", order: [["a", "b"]] },
    },
    runs: [{ id: "b", firing: 1 }],
  });
});

test("an input or an output of null is a value", () => {
  const { file } = readScenarios(
    "workflow: a.yaml\nscenarios:\n- { name: x, input: null, expect: { status: succeeded, output: null } }\n",
  );
  expect(file!.scenarios[0]).toMatchObject({ input: null, expect: { output: null } });
});

test("JSON is read as well as YAML", () => {
  const { file, findings } = readScenarios(
    '{"workflow": "a.json", "scenarios": [{"name": "x", "expect": {"status": "failed"}}]}',
    "scenarios.json",
  );
  expect(findings).toEqual([]);
  expect(file!.scenarios.map(({ name, expect: { status } }) => [name, status])).toEqual([["x", "failed"]]);
});

test("a scenario file is recognized by its keys", () => {
  expect(recognisesScenario({ workflow: "a", scenarios: [] })).toBe(true);
  expect(recognisesScenario({ id: "a", states: [] })).toBe(false);
  expect(recognisesScenario({ states: [], scenarios: [] })).toBe(false);
  expect(recognisesScenario([{ scenarios: [] }])).toBe(false);
});

const inScenario = (rest: string) =>
  `workflow: a.yaml\nscenarios:\n- name: x\n  expect: { status: succeeded }\n${rest}`;

test.each<[string, string, readonly string[]]>([
  [
    "a misspelled key of the file",
    "workflw: a.yaml\nscenarios: []\n",
    [
      "1:1-7 WB6001 `workflw` is not a key of a scenario file. [Did you mean `workflow`?]",
      "1:1-29 WB6002 Missing key `workflow` in a scenario file.",
    ],
  ],
  [
    "two runs with the same id",
    inScenario("  runs: [{ id: run, expect: { status: waiting } }]\n"),
    ["5:16-3 WB6003 `id` must be an id that no other run has; that of the scenario's own run is `run`."],
  ],
  [
    "what is no path",
    inScenario(
      "  runs: [{ id: b, expect: { status: failed, outputHas: [a..b, 1], outputIs: { '': 1 }, items: { a: -1 } } }]\n",
    ),
    [
      "5:57-4 WB6003 A path must be a path in the output, such as `order.items.0`.",
      "5:63-1 WB6003 A path must be a path in the output, such as `order.items.0`.",
      "5:77-9 WB6003 `outputIs` must be values by path; `` is none.",
      "5:100-2 WB6003 `a` must be a number of items.",
    ],
  ],
  [
    "an order of one task",
    inScenario("  runs: [{ id: b, expect: { status: failed, tasks: { order: [[a]], next: b } } }]\n"),
    [
      "5:68-4 WB6001 `next` is not a key of `tasks`. [Valid keys: `first`, `last`, `order`.]",
      "5:62-3 WB6003 A pair must be two names, such as `[reserve, charge]`.",
    ],
  ],
  [
    "an input for the run of a timer",
    inScenario("  input: {}\n  fires: [{ at: PT1H, timer: first }, { timer: 0 }]\n"),
    [
      "6:30-5 WB6003 `timer` must be the index of a timer.",
      "6:39-12 WB6002 Missing key `at` in an entry of `fires`.",
      "5:10-2 WB6003 `input` must be left out where a timer creates the run.",
    ],
  ],
  [
    "two runs of one firing",
    inScenario("  fires: [{ at: PT1H }]\n  runs: [{ id: b, firing: 0, at: PT1H, expect: { status: failed } }]\n"),
    [
      "6:27-1 WB6003 `firing` must be the index, from 1, of an entry of `fires` that no other run has.",
      "6:34-4 WB6003 `at` must be left out where a timer creates the run.",
    ],
  ],
  [
    "an error of a platform",
    inScenario("  functions: { f: { throws: { name: States.Runtime } } }\n"),
    [
      "5:29-24 WB6003 `throws` must be an error of a function; names that begin with `States.` are those of a platform.",
    ],
  ],
  [
    "an unknown key",
    "workflow: a\nx: 1\nscenarios: []\n",
    [
      "2:1-1 WB6001 `x` is not a key of a scenario file. [Valid keys: `workflow`, `pick`, `language`, `subflows`, `options`, `placeholders`, `secrets`, `scenarios`.]",
    ],
  ],
  [
    "a misspelled key of a scenario",
    inScenario("  inputs: {}\n"),
    ["5:3-6 WB6001 `inputs` is not a key of a scenario. [Did you mean `input`?]"],
  ],
  [
    "a misspelled key of a response",
    inScenario("  functions: { f: { returns: 1, take: PT1S } }\n"),
    ["5:33-4 WB6001 `take` is not a key of an answer. [Did you mean `takes`?]"],
  ],
  [
    "a missing name and expectation",
    "workflow: a\nscenarios:\n- input: {}\n",
    ["3:3-9 WB6002 Missing key `name` in a scenario.", "3:3-9 WB6002 Missing key `expect` in a scenario."],
  ],
  [
    "no status",
    "workflow: a\nscenarios:\n- { name: x, expect: {} }\n",
    ["3:22-2 WB6002 Missing key `status` in an expectation."],
  ],
  [
    "an unknown status",
    "workflow: a\nscenarios:\n- { name: x, expect: { status: succeded } }\n",
    [
      "3:32-8 WB6004 `status` must be `succeeded`, `failed`, `waiting` or `not-started`, not `succeded`. [Did you mean `succeeded`?]",
    ],
  ],
  [
    "an unknown target",
    inScenario("  targets: [asl, aws]\n"),
    ["5:18-3 WB6003 A target must be one of typescript, asl."],
  ],
  [
    "a clock that is not an instant",
    inScenario("  clock: tomorrow\n"),
    ["5:10-8 WB6005 `tomorrow` is not an ISO 8601 instant, such as `2020-03-20T09:00:00Z`."],
  ],
  [
    "an invalid duration",
    inScenario("  events: [{ at: 5m, event: {} }]\n"),
    ["5:18-2 WB6005 `5m` is not an ISO 8601 duration, such as `PT15M` or `P2DT3H`."],
  ],
  [
    "a wait that is not a string",
    inScenario("  functions: { f: { returns: 1, takes: 5 } }\n"),
    ["5:40-1 WB6003 `takes` must be an ISO 8601 duration, such as `PT5M`."],
  ],
  [
    "a response with two actions",
    inScenario("  functions: { f: { returns: 1, throws: { name: a } } }\n"),
    [
      "5:19-35 WB6003 An answer must be one of `returns`, `throws`, `computes`, `never` and `fails`, perhaps with `takes`.",
    ],
  ],
  [
    "a response without an action",
    inScenario("  functions: { f: [{ returns: 1 }, 2] }\n"),
    [
      "5:36-1 WB6003 An answer must be one of `returns`, `throws`, `computes`, `never` and `fails`, perhaps with `takes`.",
    ],
  ],
  [
    "a response with a misspelled key",
    inScenario("  functions: { f: { return: 1, takes: 2s } }\n"),
    [
      "5:21-6 WB6001 `return` is not a key of an answer. [Did you mean `returns`?]",
      "5:39-2 WB6005 `2s` is not an ISO 8601 duration, such as `PT15M` or `P2DT3H`.",
    ],
  ],
  [
    "a throw without a name",
    inScenario("  functions: { f: { throws: { message: m } } }\n"),
    ["5:29-14 WB6003 `throws` must be an error with a text as its `name`."],
  ],
  [
    "a program that is not a string",
    inScenario("  functions: { f: { computes: [1] } }\n"),
    ["5:31-3 WB6003 `computes` must be a jq program."],
  ],
  [
    "a call of two functions",
    "workflow: a\nscenarios:\n- { name: x, expect: { status: failed, calls: [{ a: 1, b: 2 }] } }\n",
    ["3:48-14 WB6003 A call must be the name of a function with what it is called with."],
  ],
  [
    "a call that is not an object",
    "workflow: a\nscenarios:\n- { name: x, expect: { status: failed, maybe: [a] } }\n",
    ["3:48-1 WB6003 A call must be the name of a function with what it is called with."],
  ],
  [
    "an event that is not under its key",
    inScenario("  events: [{ at: PT1S, type: shop.paid, data: 1 }]\n"),
    [
      "5:12-38 WB6002 Missing key `event` in an entry of `events`. [The event's attributes and its data stand under `event`.]",
    ],
  ],
  [
    "no event",
    inScenario("  events: [{ at: PT1S }]\n"),
    ["5:12-12 WB6002 Missing key `event` in an entry of `events`."],
  ],
  [
    "an event that is not an object",
    inScenario("  events: [paid]\n"),
    ["5:12-4 WB6003 An event must be an object with `at` and `event`."],
  ],
  [
    "an emitted event that is not an object",
    "workflow: a\nscenarios:\n- { name: x, expect: { status: failed, emitted: [a] } }\n",
    ["3:50-1 WB6003 An event must be an object."],
  ],
  [
    "an option that is an array",
    inScenario("  options: { timeout: [] }\n"),
    ["5:23-2 WB6003 `timeout` must be a text, a number or a boolean."],
  ],
  [
    "a secret that is not a string",
    inScenario("  secrets: { vault: { key: 1 } }\n"),
    ["5:28-1 WB6003 `key` must be a text, or null where there is none."],
  ],
  ["secrets without keys", inScenario("  secrets: { vault: text }\n"), ["5:21-4 WB6003 `vault` must be texts by key."]],
  [
    "a subflow without a path",
    "workflow: a\nsubflows: { s: 1 }\nscenarios: []\n",
    ["2:16-1 WB6003 `s` must be the path of a definition."],
  ],
  ["a scenario that is no object", "workflow: a\nscenarios: [x]\n", ["2:13-1 WB6003 A scenario must be an object."]],
  ["no object at all", "- a\n", ["1:1-3 WB6003 A scenario file must be an object with `workflow` and `scenarios`."]],
  [
    "a definition",
    "id: a\nstates: []\n",
    [
      "1:1-2 WB6003 A scenario file must be an object with `workflow` and `scenarios`; this is a workflow definition. [Write a scenario file that names this one in `workflow`, and pass it instead.]",
    ],
  ],
  [
    "two documents",
    "workflow: a\nscenarios: []\n---\nworkflow: b\nscenarios: []\n",
    ["4:1-8 WB6003 A scenario file must be one document; this is another."],
  ],
])("%s", (_, text, expected) => {
  const { file, findings } = readScenarios(text);
  expect(findings).toEqual(expected);
  expect(file).toBeUndefined();
});

test("all mistakes are reported at once", () => {
  const text = `workflow: 5\nscenarios:\n- name: x\n  clok: 1\n  expect: { status: never, ordered: maybe, elapsed: 5 }\n`;
  expect(readScenarios(text).findings).toEqual([
    "1:11-1 WB6003 `workflow` must be the path of a definition.",
    "4:3-4 WB6001 `clok` is not a key of a scenario. [Did you mean `clock`?]",
    "5:21-5 WB6004 `status` must be `succeeded`, `failed`, `waiting` or `not-started`, not `never`.",
    "5:37-5 WB6003 `ordered` must be true or false.",
    "5:53-1 WB6003 `elapsed` must be an ISO 8601 duration, such as `PT5M`.",
  ]);
});

const optionNames = languages.flatMap(({ options }) => options.map(({ name }) => name));

test.each([
  ["timeuot: fail", "5:14-7 WB0503 Unknown option `timeuot`. [Did you mean `timeout`?]"],
  [
    "serverless-workflow: { timeout: never }",
    "5:46-5 WB0504 Option `timeout` must be `proceed` or `fail`, not `never`.",
  ],
  [
    "__proto__: x",
    `5:14-9 WB0503 Unknown option \`__proto__\`. [Available options: ${optionNames.map((name) => `\`${name}\``).join(", ")}.]`,
  ],
])("an option that there is not is told at its line: %s", (given, finding) => {
  expect(readScenarios(inScenario(`  options: { ${given} }\n`)).findings).toEqual([finding]);
});

test("`__proto__` is an ordinary key", () => {
  const { file, findings } = readScenarios(
    inScenario("  input: { __proto__: { a: 1 } }\n  functions: { __proto__: { returns: 1 } }\n"),
  );
  expect(findings).toEqual([]);
  expect(Object.hasOwn(file!.scenarios[0]!.input as object, "__proto__")).toBe(true);
  expect([...file!.scenarios[0]!.functions.keys()]).toEqual(["__proto__"]);
});

test.each(["scenarios.yaml", "scenarios.json"])("values are read like those of definitions: %s", (path) => {
  const text =
    '{"workflow": "./w.yaml", "scenarios": [{"name": "x", "expect": {"status": "succeeded"},\n' +
    '"input": {"a": 1, "a": 2, "b": 12345678901234567890, "c": 1e400},\n' +
    '"functions": {"f": {"returns": {"n": 9007199254740993, "n": -1e400}}}}]}\n';
  const codes = readScenarios(text, path).findings.map((finding) => finding.split(" ").slice(0, 2).join(" "));
  expect(codes.toSorted()).toEqual([
    "2:19-3 WB0006",
    "2:32-20 WB0013",
    "2:59-5 WB0012",
    "3:38-16 WB0013",
    "3:56-3 WB0006",
    "3:61-6 WB0012",
  ]);
});
