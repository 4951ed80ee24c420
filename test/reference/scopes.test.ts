import { expect, test } from "vitest";
import {
  binary,
  call as builtin,
  collect,
  comma,
  literal,
  member,
  object,
  variable,
} from "../../src/expressions/core/build.ts";
import type { ForEach, Fork, Scope } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";
import {
  assign,
  branch,
  call,
  data,
  delay,
  end,
  fail,
  forEach,
  fork,
  handler,
  invoke,
  retry,
  scope,
  workflow,
  yes,
} from "./build.ts";
import { callsOf, type FunctionResponses, interpretWorkflow, outcomeOf, returns, throws } from "./interpreting.ts";

const [x, element, index] = [variable("x"), variable("element"), variable("index")];

/** A branch that calls the function of its name and returns the result. */
const asks = (name: string) =>
  branch(
    name,
    scope(["r"], call(`${name}/Ask`, name, data, `${name}/End`, { bind: "r" }), end(`${name}/End`, variable("r"))),
  );

const forked = (rest: Partial<Fork>, ...names: readonly string[]) =>
  workflow(
    scope(["data", "x"], fork("Fork", names.map(asks), "End", { bind: "x", ...rest }), end("Late", x), end("End", x)),
  );

test("branches run concurrently; their results are keyed by name, in branch order", async () => {
  const seen = await interpretWorkflow(forked({}, "a", "b", "c"), {
    functions: { a: [returns(1, 3)], b: [returns(2, 5)], c: [returns(3, 1)] },
  });
  expect(JSON.stringify(outcomeOf(seen))).toBe('{"output":{"a":1,"b":2,"c":3}}');
  expect(seen.elapsed).toBe(5);
});

test("simultaneous calls are made in branch order", async () => {
  const quick = branch("quick", scope([], call("Q", "log", literal("quick"), "QE"), end("QE", literal(null))));
  const slow = branch(
    "slow",
    scope(
      ["n"],
      assign("S1", { n: literal(1) }, "S2"),
      assign("S2", { n: literal(2) }, "S"),
      call("S", "log", literal("slow"), "SE"),
      end("SE", literal(null)),
    ),
  );
  const body = scope(["data"], fork("Fork", [slow, quick], "End"), end("End", data));
  expect(callsOf(await interpretWorkflow(workflow(body)))).toEqual(['log("slow")', 'log("quick")']);
});

test("branches read the outer variables as of entry and assign only their own", async () => {
  const adds = branch(
    "adds",
    scope(
      [["data", object([["n", binary("+", member(data, "n"), literal(1))]])]],
      delay("W", literal(1), "E"),
      end("E", data),
    ),
  );
  const reads = branch("reads", scope([], delay("W2", literal(2), "E2"), end("E2", data)));
  const body = scope(
    ["data", "x"],
    fork("Fork", [adds, reads], "End", { bind: "x" }),
    end("End", collect(comma(x, data))),
  );
  expect(outcomeOf(await interpretWorkflow(workflow(body), { input: { n: 1 } }))).toEqual({
    output: [{ adds: { n: 2 }, reads: { n: 1 } }, { n: 1 }],
  });
});

test("a partial join returns the first results and abandons the other branches", async () => {
  const functions = { a: [returns(1, 3)], b: [returns(2, 1)], c: [returns(3, 2)] };
  const first = await interpretWorkflow(forked({ join: { kind: "some", count: 1 }, failure: "spare" }, "a", "b", "c"), {
    functions,
  });
  expect(first).toMatchObject({ outcome: { output: { b: 2 } }, elapsed: 1 });
  const two = await interpretWorkflow(forked({ join: { kind: "some", count: 2 }, failure: "spare" }, "a", "b", "c"), {
    functions,
  });
  expect(JSON.stringify(two.outcome)).toBe('{"status":"succeeded","output":{"b":2,"c":3}}');
});

test("among simultaneous branches the first one wins", async () => {
  const seen = await interpretWorkflow(forked({ join: { kind: "some", count: 1 } }, "a", "b"), {
    functions: { a: [returns(1, 2)], b: [returns(2, 2)] },
  });
  expect(outcomeOf(seen)).toEqual({ output: { a: 1 } });
});

