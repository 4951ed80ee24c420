import { renderGithub, renderJson, renderSarif } from "../report/programs.ts";
import { renderText } from "../report/text.ts";
import type { Diagnostic, Severity } from "../text/diagnostics.ts";
import { type Choices, oneOf } from "./choices.ts";
import { version } from "./registry.ts";
import { type ExitStatus, exit, type Terminal } from "./terminal.ts";

/** How diagnostics can be printed. */
export const formats = ["text", "json", "github", "sarif"] as const;

/**
 * Prints diagnostics and gives the exit status that follows from them. Text is for people and goes to standard error; the other formats
 * are the result of the command and go to standard output, unless that holds what was compiled.
 */
export async function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  choices: Pick<Choices, "format" | "color" | "strict">,
  terminal: Terminal,
  isOutputTaken = false,
): Promise<ExitStatus> {
  const format = oneOf("--format", choices.format, formats);
  const write = format === "text" || isOutputTaken ? terminal.err : terminal.out;
  write(await render(diagnostics, format, choices.color && terminal.color));
  return failsWith(diagnostics, choices) ? exit.problems : exit.fine;
}

/** Whether diagnostics fail the command: errors do, and with `--strict` warnings too. */
export function failsWith(diagnostics: readonly Diagnostic[], { strict }: Pick<Choices, "strict">): boolean {
  return diagnostics.some(({ severity }) => severity === "error" || (strict === true && severity === "warning"));
}

async function render(
  diagnostics: readonly Diagnostic[],
  format: (typeof formats)[number],
  color: boolean,
): Promise<string> {
  switch (format) {
    case "text":
      return diagnostics.length === 0 ? "" : `${renderText(diagnostics, { color })}\n${summary(diagnostics)}\n`;
    case "json":
      return renderJson(diagnostics);
    case "github":
      return renderGithub(diagnostics);
    case "sarif": {
      const { catalogue } = await import("../report/catalogue.ts");
      return renderSarif(diagnostics, [...catalogue.values()], version);
    }
  }
}

function summary(diagnostics: readonly Diagnostic[]): string {
  const counts = nouns.flatMap(([severity, one, many]) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return counts.join(", ");
}

const nouns: readonly (readonly [Severity, string, string])[] = [
  ["error", "error", "errors"],
  ["warning", "warning", "warnings"],
  ["info", "remark", "remarks"],
];
