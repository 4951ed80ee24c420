import { expect, test } from "vitest";
import { literal, member, object, variable } from "../../src/expressions/core/build.ts";
import { printProgram, printWorkflow } from "../../src/ir/print.ts";
import type { Step, Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import { located } from "../analysis/findings.ts";
import {
  allOf,
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  delay,
  emit,
  end,
  error,
  event,
  forEach,
  fork,
  handler,
  invoke,
  named,
  pattern,
  receive,
  retry,
  scope,
  span,
  until,
  workflow,
} from "../reference/build.ts";

/** The printed steps of a workflow over `data`, without its header. */
function steps(...made: readonly Step[]): readonly string[] {
  const lines = printWorkflow(workflow(scope(["data"], ...made), { functions: [] })).split("\n");
  return lines.slice(3, -1).map((line) => line.slice(2));
}

test("a small workflow", () => {
  const body = scope(
    ["data", "result"],
    call("Greet", "greet", object([["name", member(data, "name")]]), "Greet/merge", { bind: "result" }),
    assign("Greet/merge", { data: object([["greeting", member(data, "text")]]) }, "End"),
    end("End", data),
  );
  expect(
    printWorkflow(located(workflow(body, { id: "greeting", name: "Greeting Workflow" }))),
  ).toBe(`workflow greeting "Greeting Workflow" "1.0" from hand
  input data
  function greet
  var data
  var result
  Greet: call greet({ name: $data.name }) -> result   # state "Greet"
  Greet/merge: data := { greeting: $data.text }
  End: end with $data   # state "End"
`);
});

test("the header of a workflow", () => {
  const all: Workflow = {
    ...workflow({
      ...scope(["data", ["count", literal(0)]], end("End", data)),
      window: { until: "2030-01-01T00:00:00Z" },
    }),
    id: "sign up",
    description: "Two\nlines",
    inputSchema: "in.json",
    outputSchema: "out.json",
    correlation: member(data, "order"),
    functions: [{ name: "ask", resource: "arn:aws:x", type: "rest", span }],
    events: [
      event("paid", {
        source: "shop",
        subject: "order",
        foldCase: true,
        correlation: member(data, "order"),
        correlationAttribute: "orderid",
      }),
      { name: "any", span },
    ],
    start: {
      on: [allOf("paid", ["any", "paid"])],
      create: "complete",
      gap: 60,
      window: { from: "2020-01-01T00:00:00Z", until: "2021-01-01T00:00:00Z" },
      span,
    },
  };
  expect(printWorkflow(all)).toBe(`workflow "sign up" "main" "1.0" from hand
  description "Two\\nlines"
  started by the complete events of
    paid and (any or paid)
  at most 60 s between arrivals
  active from 2020-01-01T00:00:00Z until 2021-01-01T00:00:00Z
  input data
  input schema "in.json"
  output schema "out.json"
  correlation $data.order
  function ask ("rest") = "arn:aws:x"
  event paid type "paid" source "shop" subject "order" in any case correlated by $data.order carrying orderid
  event any
  var data
  var count = 0
  active until 2030-01-01T00:00:00Z
  End: end with $data   # state "End"
`);
});

test("the workflows of a program, in order", () => {
  const small = (id: string): Workflow => workflow(scope(["data"], end("End", data)), { id });
  expect(printProgram(programOf([small("b"), small("a")]))).toBe(
    `${printWorkflow(small("b"))}\n${printWorkflow(small("a"))}`,
  );
});

test("entries and transitions out of order are printed", () => {
  const body = {
    ...scope(["data"], end("End", data), assign("Two words", { data }, "End")),
    entry: { name: "Two words", span },
  };
  expect(printWorkflow(workflow(body)).split("\n").slice(3, -1)).toEqual([
    '  begin at "Two words"',
    '  End: end with $data   # state "End"',
    '  "Two words": data := $data   # state "Two words"',
    "    then End",
  ]);
});

const base = (step: Step): Step => ({ ...step, origin: { ...step.origin, entry: false } });

test.each<[string, Step, readonly string[]]>([
  ["several assignments", assign("S", { x: data, y: literal(1) }, "End"), ["S: assign", "  x := $data", "  y := 1"]],
  ["a choice", choose("S", [[data, "A"]], "B"), ["S: choose", "  when $data then A", "  else B"]],
  [
    "a choice without default",
    choose("S", [[data, "A"]]),
    ["S: choose", "  when $data then A", "  else fail with NoChoiceMatched"],
  ],
  [
    "a call that is not waited for",
    call("S", "ask", data, "End", { wait: false, timeout: 5 }),
    ["S: fire ask($data) within 5 s"],
  ],
  ["delays", delay("S", literal(5), "End"), ["S: wait for 5 s"]],
  ["instants", until("S", data, "End"), ["S: wait until $data"]],
  [
    "events",
    receive(
      "S",
      [{ ...allOf("a", ["b", "c"]), none: [pattern("d", data)], within: 9 }, allOf("e")],
      "got",
      "End",
      "drop",
    ),
    ["S: receive, drop the unused -> got", "  0: a and (b or c) without d when ($data) within 9 s", "  1: e"],
  ],
  [
    "a wait with a correlation value",
    receive("S", [allOf("a")], "got", "End", "keep", [{ key: "order", value: data }]),
    ["S: receive, keep the unused -> got", "  correlated by order ($data)", "  0: a"],
  ],
  [
    "an emitted event with a correlation value",
    emit("S", "paid", data, "End", undefined, data),
    ["S: emit paid($data) correlated by ($data)"],
  ],
  ["an event of ours", emit("S", "paid", data, "End", { subject: "x" }), ['S: emit paid($data) with {"subject":"x"}']],
  [
    "an event that is bound",
    { ...emit("S", "paid", data, "End", { type: member(data, "kind"), size: literal(1) }), bind: "x" } as Step,
    ['S: emit paid($data) with {"type":$data.kind,"size":1} -> x'],
  ],
  [
    "a subflow",
    invoke("S", "other", data, "End", { terminates: true, timeout: 3, bind: "x" }),
    ["S: run other($data) whose terminate ends this within 3 s -> x"],
  ],
  ["a subflow that is not waited for", invoke("S", "other", data, "End", { wait: false }), ["S: start other($data)"]],
  ["the end of a run", end("S", data, "run"), ["S: end the run with $data"]],
  ["failing", { ...end("S", error), outcome: "fail" } as Step, ["S: fail with $error"]],
  [
    "branches",
    fork(
      "S",
      [branch("one", scope(["x"], base(end("A", data)))), branch("two words", scope([], base(end("B", data))))],
      "End",
      {
        join: { kind: "some", count: 1 },
        failure: "spare",
        width: 2,
        bind: "all",
      },
    ),
    [
      "S: fork joining 1 of 2, sparing failures, 2 at once -> all",
      "  branch one",
      "    var x",
      "    A: end with $data",
      '  branch "two words"',
      "    B: end with $data",
    ],
  ],
  [
    "branches of which all count",
    fork("S", [branch("one", scope([], base(end("A", data))))], "End"),
    ["S: fork joining all", "  branch one", "    A: end with $data"],
  ],
  [
    "iterations",
    forEach("S", data, scope([["x", data]], base(end("A", data))), "End", {
      index: "i",
      width: 1,
      gap: 2,
      bind: "all",
    }),
    ["S: for each element, i in $data, 1 at once, 2 s apart -> all", "  var x = $data", "  A: end with $data"],
  ],
  [
    "an attempt with retries and handlers",
    attempt("S", scope([], base(end("A", data))), "End", {
      restore: ["data", "x"],
      timeout: 10,
      retries: [
        retry(1, 2),
        retry(3, 1, { when: named("Slow"), factor: 2, step: 4, cap: 30, jitter: { kind: "fraction", amount: 0.1 } }),
        retry(2, 0, { jitter: { kind: "spread", amount: 3 } }),
        { ...retry(1, 2, { jitter: { kind: "range", from: 1, to: 3 } }), limit: undefined, within: 60 },
        {
          ...retry(1, 0),
          delay: { base: variable("x"), factor: 1, step: 0, cap: variable("y") },
          within: variable("z"),
        },
      ],
      handlers: [handler(named("Lost"), "Mend", "error"), handler(literal(true), "End")],
    }),
    [
      "S: attempt restoring data, x within 10 s",
      "  A: end with $data",
      "  retry once when true after 2 s",
      '  retry 3 times when $error.name == "Slow" after 1 s, times 2, plus 4 s, at most 30 s, give or take 0.1 of it',
      "  retry 2 times when true after 0 s, give or take 3 s",
      "  retry without limit within 60 s when true after 2 s, plus 1 to 3 s",
      "  retry once within $z s when true after $x s, at most $y s",
      '  on error when $error.name == "Lost" -> error then Mend',
      "  on error when true then End",
    ],
  ],
])("how %s print", (_, step, expected) => {
  expect(steps(base(step), base(end("End", data)))).toEqual([...expected, "End: end with $data"]);
});
