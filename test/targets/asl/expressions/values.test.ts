import { describe, expect, test } from "vitest";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import {
  binary,
  call as builtin,
  collect,
  comma,
  literal,
  member,
  object,
  variable,
} from "../../../../src/expressions/core/build.ts";
import { wrap } from "../../../equivalence/wrapping.ts";
import { assign, call, choose, data, delay, emit, end, event, scope, workflow } from "../../../reference/build.ts";
import { callsOf, outcomeOf, returns } from "../../../reference/interpreting.ts";
import { bad, compareWithReference, generateMachine, good, part, risky, wrong, x, y } from "../reference-comparison.ts";

// Values and conditions without a JSONata form are evaluated by the generated function, with the same results as on the
// reference.

describe("gives the same results as the reference", () => {
  test("the values of one step are all evaluated from the old values", async () => {
    const step = assign("A", { x: wrap(part("n")), y: literal(2), data: wrap(collect(comma(x, y))) }, "B");
    const flow = workflow(scope([["x", literal(5)], "y", "data"], step, end("B", collect(comma(data, x, y)))));
    expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ output: [[5, null], 1, 2] });
    const { states } = await generateMachine(flow);
    expect(Object.values(states).filter(({ Type }) => Type === "Task")).toHaveLength(1);
  });

  test("the first of several failures is reported", async () => {
    const oops = builtin("error", literal("first"));
    const flow = workflow(scope(["data", "x", "y"], assign("A", { x: oops, y: risky(literal(1)) }, "B"), end("B", y)));
    expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual({
      error: "ExpressionError",
      message: "first",
    });
  });

  test("an unused value still fails", async () => {
    const flow = workflow(
      scope(["data", "x"], assign("A", { x: risky(literal(1)) }, "B"), call("B", "f", data, "C"), end("C", data)),
    );
    expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual(wrong);
    expect(callsOf(await compareWithReference(flow, { input: good }))).toHaveLength(1);
  });

  test("arguments, event data, times and results are evaluated", async () => {
    const body = scope(
      ["data", "x"],
      call("Call", "f", wrap(object([["n", part("n")]])), "Wait", { bind: "x" }),
      delay("Wait", wrap(literal(3)), "Tell"),
      emit("Tell", "told", wrap(x), "End"),
      end("End", wrap(collect(x))),
    );
    const told = event("told", { source: "/here" });
    const seen = await compareWithReference(workflow(body, { events: [told] }), {
      input: good,
      functions: { f: [returns({ a: 1 }, 2)] },
    });
    expect(outcomeOf(seen)).toEqual({ output: [{ a: 1 }] });
  });

  test("numbers that JSON lacks are converted", async () => {
    const huge = binary("*", literal(1e308), binary("*", part("n"), literal(1e10)));
    const flow = workflow(scope(["data"], end("A", wrap(huge))));
    expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ output: Number.MAX_VALUE });
  });

  test("hostile strings stay data", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the test is about such strings
    const hostile = "</script>`${x}` \u2028 */ {% $x %} ' \" \\ __proto__";
    const body = scope(
      ["data", "__proto__", "constructor"],
      assign(hostile, { constructor: wrap(literal(hostile)) }, "E"),
      {
        ...end("E", wrap(collect(comma(variable("constructor"), variable("__proto__"), data)))),
        id: "E",
      },
    );
    expect(outcomeOf(await compareWithReference(workflow(body), { input: good }))).toEqual({
      output: [hostile, null, good],
    });
  });
});

describe("conditions", () => {
  const decision = (first: Expression, second: Expression) =>
    workflow(
      scope(
        ["data"],
        choose("C", [[first, "One"], [second, "Two"]], "Else"), // biome-ignore format: a table
        end("One", literal(1)),
        end("Two", literal(2)),
        end("Else", literal(3)),
      ),
    );

  test("a later condition is not evaluated after an earlier one holds", async () => {
    const flow = decision(binary("==", member(data, "n"), literal(1)), risky(literal(true)));
    expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual({ output: 1 });
    expect(outcomeOf(await compareWithReference(flow, { input: { ...bad, n: 2 } }))).toEqual(wrong);
    expect(outcomeOf(await compareWithReference(flow, { input: { ...good, n: 2 } }))).toEqual({ output: 2 });
  });

  test("several conditions are evaluated in one call, in order", async () => {
    const flow = decision(wrap(binary("==", part("n"), literal(1))), risky(binary("==", part("n"), literal(2))));
    expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual({ output: 1 });
    for (const [n, output] of [[1, 1], [2, 2], [3, 3]] as const) // biome-ignore format: a table
      expect(outcomeOf(await compareWithReference(flow, { input: { ...good, n } }))).toEqual({ output });
    expect((await generateMachine(flow)).diagnostics.map(({ code }) => code)).toEqual(["WB5111", "WB5111"]);
  });

  test("many conditions are evaluated in groups", async () => {
    const cases = Array.from({ length: 40 }, (_, i) => [wrap(binary("==", part("n"), literal(i))), `E${i}`] as const);
    const ends = cases.map(([, id], i) => end(id, literal(i)));
    const flow = workflow(scope(["data"], choose("C", cases), ...ends));
    for (const n of [0, 15, 16, 39])
      expect(outcomeOf(await compareWithReference(flow, { input: { n } }))).toEqual({ output: n });
    expect(outcomeOf(await compareWithReference(flow, { input: { n: 40 } }))).toMatchObject({
      error: "NoChoiceMatched",
    });
  });

  test("only true holds", async () => {
    const flow = decision(wrap(literal(1)), wrap(literal("true")));
    expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ output: 3 });
  });

  test("a JSONata condition that may fail needs no function if its error is not handled", async () => {
    const flow = decision(binary("==", part("n"), literal(1)), binary("==", part("m"), literal(2)));
    expect(outcomeOf(await compareWithReference(flow, { input: { n: 1 } }))).toEqual({ output: 1 });
    expect(outcomeOf(await compareWithReference(flow, { input: [] }))).toMatchObject({ error: "ExpressionError" });
    expect(await generateMachine(flow)).toMatchObject({ lambda: "", diagnostics: [] });
  });
});
