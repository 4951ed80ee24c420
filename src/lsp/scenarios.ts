import type { CodeLens } from "vscode-languageserver";
import { readScenarioFile } from "../scenario/read.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ServerHost } from "./host.ts";
import { rangeBetween, rangeOf } from "./positions.ts";

/** The command that runs one or all scenarios of a file. Its arguments are the URI and the name. */
export const runScenarioCommand = "waybill.runScenario";

/** The diagnostics of a scenario file, and an action above each scenario. */
export interface CheckedScenarios {
  readonly diagnostics: readonly Diagnostic[];
  readonly lenses: readonly CodeLens[];
}

/** Checks a scenario file. A file with errors has no actions. */
export function checkScenarios(source: Source, uri: string, { languages, targets }: ServerHost): CheckedScenarios {
  const diagnostics: Diagnostic[] = [];
  const known = { languages, targets: targets.map(({ name }) => name) };
  const file = readScenarioFile(source, known, (diagnostic) => diagnostics.push(diagnostic));
  if (!file) return { diagnostics, lenses: [] };
  const all = { title: "Run all scenarios", command: runScenarioCommand, arguments: [uri] };
  const each = file.scenarios.map(({ name, span }) => ({
    range: rangeOf(span),
    command: { title: "Run scenario", command: runScenarioCommand, arguments: [uri, name] },
  }));
  return { diagnostics, lenses: [{ range: rangeBetween(source, 0, 0), command: all }, ...each] };
}
