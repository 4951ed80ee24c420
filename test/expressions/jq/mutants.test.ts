import fc from "fast-check";
import { expect, test } from "vitest";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { checkNames } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { withoutPositions } from "./drawing.ts";
import { mutants } from "./mutants.ts";
import { loadOracle } from "./oracle.ts";
import { printJq } from "./print.ts";
import { programs } from "./programs.ts";
import { readSuites } from "./suites.ts";

// Programs with mistakes: whatever jq compiles, we accept. `WAYBILL_RUNS` and `WAYBILL_SEED` control them.

const runs = Number(process.env["WAYBILL_RUNS"] ?? 400);
const seed = Number(process.env["WAYBILL_SEED"] ?? 1);

/** Whether all errors concern features of jq that workflows lack. */
function isTaken(program: string): boolean {
  const query = parseJq(program);
  return !isParseError(query) && checkNames(query, ["given"]).every(({ category }) => category === "unsupported");
}

test(`${5 * runs} changed programs are accepted if jq compiles them`, { timeout: 600_000 }, async () => {
  const oracle = await loadOracle();
  const texts = mutants([...programs, ...readSuites().map(({ program }) => program)]);
  const counts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(texts, (text) => {
      const taken = isTaken(text);
      counts[taken ? "taken" : "refused"] += 1;
      expect(taken).toBe(oracle.compiles(text));
    }),
    { seed, numRuns: 5 * runs },
  );
  expect(counts.taken).toBeGreaterThan(runs / 2);
  expect(counts.refused).toBeGreaterThan(runs);
});

test(`${20 * runs} changed programs are rejected with a position or round-trip`, {
  timeout: 600_000,
}, () => {
  fc.assert(
    fc.property(mutants(programs), (text) => {
      const query = parseJq(text);
      if (!isParseError(query)) {
        const again = parseJq(printJq(query));
        expect(isParseError(again) ? again : withoutPositions(again)).toEqual(withoutPositions(query));
        return;
      }
      expect(query.from).toBeGreaterThanOrEqual(0);
      expect(query.to).toBeGreaterThanOrEqual(query.from);
      expect(query.to).toBeLessThanOrEqual(text.length);
      expect(query.message).toMatch(/^[A-Z`].*\.$/s);
    }),
    { seed, numRuns: 20 * runs },
  );
});
