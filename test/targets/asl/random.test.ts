import { expect, test } from "vitest";
import { check, generate } from "../../../src/compile.ts";
import { assertWellFormed } from "../../../src/ir/verify.ts";
import type { JsonObject } from "../../../src/json.ts";
import { languages } from "../../../src/languages/index.ts";
import type { OutputFile } from "../../../src/target.ts";
import { asl } from "../../../targets/asl/index.ts";
import { machineFaults } from "../../golden/machines.ts";
import { definitions, isWild } from "./random/definitions.ts";
import { inputOf, onExecutor, onReference, performed } from "./random/perform.ts";
import { side } from "./random/side.ts";
import { withWrapped } from "./random/wrapped.ts";

// Random definitions with random answers of functions: what the reference does, the emitted machine does. In every fourth some expressions
// are such that a Lambda function has to compute them. `WAYBILL_RUNS` and `WAYBILL_SEED` make more of them and others.

const runs = Number(process.env["WAYBILL_RUNS"] ?? 400);
const firstSeed = Number(process.env["WAYBILL_SEED"] ?? 1);
const seeds = Array.from({ length: runs }, (_, i) => firstSeed + i);

/** Loops from which nothing leads to an end: the only definitions that are refused. */
const endless: readonly string[] = ["WB3003", "WB5108"];

const compiled = await Promise.all(seeds.map(compile));

async function compile(seed: number) {
  const sources = definitions(seed).map((definition, i) => ({
    path: `workflow${i}.json`,
    text: JSON.stringify(definition),
  }));
  const { program: plain, diagnostics } = check(
    { sources, options: { timeout: seed % 2 === 0 ? "fail" : "proceed" }, verify: assertWellFormed },
    languages,
  );
  const program = plain && seed % 4 === 0 ? withWrapped(plain, seed, 20) : plain;
  const generated = program ? await generate(program, asl, { verify: assertWellFormed }) : { files: [], diagnostics };
  return {
    seed,
    program,
    files: generated.files,
    errors: generated.diagnostics.filter(({ severity }) => severity === "error"),
  };
}

test("most of them compile, and the others are loops without an end", () => {
  const refused = compiled.filter(({ files }) => files.length === 0);
  for (const { seed, errors } of refused) {
    const others = errors.filter(({ code }) => !endless.includes(code));
    expect({ seed, others }).toEqual({ seed, others: [] });
    expect(errors).not.toEqual([]);
  }
  expect(refused.length / runs).toBeLessThan(0.25);
  const computing = compiled.filter(({ files }) => files.some(({ path }) => path.endsWith(".expressions.mjs")));
  expect(computing.length / runs).toBeGreaterThan(0.1);
});

test(`${runs} random workflows do the same on asl as on the reference`, { timeout: 600_000 }, async () => {
  const executor = await asl.load!();
  let succeeded = 0;
  for (const { seed, program, files } of compiled) {
    if (!program || files.length === 0) continue;
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

test("other validators accept their machines", { timeout: 600_000 }, async () => {
  const machines = compiled.flatMap(({ seed, files }) => machinesIn(files).map((machine) => ({ seed, machine })));
  for (let i = 0; i < machines.length; i += 100) {
    const some = machines.slice(i, i + 100);
    const faults = await machineFaults(JSON.stringify(side(some.map(({ machine }) => machine))));
    for (const { seed, machine } of faults.length > 0 ? some : []) {
      expect({ seed, faults: await machineFaults(JSON.stringify(machine)) }).toEqual({ seed, faults: [] });
    }
    expect(faults).toEqual([]);
  }
});

const machinesIn = (files: readonly OutputFile[]): readonly JsonObject[] =>
  files.filter(({ path }) => path.endsWith(".asl.json")).map(({ text }) => JSON.parse(text) as JsonObject);
