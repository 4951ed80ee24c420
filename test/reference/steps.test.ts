import { expect, test } from "vitest";
import { binary, call as builtin, literal, member, variable } from "../../src/expressions/core/build.ts";
import {
  assign,
  attempt,
  call,
  choose,
  data,
  delay,
  end,
  fail,
  handler,
  raise,
  scope,
  until,
  workflow,
  yes,
} from "./build.ts";
import { callsOf, interpreted, outcomeOf, returns, throws } from "./interpreting.ts";

const [a, b, x] = [variable("a"), variable("b"), variable("x")];

test("the output is what the end gives; the input is in the document variable", async () => {
  const seen = await interpreted(workflow(scope(["data"], end("End", member(data, "n")))), { input: { n: 7 } });
  expect(seen).toMatchObject({
    outcome: { status: "succeeded", output: 7 },
    path: ["End"],
    elapsed: 0,
    calls: [],
    emitted: [],
  });
});

test("an assignment computes all values from the old ones", async () => {
  const swap = scope(
    ["data", ["a", literal(1)], ["b", literal(2)]],
    assign("Swap", { a: b, b: a }, "End"),
    end("End", binary("-", a, b)),
  );
  expect(outcomeOf(await interpreted(workflow(swap)))).toEqual({ output: 1 });
});

test("variables begin with their first values, with null where none is given", async () => {
  const body = scope(
    ["data", "a", ["b", binary("+", literal(1), literal(2))]],
    end("End", { kind: "array", items: { kind: "comma", items: [a, b] } }),
  );
  expect(outcomeOf(await interpreted(workflow(body)))).toEqual({ output: [null, 3] });
});

test("no input is an empty object, null is null", async () => {
  const body = workflow(scope(["data"], end("End", data)));
  expect(outcomeOf(await interpreted(body))).toEqual({ output: {} });
  expect(outcomeOf(await interpreted(body, { input: null }))).toEqual({ output: null });
});

const sorted = (otherwise?: string) =>
  workflow(
    scope(
      ["data"],
      choose(
        "Which",
        [
          [member(data, "first"), "First"],
          [member(data, "second"), "Second"],
        ],
        otherwise,
      ),
      end("First", literal("first")),
      end("Second", literal("second")),
      end("Other", literal("other")),
    ),
  );

test.each([
  [{ first: true, second: true }, { output: "first" }],
  [{ first: false, second: true }, { output: "second" }],
  [{ first: 1, second: "true" }, { output: "other" }],
])("a choice takes the first case that gives true and nothing else: %j", async (input, outcome) => {
  expect(outcomeOf(await interpreted(sorted("Other"), { input }))).toEqual(outcome);
});

test("a choice without a way fails", async () => {
  expect(outcomeOf(await interpreted(sorted(), { input: { first: null, second: false } }))).toEqual({
    error: "NoChoiceMatched",
    message: "No condition of state Which holds, and it has no default.",
  });
});

test("a delay lets time pass, and none when it is not positive", async () => {
  const waits = (seconds: number) =>
    workflow(scope(["data"], delay("Wait", literal(seconds), "End"), end("End", data)));
  expect((await interpreted(waits(172_800))).elapsed).toBe(172_800);
  expect((await interpreted(waits(0.25))).elapsed).toBe(0.25);
  expect((await interpreted(waits(-1))).elapsed).toBe(0);
});

test("a wait until an instant ends then, at once when it is past, and fails when there is none", async () => {
  const waits = workflow(scope(["data"], until("Wait", member(data, "at"), "End"), end("End", data)));
  const clock = "2026-03-01T12:00:00Z";
  expect((await interpreted(waits, { clock, input: { at: "2026-03-01T12:01:00Z" } })).elapsed).toBe(60);
  expect((await interpreted(waits, { clock, input: { at: "2026-03-01T14:00:30+02:00" } })).elapsed).toBe(30);
  expect((await interpreted(waits, { clock, input: { at: "2025-01-01T00:00:00Z" } })).elapsed).toBe(0);
  expect(outcomeOf(await interpreted(waits, { clock, input: { at: "soon" } }))).toEqual({
    error: "DataError",
    message: "There is no time to wait for.",
  });
});

test("a run fails with the error of its end", async () => {
  const seen = await interpreted(workflow(scope(["data"], fail("Stop", "Broken", "no more"))));
  expect(seen.outcome).toEqual({ status: "failed", error: { origin: "fail", name: "Broken", message: "no more" } });
  expect(seen.elapsed).toBe(0);
});