test("simultaneous branches count in order, up to the join's number", async () => {
  const branches = ["a", "b", "c"].map((name) => branch(name, scope([], end(`${name}/End`, literal(name)))));
  const body = scope(
    ["data", "x"],
    fork("Fork", branches, "End", { join: { kind: "some", count: 2 }, failure: "spare", bind: "x" }),
    end("End", x),
  );
  expect(outcomeOf(await interpretWorkflow(workflow(body)))).toEqual({ output: { a: "a", b: "b" } });
});

test("a fatal failure fails the step at once; a tolerated one when the join is unreachable", async () => {
  const functions = { a: [throws("Broken", "", 1)], b: [returns(2, 5)], c: [throws("Other", "", 7)] };
  const some = { kind: "some", count: 2 } as const;
  expect(await interpretWorkflow(forked({}, "a", "b", "c"), { functions })).toMatchObject({
    outcome: { error: { name: "Broken" } },
    elapsed: 1,
  });
  expect(await interpretWorkflow(forked({ join: some, failure: "spare" }, "a", "b", "c"), { functions })).toMatchObject(
    {
      outcome: { error: { name: "Other" } },
      elapsed: 7,
    },
  );
  expect(await interpretWorkflow(forked({ join: some, failure: "fatal" }, "a", "b", "c"), { functions })).toMatchObject(
    {
      outcome: { error: { name: "Broken" } },
      elapsed: 1,
    },
  );
  const enough = await interpretWorkflow(forked({ join: some, failure: "spare" }, "a", "b", "c"), {
    functions: { ...functions, c: [returns(3, 7)] },
  });
  expect(outcomeOf(enough)).toEqual({ output: { b: 2, c: 3 } });
});

test("a failed fork is handled, or retried with all branches", async () => {
  const functions = { a: [returns(1)], b: [throws("Broken"), returns(2)] };
  const seen = await interpretWorkflow(forked({ retries: [retry(1, 4)] }, "a", "b"), { functions });
  expect(callsOf(seen)).toEqual(["a({})", "b({})", "a({})", "b({})"]);
  expect(seen).toMatchObject({ outcome: { output: { a: 1, b: 2 } }, elapsed: 4 });
  const handled = await interpretWorkflow(forked({ handlers: [handler(yes, "Late", "x")] }, "a", "b"), {
    functions: { b: [throws("Broken", "m")] },
  });
  expect(outcomeOf(handled)).toEqual({ output: { origin: "function", name: "Broken", message: "m" } });
});

test("concurrency is limited, and branches start in order", async () => {
  const seen = await interpretWorkflow(forked({ width: 2 }, "a", "b", "c"), {
    functions: { a: [returns(1, 3)], b: [returns(2, 1)], c: [returns(3, 3)] },
  });
  expect(seen).toMatchObject({ outcome: { output: { a: 1, b: 2, c: 3 } }, elapsed: 4 });
});

test("a fork without branches ends at once", async () => {
  expect(await interpretWorkflow(forked({}))).toMatchObject({ outcome: { output: {} }, elapsed: 0 });
});

test("a branch can end the whole run with its value", async () => {
  const stops = branch("stops", scope([], delay("S", literal(2), "SE"), end("SE", literal("over"), "run")));
  const body = scope(
    ["data"],
    fork("Fork", [asks("a"), stops], "End", { join: { kind: "some", count: 2 }, failure: "spare" }),
    end("End", data),
  );
  const seen = await interpretWorkflow(workflow(body), { functions: { a: [returns(1, 60)] } });
  expect(seen).toMatchObject({ outcome: { status: "succeeded", output: "over" }, elapsed: 2 });
});

test("a scope outside its window returns its input", async () => {
  const closed: Scope = {
    ...scope([["data", literal({ own: true })]], call("C", "never", data, "CE"), end("CE", literal("never"))),
    window: { until: "2025-01-01T00:00:00Z" },
  };
  const open: Scope = { ...scope([], end("OE", literal("open"))), window: { from: "2026-01-01T00:00:00Z" } };
  const body = scope(
    ["data", "x"],
    fork("Fork", [branch("closed", closed), branch("open", open)], "End", { bind: "x" }),
    end("End", x),
  );
  const seen = await interpretWorkflow(workflow(body));
  expect(seen).toMatchObject({ outcome: { output: { closed: { own: true }, open: "open" } }, calls: [] });
});

