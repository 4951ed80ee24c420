import { createHash } from "node:crypto";
import { parse } from "yaml";
import { stepsOf } from "../../src/ir/walk.ts";
import { type Difference, differences } from "../../src/scenario/compare.ts";
import { type Computer, createComputer } from "../../src/scenario/computer.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import type { Simulator } from "../../src/target/simulator.ts";
import { readerOf } from "../../src/text/uris.ts";
import { createSimulator } from "../../targets/typescript/simulate.ts";
import { scenarioExceptions } from "../golden/exceptions.ts";
import { goldenNames, readGolden } from "../golden/folder.ts";
import { configurationOf } from "../golden/make.ts";
import { languages } from "../languages.ts";
import type { HostUnderTest } from "./host.ts";
import { pacingOf } from "./instants.ts";
import { observe } from "./paced.ts";
import { emitInto, type HostProgram } from "./program.ts";
import { programFolder } from "./runtime-folder.ts";

/** The result of a scenario on a host. */
export type ScenarioResult =
  | { readonly scenario: string; readonly skipped: string }
  | { readonly scenario: string; readonly differences: readonly Difference[] };

/** A scenario of a golden, with its emitted program. */
export interface GoldenScenario {
  readonly name: string;
  readonly scenario: Scenario;
  readonly emitted: HostProgram;
}

/** The scenarios of goldens, with what they need to run on hosts. */
export interface Goldens {
  readonly all: readonly GoldenScenario[];
  readonly executor: Simulator;
  readonly computer: Computer;
  close(): Promise<void>;
}

const hashOf = (name: string): number => createHash("sha256").update(name).digest().readUInt32BE(0);

/** Emits the programs of all goldens with scenarios for this target, and keeps one of `every` scenarios, by hash. */
export async function emitGoldens(every: number): Promise<Goldens> {
  const all: GoldenScenario[] = [];
  for (const name of goldenNames()) all.push(...(await scenariosOf(name)));
  const [executor, computer] = [createSimulator(), sequential(createComputer())];
  return {
    all: all.filter(({ name }) => hashOf(name) % every === 0),
    executor,
    computer,
    async close() {
      executor.close();
      await computer.close();
    },
  };
}

/** Serializes the computations of all callers. */
function sequential(computer: Computer): Computer {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...computer,
    compute(expression, input) {
      const computed = last.then(() => computer.compute(expression, input));
      last = computed.catch(() => undefined);
      return computed;
    },
  };
}

async function scenariosOf(name: string): Promise<readonly GoldenScenario[]> {
  const golden = readGolden(name, (text) => parse(text));
  const file =
    golden.scenarios &&
    readScenarioFile(golden.scenarios, { languages, targets: ["typescript", "asl", "openwhisk"] }, () => undefined);
  if (!file) return [];
  const paths = new Set([file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, "")));
  const sources = [...paths].map((path) => golden.sources.find((source) => source.path === path)!);
  const programs = new Map<string, HostProgram | undefined>();
  const all: GoldenScenario[] = [];
  for (const scenario of file.scenarios) {
    if (!scenario.targets.includes("typescript") || scenarioExceptions["typescript"]?.[name]?.[scenario.name]) continue;
    const key = JSON.stringify(scenario.options);
    if (!programs.has(key)) {
      const folder = programFolder(`${name.replaceAll("/", "-")}-${programs.size}`);
      const given = { sources, options: scenario.options, from: file.language, read: readerOf(golden.schemas) };
      programs.set(key, await emitInto(folder, { ...given, configured: configurationOf(golden) }));
    }
    const emitted = programs.get(key);
    if (emitted) all.push({ name: `${name}: ${scenario.name}`, scenario, emitted });
  }
  return all;
}

/**
 * Runs scenarios on a host, `width` at a time. A scenario that differs is repeated at a slower pace, because the
 * machine may have been busy.
 */
export async function runScenarios(
  host: HostUnderTest,
  goldens: Goldens,
  width: number,
): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const queue = [...goldens.all];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results.push(await runScenario(host, goldens, next));
  };
  await Promise.all(Array.from({ length: width }, work));
  return results.sort((a, b) => (a.scenario < b.scenario ? -1 : 1));
}

async function runScenario(
  host: HostUnderTest,
  { executor, computer }: Goldens,
  { name, scenario, emitted }: GoldenScenario,
): Promise<ScenarioResult> {
  if (callsMissingWorkflow(emitted))
    return { scenario: name, skipped: "it calls a workflow that is not in the program" };
  const pacing = await pacingOf(scenario, emitted, executor, computer, host);
  if ("skipped" in pacing) return { scenario: name, ...pacing };
  for (let slowness = 1; ; slowness *= 3) {
    const seen = await observe(host, scenario, emitted, computer, {
      pace: pacing.pace / slowness,
      slowness,
    });
    const expected = [scenario, ...scenario.runs];
    const found = expected.flatMap(({ expect }, i) => differences(expect, seen[i]!, false));
    if (found.length === 0 || slowness > 27) return { scenario: name, differences: found };
  }
}

/** Whether a workflow of the program invokes one outside of it. */
const callsMissingWorkflow = ({ program }: HostProgram): boolean =>
  program.workflows.some((workflow) =>
    stepsOf(workflow).some((step) => step.kind === "invoke" && !program.byId.has(step.workflow.name)),
  );
