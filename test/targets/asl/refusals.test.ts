import { describe, expect, test } from "vitest";
import { compile } from "../../../src/index.ts";
import { hostOf } from "../../host.ts";
import { calling, ends, machinesOf, refusals, starts, workflow } from "./compiled.ts";

// The states of `workflow` begin in line 7.

const waiting = (time: string, rest = ends): string =>
  `{ name: X, ${starts}, type: delay, timeDelay: ${time}, ${rest} }`;
const cases: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "a fraction of a second",
    `- ${waiting("PT0.5S")}`,
    ["7:64 WB5105 Step Functions counts time in whole seconds, but the delay of delay state `X` is 0.5 s."],
  ],
  [
    "a fraction of a second before a retry because of a result, plus other delays",
    `- name: A
  type: operation
  ${starts}
  ${calling("f")}
  retry:
  - { expression: { body: $.code == 1 }, interval: PT1.5S, multiplier: PT1S, maxAttempts: 2 }
  - { expression: { body: $.code == 2 }, interval: PT2S, multiplier: PT1S, maxAttempts: 2 }
  ${ends}`,
    [
      "12:52 WB5105 Step Functions counts time in whole seconds, but the delay of operation state `A` may have a fraction.",
    ],
  ],
  [
    "a cycle of empty states",
    `- { name: A, type: inject, ${starts}, onError: [{ expression: { body: $.error ne null }, transition: { nextState: B } }], transition: { nextState: A } }
- ${waiting("PT1S").replace("X", "B").replace(`${starts}, `, "")}`,
    ["7:11 WB5108 Amazon States Language has no exact form for states from which no path leads to an end."],
  ],
  [
    "a cycle of empty states, entered from another state",
    `- { name: A, type: delay, timeDelay: PT1S, ${starts}, transition: { nextState: B } }
- { name: B, type: operation, actions: [], onError: [{ expression: { body: $.error ne null }, transition: { nextState: D } }], transition: { nextState: C } }
- { name: C, type: inject, data: { n: 1 }, transition: { nextState: B } }
- ${waiting("PT1S").replace("X", "D").replace(`${starts}, `, "")}`,
    ["7:11 WB5108 Amazon States Language has no exact form for states from which no path leads to an end."],
  ],
  [
    "too many seconds",
    `- ${waiting("P366D")}`,
    ["7:64 WB5106 Step Functions allows 0 to 31536000 s for the delay of delay state `X`, not 31622400 s."],
  ],
  [
    "a timeout of zero",
    `- { name: A, type: operation, ${starts}, actions: [{ functionRef: { refName: f }, timeout: PT0S }], ${ends} }`,
    ["7:107 WB5106 Step Functions allows 1 to 99999999 s for the timeout of operation state `A`, not 0 s."],
  ],
  [
    "both a gap and a limit of iterations",
    `- name: A
  type: foreach
  ${starts}
  inputCollection: $.list
  inputParameter: $.it
  max: 2
  timeDelay: PT1S
  states: [${waiting("PT1S")}]
  ${ends}`,
    [
      "13:14 WB5107 Target asl cannot both space the iterations of `A` and limit how many run at once: a Map state does not report when an iteration starts.",
    ],
  ],
  [
    "retries after a fraction of a second",
    `- name: A
  type: operation
  ${starts}
  ${calling("f")}
  retry:
  - { expression: { body: "name eq 'Busy'" }, interval: PT0.5S }
  - { expression: { body: "name eq 'Full'" }, interval: PT1S, multiplier: 1.5, maxAttempts: 3 }
  ${ends}`,
    [
      "12:57 WB5110 Step Functions cannot reproduce the delay of this retry: it counts in whole seconds.",
      "13:75 WB5110 Step Functions cannot reproduce the delay of this retry: multiplying by 1.5 gives parts of seconds.",
    ],
  ],
];

describe("is rejected at its span, by name", () => {
  test.each(cases)("%s", async (_, states, expected) => {
    expect(await refusals(workflow(states))).toEqual(expected);
  });
});

