import { visible } from "../diagnostics/renderers/text.ts";
import { type Json, printJson } from "../json.ts";
import type { ProgramDiff } from "./model.ts";
import type { OutcomeDifference, ScenarioDiff } from "./outcomes.ts";
import { shortenBoth } from "./shorten.ts";
import type { StatRow } from "./stats.ts";

/** Everything that a comparison found. */
export interface DiffReport extends ProgramDiff {
  readonly scenarios: readonly ScenarioDiff[];
  readonly stats: readonly StatRow[];
}

/** Whether the programs or the outcomes of scenarios differ. */
export const hasDifferences = ({ isEqual }: ProgramDiff, scenarios: readonly ScenarioDiff[]): boolean =>
  !isEqual || scenarios.some(({ kind }) => kind !== "equal");

/** Renders a report as JSON. */
export const renderDiffJson = (report: DiffReport): string => `${JSON.stringify({ version: 1, ...report }, null, 2)}\n`;

/** Renders the differences of scenarios as text. */
export function renderScenarios(scenarios: readonly ScenarioDiff[]): string {
  if (scenarios.length === 0) return "";
  const changed = scenarios.filter(({ kind }) => kind !== "equal");
  const equal = scenarios.length - changed.length;
  const lines = [
    `scenarios: ${equal} of ${scenarios.length} have the same calls, events and outcome`,
    ...changed.flatMap((scenario) => [
      `  ${scenario.kind === "changed" ? "~" : "!"} ${visible(scenario.scenario)}${scenario.reason === undefined ? "" : `: ${scenario.reason}`}`,
      ...scenario.differences.flatMap((difference) => differenceLines(difference).map((line) => `      ${line}`)),
    ]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** A difference of runs in lines, as `calls[1]: charge({…}) → …`. */
export function differenceLines({ what, old, new: created }: OutcomeDifference): readonly string[] {
  const [before, after] = shortenBoth(shownValue(old), shownValue(created));
  if (before === undefined || after === undefined)
    return [`${before === undefined ? "+" : "-"} ${visible(what)}: ${before ?? after}`];
  if (before.length + after.length <= maxLine) return [`${visible(what)}: ${before} → ${after}`];
  return [`${visible(what)}:`, `  - ${before}`, `  + ${after}`];
}

const maxLine = 80;
const shownValue = (value: Json | undefined): string | undefined =>
  value === undefined || typeof value === "string" ? value : printJson(value);
