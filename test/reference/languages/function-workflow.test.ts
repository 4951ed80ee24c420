import { expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { and, binary, literal, member, query, reduce, variable } from "../../../src/expressions/core/build.ts";
import { printWorkflow } from "../../../src/ir/print.ts";
import type { EventCombination } from "../../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import {
  allOf,
  assign,
  call,
  choose,
  data,
  delay,
  end,
  event,
  fail,
  handler,
  receive,
  scope,
  workflow,
  yes,
} from "../build.ts";
import {
  callsOf,
  findings,
  type InterpretOptions,
  interpretWorkflow,
  outcomeOf,
  returns,
  throws,
} from "../interpreting.ts";

/**
 * Function Workflow 0.1: a start state that waits for a combination of events, and an action that is retried because of
 * its result.
 *
 *   "trigger-defs": { "door": { "source": "/door", "correlation-token": "$.data.house" }, "motion": {…}, "alarm": {…} },
 *   "states": {
 *     "WATCH": {
 *       "type": "EVENT", "start": true,
 *       "events": [{
 *         "event-expression": "door and (motion or alarm)",
 *         "timeout": 300,
 *         "action-mode": "SEQUENTIAL",
 *         "actions": [
 *           { "function": "assess", "retry": [
 *             { "match": "PENDING", "retry-interval": 5, "max-retry": 2, "next-state": "UNCLEAR" },
 *             { "match": "SYS.MatchAny", "retry-interval": 1, "max-retry": 1, "next-state": "FAILED" }] },
 *           { "function": "tell" }],
 *         "next-state": "DONE" }] },
 *     "UNCLEAR": { "type": "OPERATION", "action-mode": "SEQUENTIAL", "actions": [{ "function": "askSomebody" }], "next-state": "DONE" },
 *     "FAILED": { "type": "END", "status": "FAILURE" },
 *     "DONE": { "type": "END", "status": "SUCCESS" } }
 *
 * The first event creates the run, which then waits for the rest: one alternative with two groups. Events merge into
 * the data in order of arrival. The retry by result is a loop with a counter, separate from that of the retry by error.
 * After the last retry, `next-state` receives the state's input. A workflow with two END states fails on a timeout.
 */

const [given, got, answer, pending, errors] = ["given", "got", "answer", "pending", "errors"].map(variable) as [
  Expression,
  Expression,
  Expression,
  Expression,
  Expression,
];
const plusOne = (count: Expression) => binary("+", count, literal(1));
const below = (count: Expression, limit: number) => binary("<", count, literal(limit));
const arrived = query(got, [
  { descend: false, selectors: [{ kind: "name", name: "events" }] },
  { descend: false, selectors: [{ kind: "wildcard" }] },
  { descend: false, selectors: [{ kind: "name", name: "event" }] },
]);
const merged = reduce(arrived, "each", data, binary("+", { kind: "identity" }, variable("each")));
const isPending = binary("==", answer, literal("PENDING"));
const expression: EventCombination = { ...allOf("door", ["motion", "alarm"]), within: 300 };
const house = member(variable("event"), "data", "house");

const watch = workflow(
  scope(
    ["data", "given", "got", "answer", "problem", "pending", "errors"],
    assign("WATCH", { given: data }, "WATCH/wait"),
    receive("WATCH/wait", [expression], "got", "WATCH/which"),
    choose("WATCH/which", [[binary("==", member(got, "alternative"), literal(0)), "WATCH/events"]], "WATCH/late"),
    assign("WATCH/events", { data: merged, pending: literal(0), errors: literal(0) }, "WATCH/assess"),
    call("WATCH/assess", "assess", data, "WATCH/judge", {
      bind: "answer",
      handlers: [handler(yes, "WATCH/failed", "problem")],
    }),
    choose(
      "WATCH/judge",
      [
        [and(isPending, below(pending, 2)), "WATCH/again"],
        [isPending, "WATCH/unclear"],
      ],
      "WATCH/tell",
    ),
    delay("WATCH/again", literal(5), "WATCH/count"),
    assign("WATCH/count", { pending: plusOne(pending) }, "WATCH/assess"),
    choose("WATCH/failed", [[below(errors, 1), "WATCH/retry"]], "WATCH/broken"),
    delay("WATCH/retry", literal(1), "WATCH/count errors"),
    assign("WATCH/count errors", { errors: plusOne(errors) }, "WATCH/assess"),
    assign("WATCH/unclear", { data: given }, "UNCLEAR"),
    assign("WATCH/broken", { data: given }, "FAILED"),
    call("WATCH/tell", "tell", answer, "WATCH/told", { bind: "answer" }),
    assign("WATCH/told", { data: answer }, "DONE"),
    fail("WATCH/late", "SYS.Timeout", "The events of WATCH have not come in time."),
    call("UNCLEAR", "askSomebody", data, "UNCLEAR/asked", { bind: "answer" }),
    assign("UNCLEAR/asked", { data: answer }, "DONE"),
    fail("FAILED", "SYS.Fail", "FAILED"),
    end("DONE", data),
  ),
  {
    id: "watch",
    events: ["door", "motion", "alarm"].map((name) =>
      event(name, { type: undefined, source: `/${name}`, correlation: house }),
    ),
    start: { on: [allOf("door", ["motion", "alarm"])], create: "first" },
  },
);

