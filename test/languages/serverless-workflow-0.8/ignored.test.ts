import { describe, expect, test } from "vitest";
import { definition, lower } from "./lowering.ts";

// Properties that change no run are reported where they are.

const functions =
  "functions: [{ name: f, type: custom, operation: f }, { name: e, type: expression, operation: .a }]\n";
const events = `events:
- { name: P, type: p, correlation: [{ contextAttributeName: x }] }
- { name: Q, type: q, kind: produced, correlation: [{ contextAttributeName: x }] }
`;
const errors = "errors: [{ name: bad, code: '500' }, { name: other }]\nretries: [{ name: r, maxAttempts: 2 }]\n";
const top = `${functions}${events}${errors}`;

const sleep = (more = ""): string => `- { name: A, type: sleep, duration: PT1S, end: true${more} }\n`;
const act = (action: string, more = ""): string =>
  `- { name: A, type: operation, actions: [{ ${action} }], end: true${more} }\n`;
const codes = (states: string, more = ""): readonly string[] =>
  lower(definition(states, `${more}${top}`)).findings.map((finding) => finding.replace(/^\d+ /, ""));

describe("at the top level", () => {
  test.each([
    ["an unknown property", "retry: []\n", ["WB2714 retry"]],
    ["a property for tools", "x-owner: me\n$schema: a.json\n", []],
    ["authentication", "auth: [{ name: u, scheme: basic }]\n", ["WB2714 auth"]],
    ["an extension", "extensions: [{ id: a }]\n", ["WB2714 extensions"]],
    ["a schedule of two kinds", "start: { schedule: { interval: R/PT1H, cron: 0 0 * * * } }\n", ["WB3710 schedule"]],
    ["an empty schedule", "start: { schedule: {} }\n", ["WB3710 schedule"]],
    ["the time zone of an interval", "start: { schedule: { interval: R/PT1H, timezone: UTC } }\n", ["WB3703 timezone"]],
    ["retries of SonataFlow", "dialect: sonataflow\nautoRetries: true\n", ["WB3714 autoRetries"]],
  ])("%s", (_, more, expected) => {
    expect(codes(sleep(), more)).toEqual(expected);
  });

  test("unknown authentication of a function", () => {
    const more = "auth: [{ name: u }]\nfunctions: [{ name: f, type: custom, operation: f, authRef: v }]\n";
    expect(lower(definition(act("functionRef: f"), more)).findings).toEqual(["4 WB2714 auth", "5 WB2710 v"]);
  });
});

describe("of actions", () => {
  const awaited = "functionRef: f";
  const sent = "functionRef: { refName: f, invoke: async }";
  test.each([
    ["errors without a retry", `${awaited}, nonRetryableErrors: [bad]`, ["WB3703 nonRetryableErrors"]],
    [
      "both lists of errors",
      `${awaited}, retryRef: r, retryableErrors: [bad], nonRetryableErrors: [other]`,
      ["WB3703 nonRetryableErrors"],
    ],
    ["errors of a call that is not awaited", `${sent}, retryableErrors: [bad]`, ["WB3703 retryableErrors"]],
    ["the result of such a call", `${sent}, actionDataFilter: { results: .a }`, ["WB3703 results"]],
    [
      "an unused result",
      `${awaited}, actionDataFilter: { useResults: false, toStateData: .a }`,
      ["WB3703 toStateData"],
    ],
    ["retries of an expression", "functionRef: e, retryRef: r", ["WB3703 retryRef"]],
    ["retries of an event", "eventRef: { triggerEventRef: Q }, retryRef: r", ["WB3703 retryRef"]],
    [
      "a timeout without an event",
      "eventRef: { triggerEventRef: Q, resultEventTimeout: PT1H }",
      ["WB3703 resultEventTimeout"],
    ],
    [
      "an event that is not awaited",
      "eventRef: { triggerEventRef: Q, resultEventRef: P, invoke: async }",
      ["WB3703 resultEventRef"],
    ],
    ["an awaited subflow", "subFlowRef: { workflowId: w, onParentComplete: continue }", ["WB3703 onParentComplete"]],
  ])("%s", (_, action, expected) => {
    expect(codes(act(action))).toEqual(expected);
  });

  test("`retryableErrors` with `autoRetries`", () => {
    const action = "functionRef: f, retryRef: r, retryableErrors: [bad]";
    expect(codes(act(action), "autoRetries: true\n")).toEqual(["WB3703 retryableErrors"]);
  });
});

describe("of states", () => {
  const onEvent = "eventConditions: [{ eventRef: P, end: true }], defaultCondition: { end: true }";
  test.each([
    ["timeouts of other states", sleep(", timeouts: { eventTimeout: PT1S }"), ["WB3703 eventTimeout"]],
    [
      "two lists of errors",
      act("functionRef: f", ", onErrors: [{ errorRef: bad, errorRefs: [other], end: true }]"),
      ["WB3703 errorRefs"],
    ],
    [
      "two timeouts of a switch",
      `- { name: A, type: switch, ${onEvent}, eventTimeout: PT1S, timeouts: { eventTimeout: PT2S } }\n`,
      ["WB3703 eventTimeout"],
    ],
    [
      "an unused event",
      "- { name: A, type: callback, action: { functionRef: f }, eventRef: P, eventDataFilter: { useData: false, data: .a }, end: true }\n",
      ["WB3703 data"],
    ],
    [
      "a compensation that nothing triggers",
      `${sleep(", compensatedBy: B")}- { name: B, type: sleep, duration: PT1S, usedForCompensation: true }\n`,
      ["WB3703 compensatedBy"],
    ],
    [
      "the end of a handler in a compensation",
      `- { name: A, type: sleep, duration: PT1S, compensatedBy: B, end: { compensate: true } }
- { name: B, type: sleep, duration: PT1S, usedForCompensation: true, onErrors: [{ errorRef: bad, end: { terminate: true } }] }
`,
      ["WB3703 end"],
    ],
  ])("%s", (_, states, expected) => {
    expect(codes(states)).toEqual(expected);
  });

  test("handlers and starts may not leave or enter compensations", () => {
    const states = `- { name: A, type: sleep, duration: PT1S, compensatedBy: B, end: { compensate: true } }
- { name: B, type: sleep, duration: PT1S, usedForCompensation: true, onErrors: [{ errorRef: bad, transition: A }] }
`;
    expect(codes(states)).toEqual(["WB3709 A"]);
    expect(codes(states.replace("transition: A", "transition: B"), "start: B\n")).toEqual(["WB3709 B"]);
  });
});

test("the timeout of actions in a branch precedes that of the state", () => {
  const state = (more: string): string =>
    `- { name: A, type: parallel, branches: [{ name: b, actions: [{ functionRef: f }]${more} }], timeouts: { actionExecTimeout: PT9S }, end: true }\n`;
  const ir = (more: string): string => lower(definition(state(more), functions)).ir;
  expect(ir("")).toContain("within 9 s");
  expect(ir(", timeouts: { actionExecTimeout: PT2S }")).toContain("within 2 s");
});

test("a message of a switch fails the run in SonataFlow", () => {
  const state =
    "- { name: A, type: switch, dataConditions: [{ condition: .a, end: true }], defaultCondition: { end: true }, metadata: { errorMessage: .m } }\n";
  expect(lower(definition(state), { dialect: "sonataflow" }).ir).toContain("AbortExpression");
});
