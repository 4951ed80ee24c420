import { languages } from "../../src/languages/index.ts";
import type { ScenarioFile } from "../../src/scenario/model.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import type { Diagnostic, Report } from "../../src/text/diagnostics.ts";
import { positionOf } from "../../src/text/source.ts";

/** A scenario file, and what there is to say about it: `line:column-length code message`, the hint in brackets. */
export function readText(
  text: string,
  path = "scenarios.yaml",
): { readonly file: ScenarioFile | undefined; readonly findings: readonly string[] } {
  const found: Diagnostic[] = [];
  const report: Report = (diagnostic) => found.push(diagnostic);
  const file = readScenarioFile({ path, text }, { languages, targets: ["typescript", "asl"] }, report);
  return { file, findings: found.map(shown) };
}

/** What a diagnostic says, on one line. */
export function shown({ span, code, message, hint }: Diagnostic): string {
  const { line, column } = positionOf(span.source, span.start);
  return `${line}:${column}-${span.end - span.start} ${code} ${message}${hint === undefined ? "" : ` [${hint}]`}`;
}
