// Measures what users wait for, against bare Node and against `yaml` alone, all in one run: prints a table on standard error and JSON on
// standard output. Run by `npm run bench`, which builds first; nothing of it is tested, as times depend on the machine.

import { join } from "node:path";
import { compileText, parseText } from "./acts.ts";
import { processTimes, runNode, warmTimes } from "./measure.ts";
import { definitionOf, ten } from "./states.ts";

const here = import.meta.dirname;
const few = 100;
const many = 10_000;

/** One thing measured: its value, what it may be at most, and what it consists of. */
interface Row {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: "×" | "ms";
  readonly parts: { readonly [name: string]: number };
}

const rows: readonly Row[] = [wholeProcess(), await oneDefinition(), await growth(), memory()];
const shown = ({ name, value, limit, unit, parts }: Row) => ({
  what: name,
  value: `${value.toFixed(2)} ${unit}`,
  limit: `${limit} ${unit}`,
  parts: Object.entries(parts)
    .map(([part, number]) => `${part} ${number.toFixed(number < 1 ? 4 : 1)}`)
    .join(", "),
});
process.stderr.write(table(rows.map(shown)));
process.stdout.write(`${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);

function wholeProcess(): Row {
  const command = join(here, "../../dist/waybill.cjs");
  const compile = [command, "compile", join(here, ten.path), "--target", "asl"];
  const { bare, yaml, waybill } = processTimes({ bare: ["-e", "0"], yaml: [join(here, "parse-ten.mjs")], waybill: compile }, 21);
  return { name: "whole process, 10 states", value: waybill / bare, limit: 4, unit: "×", parts: { bare, yaml, waybill } };
}

async function oneDefinition(): Promise<Row> {
  const [yaml, waybill] = await warmTimes([() => parseText(ten.text), () => compileText(ten.text)], 2000);
  return { name: "beyond yaml, 10 states", value: waybill! - yaml!, limit: 0.5, unit: "ms", parts: { yaml: yaml!, waybill: waybill! } };
}

/** As many states are compiled for the small as for the large, so that both make as much garbage. */
async function growth(): Promise<Row> {
  const [small, large] = [await perState(few, many / few), await perState(many, 1)];
  return { name: `beyond yaml per state, ${many} to ${few}`, value: large / small, limit: 1.3, unit: "×", parts: { small, large } };
}

async function perState(count: number, times: number): Promise<number> {
  const text = definitionOf(count);
  const repeated = (act: (text: string) => Promise<void>) => async () => {
    for (let i = 0; i < times; i += 1) await act(text);
  };
  const [yaml, waybill] = await warmTimes([repeated(parseText), repeated(compileText)], 7, "collect garbage");
  return (waybill! - yaml!) / (count * times);
}

function memory(): Row {
  const peak = (what: string) => Number(runNode([join(here, "child.ts"), what, `${many}`]).stdout) / 1024 / 1024;
  const [yaml, waybill] = [peak("yaml"), peak("waybill")];
  return { name: `peak memory to yaml's, ${many} states (MiB)`, value: waybill / yaml, limit: 1.5, unit: "×", parts: { yaml, waybill } };
}

function table(lines: readonly { readonly [column: string]: string }[]): string {
  const columns = Object.keys(lines[0]!);
  const cells = [columns, ...lines.map((line) => columns.map((column) => line[column]!))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)));
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