const each = (rest: Partial<ForEach> = {}) => {
  const body = scope(
    ["r"],
    call("Ask", "ask", element, "Give", { bind: "r" }),
    end("Give", collect(comma(variable("r"), index))),
  );
  return workflow(
    scope(
      ["data", "x"],
      forEach("Each", data, body, "End", { index: "index", bind: "x", ...rest }),
      end("Late", x),
      end("End", x),
    ),
  );
};

/** Completes the first call last. */
const down: FunctionResponses = (argument, i) => returns(argument, 3 - i);

test("iterations return results in element order", async () => {
  const seen = await interpretWorkflow(each(), { input: ["a", ["b"], null], functions: { ask: down } });
  expect(seen).toMatchObject({
    outcome: {
      output: [
        ["a", 0],
        [["b"], 1],
        [null, 2],
      ],
    },
    elapsed: 3,
  });
  expect(outcomeOf(await interpretWorkflow(each(), { input: [] }))).toEqual({ output: [] });
});

test.each<[string, Partial<ForEach>, number]>([
  ["all at once", {}, 2],
  ["one at a time", { width: 1 }, 8],
  ["two at a time", { width: 2 }, 4],
  ["with a gap", { gap: 5 }, 17],
  ["with a gap shorter than the work", { gap: 1, width: 1 }, 8],
  ["one at a time with a longer gap", { gap: 3, width: 1 }, 11],
])("four iterations of two seconds: %s", async (_, rest, elapsed) => {
  expect(
    (await interpretWorkflow(each(rest), { input: [1, 2, 3, 4], functions: { ask: [returns(null, 2)] } })).elapsed,
  ).toBe(elapsed);
});

test("an error in an iteration cancels the others and fails the step", async () => {
  const ask = (argument: Json) => (argument === 2 ? throws("Broken", "", 1) : returns(null, 9));
  const seen = await interpretWorkflow(each({ width: 2 }), { input: [1, 2, 3, 4], functions: { ask } });
  expect(seen).toMatchObject({ outcome: { error: { name: "Broken" } }, elapsed: 1 });
  expect(callsOf(seen)).toEqual(["ask(1)", "ask(2)"]);
  const spaced = await interpretWorkflow(each({ gap: 10, handlers: [handler(yes, "Late", "x")] }), {
    input: [2, 1],
    functions: { ask },
  });
  expect(spaced).toMatchObject({ outcome: { output: { name: "Broken" } }, elapsed: 1 });
  expect(callsOf(spaced)).toEqual(["ask(2)"]);
});

test("only arrays can be iterated", async () => {
  expect(outcomeOf(await interpretWorkflow(each(), { input: { a: 1 } }))).toEqual({
    error: "DataError",
    message: "There is no array to go over.",
  });
});

test("initial values of an iteration see its element and the outer variables", async () => {
  const body = scope([["data", builtin("place", data, literal(["item"]), element)]], end("Give", data));
  const seen = await interpretWorkflow(
    workflow(scope(["data", "x"], forEach("Each", member(data, "items"), body, "End", { bind: "x" }), end("End", x))),
    { input: { items: [1, 2] } },
  );
  expect(outcomeOf(seen)).toEqual({
    output: [
      { items: [1, 2], item: 1 },
      { items: [1, 2], item: 2 },
    ],
  });
});

const child = workflow(scope(["data"], call("Work", "work", data, "Done"), end("Done", object([["did", data]]))), {
  id: "child",
});
const parent = (rest: Parameters<typeof invoke>[4]) =>
  workflow(
    scope(["data", "x"], invoke("Sub", "child", data, "End", { bind: "x", ...rest }), end("Late", x), end("End", x)),
  );

test("a subflow returns its output; its calls belong to the run", async () => {
  const seen = await interpretWorkflow(parent({}), {
    others: [child],
    input: { n: 1 },
    functions: { work: [returns(null, 4)] },
  });
  expect(seen).toMatchObject({
    outcome: { output: { did: { n: 1 } } },
    elapsed: 4,
    path: ["Sub", "Work", "Done", "End"],
  });
  expect(callsOf(seen)).toEqual(['work({"n":1})']);
});