test("an error keeps what it carries when it is raised again", async () => {
  const asks = call("Ask", "ask", data, "End", { handlers: [handler(yes, "Again", "x")] });
  const seen = await interpreted(workflow(scope(["data", "x"], asks, raise("Again", x), end("End", data))), {
    functions: { ask: [throws("Bad", "m", 0, { trace: "t" })] },
  });
  expect(seen.outcome).toEqual({
    status: "failed",
    error: { origin: "function", name: "Bad", message: "m", data: { trace: "t" } },
  });
});

test("an expression that fails fails its step, with its own name and message", async () => {
  const merged = assign("Merge", { data: builtin("merge", data, literal({ a: 1 })) }, "End");
  const plain = scope(["data", "x"], merged, end("End", data));
  expect(outcomeOf(await interpreted(workflow(plain), { input: [1] }))).toMatchObject({ error: "DataMergeError" });
  const held = scope(
    ["data", "x"],
    attempt("Try", scope([], merged, end("End", data)), "Out", { handlers: [handler(yes, "Out", "x")] }),
    end("Out", member(x, "origin")),
  );
  expect(outcomeOf(await interpreted(workflow(held), { input: [1] }))).toEqual({ output: "expression" });
});

test("an end of the whole run ends it from inside an attempt, past all handlers", async () => {
  const inner = scope([], end("Stop", literal("stopped"), "run"));
  const body = scope(
    ["data"],
    attempt("Try", inner, "After", { handlers: [handler(yes, "After")] }),
    end("After", literal("after")),
  );
  expect(outcomeOf(await interpreted(workflow(body)))).toEqual({ output: "stopped" });
  const failing = scope([], fail("Stop", "Enough", "", "run"));
  const held = scope(
    ["data"],
    attempt("Try", failing, "After", { handlers: [handler(yes, "After")] }),
    end("After", literal("after")),
  );
  expect(outcomeOf(await interpreted(workflow(held)))).toEqual({ error: "Enough", message: "" });
});

test("steps are noted in the order in which they are entered", async () => {
  const looped = scope(
    ["data", ["a", literal(0)]],
    assign("Count", { a: binary("+", a, literal(1)) }, "More"),
    choose("More", [[binary("<", a, literal(3)), "Count"]], "End"),
    end("End", a),
  );
  const seen = await interpreted(workflow(looped));
  expect(seen.path).toEqual(["Count", "More", "Count", "More", "Count", "More", "End"]);
});

test("a run that never waits and never ends fails, whatever would take its error", async () => {
  const spin = workflow(scope(["data"], assign("Spin", { data }, "Spin")));
  const message = "More than 200000 steps were taken in a row without a call, a delay, an event or an end.";
  expect(outcomeOf(await interpreted(spin))).toEqual({ error: "LimitError", message });
  const inner = scope([], assign("Turn", { data }, "Turn"));
  const held = scope(["data"], attempt("Try", inner, "End", { handlers: [handler(yes, "End")] }), end("End", data));
  expect(outcomeOf(await interpreted(workflow(held)))).toEqual({ error: "LimitError", message });
});

test("a call waits for its answer, which takes its time", async () => {
  const body = scope(["data", "x"], call("Ask", "ask", member(data, "q"), "End", { bind: "x" }), end("End", x));
  const seen = await interpreted(workflow(body), {
    input: { q: [1, null] },
    functions: { ask: [returns({ yes: true }, 3)] },
  });
  expect(callsOf(seen)).toEqual(["ask([1,null])"]);
  expect(seen).toMatchObject({ outcome: { output: { yes: true } }, elapsed: 3 });
});

test("a call that is not waited for is made, and its answer never looked at", async () => {
  const body = scope(
    ["data", ["x", literal(1)]],
    call("Tell", "tell", data, "End", { wait: false, bind: "x" }),
    end("End", x),
  );
  const seen = await interpreted(workflow(body), { functions: { tell: [throws("Lost", "", 60)] } });
  expect(seen).toMatchObject({ outcome: { status: "succeeded", output: null }, elapsed: 0 });
  expect(callsOf(seen)).toEqual(["tell({})"]);
});

test("an error of a function that nothing takes fails the run with its name and message", async () => {
  const body = workflow(scope(["data"], call("Ask", "ask", data, "End"), end("End", data)));
  expect(outcomeOf(await interpreted(body, { functions: { ask: [throws("Timeout", "a function's own")] } }))).toEqual({
    error: "Timeout",
    message: "a function's own",
  });
});
