import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inexactFunctions, library, listFunctions } from "../../../src/expressions/library/registry.ts";
import { loadOracle } from "../jq/oracle.ts";
import { outcome, outcomesOfJq, readsZeroSign, withoutZeroSigns } from "./exchange.ts";
import { callsOf } from "./values.ts";

const oracle = await loadOracle();

/**
 * Ignores what C leaves undefined: the exponent of numbers without one, and the sign of zero, which jq keeps only for
 * calculated numbers.
 */
const open = (signature: string, text: string): boolean =>
  (signature === "frexp/1" && text.includes("#") && !text.includes("-0")) ||
  (signature === "_negate/1" && text === "[0,0]");

/** The number of calls compared per function. */
const runs = Number(process.env.LIBRARY_RUNS ?? 40);

describe("the library agrees with jq 1.8 on random values", () => {
  const compared = [...library, ...listFunctions].filter(
    ([signature, { file }]) => !inexactFunctions.has(signature) && file !== "regex.ts",
  );
  test.each(compared)("%s", { timeout: 600_000 }, async (signature, definition) => {
    const calls = fc.sample(callsOf(signature, definition.ignoresInput), { seed: 20_260_101, numRuns: runs });
    const expected = await outcomesOfJq(oracle, signature, definition.ignoresInput, calls);
    calls.forEach((values, i) => {
      const given = outcome(definition, values);
      if (open(signature, given) || readsZeroSign(signature, values)) return;
      const result = { values, outcome: withoutZeroSigns(given) };
      expect(result).toEqual({ values, outcome: withoutZeroSigns(expected[i]!) });
    });
  });
});

test("inexact functions fail for the same arguments as in jq", async () => {
  for (const signature of inexactFunctions.keys()) {
    const definition = library.get(signature);
    if (!definition) continue;
    const expected = await outcomesOfJq(oracle, signature, definition.ignoresInput, [["a", 1]]);
    expect(outcome(definition, ["a", 1])).toBe(expected[0]);
  }
});
