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
import { wrapped } from "../../../equivalence/computed.ts";
import { assign, call, choose, data, delay, emit, end, event, scope, workflow } from "../../../reference/build.ts";
import { callsOf, outcomeOf, returns } from "../../../reference/interpreting.ts";
import { bad, compareWithReference, generateMachine, good, part, risky, wrong, x, y } from "../reference-comparison.ts";

// Values and conditions that JSONata has no exact form for are computed by the function beside the machine, and come out as on the reference.

describe("comes out as on the reference", () => {
  test("values, all of one step at once, from the old ones", async () => {
    const step = assign("A", { x: wrapped(part("n")), y: literal(2), data: wrapped(collect(comma(x, y))) }, "B");
    const flow = workflow(scope([["x", literal(5)], "y", "data"], step, end("B", collect(comma(data, x, y)))));
    expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ output: [[5, null], 1, 2] });
    const { states } = await generateMachine(flow);
    expect(Object.values(states).filter(({ Type }) => Type === "Task")).toHaveLength(1);
  });

  test("of several values that may fail, the first that does", async () => {
    const oops = builtin("error", literal("first"));
    const flow = workflow(scope(["data", "x", "y"], assign("A", { x: oops, y: risky(literal(1)) }, "B"), end("B", y)));
    expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual({
      error: "ExpressionError",
      message: "first",
    });
  });

  test("a value that nobody reads fails all the same", async () => {
    const flow = workflow(
      scope(["data", "x"], assign("A", { x: risky(literal(1)) }, "B"), call("B", "f", data, "C"), end("C", data)),
    );
    expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual(wrong);
    expect(callsOf(await compareWithReference(flow, { input: good }))).toHaveLength(1);
  });

  test("arguments, produced data, times and results", async () => {
    const body = scope(
      ["data", "x"],
      call("Call", "f", wrapped(object([["n", part("n")]])), "Wait", { bind: "x" }),
      delay("Wait", wrapped(literal(3)), "Tell"),
      emit("Tell", "told", wrapped(x), "End"),
      end("End", wrapped(collect(x))),
    );
    const told = event("told", { source: "/here" });
    const seen = await compareWithReference(workflow(body, { events: [told] }), {
      input: good,
      functions: { f: [returns({ a: 1 }, 2)] },
    });
    expect(outcomeOf(seen)).toEqual({ output: [{ a: 1 }] });
  });

  test("what is not a number of JSON is settled as JSON has it", async () => {
    const huge = binary("*", literal(1e308), binary("*", part("n"), literal(1e10)));
    const flow = workflow(scope(["data"], end("A", wrapped(huge))));
    expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ output: Number.MAX_VALUE });
  });

  test("texts that would harm the text they stand in", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: such texts are what is tested
    const hostile = "</script>`${x}` \u2028 */ {% $x %} ' \" \\ __proto__";
    const body = scope(
      ["data", "__proto__", "constructor"],
      assign(hostile, { constructor: wrapped(literal(hostile)) }, "E"),
      {
        ...end("E", wrapped(collect(comma(variable("constructor"), variable("__proto__"), data)))),
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

  test("a later one is not evaluated where an earlier one holds", async () => {
    const flow = decision(binary("==", member(data, "n"), literal(1)), risky(literal(true)));
    expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual({ output: 1 });
    expect(outcomeOf(await compareWithReference(flow, { input: { ...bad, n: 2 } }))).toEqual(wrong);
    expect(outcomeOf(await compareWithReference(flow, { input: { ...good, n: 2 } }))).toEqual({ output: 2 });
  });

  test("several are computed at once, in their order", async () => {
    const flow = decision(wrapped(binary("==", part("n"), literal(1))), risky(binary("==", part("n"), literal(2))));
    expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual({ output: 1 });
    for (const [n, output] of [[1, 1], [2, 2], [3, 3]] as const) // biome-ignore format: a table
      expect(outcomeOf(await compareWithReference(flow, { input: { ...good, n } }))).toEqual({ output });
    expect((await generateMachine(flow)).diagnostics.map(({ code }) => code)).toEqual(["WB5111", "WB5111"]);
  });

  test("many are computed in groups", async () => {
    const cases = Array.from(
      { length: 40 },
      (_, i) => [wrapped(binary("==", part("n"), literal(i))), `E${i}`] as const,
    );
    const ends = cases.map(([, id], i) => end(id, literal(i)));
    const flow = workflow(scope(["data"], choose("C", cases), ...ends));
    for (const n of [0, 15, 16, 39])
      expect(outcomeOf(await compareWithReference(flow, { input: { n } }))).toEqual({ output: n });
    expect(outcomeOf(await compareWithReference(flow, { input: { n: 40 } }))).toMatchObject({
      error: "NoChoiceMatched",
    });
  });

  test("anything but true does not hold", async () => {
    const flow = decision(wrapped(literal(1)), wrapped(literal("true")));
    expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ output: 3 });
  });

  test("one that JSONata can say, but that may fail, needs no function where nothing wants its error", async () => {
    const flow = decision(binary("==", part("n"), literal(1)), binary("==", part("m"), literal(2)));
    expect(outcomeOf(await compareWithReference(flow, { input: { n: 1 } }))).toEqual({ output: 1 });
    expect(outcomeOf(await compareWithReference(flow, { input: [] }))).toMatchObject({ error: "ExpressionError" });
    expect(await generateMachine(flow)).toMatchObject({ lambda: "", diagnostics: [] });
  });
});
