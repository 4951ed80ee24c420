import { createHash } from "node:crypto";
import { parse } from "yaml";
import { stepsOf } from "../../src/ir/walk.ts";
import { languages } from "../../src/languages/index.ts";
import { readerOf } from "../../src/program.ts";
import { type Difference, differences } from "../../src/scenario/compare.ts";
import { type Computer, createComputer } from "../../src/scenario/computer.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import type { Simulator } from "../../src/target.ts";
import { createExecutor } from "../../targets/typescript/simulate.ts";
import { beyond } from "../golden/beyond.ts";
import { goldenNames, readGolden } from "../golden/folder.ts";
import { configurationOf } from "../golden/make.ts";
import type { HostUnderTest } from "./host.ts";
import { pacingOf } from "./instants.ts";
import { observe } from "./paced.ts";
import { programPlace } from "./place.ts";
import { type Emitted, emittedInto } from "./program.ts";

/** What came of a scenario on a host. */
export type Told =
  | { readonly scenario: string; readonly leftOut: string }
  | { readonly scenario: string; readonly differences: readonly Difference[] };

/** A scenario of a golden, with the program that it is of. */
export interface GoldenScenario {
  readonly name: string;
  readonly scenario: Scenario;
  readonly emitted: Emitted;
}

/** What the scenarios of goldens need to run on hosts. */
export interface Goldens {
  readonly all: readonly GoldenScenario[];
  readonly executor: Simulator;
  readonly computer: Computer;
  close(): Promise<void>;
}

/** A number that is the same for the same name, whatever other scenarios there are. */
const numberOf = (name: string): number => createHash("sha256").update(name).digest().readUInt32BE(0);

/** Emits the programs of goldens that have scenarios for this target, and picks one of so many scenarios by their names. */
export async function emittedGoldens(every: number): Promise<Goldens> {
  const all: GoldenScenario[] = [];
  for (const name of goldenNames()) all.push(...(await scenariosOf(name)));
  const [executor, computer] = [createExecutor(), oneByOne(createComputer())];
  return {
    all: all.filter(({ name }) => numberOf(name) % every === 0),
    executor,
    computer,
    async close() {
      executor.close();
      await computer.close();
    },
  };
}

/** A computer that computes one thing after the other, whoever asks. */
function oneByOne(computer: Computer): Computer {
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
  const programs = new Map<string, Emitted | undefined>();
  const all: GoldenScenario[] = [];
  for (const scenario of file.scenarios) {
    if (!scenario.targets.includes("typescript") || beyond["typescript"]?.[name]?.[scenario.name]) continue;
    const key = JSON.stringify(scenario.options);
    if (!programs.has(key)) {
      const folder = programPlace(`${name.replaceAll("/", "-")}-${programs.size}`);
      const given = { sources, options: scenario.options, from: file.language, read: readerOf(golden.schemas) };
      programs.set(key, await emittedInto(folder, { ...given, configured: configurationOf(golden) }));
    }
    const emitted = programs.get(key);
    if (emitted) all.push({ name: `${name}: ${scenario.name}`, scenario, emitted });
  }
  return all;
}

/** Runs scenarios on a host, so many at once. One that is not as expected is run again, slower: the machine may have been busy. */
export async function tellAll(host: HostUnderTest, goldens: Goldens, width: number): Promise<readonly Told[]> {
  const told: Told[] = [];
  const left = [...goldens.all];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) told.push(await tell(host, goldens, next));
  };
  await Promise.all(Array.from({ length: width }, work));
  return told.sort((a, b) => (a.scenario < b.scenario ? -1 : 1));
}

async function tell(
  host: HostUnderTest,
  { executor, computer }: Goldens,
  { name, scenario, emitted }: GoldenScenario,
): Promise<Told> {
  if (callsOutside(emitted)) return { scenario: name, leftOut: "it calls a workflow that is not in the program" };
  const pacing = await pacingOf(scenario, emitted, executor, computer, host);
  if ("leftOut" in pacing) return { scenario: name, ...pacing };
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

/** Whether a workflow of a program starts one that is not in it: who runs that is not for a host to say. */
const callsOutside = ({ program }: Emitted): boolean =>
  program.workflows.some((workflow) =>
    stepsOf(workflow).some((step) => step.kind === "invoke" && !program.byId.has(step.workflow.name)),
  );
