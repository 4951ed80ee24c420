import { isAbsolute, relative, resolve } from "node:path";
import { definitionNote, folderNote } from "../diagnostics/output.ts";
import { renderGithub, renderJson, renderSarif } from "../diagnostics/renderers/structured.ts";
import { renderText } from "../diagnostics/renderers/text.ts";
import type { Diagnostic, Severity } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { type CommonFlags, parseCount, requireOneOf } from "./flags.ts";
import { tool } from "./registry.ts";
import { type ExitStatus, exit, type Terminal } from "./terminal.ts";

/** The values of `--format`. */
export const formats = ["text", "json", "github", "sarif"] as const;

/**
 * Prints diagnostics and returns the exit status. Only text, and formats that would mix with the command's output, go
 * to standard error.
 */
export async function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  flags: Pick<CommonFlags, "format" | "color" | "strict" | "maxDiagnostics">,
  terminal: Terminal,
  holdsOutput = false,
): Promise<ExitStatus> {
  const format = requireOneOf("--format", flags.format, formats);
  const write = format === "text" || holdsOutput ? terminal.err : terminal.out;
  const shown = mostSevere(diagnostics, parseCount("--max-diagnostics", flags.maxDiagnostics));
  const omitted = diagnostics.length - shown.length;
  write(await render(shown, format, flags.color ?? terminal.color, terminal, format === "text" ? diagnostics : shown));
  if (omitted > 0) terminal.err(`${omitted} more not shown because of --max-diagnostics\n`);
  return failsWith(diagnostics, flags) ? exit.problems : exit.success;
}

/** The most severe diagnostics up to a number, in the given order. */
function mostSevere(diagnostics: readonly Diagnostic[], maximum: number | undefined): readonly Diagnostic[] {
  if (maximum === undefined || diagnostics.length <= maximum) return diagnostics;
  const ranked = severityNouns.flatMap(([severity]) => diagnostics.filter((each) => each.severity === severity));
  const kept = new Set(ranked.slice(0, maximum));
  return diagnostics.filter((each) => kept.has(each));
}

/** Whether the diagnostics fail the command. */
export function failsWith(diagnostics: readonly Diagnostic[], { strict }: Pick<CommonFlags, "strict">): boolean {
  return diagnostics.some(({ severity }) => severity === "error" || (strict === true && severity === "warning"));
}

async function render(
  diagnostics: readonly Diagnostic[],
  format: (typeof formats)[number],
  color: boolean,
  terminal: Terminal,
  all: readonly Diagnostic[],
): Promise<string> {
  switch (format) {
    case "text":
      return diagnostics.length === 0 ? "" : `${renderText(diagnostics, { color })}\n${summary(all)}\n`;
    case "json":
      return renderJson(diagnostics);
    case "github":
      return renderGithub(inWorkspace(diagnostics.map(atOrigin), terminal));
    case "sarif": {
      const { loadCatalog } = await import("../diagnostics/renderers/catalog.ts");
      return renderSarif(inWorkspace(diagnostics.map(atOrigin), terminal), [...(await loadCatalog()).values()], tool);
    }
  }
}

/** Locates a problem of a generated file at its definition, because such files are rarely part of a change on GitHub. */
function atOrigin(diagnostic: Diagnostic): Diagnostic {
  const { message, span, notes } = diagnostic;
  const origin = notes.find((note) => note.message === definitionNote || note.message === folderNote);
  if (!origin) return diagnostic;
  return {
    ...diagnostic,
    message: `${span.source.path}: ${message}`,
    span: origin.span,
    notes: notes.filter((note) => note !== origin),
  };
}

/** GitHub expects paths relative to the workspace. */
function inWorkspace(diagnostics: readonly Diagnostic[], { cwd, workspace }: Terminal): readonly Diagnostic[] {
  const path = workspace === undefined ? "" : relative(workspace, cwd);
  if (path === "" || path.startsWith("..") || isAbsolute(path)) return diagnostics;
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
  const counts = severityNouns.flatMap(([severity, one, many]) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return counts.join(", ");
}

const severityNouns: readonly (readonly [Severity, string, string])[] = [
  ["error", "error", "errors"],
  ["warning", "warning", "warnings"],
  ["info", "info", "infos"],
];

/** Configurations are read again for each file or project that they apply to. */
export function uniqueDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { code, message, span } = diagnostic;
    const key = JSON.stringify([code, span.source.path, span.start, message]);
    if (!known.has(key)) known.set(key, diagnostic);
  }
  return [...known.values()];
}
