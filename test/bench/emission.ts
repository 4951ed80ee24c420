import { join } from "node:path";
import { median, processTimes } from "./measure.ts";
import type { Row } from "./row.ts";
import { ten } from "./states.ts";

const here = import.meta.dirname;
const library = new URL("../../dist/index.js", import.meta.url).href;

/** What it takes to write TypeScript programs. Wants `dist`. */
export const emissionRows = async (): Promise<readonly Row[]> => [wholeProcess(), await inOneProcess()];

function wholeProcess(): Row {
  const compile = [join(here, "../../dist/waybill.cjs"), "compile", join(here, ten.path), "--target", "typescript"];
  const { bare, waybill } = processTimes({ bare: ["-e", "0"], waybill: compile }, 7);
  return { name: "whole process to TypeScript, 10 states", value: waybill, limit: 1500, unit: "ms", parts: { bare } };
}

async function inOneProcess(): Promise<Row> {
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
