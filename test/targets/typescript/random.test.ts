import { expect, test } from "vitest";
import { check, generate } from "../../../src/compile.ts";
import type { JsonObject } from "../../../src/json.ts";
import { languages } from "../../../src/languages/index.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { definitions, isWild } from "../asl/random/definitions.ts";
import { inputOf, onExecutor, onReference, performed } from "../asl/random/perform.ts";
import { withWrapped } from "../asl/random/wrapped.ts";

// Random definitions with random answers of functions: what the reference does, the emitted program does. In every fourth some expressions are wrapped
// so that they have no readable form. `WAYBILL_RUNS` and `WAYBILL_SEED` make more of them and others.

const runs = Number(process.env["WAYBILL_RUNS"] ?? 150);
const firstSeed = Number(process.env["WAYBILL_SEED"] ?? 1);
const seeds = Array.from({ length: runs }, (_, i) => firstSeed + i);

async function compile(seed: number) {
  const sources = definitions(seed).map((definition, i) => ({
    path: `workflow${i}.json`,
    text: JSON.stringify(definition),
  }));
  const { program: plain } = check({ sources, options: { timeout: seed % 2 === 0 ? "fail" : "proceed" } }, languages);
  const program = plain && seed % 4 === 0 ? withWrapped(plain, seed, 20) : plain;
  return { program, files: program ? (await generate(program, typescript)).files : [] };
}

test(`${runs} random workflows do the same on typescript as on the reference`, { timeout: 600_000 }, async () => {
  const executor = await typescript.load!();
  let succeeded = 0;
  for (const seed of seeds) {
    const { program, files } = await compile(seed);
    if (!program) continue;
    for (const one of [seed * 2, seed * 2 + 1]) {
      const input = inputOf(one, isWild(seed));
      const expected = await performed(onReference, program, [], input, one);
      expect({ seed, ...(await performed(onExecutor(executor), program, files, input, one)) }).toEqual({
        seed,
        ...expected,
      });
      if ((expected["outcome"] as JsonObject | undefined)?.["status"] === "succeeded") succeeded++;
    }
  }
  executor.close();
  expect(succeeded / runs).toBeGreaterThan(0.5);
});
