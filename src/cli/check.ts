import { compileWith } from "../compile.ts";
import { languages } from "../languages/index.ts";
import type { Choices } from "./choices.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { readRequest, targetNamed } from "./input.ts";
import type { ExitStatus, Terminal } from "./terminal.ts";

/** `waybill check`: checks definitions, and with a target whether it can express them. Writes no files. */
export async function check(paths: readonly string[], choices: Choices, terminal: Terminal): Promise<ExitStatus> {
  const target = choices.target === undefined ? undefined : targetNamed("--target", choices.target);
  const { input, diagnostics, remarks } = await readRequest(paths, choices, terminal);
  if (diagnostics.length > 0) return printDiagnostics(diagnostics, choices, terminal);
  const { diagnostics: found } = await compileWith(input, languages, target);
  return printDiagnostics([...found, ...remarks], choices, terminal);
}
