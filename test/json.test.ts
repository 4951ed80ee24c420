import { expect, test } from "vitest";
import { equalJson, type Json } from "../src/json.ts";

test.each<[Json, Json, boolean]>([
  [{ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] }, true],
  [0, -0, true],
  [[], {}, false],
  [{}, null, false],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [[1, 2], [2, 1], false],
  [JSON.parse('{"__proto__": 1}'), {}, false],
  [JSON.parse('{"toString": null}'), JSON.parse('{"toString": null}'), true],
])("%j and %j are equal: %j", (a, b, same) => {
  expect(equalJson(a, b)).toBe(same);
  expect(equalJson(b, a)).toBe(same);
});
