import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { inputOf, timeLeft, unwrap, wrap } from "../../../../targets/openwhisk/helpers/values.ts";

const values: readonly (readonly [value: Json, params: Json])[] = [
  [{ id: 1 }, { id: 1 }],
  [{}, {}],
  [5, { value: 5 }],
  [null, { value: null }],
  [["a"], { value: ["a"] }],
  [{ error: 1 }, { value: { error: 1 } }],
  [{ $waybill: "suspended" }, { value: { $waybill: "suspended" } }],
  [{ $resume: {}, id: 1 }, { value: { $resume: {}, id: 1 } }],
  [{ value: 5 }, { value: { value: 5 } }],
  [{ value: { id: 1 } }, { value: { id: 1 } }],
  [
    { value: 5, more: 1 },
    { value: 5, more: 1 },
  ],
  [{ value: { value: { error: 1 } } }, { value: { value: { value: { error: 1 } } } }],
];

test.each(values)("%j is passed through the platform unchanged", (value, params) => {
  expect(wrap(value)).toEqual(params);
  expect(unwrap(params as JsonObject)).toEqual(value);
});

test("a native composition receives objects unchanged, and nothing else", () => {
  expect(inputOf({ error: 1 })).toEqual({ error: 1 });
  expect(textOf(() => inputOf({ n: 1, $resume: {} }))).toContain('"message":"A composition has no input $resume."');
  expect(textOf(() => inputOf([1]))).toContain('"name":"InvalidInput"');
});

test("a duration is limited by deadlines, and never negative", () => {
  expect(timeLeft(5)).toBe(5);
  expect(timeLeft(60_000, Date.now() - 1)).toBe(0);
  expect(timeLeft(10, Date.now() + 60_000)).toBe(10);
});

/** The string of a thrown value, as the conductor converts it. */
function textOf(work: () => unknown): string {
  try {
    return `nothing: ${work()}`;
  } catch (thrown) {
    return String(thrown);
  }
}
