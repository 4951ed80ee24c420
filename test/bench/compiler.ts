import { join } from "node:path";
import { processTimes, runNode, warmTimes } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";
import { definitionOf, ten } from "./states.ts";
import { compileText, parseText } from "./tasks.ts";

const here = import.meta.dirname;
const few = 100;
const many = 10_000;

/** Compile times relative to bare Node and to `yaml` alone. Requires `dist` and `--expose-gc`. */
export const compilerRows = async (): Promise<readonly BenchmarkRow[]> => [
  wholeProcess(),
  await oneDefinition(),
  await growth(),
  memory(),
];

function wholeProcess(): BenchmarkRow {
  const command = join(here, "../../dist/waybill.cjs");
  const compile = [command, "compile", join(here, ten.path), "--target", "asl"];
  const { bare, yaml, waybill } = processTimes(
    { bare: ["-e", "0"], yaml: [join(here, "parse-ten.mjs")], waybill: compile },
    21,
  );
  return {
    name: "whole process, 10 states",
    value: waybill / bare,
    limit: 4,
    unit: "×",
    parts: { bare, yaml, waybill },
  };
}

async function oneDefinition(): Promise<BenchmarkRow> {
  const [yaml, waybill] = await warmTimes([() => parseText(ten.text), () => compileText(ten.text)], 2000);
  return {
    name: "beyond yaml, 10 states",
    value: waybill! - yaml!,
    limit: 1.5,
    unit: "ms",
    parts: { yaml: yaml!, waybill: waybill! },
  };
}

/** Compiles equally many states for both sizes, so that both produce equal garbage. */
async function growth(): Promise<BenchmarkRow> {
  const [small, large] = [await perState(few, many / few), await perState(many, 1)];
  return {
    name: `beyond yaml per state, ${many} to ${few}`,
    value: large / small,
    limit: 1.3,
    unit: "×",
    parts: { small, large },
  };
}

async function perState(count: number, times: number): Promise<number> {
  const text = definitionOf(count);
  const repeated = (act: (text: string) => Promise<void>) => async () => {
    for (let i = 0; i < times; i += 1) await act(text);
  };
  const [yaml, waybill] = await warmTimes([repeated(parseText), repeated(compileText)], 7, "collect garbage");
  return (waybill! - yaml!) / (count * times);
}

function memory(): BenchmarkRow {
  const peak = (what: string) => Number(runNode([join(here, "child.ts"), what, `${many}`]).stdout) / 1024 / 1024;
  const [yaml, waybill] = [peak("yaml"), peak("waybill")];
  return {
    name: `peak memory to yaml's, ${many} states (MiB)`,
    value: waybill / yaml,
    limit: 1.5,
    unit: "×",
    parts: { yaml, waybill },
  };
}
