import { renderJson } from "../../diagnostics/renderers/structured.ts";
import { renderText, visible } from "../../diagnostics/renderers/text.ts";
import type { Json } from "../../json.ts";
import type { Difference } from "../compare.ts";
import type { Coverage } from "../coverage.ts";
import type { Result } from "../run.ts";
import { coverageJson } from "./coverage.ts";

/** The results of scenarios as text: a line for each, and what differed below those that failed. */
export function renderResults(results: readonly Result[]): string {
  const lines: string[] = [];
  let file = "";
  for (const result of results) {
    if (result.file !== file) lines.push(visible(result.file));
    file = result.file;
    const note = unavailableNote(result);
    lines.push(
      `  ${mark(result)} ${visible(result.scenario)} (${result.target})${note === "" ? "" : `: ${note}`}`,
      ...detailsOf(result).map((line) => `      ${line}`),
    );
  }
  return `${[...lines, summary(results)].join("\n")}\n`;
}

/** What scenarios reached of the workflows, and the share in percent that they should. */
export interface Measured {
  readonly coverage: Coverage;
  readonly minimum: number;
}

/** The results as one JSON document, with `coverage` where that was asked for. */
export function renderResultsJson(results: readonly Result[], measured?: Measured): string {
  return JSON.stringify({
    results: results.map(({ file, scenario, target, outcome, differences, diagnostics }) => ({
      file,
      scenario,
      target,
      outcome,
      differences: differences.map(({ what, expected, got, against }) => ({
        what,
        ...(expected === undefined ? {} : { expected }),
        ...(got === undefined ? {} : { got }),
        ...(against === undefined ? {} : { against }),
      })),
      diagnostics: JSON.parse(renderJson(diagnostics)) as Json,
    })),
    ...(measured ? { coverage: coverageJson(measured.coverage, measured.minimum) } : {}),
  });
}

const mark = ({ outcome, isFailure }: Result): string => (outcome === "passed" ? "✓" : isFailure ? "✗" : "–");

/** Why a scenario was not run; nothing when it was. */
export function unavailableNote({ outcome, isFailure }: Result): string {
  if (outcome === "refused") return isFailure ? "refused by the compiler" : "refused, and not asked for";
  return outcome === "unavailable" ? "this target cannot run scenarios here" : "";
}

/** What there is to say of a result: what differed, the path taken, what the compiler says. */
export function detailsOf({ differences, diagnostics, path, isFailure, outcome }: Result): readonly string[] {
  const said = outcome === "refused" && !isFailure ? [] : renderText(diagnostics).trimEnd().split("\n").filter(Boolean);
  if (!isFailure) return said;
  return [
    ...differences.flatMap(differenceLines),
    ...(outcome === "failed" && path.length > 0 ? [`path      ${shortened(path).map(visible).join(" → ")}`] : []),
    ...said,
  ];
}

function differenceLines({ what, expected, got, against }: Difference): readonly string[] {
  return [
    `${what} differs${against === undefined ? "" : ` from what the ${against} does`}`,
    `${against === undefined ? "expected  " : "reference "}${expected === undefined ? "nothing" : shown(expected)}`,
    `got       ${got === undefined ? "nothing" : shown(got)}`,
    ...pointer(expected, got),
  ];
}

const shown = (value: Json): string => visible(JSON.stringify(value));

/** A mark under the first character at which the two texts differ. */
function pointer(expected: Json | undefined, got: Json | undefined): readonly string[] {
  if (expected === undefined || got === undefined) return [];
  const [a, b] = [shown(expected), shown(got)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at > 0 && at < 160 ? [`${" ".repeat(10 + at)}^`] : [];
}

/** The last steps of a long path. */
const shortened = (path: readonly string[]): readonly string[] =>
  path.length <= 20 ? path : ["…", ...path.slice(-19)];

function summary(results: readonly Result[]): string {
  const count = (outcome: Result["outcome"]) => results.filter((result) => result.outcome === outcome).length;
  const rest = (["refused", "unavailable"] as const).flatMap((outcome) =>
    count(outcome) > 0 ? [`${count(outcome)} ${outcome}`] : [],
  );
  return [`${count("passed")} passed`, `${count("failed")} failed`, ...rest].join(", ");
}
