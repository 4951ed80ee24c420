import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

type AslValidator = (definition: object) => { readonly isValid: boolean; readonly errors: readonly object[] };
type ExtraLint = (definition: object) => readonly string[];

const validate: AslValidator = createRequire(import.meta.url)("asl-validator");
const lintPath = join(import.meta.dirname, "../../../shared/tools/asl/extra-lint.mjs");

/** Whether the linter of AWS that checks variables is installed. Without it only the published validator runs. */
export const hasExtraLint = existsSync(lintPath);

/** Validates a state machine with third-party validators. */
export async function validateMachine(text: string): Promise<readonly string[]> {
  // The validator modifies its input.
  const { isValid, errors } = validate(JSON.parse(text));
  const lint = hasExtraLint
    ? ((await import(pathToFileURL(lintPath).href)) as { extraLint: ExtraLint }).extraLint
    : () => [];
  return [...(isValid ? [] : errors.map((error) => JSON.stringify(error))), ...lint(JSON.parse(text))];
}
