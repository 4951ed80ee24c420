import { renderJson } from "../../diagnostics/renderers/structured.ts";
import { renderText, visible } from "../../diagnostics/renderers/text.ts";
import type { Json } from "../../json.ts";
import { diffLines } from "../../text/line-diff.ts";
import type { Difference } from "../compare.ts";
import type { Coverage } from "../coverage.ts";
import type { Result } from "../run.ts";
import { coverageJson } from "./coverage.ts";

/** How to render results. */
export interface ResultOptions {
  readonly color?: boolean | undefined;
  /** Whether the counts follow; default: true. */
  readonly isSummarized?: boolean | undefined;
  /** The number of further results that did not change. */
  readonly unchanged?: number | undefined;
}

/**
 * Renders the results of scenarios as text: a line for each, followed by the differences of failed ones. Diagnostics that
 * reject a workflow appear once per file.
 */
export function renderResults(
  results: readonly Result[],
  { color = false, isSummarized = true, unchanged = 0 }: ResultOptions = {},
): string {
  const lines: string[] = [];
  let file = "";
  const refusals = new Set<string>();
  for (const result of results) {
    if (result.file !== file) {
      lines.push(visible(result.file));
      refusals.clear();
    }
    file = result.file;
    const details = detailsOf(result, color).map((line) => `      ${line}`);
    const refusal = result.outcome === "refused" ? details.join("\n") : "";
    const isRepeated = refusal !== "" && refusals.has(refusal);
    refusals.add(refusal);
    const note = `${unavailableNote(result)}${isRepeated ? " for the same reason" : ""}`;
    lines.push(
      `  ${mark(result, color)} ${visible(result.scenario)} (${result.target})${note === "" ? "" : `: ${note}`}`,
      ...(isRepeated ? [] : details),
    );
  }
  return `${[...lines, ...(isSummarized ? [summary(results, unchanged)] : [])].join("\n")}\n`;
}

/** Coverage and the required percentage. */
export interface Measured {
  readonly coverage: Coverage;
  readonly minimum: number;
}

/** Renders the results as a JSON document, with `coverage` if requested. */
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

function mark({ outcome, isFailure }: Result, color: boolean): string {
  if (outcome === "passed") return painted("✓", "green", color);
  return isFailure ? painted("✗", "red", color) : "–";
}

/** The reason why a scenario was not run; empty if it was. */
export function unavailableNote({ outcome, isFailure }: Result): string {
  if (outcome === "refused") return isFailure ? "refused by the compiler" : "refused, and not asked for";
  if (outcome === "skipped") return "skipped, not one of its targets";
  return outcome === "unavailable" ? "this target cannot run scenarios here" : "";
}

/** The details of a result: differences, the path taken and diagnostics. */
export function detailsOf(
  { differences, diagnostics, path, isFailure, outcome }: Result,
  color = false,
): readonly string[] {
  const reported =
    outcome === "refused" && !isFailure ? [] : renderText(diagnostics).trimEnd().split("\n").filter(Boolean);
  if (!isFailure) return reported;
  return [
    ...differences.flatMap((each) => differenceLines(each, color)),
    ...(outcome === "failed" && path.length > 0 ? [`path      ${shortened(path).map(visible).join(" → ")}`] : []),
    ...reported,
  ];
}

/** Longer values are compared line by line. */
const maxShownLength = 60;

function differenceLines({ what, expected, got, against }: Difference, color: boolean): readonly string[] {
  const heading = `${what} differs${against === undefined ? "" : ` from what the ${against} does`}`;
  const wanted = against === undefined ? "expected" : "reference";
  if (expected !== undefined && got !== undefined && isLong(expected, got))
    return [`${heading} (- ${wanted}, + got)`, ...compareLines(expected, got, color)];
  return [
    heading,
    `${wanted.padEnd(10)}${expected === undefined ? "nothing" : shown(expected)}`,
    `got       ${got === undefined ? "nothing" : shown(got)}`,
    ...pointer(expected, got),
  ];
}

const isLong = (...values: readonly Json[]): boolean =>
  values.every((value) => typeof value === "object" && value !== null) &&
  values.some((value) => shown(value).length > maxShownLength);

/** The kept lines around a change. */
const context = 2;

/** The JSON of two values as lines that differ, with some around them. */
function compareLines(expected: Json, got: Json, color: boolean): readonly string[] {
  const [before, after] = [expected, got].map((value) => JSON.stringify(value, undefined, 2).split("\n").map(visible));
  const lines = diffLines(before!, after!);
  const isNear = lines.map((_, i) =>
    lines.slice(Math.max(0, i - context), i + context + 1).some(([sign]) => sign !== " "),
  );
  return lines.flatMap(([sign, text], i) => {
    const line = `${sign} ${text}`;
    if (isNear[i]) return [sign === " " ? line : painted(line, sign === "-" ? "red" : "green", color)];
    return i === 0 || isNear[i - 1] ? ["  …"] : [];
  });
}

const painted = (text: string, paint: "red" | "green", color: boolean): string =>
  color ? `\u001b[${paint === "red" ? 31 : 32}m${text}\u001b[39m` : text;

const shown = (value: Json): string => visible(JSON.stringify(value));

/** A marker under the first character at which two strings differ. */
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

function summary(results: readonly Result[], unchanged: number): string {
  const count = (outcome: Result["outcome"]) => results.filter((result) => result.outcome === outcome).length;
  const rest = (["refused", "skipped", "unavailable"] as const).flatMap((outcome) =>
    count(outcome) > 0 ? [`${count(outcome)} ${outcome}`] : [],
  );
  const others = unchanged === 0 ? [] : [`${unchanged} unchanged`];
  return [`${count("passed")} passed`, `${count("failed")} failed`, ...rest, ...others].join(", ");
}
