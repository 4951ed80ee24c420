import { expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import {
  and,
  binary,
  bind,
  call as builtin,
  conditional,
  firstOr,
  literal,
  member,
  object,
  variable,
} from "../../../src/expressions/core/build.ts";
import { printWorkflow } from "../../../src/ir/print.ts";
import type { Json } from "../../../src/json.ts";
import { assign, call, choose, end, forEach, retry, scope, workflow } from "../build.ts";
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
 * YaWL: a loop inside a foreach, where a nested `success` ends the whole run.
 *
 *   start: each
 *   steps:
 *     each:
 *       foreach:
 *         input: \(.sites)
 *         output: '\({checked: .})'
 *         concurrency: 2
 *         do:
 *           start: poll
 *           steps:
 *             poll:
 *               while:
 *                 condition: .up != true
 *                 max_iterations: 3
 *                 do:
 *                   start: ping
 *                   steps:
 *                     ping:
 *                       functionCall:
 *                         functionId: ping
 *                         input: '\({url, round: $counter})'
 *                         retryPolicy: { errorList: [STEP_TIMEOUT, HTTP_CALL_503], initialDelay: 2s, backoffRate: 2, retryCount: 2 }
 *                         timeout: 10s
 *                         next: look
 *                     look: { switch: { choices: [{ condition: .alarm, next: stop }] , default: { next: rest } } }
 *                     rest: { noOp: {} }
 *                     stop: { success: {} }
 *                 next: mark
 *             mark: { noOp: { output: '\({url, up})' } }
 *
 * Each scope's state is a variable, initialized from the element or the outer state. `$global` is a variable of the
 * outermost scope; a nested `success` ends the run with it. The loop is a back edge in the iteration's scope.
 * Integration errors keep their code as the name; a timeout has another name here, so retries check its origin.
 */

const [state, global, loop, last, round, element, answer, results] = [
  "state",
  "global",
  "loop",
  "last",
  "round",
  "element",
  "answer",
  "results",
].map(variable) as [Expression, Expression, Expression, Expression, Expression, Expression, Expression, Expression];
const part = (source: Expression, name: string) => firstOr(member(source, name), literal(null));
const isTrue = (source: Expression, name: string) => binary("==", part(source, name), literal(true));
/** Merges a step's output into the state. */
const joined = (before: Expression, output: Expression) => binary("+", before, output);
const fails = (name: string, message: string) => builtin("error", literal({ name, message }));
/** Returns the value if it has the type, otherwise fails. */
const only = (type: string, value: Expression, otherwise: Expression) =>
  bind(
    "value",
    value,
    conditional(binary("==", builtin("type", variable("value")), literal(type)), variable("value"), otherwise),
  );

const busy = conditional(
  binary("==", part(variable("error"), "origin"), literal("timeout")),
  literal(true),
  binary("==", part(variable("error"), "name"), literal("HTTP_CALL_503")),
);

const iteration = scope(
  [
    "loop",
    "last",
    "round",
    "answer",
    ["state", only("object", element, fails("STEP_INVALID_ARGUMENT", "An element is no object."))],
  ],
  assign("each/poll", { loop: state, last: literal({}), round: literal(0) }, "each/poll/more"),
  choose(
    "each/poll/more",
    [[and(builtin("not", isTrue(loop, "up")), binary("<", round, literal(3))), "each/poll/ping"]],
    "each/poll/result",
  ),
  call(
    "each/poll/ping",
    "ping",
    object([
      ["url", part(loop, "url")],
      ["round", round],
    ]),
    "each/poll/output",
    {
      timeout: 10,
      retries: [retry(2, 2, { factor: 2, when: busy })],
      bind: "answer",
    },
  ),
  assign(
    "each/poll/output",
    { loop: joined(loop, only("object", answer, fails("STEP_INVALID_OUTPUT", "The output is no object."))) },
    "each/poll/look",
  ),
  choose("each/poll/look", [[isTrue(loop, "alarm"), "each/poll/stop"]], "each/poll/rest"),
  assign("each/poll/rest", { last: loop, round: binary("+", round, literal(1)) }, "each/poll/more"),
  end("each/poll/stop", global, "run"),
  assign("each/poll/result", { state: joined(state, last) }, "each/mark"),
  end(
    "each/mark",
    object([
      ["url", part(state, "url")],
      ["up", part(state, "up")],
    ]),
  ),
);

const items = only("array", part(state, "sites"), fails("STEP_INVALID_ARGUMENT", "The input of each is no array."));

const sites = workflow(
  scope(
    ["state", "global", "results"],
    assign("start", { global: state }, "each"),
    forEach("each", items, iteration, "each/end", { width: 2, bind: "results" }),
    end("each/end", object([["checked", results]])),
  ),
  { id: "sites", input: "state" },
);

/** Sites that are up in some round. */
const pinging = (upAt: { readonly [url: string]: number }, takes = 1): InterpretOptions => ({
  input: { sites: Object.keys(upAt).map((url) => ({ url, id: url.length })) },
  functions: {
    ping: (argument) => {
      const { url, round: at } = argument as { url: string; round: number };
      return returns({ up: at === upAt[url] }, takes);
    },
  },
});

test("the analysis finds nothing", () => {
  expect(findings(sites)).toEqual([]);
});

test("elements loop independently, two at a time; an iteration returns the last step's output", async () => {
  const seen = await interpretWorkflow(sites, pinging({ a: 0, bb: 2, ccc: 9 }));
  expect(outcomeOf(seen)).toEqual({
    output: {
      checked: [
        { url: "a", up: true },
        { url: "bb", up: true },
        { url: "ccc", up: false },
      ],
    },
  });
  expect(callsOf(seen).filter((each) => each.includes("ccc"))).toEqual(
    [0, 1, 2].map((at) => `ping({"url":"ccc","round":${at}})`),
  );
  expect(seen.elapsed).toBe(4);
});

test("a nested success ends the run with the state before the step, and cancels other iterations", async () => {
  const input = { sites: [{ url: "a" }, { url: "b" }, { url: "c" }], kept: true };
  const ping = (argument: Json) =>
    (argument as { url: string }).url === "b" ? returns({ alarm: true }, 2) : returns({ up: false }, 1);
  const seen = await interpretWorkflow(sites, { input, functions: { ping } });
  expect(seen).toMatchObject({ outcome: { status: "succeeded", output: input }, elapsed: 2 });
  expect(callsOf(seen).some((each) => each.includes('"c"'))).toBe(false);
});

test("errors on the list are retried with growing delays, others fail the run", async () => {
  const one = { input: { sites: [{ url: "a" }] } };
  const ping = [throws("HTTP_CALL_503"), returns({ up: true }, 60), returns({ up: true })];
  expect(await interpretWorkflow(sites, { ...one, functions: { ping } })).toMatchObject({
    outcome: { output: { checked: [{ up: true }] } },
    elapsed: 2 + 10 + 4,
  });
  expect(
    outcomeOf(await interpretWorkflow(sites, { ...one, functions: { ping: [throws("HTTP_CALL_404", "gone")] } })),
  ).toEqual({
    error: "HTTP_CALL_404",
    message: "gone",
  });
});

test("data of the wrong type fails with the language's codes", async () => {
  const ping = [returns("pong")];
  expect(outcomeOf(await interpretWorkflow(sites, { input: { sites: {} } }))).toMatchObject({
    error: "STEP_INVALID_ARGUMENT",
  });
  expect(outcomeOf(await interpretWorkflow(sites, { input: { sites: ["a"] } }))).toMatchObject({
    error: "STEP_INVALID_ARGUMENT",
  });
  expect(
    outcomeOf(await interpretWorkflow(sites, { input: { sites: [{ url: "a" }] }, functions: { ping } })),
  ).toMatchObject({
    error: "STEP_INVALID_OUTPUT",
  });
});

test("the printed IR", () => {
  expect(printWorkflow(sites)).toMatchInlineSnapshot(`
    "workflow sites "main" "1.0" from hand
      input state
      function ping
      var state
      var global
      var results
      start: global := $state   # state "start"
      each: for each element in first($state.sites, null) as $value | if type($value) == "array" then $value else error({"name":"STEP_INVALID_ARGUMENT","message":"The input of each is no array."}) end, 2 at once -> results   # state "each"
        var loop
        var last
        var round
        var answer
        var state = $element as $value | if type($value) == "object" then $value else error({"name":"STEP_INVALID_ARGUMENT","message":"An element is no object."}) end
        each/poll: assign
          loop := $state
          last := {}
          round := 0
        each/poll/more: choose
          when not(first($loop.up, null) == true) and $round < 3 then each/poll/ping
          else each/poll/result
        each/poll/ping: call ping({ url: first($loop.url, null), round: $round }) within 10 s -> answer
          retry 2 times when if first($error.origin, null) == "timeout" then true else first($error.name, null) == "HTTP_CALL_503" end after 2 s, times 2
        each/poll/output: loop := $loop + ($answer as $value | if type($value) == "object" then $value else error({"name":"STEP_INVALID_OUTPUT","message":"The output is no object."}) end)
        each/poll/look: choose
          when first($loop.alarm, null) == true then each/poll/stop
          else each/poll/rest
        each/poll/rest: assign
          last := $loop
          round := $round + 1
          then each/poll/more
        each/poll/stop: end the run with $global
        each/poll/result: state := $state + $last
        each/mark: end with { url: first($state.url, null), up: first($state.up, null) }
      each/end: end with { checked: $results }
    "
  `);
});
