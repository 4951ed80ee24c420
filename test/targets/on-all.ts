import type { Workflow } from "../../src/ir/workflow.ts";
import { onReference, onTarget, type Result, runScenarios } from "../../src/scenario/run.ts";
import { targets } from "../../targets/index.ts";
import { languagesWith } from "../ir/changed-language.ts";
import { printDiagnostic, readScenarios } from "../scenario/reading.ts";

/**
 * Runs scenarios of changed workflows on the reference and on all targets; returns a line for each result that did not
 * pass.
 */
export async function failuresOnAll(
  scenarios: string,
  definitions: readonly string[],
  change: (workflow: Workflow) => Workflow,
  names: readonly string[] = targets.map(({ name }) => name),
): Promise<readonly string[]> {
  const { file, findings } = readScenarios(`workflow: ./order.yaml\n${scenarios}`, "scenarios.yaml", names);
  if (!file) throw new Error(findings.join("\n"));
  const sources = definitions.map((text, i) => ({ path: i === 0 ? "order.yaml" : `sub${i}.yaml`, text }));
  const languages = languagesWith(change);
  const chosen = targets.filter(({ name }) => names.includes(name));
  const runners = [onReference, ...(await Promise.all(chosen.map(onTarget)))];
  try {
    const results = await Promise.all(runners.map((runner) => runScenarios(file, { sources }, runner, languages)));
    return results.flat().flatMap(lineOf);
  } finally {
    for (const { executor } of runners) executor?.close();
  }
}

function lineOf({ scenario, target, outcome, differences, diagnostics }: Result): readonly string[] {
  if (outcome === "passed") return [];
  const found = differences.map(({ what, expected, got }) => `${what}: ${JSON.stringify([expected, got])}`);
  return [`${scenario} (${target}): ${[outcome, ...found, ...diagnostics.map(printDiagnostic)].join("; ")}`];
}
