import { isAbsolute, relative, resolve } from "node:path";
import { renderGithub, renderJson, renderSarif } from "../diagnostics/renderers/programs.ts";
import { renderText } from "../diagnostics/renderers/text.ts";
import type { Diagnostic, Severity } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { type Choices, oneOf } from "./choices.ts";
import { tool } from "./registry.ts";
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
  write(await render(diagnostics, format, choices.color ?? terminal.color, terminal));
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
  terminal: Terminal,
): Promise<string> {
  switch (format) {
    case "text":
      return diagnostics.length === 0 ? "" : `${renderText(diagnostics, { color })}\n${summary(diagnostics)}\n`;
    case "json":
      return renderJson(diagnostics);
    case "github":
      return renderGithub(inWorkspace(diagnostics, terminal));
    case "sarif": {
      const { catalogue } = await import("../diagnostics/renderers/catalogue.ts");
      return renderSarif(inWorkspace(diagnostics, terminal), [...catalogue.values()], tool);
    }
  }
}

/** Diagnostics with their paths from the folder of the workspace, if the current folder is in it: GitHub knows no other. */
function inWorkspace(diagnostics: readonly Diagnostic[], { cwd, workspace }: Terminal): readonly Diagnostic[] {
  const way = workspace === undefined ? "" : relative(workspace, cwd);
  if (way === "" || way.startsWith("..") || isAbsolute(way)) return diagnostics;
  const moved = new Map<Source, Source>();
  const spanOf = <S extends Span>(span: S): S => {
    const { path } = span.source;
    if (path === "<stdin>") return span;
    const at = relative(workspace!, resolve(cwd, path)).replaceAll("\\", "/");
    const source = moved.get(span.source) ?? { ...span.source, path: at.startsWith("../") ? path : at };
    moved.set(span.source, source);
    return { ...span, source };
  };
  return diagnostics.map(({ span, notes, ...diagnostic }) => ({
    ...diagnostic,
    span: spanOf(span),
    notes: notes.map((note) => ({ ...note, span: spanOf(note.span) })),
  }));
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
