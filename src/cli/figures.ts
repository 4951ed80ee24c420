import { visible } from "../diagnostics/renderers/text.ts";
import type { PassRun } from "../passes/index.ts";
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

/** Metrics and the times of passes as one JSON array. */
export const renderFiguresJson = (metrics: readonly WorkflowMetric[], passes: readonly PassRun[] = []): string =>
  `${JSON.stringify([...metrics, ...sumTimes(passes).map(([pass, value]) => ({ pass, name: "milliseconds", value }))], null, 2)}\n`;

/** A table of the milliseconds that each pass took, over all workflows. */
export function renderPassTimes(passes: readonly PassRun[]): string {
  const rows = sumTimes(passes).map(([pass, value]) => [pass, value.toFixed(2)] as const);
  if (rows.length === 0) return "";
  const [first, second] = [0, 1].map((column) => Math.max(4, ...rows.map((row) => row[column]!.length)));
  return [["pass", "ms"] as const, ...rows]
    .map(([pass, value]) => `  ${pass.padEnd(first!)}  ${value.padStart(second!)}\n`)
    .join("");
}

function sumTimes(passes: readonly PassRun[]): readonly (readonly [pass: string, milliseconds: number])[] {
  const times = new Map<string, number>();
  for (const { pass, milliseconds } of passes) times.set(pass, (times.get(pass) ?? 0) + milliseconds);
  return [...times];
}

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
