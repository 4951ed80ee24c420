import { expect, test } from "vitest";
import { and, binary, collect, comma, literal, member, object, variable } from "../../src/expressions/core/build.ts";
import type { Attempt, Call, Retry } from "../../src/ir/workflow.ts";
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
  named,
  retry,
  scope,
  workflow,
  yes,
} from "./build.ts";
import { callsOf, type InterpretOptions, interpretWorkflow, outcomeOf, returns, throws } from "./interpreting.ts";

const x = variable("x");

/** A call with retries and handlers that lead to `Late`. */
const asking = (rest: Partial<Pick<Call, "retries" | "handlers" | "timeout" | "bind">>) =>
  workflow(
    scope(
      ["data", "x"],
      call("Ask", "ask", data, "End", { bind: "x", ...rest }),
      end("Late", x),
      end("End", object([["got", x]])),
    ),
  );

const failing = (times: number, name = "Busy"): InterpretOptions => ({
  functions: { ask: [...Array.from({ length: times }, () => throws(name)), returns("ok")] },
});

test("the first handler whose condition holds catches and binds the error", async () => {
  const handlers = [handler(named("Other"), "End"), handler(named("Busy"), "Late", "x"), handler(yes, "End")];
  const seen = await interpretWorkflow(asking({ handlers }), {
    functions: { ask: [throws("Busy", "m", 0, { code: 5 })] },
  });
  expect(outcomeOf(seen)).toEqual({ output: { origin: "function", name: "Busy", message: "m", data: { code: 5 } } });
});

test("an uncaught error fails the run; only `true` satisfies a condition", async () => {
  const handlers = [handler(named("Other"), "Late"), handler(literal("true"), "Late")];
  expect(outcomeOf(await interpretWorkflow(asking({ handlers }), failing(1)))).toEqual({ error: "Busy", message: "" });
});

test("conditions see the current variables", async () => {
  const handlers = [handler(and(named("Busy"), binary("==", member(data, "patient"), literal(true))), "Late")];
  expect(outcomeOf(await interpretWorkflow(asking({ handlers }), { ...failing(1), input: { patient: true } }))).toEqual(
    {
      output: null,
    },
  );
  expect(
    outcomeOf(await interpretWorkflow(asking({ handlers }), { ...failing(1), input: { patient: false } })),
  ).toMatchObject({
    error: "Busy",
  });
});

test.each<[string, Partial<Retry["delay"]>, number]>([
  ["a constant delay", {}, 10 + 10 + 10 + 10],
  ["a multiplied delay", { factor: 2 }, 10 + 20 + 40 + 80],
  ["an incremented delay", { step: 3 }, 10 + 13 + 16 + 19],
  ["both", { factor: 2, step: 1 }, 10 + 21 + 42 + 83],
  ["a cap", { factor: 2, cap: 25 }, 10 + 20 + 25 + 25],
  ["jitter, which is zero in simulated time", { jitter: { kind: "fraction", amount: 0.5 } }, 40],
])("the wait before each retry: %s", async (_, delays, elapsed) => {
  const seen = await interpretWorkflow(asking({ retries: [retry(4, 10, delays)] }), failing(4));
  expect(seen).toMatchObject({ outcome: { output: { got: "ok" } }, elapsed });
  expect(seen.calls).toHaveLength(5);
});

test("after the last retry the handlers apply, otherwise the error propagates", async () => {
  const retries = [retry(2, 1)];
  expect(outcomeOf(await interpretWorkflow(asking({ retries, handlers: [handler(yes, "Late")] }), failing(3)))).toEqual(
    {
      output: null,
    },
  );
  expect(outcomeOf(await interpretWorkflow(asking({ retries }), failing(3)))).toMatchObject({ error: "Busy" });
  expect(outcomeOf(await interpretWorkflow(asking({ retries }), failing(2)))).toEqual({ output: { got: "ok" } });
});

test("each retry has its counter, and the first match applies", async () => {
  const retries = [retry(1, 1, { when: named("A") }), retry(2, 10, { when: named("B") })];
  const ask = (names: readonly string[]): InterpretOptions => ({
    functions: { ask: [...names.map((name) => throws(name)), returns("ok")] },
  });
  expect(await interpretWorkflow(asking({ retries }), ask(["A", "B", "B"]))).toMatchObject({
    outcome: { status: "succeeded" },
    elapsed: 21,
  });
  expect(await interpretWorkflow(asking({ retries }), ask(["B", "A", "A"]))).toMatchObject({
    outcome: { status: "failed", error: { name: "A" } },
    elapsed: 11,
  });
  const excluded = [retry(0, 1, { when: named("A") }), retry(3, 1)];
  expect(await interpretWorkflow(asking({ retries: excluded }), ask(["B", "A"]))).toMatchObject({
    outcome: { status: "failed", error: { name: "A" } },
    elapsed: 1,
  });
});

test("each visit of a step resets its counters", async () => {
  const n = variable("n");
  const body = scope(
    ["data", ["n", literal(0)]],
    call("Ask", "ask", data, "Count", { retries: [retry(1, 1)] }),
    assign("Count", { n: binary("+", n, literal(1)) }, "More"),
    choose("More", [[binary("<", n, literal(2)), "Ask"]], "End"),
    end("End", n),
  );
  const ask = [throws("A"), returns(1), throws("A"), returns(2)];
  expect(await interpretWorkflow(workflow(body), { functions: { ask } })).toMatchObject({
    outcome: { output: 2 },
    elapsed: 2,
  });
});

