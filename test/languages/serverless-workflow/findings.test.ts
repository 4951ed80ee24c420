import { describe, expect, test } from "vitest";
import type { LanguageOptions } from "../../../src/options.ts";
import { definition, events, functions, last, lower } from "./lowering.ts";

const ending = "end: { kind: default }";
const start = "start: { kind: default }";
const onward = "transition: { nextState: Last }";
const findings = (text: string, options: LanguageOptions = {}): readonly string[] => lower(text, { options }).findings;
/** The diagnostics of a first state with these properties; its name is in line 5, or later after other definitions. */
const inState = (properties: string, more = "", options: LanguageOptions = {}): readonly string[] =>
  findings(definition(`- { name: S, ${start}, ${properties} }\n${last}`, more), options);
const resting = (name: string, properties = `${start}, ${ending}`): string =>
  `{ name: ${name}, type: delay, timeDelay: PT1S, ${properties} }`;

describe("a valid definition has no diagnostics", () => {
  test.each([
    `type: inject, data: { a: 1 }, ${onward}`,
    `type: delay, timeDelay: PT0.5S, ${onward}`,
    `type: operation, actions: [{ functionRef: { refName: f, parameters: { a: $.b, c: 'costs $5' } }, actionDataFilter: { dataResultsPath: $.c } }], ${onward}`,
    `type: switch, dataConditions: [{ path: $.a, operator: lessthan, value: 3, ${onward} }, { path: $.b, operator: matches, value: '^a+$', ${onward} }], default: { nextState: Last }`,
    `type: subflow, workflowId: other, ${onward}`,
    `type: foreach, inputCollection: $.a, inputParameter: $.b, states: [${resting("X")}], ${onward}`,
    `type: parallel, branches: [{ name: A, states: [${resting("X")}] }], ${onward}`,
    `type: event, eventsActions: [{ eventRefs: [E], actions: [] }], ${onward}`,
    `type: inject, data: {}, end: { kind: event, produceEvent: { eventRef: E, data: $.a } }`,
    `type: inject, data: {}, ${onward}, metadata: { any: [thing] }, x-note: also this`,
  ])("%s", (properties) => {
    expect(inState(properties, functions + events)).toEqual([]);
  });
});

describe("names", () => {
  test("missing properties of the workflow", () => {
    expect(findings(`states:\n- { name: S, type: inject, ${start}, ${ending} }\n`)).toEqual([
      "1 WB2103 <states> The workflow has no `id`; it defaults to `demo`.",
      "1 WB2103 <states> The workflow has no `name`; it defaults to `demo`.",
      "1 WB2103 <states> The workflow has no `version`; it defaults to `1.0`.",
    ]);
    expect(findings(`id: a\nversion: '2'\nstates:\n- { name: S, type: inject, ${start}, ${ending} }\n`)).toEqual([
      "1 WB2103 <id> The workflow has no `name`; it defaults to `a`.",
    ]);
  });

  test.each([
    [
      `- { name: A, type: inject, ${ending} }\n`,
      ["5 WB2108 <A> State `A` is not marked as the start state; it is used because it is the only one."],
    ],
    [`- { name: A, type: inject, ${ending} }\n${last}`, ["4 WB2106 <states> The workflow has no start state."]],
    [
      `- { name: A, type: inject, ${start}, ${ending} }\n- { name: B, type: inject, ${start}, ${ending} }\n`,
      ["6 WB2107 <start> The workflow has two start states, `A` and `B`."],
    ],
    [
      `- { name: A, type: parallel, ${start}, branches: [{ name: L, states: [${resting("X", ending)}, ${resting("Y", ending)}] }], ${ending} }\n`,
      ["5 WB2106 <states> The branch `L` has no start state."],
    ],
    [
      `- { name: A, type: foreach, ${start}, inputCollection: $.a, inputParameter: $.b, states: [${resting("X", ending)}], ${ending} }\n`,
      ["5 WB2108 <X> State `X` is not marked as the start state; it is used because it is the only one."],
    ],
    [
      `- { name: A, id: i, type: inject, ${start}, ${ending} }\n- { name: B, id: i, type: inject, ${ending} }\n`,
      ["6 WB2110 <i> Duplicate state id `i`; state `A` already has it."],
    ],
    [
      `- { name: A, type: inject, ${start}, transition: { nextState: B } }\n- { name: B, type: inject, ${ending} }\n- { name: C, id: B, type: inject, ${ending} }\n`,
      ["5 WB2109 <B> `B` is both the name of one state and the id of another, `C`."],
    ],
    [
      `- { name: A, type: parallel, ${start}, branches: [{ name: L, states: [${resting("X")}] }, { name: L, states: [${resting("X")}] }], ${ending} }\n`,
      ["5 WB2111 <L> Parallel state `A` has two branches named `L`."],
    ],
  ])("of states: %#", (states, expected) => {
    expect(findings(definition(states))).toEqual(expected);
  });

  test("an unknown start state", () => {
    expect(findings(definition(last, "startsAt: Lost\n"))).toEqual(["4 WB2105 <Lost> Unknown start state `Lost`."]);
  });

  test("of functions and events", () => {
    const state =
      "type: callback, action: { functionRef: { refName: f } }, eventRef: E, timeout: PT1S, onError: [{ expression: name eq 'Timeout', transition: { nextState: Last } }], transition: { nextState: Last }";
    const more =
      "functions: [{ name: f }]\nevents:\n- { name: E, type: t }\n- { name: P, type: produced }\n- { name: C, type: t, source: /s, correlationToken: orderId }\n";
    expect(inState(state, more)).toEqual([
      "10 WB2115 <E> Event `E` has no `correlationToken`; if several runs wait for it, the oldest run receives it.",
      "10 WB3109 <PT1S> If the wait times out, `onError` of state `S` handles the error `Timeout` if its condition matches.",
      "4 WB2113 <f> Function `f` has no `resource`; its location must be supplied at deployment.",
      "6 WB2112 <E> Event `E` has no `source`; it matches events of type `t` from any source.",
      "8 WB2114 <orderId> Names of CloudEvents attributes contain only lowercase letters and digits; `orderId` is compared case-insensitively.",
    ]);
  });
});