test.each([
  ["$value", ["info WB5116"]],
  ["[{ error: $value }]", ["info WB5116"]],
  ["{ code: $value.Data }", ["error WB5108"]],
  ["{ whole: $value, code: $value.Data.code }", ["error WB5108"]],
  ["{ name: $value.ClassName, message: $value.Message }", []],
])("what an error is kept as: %s", async (kept, expected) => {
  const text = `
name: orders
version: "1"
functions: [{ name: charge, operation: "./desk.yaml#charge" }]
states:
- name: A
  start: true
  enterAction: { type: invokeFunction, functionName: charge, errorHandlers: [{ resultHandler: "\${ .error = ${kept} }" }] }`;
  const desk =
    "openapi: 3.0.3\nservers: [{ url: https://a.example }]\npaths: { /c: { post: { operationId: charge } } }";
  const { diagnostics } = await compile({
    sources: [{ path: "w.yaml", text }],
    host: hostOf({ path: "desk.yaml", text: desk }),
    target: "asl",
  });
  const found = diagnostics.filter(({ code }) => code === "WB5116" || code === "WB5108");
  expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual(expected);
});

test("a machine over 1 MiB is rejected, a smaller one is not", async () => {
  const inject = (name: string, bytes: number, rest: string): string =>
    `- { name: ${name}, type: inject, data: { ${name}: "${"x".repeat(bytes)}" }, ${rest} }`;
  const more = [1, 2, 3, 4].map((n) =>
    inject(`A${n}`, 209_000, `transition: { nextState: ${n === 4 ? "B" : `A${n + 1}`} }`),
  );
  const filled = (bytes: number): string =>
    workflow(
      [
        inject("A", 209_000, `${starts}, transition: { nextState: A1 }`),
        ...more,
        inject("B", bytes - 5 * 209_000, ends),
      ].join("\n"),
    );
  expect((await machinesOf([filled(1_047_500)])).size).toBe(2);
  const [refusal] = await refusals(filled(1_048_576));
  expect(refusal).toMatch(
    /^\d+:\d+ WB5109 The state machine of `main` has 1,04\d,\d{3} bytes, more than Step Functions' limit of 1,048,576\.$/,
  );
});

test("a value too large for any state is rejected at its span", async () => {
  const filled = (bytes: number): string =>
    workflow(`- { name: A, type: inject, ${starts}, data: { text: "${"x".repeat(bytes)}" }, ${ends} }`);
  expect(await refusals(filled(262_133))).toEqual([]);
  expect(await refusals(filled(262_134))).toEqual([
    "7:60 WB5108 Amazon States Language has no exact form for a value of at least 262,145 bytes.",
  ]);
  const half = `"${"x".repeat(140_000)}"`;
  const call = `{ functionRef: { refName: f, parameters: { a: ${half}, b: ${half}, c: "$.c" } } }`;
  expect(await refusals(workflow(`- { name: A, type: operation, ${starts}, actions: [${call}], ${ends} }`))).toEqual([
    "7:11 WB5108 Amazon States Language has no exact form for a value of at least 280,021 bytes.",
  ]);
});

test("a workflow that differs as a subflow receives its events as both", async () => {
  const refused = (end: string) =>
    refusals(
      [
        workflow(`- { name: A, type: subflow, ${starts}, workflowId: child, waitForCompletion: true, ${ends} }`),
        workflow(
          `- { name: W, type: event, ${starts}, eventsActions: [{ eventRefs: [Told], actions: [] }], end: { kind: ${end} } }`,
          "child",
        ),
      ].join("\n---\n"),
    );
  expect(await refused("terminate")).toEqual([]);
  expect(await refused("default")).toEqual([]);
});

test("all rejections are reported at once, without output", async () => {
  const text = workflow(
    `- { name: A, type: delay, ${starts}, timeDelay: PT0.5S, transition: { nextState: B } }\n- { name: B, type: delay, timeDelay: P1200D, ${ends} }`,
  );
  expect((await refusals(text)).map((refusal) => refusal.slice(0, 11))).toEqual(["7:64 WB5105", "8:38 WB5106"]);
  await expect(machinesOf([text])).rejects.toThrow("WB5105");
});

const pausing = (time: string): string =>
  `states: [{ name: P, ${starts}, type: delay, timeDelay: ${time}, ${ends} }], ${ends} }`;
