import { describe, expect, test } from "vitest";
import { definition, events, functions, last, lower, stepsOf } from "./lowering.ts";

describe("an operation state", () => {
  test("filters, performs its actions in order, filters, and transitions on a condition", () => {
    const read = lower(
      definition(
        `
- name: Work
  type: operation
  start: { kind: default }
  stateDataFilter: { dataInputPath: $.in, dataOutputPath: "$.out[*]" }
  actions:
  - functionRef: { refName: f, parameters: { a: $.a, b: [$.b, text] } }
    actionDataFilter: { dataInputPath: $.sub }
  - name: second
    functionRef: { refName: g }
    actionDataFilter: { dataResultsPath: $.got.it }
  transition: { nextState: Last, expression: $.ok eq true }
${last}`,
        functions,
      ),
    );
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "Work: data := first($data.in, $data)   # operation state "Work"
      Work/f: call f(first($data.sub, $data) as $input | { a: first($input.a, null), b: [first($input.b, null), "text"] }) -> result
      Work/merge: data := assignResult($data, $result, "f")
      Work/second: call g($data) -> result
      Work/merge-2: data := if exists($result.got.it) then assign($data, { it: first($result.got.it, null) }) else place($data, ["got","it"], $result) end
      Work/output: data := if exists($data.out[*]) then [$data.out[*]] else $data end
      Work/transition: choose
        when compareInCondition($data.ok, "==", true) then Last
        else Work/denied
      Work/denied: fail with {"origin":"denied","name":"TransitionDenied","message":"The transition from Work to Last was denied: $.ok eq true does not hold."}
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test.each([
    ["", "assign"],
    ["shallow", "assign"],
    ["deep", "merge"],
  ])("merges with the option `merge=%s` by `%s`", (merge, name) => {
    const text = `- { name: Put, type: inject, start: { kind: default }, data: { a: {} }, end: { kind: default } }`;
    const read = lower(definition(text), merge === "" ? {} : { options: { merge } });
    expect(stepsOf(read)).toContain(`data := ${name}($data, {"a":{}})`);
  });

  test("performs actions in parallel and merges in declaration order; a timeout has no result", () => {
    const read = lower(
      definition(
        `
- name: Work
  type: operation
  start: { kind: default }
  actionMode: parallel
  actions:
  - { functionRef: { refName: f }, timeout: PT5S }
  - { functionRef: { refName: f } }
  end: { kind: default }
`,
        functions,
      ),
    );
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "Work: fork joining all -> results   # operation state "Work"
        branch f
          var result
          Work/f: call f($data) within 5 s -> result
            on error when $error.origin == "timeout" then Work/timeout
          Work/result: end with [$result]
          Work/timeout: end with []
        branch f-2
          var result
          Work/f-2: call f($data) -> result
          Work/result-2: end with $result
      Work/merge: data := if exists($results.f[0]) then assignResult($data, $results.f[0], "f") else $data end
      Work/merge-2: data := assignResult($data, $results["f-2"], "f")
      Work/end: end with $data
      "
    `);
  });

  test("skips remaining actions after a timeout, unless that is an error", () => {
    const states = definition(
      `
- name: Work
  type: operation
  start: { kind: default }
  actions:
  - { functionRef: { refName: f }, timeout: PT5S }
  - { functionRef: { refName: g } }
  stateDataFilter: { dataOutputPath: $.x }
  end: { kind: default }
`,
      functions,
    );
    expect(stepsOf(lower(states))).toMatchInlineSnapshot(`
      "Work: call f($data) within 5 s -> result   # operation state "Work"
        on error when $error.origin == "timeout" then Work/output
      Work/merge: data := assignResult($data, $result, "f")
      Work/g: call g($data) -> result
      Work/merge-2: data := assignResult($data, $result, "g")
      Work/output: data := first($data.x, $data)
      Work/end: end with $data
      "
    `);
    expect(
      stepsOf(lower(states, { options: { timeout: "fail" } }))
        .split("\n")
        .slice(0, 2),
    ).toEqual([
      'Work: call f($data) within 5 s -> result   # operation state "Work"',
      'Work/merge: data := assignResult($data, $result, "f")',
    ]);
  });

  test("without actions only continues", () => {
    const read = lower(
      definition(
        `- { name: Pass, type: operation, start: { kind: default }, actions: [], transition: { nextState: Last } }\n${last}`,
      ),
    );
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "Pass: assign   # operation state "Pass"
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test("interpolates paths in its parameters with `interpolate: true`", () => {
    const states = definition(
      "- { name: Say, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: f, parameters: { text: 'Hi $.name!' } } }], end: { kind: default } }\n",
      functions,
    );
    expect(lower(states, { options: { interpolate: "true" } }).ir).toContain(
      'call f({ text: "Hi " + text(first($data.name, null)) + "!" })',
    );
    expect(lower(states).ir).toContain('call f({"text":"Hi $.name!"})');
  });
});

test("a delay state waits", () => {
  const read = lower(
    definition(`- { name: Rest, type: delay, start: { kind: default }, timeDelay: P1DT2S, end: { kind: default } }\n`),
  );
  expect(stepsOf(read)).toMatchInlineSnapshot(`
    "Rest: wait for 86402 s   # delay state "Rest"
    Rest/end: end with $data
    "
  `);
});

test("an inject state merges its data", () => {
  const read = lower(
    definition(
      `- { name: Add, type: inject, start: { kind: default }, data: { a: { b: 1 } }, end: { kind: terminate } }\n`,
    ),
  );
  expect(stepsOf(read)).toMatchInlineSnapshot(`
    "Add: data := assign($data, {"a":{"b":1}})   # inject state "Add"
    Add/end: end the run with $data
    "
  `);
});

test("a subflow state merges the result if it waits, and otherwise continues at once", () => {
  const states = (wait: boolean) =>
    definition(
      `- { name: Sub, type: subflow, start: { kind: default }, workflowId: other, waitForCompletion: ${wait}, transition: { nextState: Last } }\n${last}`,
    );
  expect(stepsOf(lower(states(true)))).toMatchInlineSnapshot(`
    "Sub: run other($data) whose terminate ends this -> result   # subflow state "Sub"
    Sub/merge: data := assignResult($data, $result, "other")
    Last: end with $data   # inject state "Last"
    "
  `);
  expect(stepsOf(lower(states(false)))).toMatchInlineSnapshot(`
    "Sub: start other($data)   # subflow state "Sub"
    Last: end with $data   # inject state "Last"
    "
  `);
});

describe("a switch state", () => {
  test("takes the first condition that holds", () => {
    const read = lower(
      definition(
        `
- name: Which
  type: switch
  start: { kind: default }
  dataConditions:
  - { path: $.a, operator: equals, value: 3, transition: { nextState: Last, produceEvent: { eventRef: F } } }
  - { path: "$.b[*]", operator: matches, value: '^x', transition: { nextState: Last, expression: $.c } }
  default: { nextState: Last }
${last}`,
        "events:\n- { name: F, type: t }\n",
      ),
    );
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "Which: choose   # switch state "Which"
        when switchCondition([$data.a], "equals", 3) then Which/emit
        when switchCondition([$data.b[*]], "matches", "^x") then Which/transition
        else Last
      Which/emit: emit F({}) with {"source":"/waybill/demo"}
        then Last
      Which/transition: choose
        when truthy($data.c) then Last
        else Which/denied
      Which/denied: fail with {"origin":"denied","name":"TransitionDenied","message":"The transition from Which to Last was denied: $.c does not hold."}
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test("continues after error handling", () => {
    const read = lower(
      definition(
        `
- name: Which
  type: switch
  start: { kind: default }
  stateDataFilter: { dataOutputPath: $.x }
  dataConditions:
  - { path: $.a, operator: exists, transition: { nextState: Last } }
  onError: [{ expression: name eq 'NoChoiceMatched', transition: { nextState: Last } }]
${last}`,
      ),
    );
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "Which: attempt   # switch state "Which"
        Which/choose: choose
          when switchCondition([$data.a], "exists", null) then Which/choose-2
          else fail with NoChoiceMatched
        Which/choose-2: choice := 0
        Which/done: end with $data
        on error when compareInCondition($error.name, "==", "NoChoiceMatched") -> error then Which/onError
        then Which/go
      Which/onError: data := place($data, ["error"], merge({ name: first($error.name, ""), message: first($error.message, "") }, first({ trace: $error.data.trace }, {})))
        then Last
      Which/go: choose
        else Which/output
      Which/output: data := first($data.x, $data)
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test("waits for the first of its events", () => {
    const read = lower(
      definition(
        `
- name: Which
  type: switch
  start: { kind: default }
  eventConditions:
  - { eventRef: E, transition: { nextState: Last }, eventDataFilter: { dataOutputPath: $.got } }
  - { eventRef: F, transition: { nextState: Last } }
  eventTimeout: PT1M
  default: { nextState: Last }
${last}`,
        events,
      ),
    );
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "Which: receive, keep the unused -> received   # switch state "Which"
        correlated by order (first($data.order, null))
        0: E within 60 s
        1: F within 60 s
      Which/choose: choose
        when $received.alternative == 0 then Which/event
        when $received.alternative == 1 then Which/event-2
        else Last
      Which/event: data := place($data, ["got"], first($received.events[0].event.got, first($received.events[0].event.data.got, $received.events[0].event)))
        then Last
      Which/event-2: data := assignResult($data, first($received.events[0].event.data, null), "F")
      Last: end with $data   # inject state "Last"
      "
    `);
  });
});
