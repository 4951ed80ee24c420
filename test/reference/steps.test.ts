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
import { callsOf, interpretWorkflow, outcomeOf, returns, throws } from "./interpreting.ts";

const [a, b, x] = [variable("a"), variable("b"), variable("x")];

test("the end step gives the output; the document variable holds the input", async () => {
  const seen = await interpretWorkflow(workflow(scope(["data"], end("End", member(data, "n")))), { input: { n: 7 } });
  expect(seen).toMatchObject({
    outcome: { status: "succeeded", output: 7 },
    path: ["End"],
    elapsed: 0,
    calls: [],
    emitted: [],
  });
});

test("an assignment computes all values before assigning", async () => {
  const swap = scope(
    ["data", ["a", literal(1)], ["b", literal(2)]],
    assign("Swap", { a: b, b: a }, "End"),
    end("End", binary("-", a, b)),
  );
  expect(outcomeOf(await interpretWorkflow(workflow(swap)))).toEqual({ output: 1 });
});

test("variables start with their initial values, by default null", async () => {
  const body = scope(
    ["data", "a", ["b", binary("+", literal(1), literal(2))]],
    end("End", { kind: "array", items: { kind: "comma", items: [a, b] } }),
  );
  expect(outcomeOf(await interpretWorkflow(workflow(body)))).toEqual({ output: [null, 3] });
});

test("a missing input is an empty object; null stays null", async () => {
  const body = workflow(scope(["data"], end("End", data)));
  expect(outcomeOf(await interpretWorkflow(body))).toEqual({ output: {} });
  expect(outcomeOf(await interpretWorkflow(body, { input: null }))).toEqual({ output: null });
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
])("a choice takes the first case that is exactly true: %j", async (input, outcome) => {
  expect(outcomeOf(await interpretWorkflow(sorted("Other"), { input }))).toEqual(outcome);
});

test("a choice without a matching case fails", async () => {
  expect(outcomeOf(await interpretWorkflow(sorted(), { input: { first: null, second: false } }))).toEqual({
    error: "NoChoiceMatched",
    message: "No condition of state Which holds, and it has no default.",
  });
});

test("a delay lets time pass only if it is positive", async () => {
  const waits = (seconds: number) =>
    workflow(scope(["data"], delay("Wait", literal(seconds), "End"), end("End", data)));
  expect((await interpretWorkflow(waits(172_800))).elapsed).toBe(172_800);
  expect((await interpretWorkflow(waits(0.25))).elapsed).toBe(0.25);
  expect((await interpretWorkflow(waits(-1))).elapsed).toBe(0);
});

test("a wait ends at its instant, at once if that is past, and fails for an invalid instant", async () => {
  const waits = workflow(scope(["data"], until("Wait", member(data, "at"), "End"), end("End", data)));
  const clock = "2026-03-01T12:00:00Z";
  expect((await interpretWorkflow(waits, { clock, input: { at: "2026-03-01T12:01:00Z" } })).elapsed).toBe(60);
  expect((await interpretWorkflow(waits, { clock, input: { at: "2026-03-01T14:00:30+02:00" } })).elapsed).toBe(30);
  expect((await interpretWorkflow(waits, { clock, input: { at: "2025-01-01T00:00:00Z" } })).elapsed).toBe(0);
  expect(outcomeOf(await interpretWorkflow(waits, { clock, input: { at: "soon" } }))).toEqual({
    error: "DataError",
    message: "There is no time to wait for.",
  });
});

test("a run fails with the error of its end step", async () => {
  const seen = await interpretWorkflow(workflow(scope(["data"], fail("Stop", "Broken", "no more"))));
  expect(seen.outcome).toEqual({ status: "failed", error: { origin: "fail", name: "Broken", message: "no more" } });
  expect(seen.elapsed).toBe(0);
});

test("an error keeps its data when it is raised again", async () => {
  const asks = call("Ask", "ask", data, "End", { handlers: [handler(yes, "Again", "x")] });
  const seen = await interpretWorkflow(workflow(scope(["data", "x"], asks, raise("Again", x), end("End", data))), {
    functions: { ask: [throws("Bad", "m", 0, { trace: "t" })] },
  });
  expect(seen.outcome).toEqual({
    status: "failed",
    error: { origin: "function", name: "Bad", message: "m", data: { trace: "t" } },
  });
});

