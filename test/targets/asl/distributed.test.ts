import { describe, expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { binary, collect, comma, literal, member, variable } from "../../../src/expressions/core/build.ts";
import type { Json } from "../../../src/json.ts";
import {
  allOf,
  assign,
  call,
  choose,
  data,
  delay,
  end,
  event,
  forEach,
  handler,
  named,
  receive,
  retry,
  scope,
  workflow,
  yes,
} from "../../reference/build.ts";
import { callsOf, type InterpretOptions, outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import {
  compareWithReference,
  element,
  generateMachine,
  index,
  part,
  risky,
  runOnAsl,
  x,
} from "./reference-comparison.ts";

// Loops as Distributed Maps: iterations are executions that see no outer variables, and whose errors the Map does not
// report.

const foreach = { foreach: "distributed" };
const same = (given: ReturnType<typeof workflow>, setup: InterpretOptions) =>
  compareWithReference(given, setup, foreach);

/** A loop over `data.list` whose iterations call `f` with an argument. */
const calling = (argument: Expression, rest: Parameters<typeof forEach>[4] = {}) =>
  workflow(
    scope(
      ["data", ["x", literal("around")], "r", "e"],
      forEach(
        "Each",
        part("list"),
        scope(["v"], call("Call", "f", argument, "Done", { bind: "v" }), end("Done", variable("v"))),
        "End",
        { bind: "r", ...rest },
      ),
      end("End", variable("r")),
      end("Caught", member(variable("e"), "message")),
    ),
  );
const list = (length: number): Json => Array.from({ length }, (_, i) => i);
const slow = (value: Json) => returns(value, 10);

describe("iterations", () => {
  test.each([
    ["all run at once", undefined, 10],
    ["run with the maximum concurrency", 60, 20],
  ])("are %s", async (_, width, elapsed) => {
    const seen = await same(calling(element, { width }), { input: { list: list(100) }, functions: { f: slow } });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: list(100) }, elapsed]);
  });

  test("receive the outer variables that they read", async () => {
    const seen = await same(calling(collect(comma(data, element, index, x)), { index: "index" }), {
      input: { list: ["a", null] },
    });
    const document = { list: ["a", null] };
    expect(callsOf(seen)).toEqual([
      `f(${JSON.stringify([document, "a", 0, "around"])})`,
      `f(${JSON.stringify([document, null, 1, "around"])})`,
    ]);
  });

  test("inside an iteration run in its execution, and read outer variables of both", async () => {
    const inner = scope(
      [],
      call("Deep", "f", collect(comma(variable("n"), element, x)), "Deep/end"),
      end("Deep/end", x),
    );
    const body = scope(
      ["s", ["x", index], ["y", x]],
      { ...forEach("Inner", element, inner, "Outer/end", { bind: "s" }), element: "n" },
      end("Outer/end", collect(comma(variable("s"), variable("y")))),
    );
    const outer = workflow(
      scope(
        ["data", ["x", literal("outer")], "r"],
        forEach("Each", part("list"), body, "End", { bind: "r", index: "index" }),
        end("End", variable("r")),
      ),
    );
    const seen = await same(outer, { input: { list: [[1, 2], []] } });
    expect(outcomeOf(seen)).toEqual({
      output: [
        [[0, 0], "outer"],
        [[], "outer"],
      ],
    });
    const { states } = await generateMachine(outer, foreach);
    expect(JSON.stringify(states).match(/"Mode":"\w+"/g)).toEqual(['"Mode":"DISTRIBUTED"', '"Mode":"INLINE"']);
  });

  test("have their own histories", async () => {
    const seen = await same(calling(element), { input: { list: list(3000) }, functions: { f: returns(1) } as never });
    expect(outcomeOf(seen)).toMatchObject({ output: { length: 3000 } });
  });

  test("compute expressions that only a function can compute", async () => {
    const seen = await same(calling(risky(collect(comma(element, part("n"))))), {
      input: { list: [1, 2], bad: false, n: 3 },
    });
    expect(callsOf(seen)).toEqual(["f([1,3])", "f([2,3])"]);
  });
});

