import { describe, expect, test } from "vitest";
import { binary, collect, comma, literal, object, variable } from "../../../src/expressions/core/build.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { call, data, delay, end, forEach, handler, named, retry, scope, workflow } from "../../reference/build.ts";
import { callsOf, outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import { compareWithReference, element, generateMachine, index, part, x } from "./reference-comparison.ts";

// An iteration receives its initial values as its input: no state in a Map reads the context of the Map.

const all = [data, element, index, x];
const inner = scope(
  [
    ["data", object([["own", element]])],
    ["x", collect(comma(data, index))],
  ],
  call("Call", "f", collect(comma(...all)), "Wait"),
  delay("Wait", literal(1), "Done"),
  end("Done", collect(comma(...all))),
);
const each = (rest: Parameters<typeof forEach>[4], body = inner) =>
  workflow(
    scope(["data", "r"], forEach("Each", part("list"), body, "End", { bind: "r", ...rest }), end("End", variable("r"))),
  );
const list = [7, [8], null];
const begins = (item: Json, i: number, input: Json): Json => [{ own: item }, item, i, [input, i]];

describe("an iteration reads its element, its index and outer variables", () => {
  test.each<[string, Parameters<typeof forEach>[4]]>([
    ["all at once", { index: "index" }],
    ["one after the other", { index: "index", width: 1 }],
    ["at times", { index: "index", gap: 5 }],
  ])("%s", async (_, rest) => {
    const seen = await compareWithReference(each(rest), { input: { list } });
    const values = list.map((item, i) => begins(item, i, { list }));
    expect(outcomeOf(seen)).toEqual({ output: values });
    expect(callsOf(seen)).toEqual(values.map((value) => `f(${JSON.stringify(value)})`));
  });

  test("inside another", async () => {
    const deep = scope(
      [["data", element]],
      call("Deep", "f", collect(comma(data, variable("j"), index, x)), "Deep/end"),
      end("Deep/end", variable("j")),
    );
    const body = scope(
      [["x", data], "data", "s"],
      forEach("Inner", element, deep, "Outer/end", { bind: "s", index: "j" }),
      end("Outer/end", collect(comma(variable("s"), index))),
    );
    const seen = await compareWithReference(each({ index: "index" }, body), { input: { list: [[5, 6], [], [4]] } });
    expect(outcomeOf(seen)).toEqual({
      output: [
        [[0, 1], 0],
        [[], 1],
        [[0], 2],
      ],
    });
  });
});

test("more paced iterations than a Map runs at once start in time, also when the Map is retried", async () => {
  const body = scope([["data", element]], call("Call", "f", data, "Done"), end("Done", binary("+", data, index)));
  const rest = { index: "index", gap: 10, retries: [retry(1, 7, { when: named("Busy") })] };
  const list = Array.from({ length: 45 }, (_, i) => i);
  const seen = await compareWithReference(each(rest, body), {
    input: { list },
    functions: { f: (item, i) => (i === 2 ? throws("Busy") : returns(item)) },
  });
  expect(outcomeOf(seen)).toEqual({ output: list.map((i) => 2 * i) });
  expect(seen.elapsed).toBe(20 + 7 + 440);
});

test("an iteration whose initial values fail raises an error that is handled", async () => {
  const body = scope([["data", binary("+", part("n"), element)]], call("Call", "f", data, "Done"), end("Done", data));
  const flow = workflow(
    scope(
      ["data", "r"],
      forEach("Each", part("list"), body, "End", {
        bind: "r",
        handlers: [handler(named("ExpressionError"), "Caught")],
      }),
      end("End", variable("r")),
      end("Caught", literal("caught")),
    ),
  );
  expect(outcomeOf(await compareWithReference(flow, { input: { n: 1, list: [1, 2] } }))).toEqual({ output: [2, 3] });
  expect(outcomeOf(await compareWithReference(flow, { input: { n: 1, list: ["a"] } }))).toEqual({ output: "caught" });
});

test("no state in a Map reads the context of the Map", async () => {
  const { states } = await generateMachine(each({ index: "index", gap: 5 }));
  const { ItemProcessor } = states["Each"] as { readonly ItemProcessor: JsonObject };
  expect(JSON.stringify(ItemProcessor)).not.toContain("context.Map");
});
