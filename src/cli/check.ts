import { compileWith } from "../compile.ts";
import { printDiagnostics } from "./diagnostics.ts";
import type { FixChoices } from "./fix.ts";
import { readInput, targetNamed } from "./input.ts";
import type { Registry } from "./registry.ts";
import { type ExitStatus, type Terminal, usage } from "./terminal.ts";

/** `waybill check`: checks definitions, and with a target whether it can express them. Writes no files, unless `--fix` mends them. */
export async function check(
  paths: readonly string[],
  choices: FixChoices,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const target = choices.target === undefined ? undefined : targetNamed("--target", choices.target, registry);
  const input = await readInput(paths, choices, target, terminal, registry);
  if (choices.fix) return (await import("./fix.ts")).fix(input, choices, registry.languages, target, terminal);
  if (choices.dryRun) throw usage("--dry-run is for --fix.");
  const { diagnostics } = await compileWith(input, registry.languages, target);
  return printDiagnostics(diagnostics, choices, terminal);
}
