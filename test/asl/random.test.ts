import { expect, test } from "vitest";
import { check, generate } from "../../src/compile.ts";
import type { JsonObject } from "../../src/json.ts";
import { languages } from "../../src/languages/index.ts";
import type { Program } from "../../src/program.ts";
import { reference } from "../../src/reference/index.ts";
import { type Performance, perform, type Script } from "../../src/scenario/stage.ts";
import type { World } from "../../src/scenario/world.ts";
import { asl } from "../../targets/asl/index.ts";
import type { Outcome, OutputFile, RunRequest } from "../../targets/target.ts";
import { machineFaults } from "../golden/machines.ts";
import { definitions, dice, members, replies, tooManyCalls } from "./random.ts";

// Random definitions with random answers of functions: what the reference does, the emitted machine does. `WAYBILL_RUNS` and `WAYBILL_SEED` make more
// of them and others.

const runs = Number(process.env["WAYBILL_RUNS"] ?? 120);
const firstSeed = Number(process.env["WAYBILL_SEED"] ?? 1);

test(`${runs} random workflows do the same on asl as on the reference`, { timeout: 600_000 }, async () => {
  await asl.load?.();
  let refused = 0;
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const sources = definitions(seed).map((definition, i) => ({ path: `workflow${i}.json`, text: JSON.stringify(definition) }));
    const { program, diagnostics } = check({ sources, options: { timeout: seed % 2 === 0 ? "fail" : "proceed" } }, languages);
    const generated = program ? await generate(program, asl) : { files: [], diagnostics };
    if (program && generated.files.length > 0) await agree(program, generated.files, seed);
    else {
      refused++;
      const codes = generated.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
      expect({ seed, codes: codes.filter((code) => !endless.has(code) && code !== "WB5108") }).toEqual({ seed, codes: [] });
      expect(codes).not.toEqual([]);
    }
  }
  expect(refused / runs).toBeLessThan(0.4);
});

/** Loops from which nothing leads to an end. */
const endless: ReadonlySet<string> = new Set(["WB3003", "WB3004"]);

async function agree(program: Program, files: readonly OutputFile[], seed: number): Promise<void> {
  for (const { path, text } of files) {
    if (path.endsWith(".asl.json")) expect({ seed, path, faults: await machineFaults(text) }).toEqual({ seed, path, faults: [] });
  }
  for (const one of [seed * 2, seed * 2 + 1]) {
    const expected = await performed(reference.run, program, [], one);
    const got = await performed(asl.run!, program, files, one);
    expect({ seed, ...got }).toEqual({ seed, ...expected });
  }
}

/** What is seen of a run. */
async function performed(
  run: (request: RunRequest) => Promise<Outcome>,
  program: Program,
  files: readonly OutputFile[],
  seed: number,
): Promise<JsonObject> {
  const reply = replies(seed);
  const calls: string[] = [];
  let seconds = () => 0;
  const script: Script = {
    clock: 0,
    events: [],
    async reply(name, _, argument) {
      calls.push(`${seconds()} s: ${name} ${JSON.stringify(argument)}`);
      return reply(name, argument, seconds());
    },
  };
  const runIn = (world: World) => {
    seconds = () => world.now() / 1000;
    return run({ program, workflow: program.workflows[0]!, files, world, input: members(dice(seed), 3) });
  };
  try {
    return visible(await perform(script, runIn), calls);
  } catch (error) {
    if (error instanceof Error && error.message === tooManyCalls) return { tooManyCalls };
    throw error;
  }
}

/**
 * What users can see of a run; the ids of events are each target's own, and so is the order of calls at one instant: where a run ends, what is beside its
 * end may just have called or not. That are branches where one has failed, and subflows that nobody waits for, which call `k`.
 */
function visible({ outcome, emitted, elapsed }: Performance, calls: readonly string[]): JsonObject {
  const ended = outcome.status === "failed" ? { ...outcome, error: { name: outcome.error.name, message: outcome.error.message } } : outcome;
  const events = emitted.map(({ id: _, ...event }) => event);
  const beside = `${elapsed} s: ${outcome.status === "failed" ? "" : "k "}`;
  const sure = calls.filter((call) => !call.startsWith(beside)).toSorted();
  return JSON.parse(JSON.stringify({ outcome: ended, calls: sure, emitted: events, elapsed: elapsed ?? null })) as JsonObject;
}
