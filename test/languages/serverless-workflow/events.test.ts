import { describe, expect, test } from "vitest";
import { definition, events, functions, last, lower, stepsOf } from "./lowering.ts";

const first = "- { name: First, type: inject, start: { kind: default }, data: {}, transition: { nextState: Wait } }\n";

const waiting = (properties: string, entries: string): string => `
- name: Wait
  type: event
${properties}  eventsActions:
${entries}  transition: { nextState: Last }
${last}`;

describe("an event state that starts the workflow", () => {
  const start = "  start: { kind: default }\n";

  test("starts a run with any event, then performs its entry", () => {
    const entries =
      "  - { eventRefs: [E, F], actions: [{ functionRef: { refName: f } }] }\n  - { eventRefs: [F], actions: [] }\n";
    const read = lower(definition(waiting(start, entries), functions + events));
    expect(read.ir).toMatchInlineSnapshot(`
      "workflow demo "Demo" "1.0" from serverless-workflow
        started by the first event of
          (E or F)
          F
        input data
        correlation first($data.order, null) as $token | if type($token) == "string" or type($token) == "number" or type($token) == "boolean" then $token else first($run.id, null) end
        function f = "arn:f"
        function g = "arn:g"
        event E type "t.e" source "/s" correlated by attribute($event, "order") as order carrying order
        event F type "t.f" source "/s"
        var data
        var received
        var result
        Wait: receive, keep the unused -> received   # event state "Wait"
          correlated by order (first($data.order, null))
          0: (E or F)
          1: F
        Wait/which: choose
          when $received.alternative == 0 then Wait/event
          else Wait/event-2
        Wait/event: data := if $received.events[0].name == "E" then assignEvent($data, first($received.events[0].event, null), "E", "order") else assignResult($data, first($received.events[0].event.data, null), "F") end
        Wait/f: call f($data) -> result
        Wait/merge: data := assignResult($data, $result, "f")
          then Last
        Wait/event-2: data := assignResult($data, first($received.events[0].event.data, null), "F")
        Last: end with $data   # inject state "Last"
      "
    `);
    expect(read.findings).toEqual([]);
  });

  test("starts a run when all events have arrived", () => {
    const entries =
      "  - { eventRefs: [E], actions: [] }\n  - { eventRefs: [E], actions: [] }\n  - { eventRefs: [F], actions: [] }\n";
    const read = lower(definition(waiting(`${start}  exclusive: false\n  timeout: PT2M\n`, entries), events));
    expect(read.ir).toMatchInlineSnapshot(`
      "workflow demo "Demo" "1.0" from serverless-workflow
        started by the complete events of
          E and F
        at most 120 s between arrivals
        input data
        correlation first($data.order, null) as $token | if type($token) == "string" or type($token) == "number" or type($token) == "boolean" then $token else first($run.id, null) end
        event E type "t.e" source "/s" correlated by attribute($event, "order") as order carrying order
        event F type "t.f" source "/s"
        var data
        var received
        Wait: receive, keep the unused -> received   # event state "Wait"
          correlated by order (first($data.order, null))
          0: E and F within 120 s
        Wait/arrived: choose
          when $received.alternative == null then Wait/drop
          else Wait/events
        Wait/drop: receive, keep the unused -> received
          correlated by order (first($data.order, null))
          0: (E or F) within 0 s
        Wait/dropped: choose
          when $received.alternative == null then Last
          else Wait/drop
        Wait/events: data := reduce $received.events[*] as $each ($data; . as $data | if $each.name == "E" then assignEvent($data, first($each.event, null), "E", "order") else assignResult($data, first($each.event.data, null), "F") end)
        Last: end with $data   # inject state "Last"
      "
    `);
    expect(read.findings).toEqual([]);
  });

  test("has no timeout if each event starts a run", () => {
    const read = lower(
      definition(waiting(`${start}  timeout: PT2M\n`, "  - { eventRefs: [E], actions: [] }\n"), events),
    );
    expect(read.ir).not.toContain("within");
    expect(read.findings).toEqual([
      "11 WB3110 <timeout> `timeout` has no effect here: each event starts a run of its own, so the state does not wait.",
    ]);
  });
});

