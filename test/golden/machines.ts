import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

type Validator = (definition: object) => { readonly isValid: boolean; readonly errors: readonly object[] };
type ExtraLint = (definition: object) => readonly string[];

const validate: Validator = createRequire(import.meta.url)("asl-validator");
const lintPath = join(import.meta.dirname, "../../../shared/tools/asl/extra-lint.mjs");

/** Whether the checks are there that AWS makes of variables; without them only the published validator looks at machines. */
export const hasExtraLint = existsSync(lintPath);

/** What validators that are not ours find wrong with a state machine. */
export async function machineFaults(text: string): Promise<readonly string[]> {
  // The validator changes what it is given, so it gets a copy of its own.
  const { isValid, errors } = validate(JSON.parse(text));
  const lint = hasExtraLint
    ? ((await import(pathToFileURL(lintPath).href)) as { extraLint: ExtraLint }).extraLint
    : () => [];
  return [...(isValid ? [] : errors.map((error) => JSON.stringify(error))), ...lint(JSON.parse(text))];
}
