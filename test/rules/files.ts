import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { openScenarios } from "../../src/scenario/run.ts";
import type { Source } from "../../src/text/source.ts";
import type { Mutant } from "./mutant.ts";

/** The languages with rules: folders next to this file. */
export const ruleFolders: readonly string[] = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The path of a language's folder. */
export const ruleFolder = (language: string): string => join(import.meta.dirname, language);

const ending = ".scenarios.yaml";

/** The rules of a language, in natural order. */
export const rulesOf = (language: string): readonly string[] =>
  readdirSync(ruleFolder(language))
    .filter((name) => name.endsWith(ending))
    .map((name) => basename(name, ending))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

/** Reads a file of a language's folder. */
export const readRuleFile = (language: string, path: string): Source => ({
  path,
  text: readFileSync(join(ruleFolder(language), path), "utf8"),
});

/** The scenarios of a rule. */
export const scenariosOf = (language: string, rule: string): Source => readRuleFile(language, `${rule}${ending}`);

/** The definitions that the scenarios of a rule name, and the schemas of the folder. */
export function definitionsFor(
  language: string,
  file: Pick<Parameters<typeof openScenarios>[0], "workflow" | "subflows">,
): { readonly sources: readonly Source[]; readonly schemas: readonly Source[] } {
  const sources = [file.workflow, ...file.subflows.values()].map((path) =>
    readRuleFile(language, path.replace(/^\.\//, "")),
  );
  const schemas = readdirSync(ruleFolder(language)).filter((name) => name.endsWith(".schema.json"));
  return { sources, schemas: schemas.map((path) => readRuleFile(language, path)) };
}

/** What `mutants.ts` of a language exports. */
export interface MutantModule {
  readonly mutants: readonly Mutant[];
  /** Rules that have no mutant yet. The list only shrinks. */
  readonly withoutMutant?: readonly string[];
}

/** Loads the mutants of a language. */
export async function mutantsOf(language: string): Promise<MutantModule> {
  const path = join(ruleFolder(language), "mutants.ts");
  return existsSync(path) ? ((await import(path)) as MutantModule) : { mutants: [] };
}