describe("an event state inside a workflow", () => {
  const entries =
    "  - { eventRefs: [E], actions: [{ functionRef: { refName: f } }], eventDataFilter: { dataOutputPath: $.data.bid } }\n";
  const handled = "  onError: [{ expression: $.error ne null, transition: { nextState: Last } }]\n";

  test("skips its actions after a timeout that no handler catches", () => {
    const other = handled.replace("$.error ne null", "name eq 'Bad'");
    const read = lower(definition(first + waiting(`  timeout: PT1H\n${other}`, entries).slice(1), functions + events));
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "First: data := assign($data, {})   # inject state "First"
      Wait: receive, keep the unused -> received   # event state "Wait"
        correlated by order (first($data.order, null))
        0: E within 3600 s
      Wait/arrived: choose
        when $received.alternative == null then Last
        else Wait/attempt
      Wait/attempt: attempt
        Wait/event: data := if exists($received.events[0].event.data.bid) then assign($data, { bid: first($received.events[0].event.data.bid, null) }) else if exists($received.events[0].event.data.data.bid) then assign($data, { bid: first($received.events[0].event.data.data.bid, null) }) else place($data, ["data","bid"], $received.events[0].event) end end
        Wait/f: call f($data) -> result
        Wait/merge: data := assignResult($data, $result, "f")
        Wait/done: end with $data
        on error when compareInCondition($error.name, "==", "Bad") -> error then Wait/onError
        then Last
      Wait/onError: data := place($data, ["error"], merge({ name: first($error.name, ""), message: first($error.message, "") }, first({ trace: $error.data.trace }, {})))
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test("fails after a timeout with `timeout: fail`", () => {
    const read = lower(
      definition(first + waiting(`  timeout: PT1H\n${handled}`, entries).slice(1), functions + events),
      {
        options: { timeout: "fail" },
      },
    );
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "First: data := assign($data, {})   # inject state "First"
      Wait: receive, keep the unused -> received   # event state "Wait"
        correlated by order (first($data.order, null))
        0: E within 3600 s
      Wait/attempt: attempt
        Wait/which: choose
          when $received.alternative == null then Wait/timeout
          else Wait/event
        Wait/timeout: fail with {"origin":"timeout","name":"Timeout","message":""}
        Wait/event: data := if exists($received.events[0].event.data.bid) then assign($data, { bid: first($received.events[0].event.data.bid, null) }) else if exists($received.events[0].event.data.data.bid) then assign($data, { bid: first($received.events[0].event.data.data.bid, null) }) else place($data, ["data","bid"], $received.events[0].event) end end
        Wait/f: call f($data) -> result
        Wait/merge: data := assignResult($data, $result, "f")
        Wait/done: end with $data
        on error when true -> error then Wait/onError
        then Last
      Wait/onError: data := place($data, ["error"], merge({ name: first($error.name, ""), message: first($error.message, "") }, first({ trace: $error.data.trace }, {})))
      Last: end with $data   # inject state "Last"
      "
    `);
    expect(read.findings).toEqual([]);
  });

  test("fails after a timeout that a handler catches", () => {
    const text = definition(first + waiting(`  timeout: PT1H\n${handled}`, entries).slice(1), functions + events);
    const read = lower(text);
    expect(stepsOf(read)).toBe(stepsOf(lower(text, { options: { timeout: "fail" } })));
    expect(read.findings).toMatchInlineSnapshot(`
      [
        "14 WB3109 <PT1H> If the wait times out, \`onError\` of state \`Wait\` handles the error \`Timeout\` if its condition matches.",
      ]
    `);
  });

  test("discards received events if the wait for all times out", () => {
    const both =
      "  - { eventRefs: [E, F], actions: [{ functionRef: { refName: f } }] }\n  - { eventRefs: [F], actions: [], eventDataFilter: { dataOutputPath: $.f } }\n";
    const read = lower(
      definition(first + waiting("  exclusive: false\n  timeout: PT1H\n", both).slice(1), functions + events),
    );
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "First: data := assign($data, {})   # inject state "First"
      Wait: receive, keep the unused -> received   # event state "Wait"
        correlated by order (first($data.order, null))
        0: E and F within 3600 s
      Wait/arrived: choose
        when $received.alternative == null then Wait/drop
        else Wait/events
      Wait/drop: receive, keep the unused -> received
        correlated by order (first($data.order, null))
        0: (E or F) within 0 s
      Wait/dropped: choose
        when $received.alternative == null then Last
        else Wait/drop
      Wait/events: data := reduce $received.events[*] as $each ($data; . as $data | if $each.name == "E" then assignEvent($data, first($each.event, null), "E", "order") else assignResult($data, first($each.event.data, null), "F") as $data | place($data, ["f"], first($each.event.f, first($each.event.data.f, $each.event))) end)
      Wait/f: call f($data) -> result
      Wait/merge: data := assignResult($data, $result, "f")
      Last: end with $data   # inject state "Last"
      "
    `);
  });
});

describe("a callback state", () => {
  const calling = (properties: string): string =>
    definition(
      `
- name: Ask
  type: callback
  start: { kind: default }
  action: { functionRef: { refName: f } }
  eventRef: F
  timeout: PT1H
${properties}  transition: { nextState: Last }
${last}`,
      functions + events.replace("/s }", "/s, correlationToken: key }"),
    );

  test("calls, waits, and continues after a timeout", () => {
    expect(stepsOf(lower(calling("")))).toMatchInlineSnapshot(`
      "Ask: call f($data) -> result   # callback state "Ask"
      Ask/merge: data := assignResult($data, $result, "f")
      Ask/wait: receive, keep the unused -> received
        correlated by key (first($data.key, null))
        0: F within 3600 s
      Ask/arrived: choose
        when $received.alternative == 0 then Ask/event
        else Last
      Ask/event: data := assignEvent($data, first($received.events[0].event, null), "F", "key")
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test("fails after a timeout that its handler catches, depending on the data", () => {
    const taken = (expression: string) =>
      lower(calling(`  onError: [{ expression: ${expression}, transition: { nextState: Last } }]\n`));
    const decision = (expression: string) =>
      stepsOf(taken(expression))
        .split("\n")
        .filter((line) => /^ {4}(when|else)/.test(line));
    expect(decision("name eq 'Timeout'")).toEqual([
      "    when $received.alternative == 0 then Ask/event",
      "    when true then Ask/timeout",
      "    else Ask/done",
    ]);
    expect(decision("$.vip eq true and name eq 'Timeout'")).toEqual([
      "    when $received.alternative == 0 then Ask/event",
      '    when compareInCondition($data.vip, "==", true) then Ask/timeout',
      "    else Ask/done",
    ]);
    expect(decision("name eq 'Declined'")).toEqual([
      "    when $received.alternative == 0 then Ask/event",
      "    else Ask/done",
    ]);
    expect(taken("name eq 'Declined'").findings).toEqual([
      "16 WB3108 <PT1H> If the wait for the event times out, the state ends without an error.",
    ]);
  });
});
