/** A measurement: its value, its maximum (or minimum, if `isLeast`), and its components. */
export interface BenchmarkRow {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly isLeast?: true;
  readonly unit:
    | "×"
    | "s"
    | "ms"
    | "µs"
    | "%"
    | "bytes"
    | "characters"
    | "programs"
    | "cases"
    | "paths"
    | "MiB"
    | "steps/s"
    | "definitions/s"
    | "files"
    | "operations"
    | "events/s"
    | "read units"
    | "units"
    | "runs"
    | "runs/s";
  readonly parts: { readonly [name: string]: number };
  /** Details such as rejected programs with reasons. */
  readonly list?: readonly string[];
}

/** The row of a measurement whose files are missing. */
export const skippedRow = (name: string, unit: BenchmarkRow["unit"]): BenchmarkRow => ({
  name,
  value: 0,
  limit: 0,
  unit,
  parts: {},
  list: ["skipped: no files in ../shared"],
});

/** Renders rows as a table, followed by their lists. */
export function renderTable(rows: readonly BenchmarkRow[]): string {
  const lists = rows
    .filter(({ list }) => list && list.length > 0)
    .map(({ name, list }) => `\n${name}:\n${list!.map((line) => `  ${line}\n`).join("")}`);
  return `${align([["measurement", "value", "limit", "parts"], ...rows.map(cellsOf)])}${lists.join("")}`;
}

const cellsOf = ({ name, value, limit, unit, parts, isLeast }: BenchmarkRow): readonly string[] => [
  name,
  `${formatNumber(value)} ${unit}${verdict(value, limit, isLeast)}`,
  `${isLeast ? "≥ " : ""}${limit} ${unit}`,
  Object.entries(parts)
    .map(([part, number]) => `${part} ${formatNumber(number)}`)
    .join(", "),
];

function verdict(value: number, limit: number, isLeast: true | undefined): string {
  if (isLeast) return value < limit ? " (too low)" : "";
  return value > limit ? " (too high)" : "";
}

/** Three significant digits; integers in full. */
function formatNumber(value: number): string {
  if (Number.isInteger(value)) return `${value}`;
  return Math.abs(value) < 1 ? value.toPrecision(3) : value.toFixed(value < 100 ? 2 : 1);
}

function align(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  const text = (line: readonly string[]) => line.map((cell, i) => cell.padEnd(widths[i]!)).join("  ");
  return lines.map((line) => `${text(line).trimEnd()}\n`).join("");
}
