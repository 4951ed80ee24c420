import { readFileSync } from "node:fs";
import fc from "fast-check";
import { asl } from "./asl/index.ts";
import type { CaseGenerator, EquivalenceCase } from "./case.ts";
import { composerFsm } from "./composer-fsm/index.ts";
import { functionWorkflow } from "./function-workflow/index.ts";
import type { CampaignJob } from "./job.ts";
import { definitionsOf, mutantCase } from "./mutants.ts";
import { serverlessWorkflow } from "./serverless-workflow/index.ts";
import { serverlessWorkflow08 } from "./serverless-workflow-0.8/index.ts";
import { serverlessWorkflow10 } from "./serverless-workflow-1.0/index.ts";
import { shrink, type Trial } from "./shrink.ts";
import { sm4c } from "./sm4c/index.ts";
import { withoutTies } from "./strict.ts";
import { yawl } from "./yawl/index.ts";

/** The generator of each tested language. */
export const generators: readonly CaseGenerator[] = [
  serverlessWorkflow,
  serverlessWorkflow08,
  functionWorkflow,
  composerFsm,
  yawl,
  sm4c,
  serverlessWorkflow10,
  asl,
];

/** Returns the generator of a language. */
export const generatorOf = (name: string): CaseGenerator => generators.find(({ language }) => language === name)!;

/** Returns a function that maps case names of a job to cases, deterministically. */
export function casesOf({ kind, language, isStrict }: CaseSource): (name: string) => EquivalenceCase {
  const generator = generatorOf(language);
  switch (kind) {
    case "files":
      return (path) => JSON.parse(readFileSync(path, "utf8")) as EquivalenceCase;
    case "large":
      return (name) => generator.large.get(name)!;
    case "mutants": {
      const definitions = definitionsOf(language);
      return (seed) => mutantCase(language, definitions, Number(seed));
    }
    case "random":
      return (seed) => {
        const [generated] = fc.sample(generator.cases, { seed: Number(seed), numRuns: 1 }) as [EquivalenceCase];
        return finished(generated, Number(seed), isStrict ? generator : undefined);
      };
  }
}

/** The part of a job that determines its cases. */
type CaseSource = Pick<CampaignJob, "kind" | "language" | "isStrict">;

/** Removes ties in the strict mode. */
const finished = (generated: EquivalenceCase, seed: number, strict: CaseGenerator | undefined): EquivalenceCase =>
  withSeed(strict ? withoutTies(generated, strict) : generated, seed);

/** Wraps expressions in every fourth case, so that targets must outline code. */
const withSeed = (generated: EquivalenceCase, seed: number): EquivalenceCase =>
  seed % 4 === 0 ? { ...generated, computed: seed } : generated;

/**
 * Shrinks a case while `shows` holds: first with fast-check (simpler values and fewer states), then construct by
 * construct. Makes at most `trials` attempts.
 */
export async function shrinkCase(
  job: CaseSource,
  name: string,
  shows: Trial,
  trials: number,
): Promise<EquivalenceCase> {
  const generator = generatorOf(job.language);
  const shrunk =
    job.kind === "random"
      ? await shrinkWithFastCheck(generator, job.isStrict ?? false, Number(name), shows, trials / 2)
      : casesOf(job)(name);
  return shrink(shrunk, generator.grammar, shows, trials / 2);
}

/** Shrinks with fast-check. Candidates beyond the last trial count as passing. */
async function shrinkWithFastCheck(
  generator: CaseGenerator,
  isStrict: boolean,
  seed: number,
  shows: Trial,
  trials: number,
): Promise<EquivalenceCase> {
  const { cases, language } = generator;
  let smallest = casesOf({ kind: "random", language, isStrict })(String(seed));
  let left = trials;
  const isSound = fc.asyncProperty(cases, async (generated) => {
    const smaller = finished(generated, seed, isStrict ? generator : undefined);
    if (left-- <= 0 || !(await shows(smaller))) return true;
    smallest = smaller;
    return false;
  });
  await fc.check(isSound, { seed, numRuns: 1 });
  return smallest;
}
