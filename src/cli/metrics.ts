import { visible } from "../diagnostics/renderers/text.ts";
import type { PassRun } from "../passes/index.ts";
import type { Metric, OutputFile, WorkflowMetric } from "../target/contract.ts";

/**
 * Renders metrics as text:
 *
 *   order: 3 states, 3120 of 1048576 bytes
 *     scenario        transitions  history events
 *     paid at once              3     13 of 25000
 *   total: 2 files, 4402 bytes
 */
export function renderMetrics(metrics: readonly WorkflowMetric[], files: readonly OutputFile[]): string {
  const byWorkflow = [...Map.groupBy(metrics, ({ workflow }) => workflow)];
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const lines = byWorkflow.flatMap(([id, own]) => [
    `${visible(id)}: ${own.filter(isOfWorkflow).map(formatMetric).join(", ")}`,
    ...renderTable("state", own),
    ...renderTable("scenario", own),
  ]);
  return [...lines, `total: ${files.length} ${files.length === 1 ? "file" : "files"}, ${bytes} bytes`]
    .map((line) => `${line}\n`)
    .join("");
}

/** Renders metrics and the times of passes as a JSON array. */
export const renderMetricsJson = (metrics: readonly WorkflowMetric[], passes: readonly PassRun[] = []): string =>
  `${JSON.stringify([...metrics, ...sumTimes(passes).map(([pass, value]) => ({ pass, name: "milliseconds", value }))], null, 2)}\n`;

/** Renders the total milliseconds of each pass. */
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

const isOfWorkflow = ({ state, scenario }: WorkflowMetric): boolean => state === undefined && scenario === undefined;

const formatMetric = (metric: Metric): string => `${formatValue(metric)} ${metric.name}`;

const formatValue = ({ value, limit }: Metric): string => (limit === undefined ? `${value}` : `${value} of ${limit}`);

function renderTable(of: "state" | "scenario", metrics: readonly WorkflowMetric[]): readonly string[] {
  const metricd = metrics.filter((metric) => metric[of] !== undefined);
  const names = [...new Set(metricd.map(({ name }) => name))];
  const rows = [...Map.groupBy(metricd, (metric) => metric[of]!)].map(([row, own]) => [
    visible(row),
    ...names.map((name) =>
      own
        .filter((metric) => metric.name === name)
        .map(formatValue)
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
