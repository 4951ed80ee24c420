import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Case, Generator } from "./case.ts";
import type { Job } from "./job.ts";
import { mutantCase } from "./mutants.ts";
import { serverlessWorkflow } from "./serverless-workflow/index.ts";

/** The languages that the harness has programs of. */
export const generators: readonly Generator[] = [serverlessWorkflow];

/** The generator of a language. */
export const generatorOf = (name: string): Generator => generators.find(({ language }) => language === name)!;

/** A case of a job by its name: the same one whenever it is asked for. */
export function caseOf(
  { kind, language, everything }: Pick<Job, "kind" | "language" | "everything">,
  name: string,
): Case {
  if (kind === "given") return JSON.parse(readFileSync(name, "utf8")) as Case;
  const generator = generatorOf(language);
  if (kind === "large") return generator.large.get(name)!;
  const drawn = kind === "mutants" ? mutantCase(language, Number(name)) : randomCase(generator, Number(name));
  return everything ? drawn : generator.known.reduce((suspect, fault) => fault.avoid(suspect), drawn);
}

/** In every fourth case targets have to compute some expressions by code beside the program. */
function randomCase({ cases }: Generator, seed: number): Case {
  const [drawn] = fc.sample(cases, { seed, numRuns: 1 }) as [Case];
  return seed % 4 === 0 ? { ...drawn, computed: seed } : drawn;
}