describe("control flow", () => {
  const condition = `dataConditions: [{ path: $.a, operator: exists, ${onward} }]`;
  test.each([
    [`type: inject, ${ending}, ${onward}`, ["5 WB3101 <end> State `S` has both `transition` and `end`."]],
    ["type: inject", ["5 WB3102 <S> State `S` has neither `transition` nor `end`."]],
    [
      `type: switch, ${condition}, default: { nextState: Last }, ${ending}`,
      ["5 WB3103 <end> Switch state `S` cannot have `end`; its conditions and its `default` determine the next state."],
    ],
    [
      `type: switch, ${condition}, default: { nextState: Last }, ${onward}`,
      [
        "5 WB3103 <transition> Switch state `S` cannot have `transition`; its conditions and its `default` determine the next state.",
      ],
    ],
    [
      "type: switch, default: { nextState: Last }",
      ["5 WB3104 <S> Switch state `S` has neither `dataConditions` nor `eventConditions`."],
    ],
    [
      `type: switch, ${condition}`,
      ["5 WB3105 <S> Switch state `S` has no `default`; the run fails with `NoChoiceMatched` if no condition is true."],
    ],
    [
      `type: switch, ${condition}, eventTimeout: PT1S, default: { nextState: Last }`,
      ["5 WB3110 <eventTimeout> `eventTimeout` has no effect here: `dataConditions` do not wait."],
    ],
    [
      `type: inject, retry: [{ expression: $.a }], ${onward}`,
      [
        "5 WB3107 <retry> States of type `inject` cannot have `retry`; only event, operation, parallel, foreach and callback states can.",
      ],
    ],
    [
      `type: parallel, n: 1, branches: [{ name: A, states: [${resting("X")}] }], ${onward}`,
      ["5 WB3110 <n> `n` has no effect here: it applies only if `completionType` is `n_of_m`."],
    ],
    [
      `type: parallel, completionType: n_of_m, branches: [{ name: A, states: [${resting("X")}] }], ${onward}`,
      ["5 WB3112 <n_of_m> The state waits for 0 branches, but it has 1."],
    ],
    [
      `type: parallel, completionType: n_of_m, n: 2, branches: [{ name: A, states: [${resting("X")}] }], ${onward}`,
      ["5 WB3112 <2> The state waits for 2 branches, but it has 1."],
    ],
    ["type: inject, end: { kind: event }", ["5 WB3119 <event> An end of kind `event` requires `produceEvent`."]],
    [
      "type: inject, end: { kind: terminate, produceEvent: { eventRef: E } }",
      ["5 WB3110 <produceEvent> `produceEvent` has no effect here: an end of kind `terminate` produces no event."],
    ],
  ])("%s", (properties, expected) => {
    expect(inState(properties)).toEqual(expected);
  });

  test("conditions of both kinds or of none, reported once", () => {
    const event = "eventConditions: [{ eventRef: E, transition: { nextState: Last } }]";
    expect(inState(`type: switch, ${condition}, ${event}`, events)).toEqual([
      "8 WB3104 <eventConditions> Switch state `S` has both `dataConditions` and `eventConditions`.",
    ]);
    expect(inState("type: switch", events)).toEqual([
      "8 WB3104 <S> Switch state `S` has neither `dataConditions` nor `eventConditions`.",
    ]);
  });

  test("events without a timeout", () => {
    const event = "eventConditions: [{ eventRef: E, transition: { nextState: Last } }], default: { nextState: Last }";
    expect(inState(`type: switch, ${event}`, events)).toEqual([
      "8 WB3106 <S> Switch state `S` has no `eventTimeout`; it waits indefinitely if none of its events arrives.",
    ]);
  });

  test("parallel states inside others", () => {
    const inner = `{ name: I, type: parallel, ${start}, branches: [{ name: A, states: [${resting("X")}] }], ${ending} }`;
    expect(inState(`type: foreach, inputCollection: $.a, inputParameter: $.b, states: [${inner}], ${onward}`)).toEqual([
      "5 WB3111 <parallel> The draft's schema does not allow parallel state `I` inside a branch or a foreach state; Waybill supports it.",
    ]);
  });

  test("timeouts of actions, silent in top-level states without error handling", () => {
    const action = "{ functionRef: { refName: f }, timeout: PT9S }";
    const silent = "8 WB3108 <PT9S> If this action times out, the state ends without an error.";
    expect(inState(`type: operation, actions: [${action}], ${onward}`, functions)).toEqual([silent]);
    expect(inState(`type: operation, actions: [${action.replace("PT9S", "9s")}], ${onward}`, functions)).toEqual([
      "8 WB4101 <9s> `9s` is not an ISO 8601 duration, such as `PT15M` or `P2DT3H`.",
    ]);
    expect(inState(`type: operation, actions: [${action}], ${onward}`, functions, { timeout: "fail" })).toEqual([]);
    expect(
      inState(
        `type: operation, actions: [${action}], onError: [{ expression: $.error, ${onward} }], ${onward}`,
        functions,
      ),
    ).toEqual([]);
    const branch = `{ name: A, states: [{ name: X, type: operation, ${start}, actions: [${action}], ${ending} }] }`;
    expect(inState(`type: parallel, branches: [${branch}], ${onward}`, functions)).toEqual([]);
  });

  test.each([
    ["kind: scheduled", {}, ["5 WB3114 <scheduled> A start of kind `scheduled` requires `schedule`."]],
    [
      "kind: default, schedule: { interval: P1D }",
      {},
      ["5 WB3110 <schedule> `schedule` has no effect here: only a start of kind `scheduled` has a schedule."],
    ],
    [
      "kind: scheduled, schedule: { interval: R3/P1D }",
      {},
      ["5 WB3116 <R3/P1D> `R3/P1D` is a repeating interval; a schedule must be a single interval."],
    ],
    [
      "kind: scheduled, schedule: { interval: P1D }",
      {},
      ["5 WB3117 <P1D> `P1D` is relative to the time of deployment, which is unknown."],
    ],
    ["kind: scheduled, schedule: { interval: often }", {}, ["5 WB3115 <often> `often` is not an ISO 8601 interval."]],
  ])("start: { %s }", (properties, options, expected) => {
    expect(findings(definition(`- { name: S, type: inject, start: { ${properties} }, ${ending} }\n`), options)).toEqual(
      expected,
    );
  });

  test("a schedule relative to deployment", () => {
    const text = definition(
      `- { name: S, type: inject, start: { kind: scheduled, schedule: { interval: P1M } }, ${ending} }\n`,
    );
    const { workflow, findings } = lower(text, { options: { deployed: "2026-02-01T12:00:00+01:00" } });
    expect(workflow?.start.window).toEqual({ from: "2026-02-01T11:00:00Z", until: "2026-03-01T11:00:00Z" });
    expect(findings).toEqual([]);
  });

  const retry = (properties: string): string =>
    `type: operation, actions: [{ functionRef: { refName: f } }], retry: [{ expression: $.error, ${properties} }], ${onward}`;
  test.each([
    [
      "interval: R/PT1S",
      ["8 WB3120 <R/PT1S> The interval repeats without a limit and `maxAttempts` is missing; it defaults to 1."],
    ],
    [
      "interval: PT1S, multiplier: 3",
      [
        "8 WB3121 <3> The multiplier 3 multiplies the interval before each further retry; in this draft, a multiplier is a duration to add.",
      ],
    ],
    ["interval: 5s", ["8 WB4101 <5s> `5s` is not an ISO 8601 duration, such as `PT15M` or `P2DT3H`."]],
    ["multiplier: double", ["8 WB4101 <double> `double` is not an ISO 8601 duration, such as `PT15M` or `P2DT3H`."]],
    [
      "interval: R2/2026-01-01T00:00:00Z/PT1S",
      [
        "8 WB4101 <R2/2026-01-01T00:00:00Z/PT1S> The interval of a retry must be a duration, without a start or an end.",
      ],
    ],
    [
      "interval: P1Y",
      [
        "8 WB4102 <P1Y> Years and months have no fixed length; `P1Y` is converted to 31536000 seconds (365 days per year, 30 per month).",
      ],
    ],
  ])("retry: { %s }", (properties, expected) => {
    expect(inState(retry(properties), functions)).toEqual(expected);
  });
});
