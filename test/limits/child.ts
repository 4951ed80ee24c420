// Compiles and runs every kind of bad input on the reference and on all targets in one process. Prints a JSON line for
// each with the processor time in milliseconds for compiling, and for compiling and running.

import { compile } from "../../src/index.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { onReference, onTarget, runScenarios } from "../../src/scenario/run.ts";
import { targets } from "../../targets/index.ts";
import { cpuTime } from "../cpu.ts";
import { languages } from "../languages.ts";
import { hostileInputs } from "./kinds.ts";

const runners = [onReference, ...(await Promise.all(targets.map(onTarget)))];

/** The result of a scenario without expectations: the first difference or diagnostic. */
async function outcomeOf(text: string, functions: object, runner: (typeof runners)[number]): Promise<string> {
  const scenario = { name: "bad", targets: targets.map(({ name }) => name), functions, expect: { status: "waiting" } };
  const source = {
    path: "bad.scenarios.json",
    text: JSON.stringify({ workflow: "./bad.yaml", scenarios: [scenario] }),
  };
  const file = readScenarioFile(source, { languages, targets: scenario.targets }, (fault) => {
    throw new Error(fault.message);
  })!;
  const [result] = await runScenarios(file, { sources: [{ path: "bad.yaml", text }] }, runner, languages);
  const [first] = result!.diagnostics.filter(({ severity }) => severity === "error");
  return first ? `${first.code} ${first.message}` : result!.differences.map(({ got }) => JSON.stringify(got)).join(" ");
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly cpu: number }> {
  const before = cpuTime();
  const value = await work();
  return { value, cpu: Math.round(cpuTime() - before) };
}

for (const kind of ["warm", "warm", ...Object.keys(hostileInputs)]) {
  const { text, functions = {} } = hostileInputs[kind] ?? hostileInputs["a string of 200 paths"]!;
  for (const runner of runners) {
    const { target } = runner;
    const sources = [{ path: "bad.yaml", text }];
    const { cpu: compiling } = await timed(async () => target && compile({ sources, target }));
    const { value: outcome, cpu } = await timed(() => outcomeOf(text, functions, runner));
    if (kind !== "warm") console.log(JSON.stringify({ kind, on: runner.name, outcome, compiling, cpu }));
  }
}
for (const { executor } of runners) executor?.close();
