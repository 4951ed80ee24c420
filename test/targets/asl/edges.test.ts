import { expect, test } from "vitest";
import { call, conditional, literal, member, object, variable } from "../../../src/expressions/core/build.ts";
import type { Expression } from "../../../src/expressions/index.ts";
import { onlyGrows } from "../../../targets/asl/select/edges.ts";
import { assign, data } from "../../reference/build.ts";

const merged = call("merge", data, object([["a", literal(1)]]));

/** Whether an assignment of these variables only grows `data`. */
const grows = (values: { readonly [variable: string]: Expression }): boolean =>
  onlyGrows(assign("A", values, "B") as Parameters<typeof onlyGrows>[0], "data");

// If a merge fails, the variable is not an object, so earlier merges did not change it: a Catch finds its old value.
// After any other assignment it does not.
test.each<[string, Expression, boolean]>([
  ["the variable itself", data, true],
  ["a merge of an object", merged, true],
  ["a merge into a merge", call("merge", merged, object([["b", literal(2)]])), true],
  ["a merge on each path of a condition that cannot fail", conditional(literal(true), merged, data), true],
  ["a condition that may fail", conditional(call("error", literal("x")), merged, data), false],
  ["a new value on one of the paths", conditional(literal(true), merged, literal(1)), false],
  ["a new value", literal(1), false],
  ["another variable", variable("other"), false],
  ["a merge into another variable", call("merge", variable("other"), object([])), false],
  ["a merge of what may not be an object", call("merge", data, member(data, "a")), false],
  ["a merge of what may fail", call("merge", data, call("error", literal("x"))), false],
  ["a value placed under a path", call("place", data, literal(["a"]), literal(1)), true],
  ["a value placed under the empty path, which replaces it", call("place", data, literal([]), literal(1)), false],
  ["another function", call("keys", data), false],
])("%s", (_, value, isGrown) => {
  expect(grows({ data: value })).toBe(isGrown);
});

test("an assignment of another variable does not only extend `data`", () => {
  expect(grows({ data: merged, other: literal(1) })).toBe(false);
  expect(grows({ other: merged })).toBe(false);
});