test("a timeout applies to each attempt and raises the error Timeout", async () => {
  const slow: InterpretOptions = { functions: { ask: [returns(1, 60)] } };
  const handled = await interpretWorkflow(
    asking({ timeout: 5, retries: [retry(1, 2)], handlers: [handler(yes, "Late", "x")] }),
    slow,
  );
  expect(outcomeOf(handled)).toEqual({
    output: { origin: "timeout", name: "Timeout", message: "The time allowed has passed." },
  });
  expect(handled).toMatchObject({ elapsed: 12, calls: [{}, {}] });
  const own = await interpretWorkflow(asking({ handlers: [handler(yes, "Late", "x")] }), failing(1, "Timeout"));
  expect(outcomeOf(own)).toEqual({ output: { origin: "function", name: "Timeout", message: "" } });
});

test("a response at the deadline is in time", async () => {
  expect(
    outcomeOf(await interpretWorkflow(asking({ timeout: 5 }), { functions: { ask: [returns("ok", 5)] } })),
  ).toEqual({
    output: { got: "ok" },
  });
  expect(
    outcomeOf(await interpretWorkflow(asking({ timeout: 5 }), { functions: { ask: [returns("ok", 5.001)] } })),
  ).toMatchObject({
    error: "Timeout",
  });
});

const trying = (rest: Partial<Pick<Attempt, "restore" | "retries" | "handlers" | "timeout" | "bind">>) => {
  const body = scope(
    [],
    assign("First", { data: object([["n", binary("+", member(data, "n"), literal(1))]]) }, "Ask"),
    call("Ask", "ask", data, "Wait", { bind: "x" }),
    delay("Wait", literal(1), "Done"),
    end("Done", collect(comma(x, member(data, "n")))),
  );
  return workflow(
    scope(
      ["data", "x", "y"],
      attempt("Try", body, "End", rest),
      end("Late", data),
      end("End", collect(comma(data, variable("y")))),
    ),
  );
};

test("an attempt shares the outer variables and binds its body's result", async () => {
  const seen = await interpretWorkflow(trying({ bind: "y" }), { input: { n: 0 }, functions: { ask: [returns("ok")] } });
  expect(outcomeOf(seen)).toEqual({ output: [{ n: 1 }, ["ok", 1]] });
});

test("each new attempt restores the listed variables only", async () => {
  const twice: InterpretOptions = {
    input: { n: 0 },
    functions: { ask: [throws("Busy"), throws("Busy"), returns("ok")] },
  };
  const again = await interpretWorkflow(trying({ retries: [retry(2, 1)] }), twice);
  expect(callsOf(again)).toEqual(['ask({"n":1})', 'ask({"n":2})', 'ask({"n":3})']);
  const restored = await interpretWorkflow(trying({ retries: [retry(2, 1)], restore: ["data"] }), twice);
  expect(callsOf(restored)).toEqual(['ask({"n":1})', 'ask({"n":1})', 'ask({"n":1})']);
});

test("a handler of an attempt sees the data so far", async () => {
  const seen = await interpretWorkflow(
    trying({ handlers: [handler(yes, "Late")], retries: [retry(1, 0)], restore: ["data"] }),
    {
      input: { n: 0 },
      functions: { ask: [throws("Busy")] },
    },
  );
  expect(outcomeOf(seen)).toEqual({ output: { n: 1 } });
});

test("an attempt's timeout cancels its body", async () => {
  const seen = await interpretWorkflow(trying({ timeout: 0.5, handlers: [handler(yes, "Late")] }), {
    input: { n: 0 },
    functions: { ask: [returns("ok")] },
  });
  expect(outcomeOf(seen)).toEqual({ output: { n: 1 } });
  expect(seen).toMatchObject({ elapsed: 0.5, path: ["Try", "First", "Ask", "Wait", "Late"] });
});

test("errors that an inner handler does not catch, or raises, reach the outer handler", async () => {
  const inner = attempt("Inner", scope([], call("Ask", "ask", data, "Asked"), end("Asked", data)), "In", {
    handlers: [handler(named("A"), "Fail")],
  });
  const outer = attempt("Outer", scope([], inner, fail("Fail", "Second"), end("In", data)), "End", {
    handlers: [handler(yes, "Late", "x")],
  });
  const body = workflow(scope(["data", "x"], outer, end("Late", member(x, "name")), end("End", literal("fine"))));
  expect(outcomeOf(await interpretWorkflow(body, failing(1, "A")))).toEqual({ output: "Second" });
  expect(outcomeOf(await interpretWorkflow(body, failing(1, "B")))).toEqual({ output: "B" });
  expect(outcomeOf(await interpretWorkflow(body, failing(0)))).toEqual({ output: "fine" });
});

test("no handler and no retry catches a fatal error", async () => {
  const fatal = { ...fail("Stop", ""), value: literal({ origin: "fail", name: "Stop", message: "m", fatal: true }) };
  const body = scope(
    ["data"],
    attempt("Try", scope([], fatal), "End", { retries: [retry(3, 1)], handlers: [handler(yes, "End")] }),
    end("End", data),
  );
  expect(await interpretWorkflow(workflow(body))).toMatchObject({
    outcome: { status: "failed", error: { name: "Stop", message: "m" } },
    elapsed: 0,
  });
});
