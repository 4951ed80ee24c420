import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Json, JsonObject } from "../../src/json.ts";
import { languages } from "../../src/languages/index.ts";
import { mutant, randomFrom } from "../languages/mutants.ts";
import type { Case } from "./case.ts";

/** A definition that mutants are made of. */
export interface Known {
  readonly text: string;
  readonly data: Json;
}

const golden = join(import.meta.dirname, "../../golden");

/** Where there are examples of a language beside the project; often they are not there. */
export const examplesOf = (language: string): string => join(import.meta.dirname, "../../../shared/examples", language);

/** Definitions of a language: those of all goldens, and of the examples beside the project where these are there. */
export function definitionsOf(language: string): readonly Known[] {
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

/** A choice of each option of a language that has a few. */
const choicesOf = (name: string, random: () => number): JsonObject =>
  Object.fromEntries(
    languages
      .filter((language) => language.name === name)
      .flatMap(({ options }) => options)
      .flatMap(({ name, values = [] }) =>
        values.length > 0 ? [[name, values[Math.floor(random() * values.length)]!]] : [],
      ),
  );

/** One of some definitions with a few things wrong with it, run once with nothing but an input. */
export function mutantCase(language: string, definitions: readonly Known[], seed: number): Case {
  const random = randomFrom(seed);
  const { text, data } = definitions[seed % definitions.length]!;
  return {
    language,
    definitions: [mutant(text, data, random)],
    options: choicesOf(language, random),
    scenarios: [{ input: { a: 1, list: [1, { a: 2 }], customer: "7" } }],
  };
}