const arrives = (source: string, number: number, carried: JsonObject = {}): JsonObject => ({
  source: `/${source}`,
  data: { house: number },
  ...carried,
});
const burglary: InterpretOptions["events"] = [
  [0, arrives("alarm", 1, { loud: true })],
  [1, arrives("door", 2)],
  [2, arrives("motion", 1)],
  [4, arrives("door", 1)],
];
const run = (assess: NonNullable<InterpretOptions["functions"]>[string], events = burglary) =>
  interpretWorkflow(watch, {
    events: events!,
    functions: { assess, tell: (told: Json) => returns({ told }), askSomebody: [returns("a neighbour")] },
  });
const summary = (seen: Awaited<ReturnType<typeof run>>) => seen.calls.map((each) => each.function);

test("the analysis finds nothing", () => {
  expect(findings(watch)).toEqual([]);
});

test("the run starts with the first event and continues once the expression holds, for events of one house", async () => {
  const seen = await run([returns("high")]);
  expect(outcomeOf(seen)).toEqual({ output: { told: "high" } });
  expect(callsOf(seen)).toEqual([
    `assess(${JSON.stringify({ source: "/door", data: { house: 1 }, loud: true })})`,
    'tell("high")',
  ]);
  expect(seen.elapsed).toBe(4);
});

test("a pending result is retried twice; then the next state receives the state's input", async () => {
  const found = await run([returns("PENDING"), returns("PENDING"), returns("low")]);
  expect(found).toMatchObject({ outcome: { output: { told: "low" } }, elapsed: 4 + 10 });
  const unclear = await run([returns("PENDING")]);
  expect(outcomeOf(unclear)).toEqual({ output: "a neighbour" });
  expect(callsOf(unclear).slice(3)).toEqual(["askSomebody({})"]);
});

test("errors have a separate counter", async () => {
  const seen = await run([returns("PENDING"), throws("Down"), returns("PENDING"), throws("Down")]);
  expect(summary(seen)).toEqual(["assess", "assess", "assess", "assess"]);
  expect(seen).toMatchObject({
    outcome: { status: "failed", error: { name: "SYS.Fail", message: "FAILED" } },
    elapsed: 4 + 5 + 1 + 5,
  });
});

test("without the rest of the events the run ends as failed", async () => {
  const seen = await run(
    [],
    [
      [0, arrives("door", 1)],
      [1, arrives("door", 1)],
      [299, arrives("motion", 2)],
    ],
  );
  expect(seen).toMatchObject({ outcome: { error: { name: "SYS.Timeout" } }, elapsed: 300, calls: [] });
});

test("one of the events starts a run that waits; other events start none", async () => {
  expect(outcomeOf(await run([], [[0, { source: "/window" }]]))).toBe("not-started");
});

test("the printed IR", () => {
  expect(printWorkflow(watch)).toMatchInlineSnapshot(`
    "workflow watch "main" "1.0" from hand
      started by the first event of
        door and (motion or alarm)
      input data
      function assess
      function tell
      function askSomebody
      event door source "/door" correlated by $event.data.house
      event motion source "/motion" correlated by $event.data.house
      event alarm source "/alarm" correlated by $event.data.house
      var data
      var given
      var got
      var answer
      var problem
      var pending
      var errors
      WATCH: given := $data   # state "WATCH"
      WATCH/wait: receive, keep the unused -> got
        0: door and (motion or alarm) within 300 s
      WATCH/which: choose
        when $got.alternative == 0 then WATCH/events
        else WATCH/late
      WATCH/events: assign
        data := reduce $got.events[*].event as $each ($data; . + $each)
        pending := 0
        errors := 0
      WATCH/assess: call assess($data) -> answer
        on error when true -> problem then WATCH/failed
      WATCH/judge: choose
        when $answer == "PENDING" and $pending < 2 then WATCH/again
        when $answer == "PENDING" then WATCH/unclear
        else WATCH/tell
      WATCH/again: wait for 5 s
      WATCH/count: pending := $pending + 1
        then WATCH/assess
      WATCH/failed: choose
        when $errors < 1 then WATCH/retry
        else WATCH/broken
      WATCH/retry: wait for 1 s
      "WATCH/count errors": errors := $errors + 1
        then WATCH/assess
      WATCH/unclear: data := $given
        then UNCLEAR
      WATCH/broken: data := $given
        then FAILED
      WATCH/tell: call tell($answer) -> answer
      WATCH/told: data := $answer
        then DONE
      WATCH/late: fail with {"origin":"fail","name":"SYS.Timeout","message":"The events of WATCH have not come in time."}
      UNCLEAR: call askSomebody($data) -> answer   # state "UNCLEAR"
      UNCLEAR/asked: data := $answer
        then DONE
      FAILED: fail with {"origin":"fail","name":"SYS.Fail","message":"FAILED"}   # state "FAILED"
      DONE: end with $data   # state "DONE"
    "
  `);
});
