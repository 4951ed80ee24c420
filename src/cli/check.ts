import { compileWith } from "../compile.ts";
import type { Choices } from "./choices.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { readInput, targetNamed } from "./input.ts";
import type { Registry } from "./registry.ts";
import type { ExitStatus, Terminal } from "./terminal.ts";

/** `waybill check`: checks definitions, and with a target whether it can express them. Writes no files. */
export async function check(
  paths: readonly string[],
  choices: Choices,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const target = choices.target === undefined ? undefined : targetNamed("--target", choices.target, registry);
  const input = await readInput(paths, choices, target, terminal, registry);
  const { diagnostics } = await compileWith(input, registry.languages, target);
  return printDiagnostics(diagnostics, choices, terminal);
}
