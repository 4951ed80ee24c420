import { expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import {
  binary,
  call as builtin,
  firstOr,
  literal,
  member,
  object,
  query,
  variable,
} from "../../../src/expressions/core/build.ts";
import { printWorkflow } from "../../../src/ir/print.ts";
import type { JsonObject } from "../../../src/json.ts";
import {
  allOf,
  assign,
  attempt,
  call,
  choose,
  data,
  delay,
  end,
  event,
  handler,
  named,
  pattern,
  raise,
  receive,
  scope,
  span,
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
 * State Machines For Cloud: a state that waits for groups of events or its timeout, with a retried action and an exit
 * action, in a machine with an execution timeout.
 *
 *   execTimeout: { duration: PT2H, action: { type: InvokeFunction, functionName: giveUp } }
 *   states:
 *   - name: Collect
 *     start: true
 *     transitions:
 *     - eventGroups:
 *       - { events: [paid, waived], resultHandler: "${ .payment = $value.data }" }
 *       - { events: [packed], condition: "${ $value.data.boxes > 0 }", resultHandler: "${ .boxes = $value.data.boxes }" }
 *       action:
 *         { type: InvokeFunction, functionName: label, arguments: { order: "${ .id }" }, errorHandlers: [
 *           { condition: '${ .ClassName == "Busy" }', resultHandler: "${ .tries += 1 }", retryPolicy: twice },
 *           { resultHandler: "${ .problem = $value.Message }" }] }
 *       resultHandler: "${ .label = $value }"
 *       nextState: Ship
 *     - { eventGroups: [{ events: [reminder], resultHandler: "${ .reminders += 1 }" }] }
 *     - { timeout: PT10M, nextState: Late }
 *     exitAction: { type: InvokeFunction, functionName: archive, arguments: { order: "${ .id }" } }
 *     exitResultHandler: "${ .archive = $value }"
 *   - { name: Ship }
 *   - { name: Late, enterAction: { type: InjectData, expression: "${ true }" }, enterResultHandler: "${ .late = $value }" }
 *
 * The wait binds events by group, because each group's handler receives its own event. Error handlers change the data
 * on every failed attempt, so retries are a loop in the IR. The transition without `nextState` waits again with a new
 * timer.
 */

const [got, answer, problem, tries] = [variable("got"), variable("answer"), variable("problem"), variable("tries")];
const set = (name: string, value: Expression) => builtin("place", data, literal([name]), value);
const orNull = (path: Expression) => firstOr(path, literal(null));
const add = (name: string, amount: number) => set(name, binary("+", orNull(member(data, name)), literal(amount)));
const group = (index: number) =>
  query(got, [
    { descend: false, selectors: [{ kind: "name", name: "groups" }] },
    { descend: false, selectors: [{ kind: "index", index }] },
    { descend: false, selectors: [{ kind: "name", name: "event" }] },
    { descend: false, selectors: [{ kind: "name", name: "data" }] },
  ]);
const hasBoxes = binary(">", orNull(member(variable("event"), "data", "boxes")), literal(0));
const order = object([["order", orNull(member(data, "id"))]]);
const is = (alternative: number | null) => binary("==", member(got, "alternative"), literal(alternative));

const states = scope(
  [],
  receive(
    "Collect",
    [
      { all: [[pattern("paid"), pattern("waived")], [pattern("packed", hasBoxes)]], none: [], within: 600, span },
      { ...allOf("reminder"), within: 600 },
    ],
    "got",
    "Collect/which",
    "drop",
  ),
  choose(
    "Collect/which",
    [
      [is(0), "Collect/payment"],
      [is(1), "Collect/reminder"],
    ],
    "Collect/late",
  ),
  assign("Collect/reminder", { data: add("reminders", 1) }, "Collect"),
  assign("Collect/payment", { data: set("payment", orNull(group(0))), tries: literal(0) }, "Collect/boxes"),
  assign("Collect/boxes", { data: set("boxes", orNull(member(group(1), "boxes"))) }, "Collect/label"),
  call("Collect/label", "label", order, "Collect/labelled", {
    bind: "answer",
    handlers: [handler(named("Busy"), "Collect/busy", "problem"), handler(yes, "Collect/problem", "problem")],
  }),
  assign("Collect/busy", { data: add("tries", 1) }, "Collect/again"),
  choose("Collect/again", [[binary("<", tries, literal(2)), "Collect/wait"]], "Collect/rethrow"),
  delay("Collect/wait", literal(5), "Collect/count"),
  assign("Collect/count", { tries: binary("+", tries, literal(1)) }, "Collect/label"),
  raise("Collect/rethrow", problem),
  assign(
    "Collect/problem",
    { data: set("problem", member(problem, "message")), answer: literal(null) },
    "Collect/labelled",
  ),
  assign("Collect/labelled", { data: set("label", answer) }, "Collect/exit"),
  call("Collect/exit", "archive", order, "Collect/exited", { bind: "answer" }),
  assign("Collect/exited", { data: set("archive", answer) }, "Ship"),
  call("Collect/late", "archive", order, "Collect/archived", { bind: "answer" }),
  assign("Collect/archived", { data: set("archive", answer) }, "Late"),
  assign("Late", { data: set("late", literal(true)) }, "Done"),
  end("Ship", data),
  end("Done", data),
);

const machine = workflow(
  scope(
    ["data", "got", "answer", "problem", "tries", "result"],
    attempt("Machine", states, "End", {
      timeout: 7200,
      bind: "result",
      handlers: [handler(binary("==", member(variable("error"), "origin"), literal("timeout")), "GiveUp")],
    }),
    call("GiveUp", "giveUp", data, "Nothing"),
    end("Nothing", literal(null)),
    end("End", variable("result")),
  ),
  { id: "order", events: ["paid", "waived", "packed", "reminder"].map((name) => event(name)) },
);

const arrives = (type: string, carried: JsonObject = {}): JsonObject => ({ type, data: carried });
const run = (rest: InterpretOptions) =>
  interpretWorkflow(machine, {
    input: { id: 7 },
    ...rest,
    functions: { archive: [returns("shelf")], label: [returns("L")], ...rest.functions },
  });

test("the analysis finds nothing", () => {
  expect(findings(machine)).toEqual([]);
});

test("each group's handler receives its event; the exit action follows the action", async () => {
  const seen = await run({
    events: [
      [1, arrives("packed", { boxes: 0 })],
      [2, arrives("packed", { boxes: 3 })],
      [3, arrives("waived", { by: "boss" })],
    ],
  });
  expect(outcomeOf(seen)).toEqual({
    output: { id: 7, payment: { by: "boss" }, boxes: 3, label: "L", archive: "shelf" },
  });
  expect(callsOf(seen)).toEqual(['label({"order":7})', 'archive({"order":7})']);
});

test("an event without a next state keeps the state and restarts its timer", async () => {
  const seen = await run({
    events: [
      [500, arrives("reminder")],
      [1000, arrives("reminder")],
    ],
  });
  expect(seen).toMatchObject({
    outcome: { output: { id: 7, reminders: 2, archive: "shelf", late: true } },
    elapsed: 1600,
  });
});

test("an unfinished wait loses its events", async () => {
  const seen = await run({
    events: [
      [1, arrives("paid")],
      [2, arrives("reminder")],
      [3, arrives("packed", { boxes: 1 })],
    ],
  });
  expect(seen).toMatchObject({ outcome: { output: { reminders: 1, late: true } }, elapsed: 602 });
});

const ready = [
  [0, arrives("paid", { sum: 1 })],
  [0, arrives("packed", { boxes: 1 })],
] as const;

test("an error's handler changes the data on every failed attempt", async () => {
  const seen = await run({ events: ready, functions: { label: [throws("Busy"), throws("Busy"), returns("L3")] } });
  expect(seen).toMatchObject({ outcome: { output: { tries: 2, label: "L3" } }, elapsed: 10 });
});

test("after the last retry the error passes the other handlers", async () => {
  const seen = await run({ events: ready, functions: { label: [throws("Busy", "no paper")] } });
  expect(seen).toMatchObject({
    outcome: { status: "failed", error: { name: "Busy", message: "no paper" } },
    elapsed: 10,
  });
});

test("an error without a retry policy is swallowed: the action's result is null", async () => {
  const seen = await run({ events: ready, functions: { label: [throws("Jam", "stuck")] } });
  expect(seen).toMatchObject({ outcome: { output: { problem: "stuck", label: null, archive: "shelf" } } });
});

test("after the execution timeout its action runs, and the run ends with null", async () => {
  const seen = await run({
    events: Array.from({ length: 20 }, (_, i) => [(i + 1) * 500, arrives("reminder")] as const),
  });
  expect(seen).toMatchObject({ outcome: { status: "succeeded", output: null }, elapsed: 7200 });
  expect(callsOf(seen)).toEqual(['giveUp({"id":7,"reminders":14})']);
});

test("the printed IR", () => {
  expect(printWorkflow(machine)).toMatchInlineSnapshot(`
    "workflow order "main" "1.0" from hand
      input data
      function label
      function archive
      function giveUp
      event paid type "paid"
      event waived type "waived"
      event packed type "packed"
      event reminder type "reminder"
      var data
      var got
      var answer
      var problem
      var tries
      var result
      Machine: attempt within 7200 s -> result   # state "Machine"
        Collect: receive, drop the unused -> got   # state "Collect"
          0: (paid or waived) and packed when (first($event.data.boxes, null) > 0) within 600 s
          1: reminder within 600 s
        Collect/which: choose
          when $got.alternative == 0 then Collect/payment
          when $got.alternative == 1 then Collect/reminder
          else Collect/late
        Collect/reminder: data := place($data, ["reminders"], first($data.reminders, null) + 1)
          then Collect
        Collect/payment: assign
          data := place($data, ["payment"], first($got.groups[0].event.data, null))
          tries := 0
        Collect/boxes: data := place($data, ["boxes"], first($got.groups[1].event.data.boxes, null))
        Collect/label: call label({ order: first($data.id, null) }) -> answer
          on error when $error.name == "Busy" -> problem then Collect/busy
          on error when true -> problem then Collect/problem
          then Collect/labelled
        Collect/busy: data := place($data, ["tries"], first($data.tries, null) + 1)
        Collect/again: choose
          when $tries < 2 then Collect/wait
          else Collect/rethrow
        Collect/wait: wait for 5 s
        Collect/count: tries := $tries + 1
          then Collect/label
        Collect/rethrow: fail with $problem
        Collect/problem: assign
          data := place($data, ["problem"], $problem.message)
          answer := null
        Collect/labelled: data := place($data, ["label"], $answer)
        Collect/exit: call archive({ order: first($data.id, null) }) -> answer
        Collect/exited: data := place($data, ["archive"], $answer)
          then Ship
        Collect/late: call archive({ order: first($data.id, null) }) -> answer
        Collect/archived: data := place($data, ["archive"], $answer)
        Late: data := place($data, ["late"], true)   # state "Late"
          then Done
        Ship: end with $data   # state "Ship"
        Done: end with $data   # state "Done"
        on error when $error.origin == "timeout" then GiveUp
        then End
      GiveUp: call giveUp($data)   # state "GiveUp"
      Nothing: end with null   # state "Nothing"
      End: end with $result   # state "End"
    "
  `);
});
