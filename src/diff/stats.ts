import { visible } from "../diagnostics/renderers/text.ts";

/** A measurement of both programs; undefined if one of them has none. */
export interface StatRow {
  readonly name: string;
  readonly old: number | undefined;
  readonly new: number | undefined;
}

/** Renders measurements as a table. */
export function renderStats(rows: readonly StatRow[]): string {
  if (rows.length === 0) return "";
  const cells = [["", "old", "new", "change"], ...rows.map(statCells)];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[i]!))).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** The cells of a row: name, old, new, change. */
export function statCells({ name, old, new: created }: StatRow): readonly string[] {
  const change = old === undefined || created === undefined ? "" : created - old;
  return [
    visible(name),
    `${old ?? "-"}`,
    `${created ?? "-"}`,
    typeof change === "number" && change > 0 ? `+${change}` : `${change}`,
  ];
}
