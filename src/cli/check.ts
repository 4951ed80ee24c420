import { compileWith } from "../compile.ts";
import type { Choices } from "./choices.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { readRequest, targetNamed } from "./input.ts";
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
  const { input, diagnostics, remarks } = await readRequest(paths, choices, terminal, registry);
  if (diagnostics.length > 0) return printDiagnostics(diagnostics, choices, terminal);
  const { diagnostics: found } = await compileWith(input, registry.languages, target);
  return printDiagnostics([...found, ...remarks], choices, terminal);
}
