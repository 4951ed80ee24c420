import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Json, JsonObject } from "../../src/json.ts";
import { mutant, randomFrom } from "../languages/mutants.ts";
import { languages } from "../languages.ts";
import type { EquivalenceCase } from "./case.ts";

/** A definition to mutate. */
export interface BaseDefinition {
  readonly text: string;
  readonly data: Json;
}

const golden = join(import.meta.dirname, "../../golden");

/** The optional folder of further examples next to the repository. */
export const examplesOf = (language: string): string => join(import.meta.dirname, "../../../shared/examples", language);

/** Returns the definitions of all golden files and of the examples, if present. */
export function definitionsOf(language: string): readonly BaseDefinition[] {
  const goldens = filesIn(join(golden, language), /(?:^|[\\/])workflow\.(?:ya?ml|json)$/);
  const examples = existsSync(examplesOf(language)) ? filesIn(examplesOf(language), /\.(?:ya?ml|json)$/) : [];
  return [...goldens, ...examples].map((path) => {
    const text = readFileSync(path, "utf8");
    return { text, data: parseAllDocuments(text)[0]?.toJS() as Json };
  });
}

const filesIn = (folder: string, name: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => name.test(path))
    .sort()
    .map((path) => join(folder, path));

const randomOptions = (name: string, random: () => number): JsonObject =>
  Object.fromEntries(
    languages
      .filter((language) => language.name === name)
      .flatMap(({ options }) => options)
      .flatMap(({ name, values = [] }) =>
        values.length > 0 ? [[name, values[Math.floor(random() * values.length)]!]] : [],
      ),
  );

/** Mutates a definition. The case runs once, with an input only. */
export function mutantCase(language: string, definitions: readonly BaseDefinition[], seed: number): EquivalenceCase {
  const random = randomFrom(seed);
  const { text, data } = definitions[seed % definitions.length]!;
  return {
    language,
    definitions: [mutant(text, data, random)],
    options: randomOptions(language, random),
    scenarios: [{ input: { a: 1, list: [1, { a: 2 }], customer: "7" } }],
  };
}