test("a detached subflow continues independently, and its failure does not propagate", async () => {
  const seen = await interpretWorkflow(parent({ wait: false }), {
    others: [child],
    functions: { work: [throws("Broken", "", 4)] },
  });
  expect(seen).toMatchObject({ outcome: { output: null }, elapsed: 0 });
  expect(callsOf(seen)).toEqual(["work({})"]);
});

test("a subflow's failure is retried and handled in its caller", async () => {
  const seen = await interpretWorkflow(parent({ retries: [retry(1, 1)], handlers: [handler(yes, "Late", "x")] }), {
    others: [child],
    functions: { work: [throws("Broken", "m")] },
  });
  expect(outcomeOf(seen)).toEqual({ output: { origin: "function", name: "Broken", message: "m" } });
  expect(seen.calls).toHaveLength(2);
});

test("a subflow's timeout cancels it", async () => {
  const seen = await interpretWorkflow(parent({ timeout: 3 }), {
    others: [child],
    functions: { work: [returns(null, 4)] },
  });
  expect(seen).toMatchObject({ outcome: { error: { name: "Timeout" } }, elapsed: 3 });
});

test("an external workflow is called by its id", async () => {
  const seen = await interpretWorkflow(parent({}), { input: { n: 1 }, functions: { child: [returns("there", 2)] } });
  expect(callsOf(seen)).toEqual(['child({"n":1})']);
  expect(seen).toMatchObject({ outcome: { output: "there" }, elapsed: 2 });
});

test("a subflow that ends its run ends its caller's too if the step terminates", async () => {
  const stops = workflow(scope(["data"], end("Stop", literal("stopped"), "run")), { id: "child" });
  expect(outcomeOf(await interpretWorkflow(parent({ terminates: true }), { others: [stops] }))).toEqual({
    output: "stopped",
  });
  expect(outcomeOf(await interpretWorkflow(parent({}), { others: [stops] }))).toEqual({ output: "stopped" });
  const after = workflow(
    scope(
      ["data", "x"],
      invoke("Sub", "child", data, "End", { bind: "x", terminates: true }),
      end("End", literal("went on")),
    ),
  );
  expect(outcomeOf(await interpretWorkflow(after, { others: [stops] }))).toEqual({ output: "stopped" });
  const alone = workflow(scope(["data"], invoke("Sub", "child", data, "End"), end("End", literal("went on"))));
  expect(outcomeOf(await interpretWorkflow(alone, { others: [stops] }))).toEqual({ output: "went on" });
});

test("a subflow that fails its whole run is an ordinary failure unless the step terminates", async () => {
  const stops = workflow(scope(["data"], fail("Stop", "Enough", "m", "run")), { id: "child" });
  expect(
    outcomeOf(await interpretWorkflow(parent({ handlers: [handler(yes, "Late", "x")] }), { others: [stops] })),
  ).toEqual({
    output: { origin: "fail", name: "Enough", message: "m" },
  });
  expect(
    outcomeOf(
      await interpretWorkflow(parent({ terminates: true, handlers: [handler(yes, "Late", "x")] }), { others: [stops] }),
    ),
  ).toEqual({
    error: "Enough",
    message: "m",
  });
});

test("a subflow outside its window completes with its input", async () => {
  const closed = { ...child, start: { ...child.start, window: { until: "2025-01-01T00:00:00Z" } } };
  expect(await interpretWorkflow(parent({}), { others: [closed], input: { n: 1 } })).toMatchObject({
    outcome: { output: { n: 1 } },
    calls: [],
  });
});

test("subflows that start each other endlessly fail the run", async () => {
  const again = (wait: boolean) =>
    interpretWorkflow(workflow(scope(["data"], invoke("Sub", "main", data, "End", { wait }), end("End", data))));
  expect(outcomeOf(await again(false))).toEqual({
    error: "LimitError",
    message: "More than 2000 subflows that nobody waits for were started in a row without a call, a delay or an event.",
  });
  expect(outcomeOf(await again(true))).toEqual({
    error: "LimitError",
    message: "More than 1000 subflows wait for each other.",
  });
});
