import { expect, test } from "vitest";
import { effectsOf } from "../../src/expressions/analysis/effects.ts";
import { comma, conditional, type Expression, identity, member, variable } from "../../src/expressions/index.ts";

/** Conditionals in one another. */
function nested(depth: number): Expression {
  let tree: Expression = variable("x");
  for (let i = 0; i < depth; i += 1) tree = conditional(member(identity, `k${i}`), comma(), tree);
  return tree;
}

test.each(["outputs", "canFail", "type", "free", "usesInput", "weight"] as const)(
  "%s of an expression of any depth",
  (effect) => {
    expect(() => effectsOf(nested(50_000))[effect]).not.toThrow();
  },
);

test("effects do not depend on the depth at which they are computed", () => {
  const { outputs, canFail, usesInput, free, weight } = effectsOf(nested(1000));
  const shallow = nested(100);
  expect([outputs, canFail, usesInput, [...free]]).toEqual(["optional", false, true, [["x", 1]]]);
  expect(weight.depth).toBe(effectsOf(shallow).weight.depth + 900);
});
