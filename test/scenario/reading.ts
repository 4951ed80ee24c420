import type { ScenarioFile } from "../../src/scenario/model.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import type { Diagnostic, Report } from "../../src/text/diagnostics.ts";
import { positionOf } from "../../src/text/source.ts";
import { languages } from "../languages.ts";

/** Parses a scenario file and returns its diagnostics as `line:column-length code message [hint]`. */
export function readScenarios(
  text: string,
  path = "scenarios.yaml",
  targets: readonly string[] = ["typescript", "asl"],
): { readonly file: ScenarioFile | undefined; readonly findings: readonly string[] } {
  const found: Diagnostic[] = [];
  const report: Report = (diagnostic) => found.push(diagnostic);
  const file = readScenarioFile({ path, text }, { languages, targets }, report);
  return { file, findings: found.map(printDiagnostic) };
}

/** Prints a diagnostic on one line. */
export function printDiagnostic({ span, code, message, hint }: Diagnostic): string {
  const { line, column } = positionOf(span.source, span.start);
  return `${line}:${column}-${span.end - span.start} ${code} ${message}${hint === undefined ? "" : ` [${hint}]`}`;
}