describe("a failing iteration", () => {
  const third = (argument: Json) => (argument === 2 ? throws("Third", "no") : returns(argument));

  test.each([
    ["prevents later iterations from starting", 50],
    ["of all at once", undefined],
  ])("fails the loop with its own error: %s", async (_, width) => {
    const seen = await same(calling(element, { width }), { input: { list: list(120) }, functions: { f: third } });
    expect(outcomeOf(seen)).toEqual({ error: "Third", message: "no" });
  });

  test("determines the error while others still run", async () => {
    const f = (argument: Json) => throws(`E${argument}`, "", 10 - Number(argument));
    const seen = await same(calling(element, { width: 41 }), { input: { list: list(9) }, functions: { f } });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ error: "E8", message: "" }, 2]);
  });

  test("is caught by name", async () => {
    const rest = { handlers: [handler(named("Third"), "Caught", "e")] };
    const seen = await same(calling(element, rest), { input: { list: list(4) }, functions: { f: third } });
    expect(outcomeOf(seen)).toEqual({ output: "no" });
  });

  test("is retried with all others", async () => {
    let failures = 1;
    const f = (argument: Json) => (argument === 2 && failures-- > 0 ? throws("Third") : returns(argument));
    const rest = { retries: [retry(2, 1, { when: named("Third") })], width: 50 };
    const setup = { input: { list: list(4) } };
    const seen = await runOnAsl(calling(element, rest), { ...setup, functions: { f } }, foreach);
    expect(outcomeOf(seen)).toEqual({ output: list(4) });
  });

  test("may fail with a data error", async () => {
    const seen = await same(calling(risky(element)), { input: { list: [1], bad: true } });
    expect(outcomeOf(seen)).toEqual({ error: "Bad: {one}", message: '100% "wrong" {{x}}' });
  });

  test("may fail in its initial values, which read outer variables", async () => {
    const body = scope(
      [["x", risky(collect(comma(element, x)))], ["data", literal(1)], "v"],
      call("Call", "f", collect(comma(x, data)), "Done", { bind: "v" }),
      end("Done", variable("v")),
    );
    const loop = workflow(
      scope(
        ["data", ["x", literal("around")], "r", "e"],
        forEach("Each", part("list"), body, "End", { bind: "r", handlers: [handler(yes, "Caught", "e")] }),
        end("End", variable("r")),
        end("Caught", member(variable("e"), "name")),
      ),
    );
    const good = await same(loop, { input: { list: [1, 2], bad: false } });
    expect(callsOf(good)).toEqual(['f([[1,"around"],1])', 'f([[2,"around"],1])']);
    const bad = await same(loop, { input: { list: [1], bad: true } });
    expect(outcomeOf(bad)).toEqual({ output: "Bad: {one}" });
  });

  test("does not include failures before the loop", async () => {
    const loop = workflow(
      scope(
        ["data", "x", "r", "e"],
        assign("Before", { x: risky(part("list")) }, "Each"),
        forEach("Each", part("list"), scope([], call("Call", "f", x, "Done"), end("Done", element)), "End", {
          bind: "r",
          handlers: [handler(yes, "Caught", "e")],
        }),
        end("End", variable("r")),
        end("Caught", member(variable("e"), "name")),
      ),
    );
    for (const bad of [false, true]) await same(loop, { input: { list: [1, 2], bad } });
    const { states } = await generateMachine(loop, foreach);
    expect(JSON.stringify(states)).toContain('"Mode":"DISTRIBUTED"');
  });

  test("does not fail the next visit of the loop", async () => {
    const rounds = workflow(
      scope(
        ["data", ["n", literal(0)], "e"],
        forEach(
          "Each",
          part("list"),
          scope([], call("Call", "f", collect(comma(element, variable("n"))), "Done"), end("Done", literal(1))),
          "Next",
          { width: 50, handlers: [handler(yes, "Next")] },
        ),
        assign("Next", { n: binary("+", variable("n"), literal(1)) }, "Again"),
        choose("Again", [[binary("<", variable("n"), literal(3)), "Each"]], "End"),
        end("End", variable("n")),
      ),
    );
    const f = (argument: Json) => ((argument as number[])[1] === 1 ? throws("Odd") : returns(null));
    const seen = await same(rounds, { input: { list: [1, 2] }, functions: { f } });
    expect([outcomeOf(seen), callsOf(seen).length]).toEqual([{ output: 3 }, 6]);
  });

  test("of one loop does not fail a concurrent loop", async () => {
    const inner = scope([], call("Call", "f", element, "Deep"), end("Deep", literal(1)));
    const body = scope(
      ["s", ["own", element]],
      { ...forEach("Inner", variable("own"), inner, "Outer", { bind: "s", handlers: [handler(yes, "Outer")] }) },
      end("Outer", variable("s")),
    );
    const sides = workflow(
      scope(
        ["data", "r"],
        forEach("Each", part("list"), body, "End", { bind: "r", width: 2 }),
        end("End", variable("r")),
      ),
    );
    const f = (argument: Json) => (argument === 2 ? throws("Second") : returns(null));
    const setup = { input: { list: [[1, 2], [3]] }, functions: { f } };
    expect(outcomeOf(await same(sides, setup))).toEqual({ output: [null, [1]] });
  });
});

const refused = async (given: ReturnType<typeof workflow>): Promise<readonly string[]> =>
  (await generateMachine(given, foreach)).diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);

const around = (body: ReturnType<typeof scope>, width?: number) => ({
  ...workflow(
    scope(["data", "r"], forEach("Each", part("list"), body, "End", { bind: "r", width }), end("End", variable("r"))),
  ),
  events: [event("Told")],
});

test.each([
  [
    "waits for events",
    around(scope(["v"], receive("Wait", [allOf("Told")], "v", "Done"), end("Done", literal(1)))),
    [
      "Amazon States Language has no exact form for waiting for events in iterations of `Each`, which are executions of their own.",
    ],
  ],
  [
    "ends the run",
    around(scope([], delay("Wait", literal(1), "Done"), end("Done", literal(1), "run"))),
    [
      "Amazon States Language has no exact form for ending the run in iterations of `Each`, which are executions of their own.",
    ],
  ],
])("an iteration that %s is refused", async (_, given, expected) => {
  expect(await refused(given)).toEqual(expected);
});

test("few items, or a low concurrency, use an inline Map", async () => {
  const few = calling(element, { width: 40 });
  const constant = calling(element);
  const steps = constant.body.steps.map((step) =>
    step.kind === "foreach" ? { ...step, items: literal([1, 2]) } : step,
  );
  for (const each of [few, { ...constant, body: { ...constant.body, steps } }]) {
    const { states } = await generateMachine(each, foreach);
    expect(JSON.stringify(states)).toContain('"Mode":"INLINE"');
  }
});
