import { expect, test } from "vitest";
import { helpers } from "../../../../src/generated/openwhisk-helpers.js";
import { runtime } from "../../../../src/generated/runtime.js";

test("helpers and functions of expressions have different names: a composition defines both", () => {
  const names = new Set(Object.keys(runtime()));
  expect(names.size).toBeGreaterThan(100);
  expect(Object.keys(helpers).filter((name) => names.has(name))).toEqual([]);
});
