import { describe, expect, test } from "vitest";
import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import { library } from "../../../src/expressions/library/registry.ts";
import type { Json } from "../../../src/json.ts";

// jq 1.8.2's results for values nested about 10,000 levels deep, within its own stack.

/** A value inside of nested arrays. */
function inArrays(count: number, innermost: Json = []): Json {
  let value = innermost;
  for (let i = 0; i < count; i++) value = [value];
  return value;
}

/** A value inside of nested objects. */
function inObjects(count: number, innermost: Json = {}): Json {
  let value = innermost;
  for (let i = 0; i < count; i++) value = { a: value };
  return value;
}

/** A function's result or error. */
function outcome(signature: string, ...values: readonly Json[]): Json {
  try {
    return library.get(signature)!.apply(...values);
  } catch (error) {
    if (error instanceof EvaluationError) return error.value;
    throw error;
  }
}

const around = [9999, 10_000, 10_001] as const;

describe("functions of two values fail beyond 10,000 levels", () => {
  test.each([
    ["_equal/3", inArrays, [true, true, "Equality check too deep"]],
    ["_equal/3", inObjects, [true, true, "Equality check too deep"]],
    ["_less/3", inArrays, [false, false, "Comparison too deep"]],
    ["_less/3", inObjects, [false, "Comparison too deep", "Comparison too deep"]],
    ["contains/2", inArrays, [true, true, "Containment check too deep"]],
    ["contains/2", inObjects, [true, true, "Containment check too deep"]],
  ] as const)("%s of values made by %o", (signature, make, expected) => {
    expect(around.map((count) => outcome(signature, make(count), make(count)))).toEqual(expected);
  });

  test("_multiply/3", () => {
    const fails = around.map(
      (count) => outcome("_multiply/3", inObjects(count), inObjects(count)) === "Object merge too deep",
    );
    expect(fails).toEqual([false, false, true]);
    expect(outcome("_multiply/3", { a: inObjects(10_001, 1) }, { b: 1 })).not.toBe("Object merge too deep");
  });

  test("a scalar is one level deeper than its container", () => {
    expect(outcome("_equal/3", inArrays(10_000, 0), inArrays(10_000, 1))).toBe(false);
    expect(outcome("_equal/3", inArrays(10_001, 0), inArrays(10_001, 1))).toBe("Equality check too deep");
    expect(outcome("contains/2", inArrays(10_001, 0), inArrays(10_001, 1))).toBe("Containment check too deep");
  });

  test("a value of any depth equals itself", () => {
    const value = inArrays(20_000);
    expect(outcome("_equal/3", value, value)).toBe(true);
    expect(outcome("_equal/3", [value], [value])).toBe(true);
    expect(outcome("_less/3", value, value)).toBe("Comparison too deep");
  });

  test("the first difference decides", () => {
    const deep = (first: Json, last: Json) => [first, inArrays(20_000), last];
    expect(outcome("_equal/3", deep(1, 0), deep(2, 0))).toBe(false);
    expect(outcome("_equal/3", deep(0, 1), deep(0, 2))).toBe("Equality check too deep");
    expect(outcome("_less/3", deep(1, 0), deep(2, 0))).toBe(true);
    expect(outcome("_less/3", deep(0, 1), deep(0, 2))).toBe("Comparison too deep");
    expect(outcome("_less/3", [inArrays(3000, 1), 2], [inArrays(3000, 2), 1])).toBe(true);
    expect(outcome("_equal/3", [inArrays(3000, 1), 2], [inArrays(3000, 2), 2])).toBe(false);
  });

  test.each(["sort/1", "unique/1", "min/1", "max/1"])("%s compares", (signature) => {
    expect(outcome(signature, [inArrays(10_001), inArrays(10_001)])).toBe("Comparison too deep");
  });
});

describe("texts", () => {
  test("deeper values are omitted", () => {
    expect(outcome("tojson/1", inArrays(10_000))).toBe(`${"[".repeat(10_001)}${"]".repeat(10_001)}`);
    expect(outcome("tojson/1", inArrays(10_001))).toBe(`${"[".repeat(10_001)}<skipped: too deep>${"]".repeat(10_001)}`);
    expect(outcome("tojson/1", inArrays(10_002, 1))).toBe(outcome("tojson/1", inArrays(10_001, 1)));
    expect(outcome("tojson/1", inObjects(10_001))).toBe(
      `${'{"a":'.repeat(10_001)}<skipped: too deep>${"}".repeat(10_001)}`,
    );
    expect(outcome("tojson/1", inArrays(9999, [1, { a: [2], b: [] }]))).toContain(
      '[1,{"a":<skipped: too deep>,"b":<skipped: too deep>}]',
    );
  });

  test("a string with U+0000 at a deep level", () => {
    expect(outcome("tojson/1", inArrays(1200, ["\0", { "\0": 1 }]))).toContain('["\\u0000",{"\\u0000":1}]');
  });

  test("are parsed up to 10,000 levels; a member counts twice", () => {
    const isRead = (value: Json) => typeof outcome("fromjson/1", outcome("tojson/1", value)) === "object";
    expect([inArrays(9999), inArrays(10_000), inObjects(4999), inObjects(5000)].map(isRead)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    const text = `${"[".repeat(10_001)}${"]".repeat(10_001)}`;
    expect(outcome("fromjson/1", text)).toBe(
      `Exceeds depth limit for parsing at line 1, column 10001 (while parsing '${text}')`,
    );
  });
});

describe("functions without a depth limit, or with one for paths only", () => {
  test("flatten", () => expect(outcome("flatten/1", inArrays(50_000, [1]))).toEqual([1]));

  test("setpath, getpath and delpaths", () => {
    const path = Array(10_000).fill(0);
    const value = outcome("setpath/3", null, path, 1);
    expect(outcome("getpath/2", value, path)).toBe(1);
    expect(outcome("flatten/1", value)).toEqual([1]);
    expect(outcome("flatten/1", outcome("delpaths/2", value, [path]))).toEqual([]);
    for (const [signature, ...values] of [
      ["setpath/3", null, [...path, 0], 1],
      ["getpath/2", null, [...path, 0]],
      ["delpaths/2", null, [[...path, 0]]],
    ] as const)
      expect(outcome(signature, ...values)).toBe("Path too deep");
  });
});
