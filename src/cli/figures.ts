import { visible } from "../diagnostics/renderers/text.ts";
import type { OutputFile } from "../target/contract.ts";
import type { Metric, WorkflowMetric } from "../target/metrics.ts";

/**
 * Figures for people: a line for each workflow, and below it a table of its states and one of its scenarios; at the end a line for all files together.
 *
 *   order: 3 states, 3120 of 1048576 bytes
 *     scenario        transitions  events of history
 *     paid at once              3        13 of 25000
 *   in all: 2 files, 4402 bytes
 */
export function renderFigures(figures: readonly WorkflowMetric[], files: readonly OutputFile[]): string {
  const byWorkflow = [...Map.groupBy(figures, ({ workflow }) => workflow)];
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const lines = byWorkflow.flatMap(([id, own]) => [
    `${visible(id)}: ${own.filter(isOfAll).map(told).join(", ")}`,
    ...table("state", own),
    ...table("scenario", own),
  ]);
  return [...lines, `in all: ${files.length} ${files.length === 1 ? "file" : "files"}, ${bytes} bytes`]
    .map((line) => `${line}\n`)
    .join("");
}

/** Figures as one JSON array for programs. */
export const renderFiguresJson = (figures: readonly WorkflowMetric[]): string =>
  `${JSON.stringify(figures, null, 2)}\n`;

const isOfAll = ({ state, scenario }: WorkflowMetric): boolean => state === undefined && scenario === undefined;

const told = (measure: Metric): string => `${amount(measure)} ${measure.name}`;

const amount = ({ value, limit }: Metric): string => (limit === undefined ? `${value}` : `${value} of ${limit}`);

/** A row for each state or scenario, a column for each thing that was measured; nothing where there are no rows. */
function table(of: "state" | "scenario", figures: readonly WorkflowMetric[]): readonly string[] {
  const measured = figures.filter((figure) => figure[of] !== undefined);
  const names = [...new Set(measured.map(({ name }) => name))];
  const rows = [...Map.groupBy(measured, (figure) => figure[of]!)].map(([row, own]) => [
    visible(row),
    ...names.map((name) =>
      own
        .filter((figure) => figure.name === name)
        .map(amount)
        .join(),
    ),
  ]);
  if (rows.length === 0) return [];
  const all = [[of, ...names], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) => {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)));
    return `  ${cells.join("  ")}`.trimEnd();
  });
}
