import { printable } from "./log.ts";

/** Prints rows as columns that are separated by two spaces. Characters that control a terminal are escaped. */
export function table(lines: readonly (readonly string[])[]): string {
  const rows = lines.map((line) => line.map(printable));
  const widths = rows[0]!.map((_, column) => rows.reduce((most, row) => Math.max(most, row[column]!.length), 0));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}