const looping = `type: foreach, inputCollection: $.list, inputParameter: $.it`;

test.each([
  ["the time of a delay", `- { name: A, ${starts}, type: delay, timeDelay: "PT0.5S", ${ends} }`, "PT0.5S"],
  [
    "the timeout of an action",
    `- { name: A, ${starts}, type: operation, actions: [{ functionRef: { refName: f }, timeout: "PT1.5S" }], ${ends} }`,
    "PT1.5S",
  ],
  ["the interval of a retry", retrying('interval: "PT0.5S", maxAttempts: 2'), "PT0.5S"],
  ["the multiplier of a retry", retrying('interval: PT1S, multiplier: "1.5", maxAttempts: 3'), "1.5"],
  ["the gap of a loop", `- { name: A, ${starts}, ${looping}, timeDelay: "PT1.5S", ${pausing("PT1S")}`, "PT1.5S"],
])("a rejection points at %s", async (_, states, value) => {
  const text = workflow(states);
  const { diagnostics } = await compile({ sources: [{ path: "w.yaml", text }], target: "asl" });
  const rejected = diagnostics.filter(({ severity }) => severity === "error");
  expect(rejected.map(({ span }) => text.slice(span.start, span.end))).toEqual([`"${value}"`]);
});

function retrying(rule: string): string {
  return `- { name: A, ${starts}, type: operation, ${calling("f")}, retry: [{ expression: { body: "name eq 'Busy'" }, ${rule} }], ${ends} }`;
}

test.each([
  ["max: 41", "max"],
  ["max: 0", ""],
  ["max: 40", undefined],
])("a loop with %s", async (limit, at) => {
  const text = workflow(`- { name: A, ${starts}, ${looping}, ${limit}, ${pausing("PT1S")}`);
  const { diagnostics } = await compile({ sources: [{ path: "w.yaml", text }], target: "asl" });
  const found = diagnostics.filter(({ code }) => code === "WB5126");
  expect(found.map(({ message }) => message)).toEqual(
    at === undefined ? [] : ["Step Functions runs at most 40 iterations of `A` at once."],
  );
  if (at === "max") expect(text.slice(found[0]!.span.start, found[0]!.span.end)).toBe("41");
});

test.each([
  [
    "function-workflow",
    `states:
  A: { type: OPERATION, start: true, actions: [{ function: f, timeout: 100000000 }], next-state: B }
  B: { type: DELAY, time-delay: 40000000, next-state: C }
  C: { type: END }`,
    ["WB5106 100000000", "WB5106 40000000"],
  ],
  [
    "yawl",
    `yawl: "0.1"
start: a
steps:
  a:
    functionCall: { functionId: f, retryPolicy: { errorList: [ALL], retryCount: 3, backoffRate: 1.5 }, timeout: 2.5s, next: b }
  b: { wait: { duration: 0.25s } }`,
    ["WB5110 1.5", "WB5105 2.5s", "WB5105 0.25s"],
  ],
  [
    "sm4c",
    `name: orders
version: "1"
retries: [{ name: soon, maxAttempts: 2, delay: 00:00:00.5 }]
functions: [{ name: charge, operation: "./desk.yaml#charge" }]
states:
- name: A
  start: true
  enterAction:
    type: sequence
    actions:
    - { type: delay, timeout: "00:00:01.5" }
    - { type: invokeFunction, functionName: charge, timeout: "00:00:02.5", errorHandlers: [{ retryPolicy: soon }] }`,
    ["WB5110 00:00:00.5", 'WB5105 "00:00:01.5"', 'WB5105 "00:00:02.5"'],
  ],
])("rejections point at times in %s", async (language, text, expected) => {
  const desk =
    "openapi: 3.0.3\nservers: [{ url: https://a.example }]\npaths: { /c: { post: { operationId: charge } } }";
  const { diagnostics } = await compile({
    sources: [{ path: "w.yaml", text }],
    host: hostOf({ path: "desk.yaml", text: desk }),
    from: language,
    target: "asl",
  });
  const rejected = diagnostics.filter(({ severity }) => severity === "error");
  expect(rejected.map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`)).toEqual(expected);
});
