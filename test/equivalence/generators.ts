import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Case, Generator } from "./case.ts";
import type { Job } from "./job.ts";
import { definitionsOf, mutantCase } from "./mutants.ts";
import { serverlessWorkflow } from "./serverless-workflow/index.ts";

/** The languages that the harness has programs of. */
export const generators: readonly Generator[] = [serverlessWorkflow];

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
      return (seed) => randomCase(generator, Number(seed));
  }
}

/** In every fourth case targets have to compute some expressions by code beside the program. */
function randomCase({ cases }: Generator, seed: number): Case {
  const [drawn] = fc.sample(cases, { seed, numRuns: 1 }) as [Case];
  return seed % 4 === 0 ? { ...drawn, computed: seed } : drawn;
}