test("a failing expression fails its step with its name and message", async () => {
  const merged = assign("Merge", { data: builtin("merge", data, literal({ a: 1 })) }, "End");
  const plain = scope(["data", "x"], merged, end("End", data));
  expect(outcomeOf(await interpretWorkflow(workflow(plain), { input: [1] }))).toMatchObject({
    error: "DataMergeError",
  });
  const held = scope(
    ["data", "x"],
    attempt("Try", scope([], merged, end("End", data)), "Out", { handlers: [handler(yes, "Out", "x")] }),
    end("Out", member(x, "origin")),
  );
  expect(outcomeOf(await interpretWorkflow(workflow(held), { input: [1] }))).toEqual({ output: "expression" });
});

test("an end of the run inside an attempt passes all handlers", async () => {
  const inner = scope([], end("Stop", literal("stopped"), "run"));
  const body = scope(
    ["data"],
    attempt("Try", inner, "After", { handlers: [handler(yes, "After")] }),
    end("After", literal("after")),
  );
  expect(outcomeOf(await interpretWorkflow(workflow(body)))).toEqual({ output: "stopped" });
  const failing = scope([], fail("Stop", "Enough", "", "run"));
  const held = scope(
    ["data"],
    attempt("Try", failing, "After", { handlers: [handler(yes, "After")] }),
    end("After", literal("after")),
  );
  expect(outcomeOf(await interpretWorkflow(workflow(held)))).toEqual({ error: "Enough", message: "" });
});

test("steps are recorded in the order of entry", async () => {
  const looped = scope(
    ["data", ["a", literal(0)]],
    assign("Count", { a: binary("+", a, literal(1)) }, "More"),
    choose("More", [[binary("<", a, literal(3)), "Count"]], "End"),
    end("End", a),
  );
  const seen = await interpretWorkflow(workflow(looped));
  expect(seen.path).toEqual(["Count", "More", "Count", "More", "Count", "More", "End"]);
});

test("an endless run without waits fails past all handlers", async () => {
  const spin = workflow(scope(["data"], assign("Spin", { data }, "Spin")));
  const message = "More than 200000 steps were taken in a row without a call, a delay, an event or an end.";
  expect(outcomeOf(await interpretWorkflow(spin))).toEqual({ error: "LimitError", message });
  const inner = scope([], assign("Turn", { data }, "Turn"));
  const held = scope(["data"], attempt("Try", inner, "End", { handlers: [handler(yes, "End")] }), end("End", data));
  expect(outcomeOf(await interpretWorkflow(workflow(held)))).toEqual({ error: "LimitError", message });
});

test("a call waits for its response", async () => {
  const body = scope(["data", "x"], call("Ask", "ask", member(data, "q"), "End", { bind: "x" }), end("End", x));
  const seen = await interpretWorkflow(workflow(body), {
    input: { q: [1, null] },
    functions: { ask: [returns({ yes: true }, 3)] },
  });
  expect(callsOf(seen)).toEqual(["ask([1,null])"]);
  expect(seen).toMatchObject({ outcome: { output: { yes: true } }, elapsed: 3 });
});

test("a call without waiting ignores its response", async () => {
  const body = scope(
    ["data", ["x", literal(1)]],
    call("Tell", "tell", data, "End", { wait: false, bind: "x" }),
    end("End", x),
  );
  const seen = await interpretWorkflow(workflow(body), { functions: { tell: [throws("Lost", "", 60)] } });
  expect(seen).toMatchObject({ outcome: { status: "succeeded", output: null }, elapsed: 0 });
  expect(callsOf(seen)).toEqual(["tell({})"]);
});

test("an uncaught error of a function fails the run with its name and message", async () => {
  const body = workflow(scope(["data"], call("Ask", "ask", data, "End"), end("End", data)));
  expect(
    outcomeOf(await interpretWorkflow(body, { functions: { ask: [throws("Timeout", "a function's own")] } })),
  ).toEqual({
    error: "Timeout",
    message: "a function's own",
  });
});
