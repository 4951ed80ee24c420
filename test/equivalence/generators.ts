import { readFileSync } from "node:fs";
import fc, { type Arbitrary } from "fast-check";
import type { Case, Generator } from "./case.ts";
import { composerFsm } from "./composer-fsm/index.ts";
import { functionWorkflow } from "./function-workflow/index.ts";
import type { Job } from "./job.ts";
import { definitionsOf, mutantCase } from "./mutants.ts";
import { serverlessWorkflow } from "./serverless-workflow/index.ts";
import { shrunk, type Trial } from "./shrink.ts";
import { sm4c } from "./sm4c/index.ts";
import { yawl } from "./yawl/index.ts";

/** The languages that the harness has programs of. */
export const generators: readonly Generator[] = [serverlessWorkflow, functionWorkflow, composerFsm, yawl, sm4c];

/** The generator of a language. */
export const generatorOf = (name: string): Generator => generators.find(({ language }) => language === name)!;

/** Gives the cases of a job by their names: the same one whenever it is asked for. */
export function casesOf({ kind, language }: Pick<Job, "kind" | "language">): (name: string) => Case {
  const generator = generatorOf(language);
  switch (kind) {
    case "given":
      return (path) => JSON.parse(readFileSync(path, "utf8")) as Case;
    case "large":
      return (name) => generator.large.get(name)!;
    case "mutants": {
      const definitions = definitionsOf(language);
      return (seed) => mutantCase(language, definitions, Number(seed));
    }
    case "random":
      return (seed) => prepared(fc.sample(generator.cases, { seed: Number(seed), numRuns: 1 })[0]!, Number(seed));
  }
}

/** In every fourth case targets have to compute some expressions by code beside the program. */
const prepared = (drawn: Case, seed: number): Case => (seed % 4 === 0 ? { ...drawn, computed: seed } : drawn);

/**
 * The smallest case of a job that still shows what the one of a name does: what was drawn shrinks to what is drawn with less (simpler values,
 * conditions and names, fewer states), and then what was written is left out construct by construct. Takes so many trials at most.
 */
export async function smallestOf(
  job: Pick<Job, "kind" | "language">,
  name: string,
  shows: Trial,
  trials: number,
): Promise<Case> {
  const { grammar, cases } = generatorOf(job.language);
  const drawn = casesOf(job)(name);
  const redrawn = job.kind === "random" ? await redrawnSmaller(cases, Number(name), shows, trials / 2) : drawn;
  return shrunk(redrawn, grammar, shows, trials / 2);
}

/** The smallest that fast-check comes to from what it draws for a seed; when the trials are over nothing shows any more. */
async function redrawnSmaller(cases: Arbitrary<Case>, seed: number, shows: Trial, trials: number): Promise<Case> {
  let smallest = prepared(fc.sample(cases, { seed, numRuns: 1 })[0]!, seed);
  let left = trials;
  const isSound = fc.asyncProperty(cases, async (drawn) => {
    const smaller = prepared(drawn, seed);
    if (left-- <= 0 || !(await shows(smaller))) return true;
    smallest = smaller;
    return false;
  });
  await fc.check(isSound, { seed, numRuns: 1 });
  return smallest;
}
