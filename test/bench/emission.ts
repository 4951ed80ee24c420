import { join } from "node:path";
import { median, processTimes } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";
import { ten } from "./states.ts";

const here = import.meta.dirname;
const library = new URL("../../dist/index.js", import.meta.url).href;

/** The cost of generating TypeScript. Requires `dist`. */
export const emissionRows = async (): Promise<readonly BenchmarkRow[]> => [...wholeProcess(), await inOneProcess()];

/** Relative to bare Node, in total and beyond a process that only loads the libraries for printing and formatting. */
function wholeProcess(): readonly BenchmarkRow[] {
  const compile = [join(here, "../../dist/waybill.cjs"), "compile", join(here, ten.path), "--target", "typescript"];
  const { bare, libraries, waybill } = processTimes(
    { bare: ["-e", "0"], libraries: [join(here, "libraries-alone.mjs")], waybill: compile },
    15,
  );
  const name = "whole process to TypeScript, 10 states";
  const parts = { bare, libraries, waybill };
  return [
    { name, value: waybill / bare, limit: 12, unit: "×", parts },
    { name: `${name}, beyond its libraries`, value: (waybill - libraries) / bare, limit: 4, unit: "×", parts },
  ];
}

async function inOneProcess(): Promise<BenchmarkRow> {
  const { compile } = (await import(library)) as typeof import("../../src/index.ts");
  const times: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    const start = performance.now();
    const { files } = await compile({ sources: [{ path: "workflow.yaml", text: ten.text }], target: "typescript" });
    if (files.length === 0) throw new Error("The definition does not compile.");
    if (i >= 20) times.push(performance.now() - start);
  }
  const ms = median(times);
  return {
    name: "to TypeScript in one process, 10 states",
    value: 1000 / ms,
    limit: 20,
    isLeast: true,
    unit: "definitions/s",
    parts: { ms },
  };
}
