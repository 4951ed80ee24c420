import { check, generate } from "../compile.ts";
import { type ConfigurationOf, noConfiguration, settingsFor } from "../configuration/index.ts";
import type { SimulatedEnvironment } from "../environment/environment.ts";
import { stepsOf } from "../ir/walk.ts";
import type { Program, Workflow } from "../ir/workflow.ts";
import { isObject, type Json } from "../json.ts";
import type { Language } from "../language.ts";
import type { Options } from "../options.ts";
import { interpret } from "../reference/index.ts";
import type { OutputFile, Target } from "../target/contract.ts";
import type { Outcome, Simulator } from "../target/simulator.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ResourceReader } from "../text/uris.ts";
import { setupOf } from "./answers.ts";
import { type BrokenOff, type Difference, differences, isBrokenOff, referenceDifferences } from "./compare.ts";
import { type Computer, createComputer } from "./computer.ts";
import { type Coverage, coverageOf } from "./coverage.ts";
import type { Scenario, ScenarioFile } from "./model.ts";
import { checkNames } from "./names.ts";
import { nothingRecorded, type Observed, simulateAll } from "./simulation.ts";

/** What runs scenarios: a target, with what executes its files where it has that, or the reference interpreter. */
export interface Runner {
  readonly name: string;
  /** Absent: the reference. */
  readonly target?: Target | undefined;
  readonly executor?: Simulator | undefined;
}

/** The reference interpreter. */
export const onReference: Runner = { name: "reference" };

/** A target with its executor loaded, to be closed when nothing more is run. */
export const onTarget = async (target: Target): Promise<Runner> => ({
  name: target.name,
  target,
  executor: await target.loadSimulator?.(),
});

/** The definitions that a scenario file names: the workflow first. */
export interface Definitions {
  readonly sources: readonly Source[];
  /** The configuration of each: its choices, and where functions are, for the targets. */
  readonly configurationOf?: ConfigurationOf | undefined;
  /** Gives the texts that they refer to. */
  readonly read?: ResourceReader | undefined;
}

/** What came of one scenario on one runner. */
export interface Result {
  readonly file: string;
  readonly scenario: string;
  readonly target: string;
  /** `refused`: the workflow does not compile to the target. `unavailable`: the target cannot run scenarios, or not here. */
  readonly outcome: "passed" | "failed" | "refused" | "unavailable";
  readonly differences: readonly Difference[];
  readonly diagnostics: readonly Diagnostic[];
  /** The steps entered, for a report of what went wrong. */
  readonly path: readonly string[];
  /** Whether the outcome is one that fails the whole. */
  readonly isFailure: boolean;
  /** How long it took, in seconds of real time. */
  readonly seconds: number;
}

/** A scenario file whose scenarios are run, on one runner after the other. Each scenario is run on the reference once. */
export interface Session {
  /** Runs all scenarios; those on a target are held against the reference as well as against what the file expects. */
  run(runner: Runner): Promise<readonly Result[]>;
  /** What the scenarios that are for a target use of its platform there: of their own runs, those that could be followed to their ends. */
  usage(runner: Runner): Promise<readonly Usage[]>;
  /** What of the workflows the scenarios reach, on the reference; of the definitions that compile. */
  coverage(): Promise<readonly Coverage[]>;
  close(): Promise<void>;
}

/** What the run of a scenario has used of its platform, and how many times. */
export interface Usage {
  readonly scenario: string;
  /** The id of the workflow. */
  readonly workflow: string;
  readonly used: ReadonlyMap<string, number>;
}

/** Runs all scenarios of a file on one runner. */
export async function runScenarios(
  file: ScenarioFile,
  definitions: Definitions,
  runner: Runner,
  languages: readonly Language[],
): Promise<readonly Result[]> {
  const session = openScenarios(file, definitions, languages);
  try {
    return await session.run(runner);
  } finally {
    await session.close();
  }
}

/** Makes the scenarios of a file ready to be run. To be closed when that is done. */
export function openScenarios(file: ScenarioFile, definitions: Definitions, languages: readonly Language[]): Session {
  const computer = createComputer();
  const known = new Map<Scenario, Promise<Simulated>>();
  const compiledBy = compilerFor(file, definitions, onReference, languages);
  const referenceOf = (scenario: Scenario): Promise<Simulated> => {
    const simulated =
      known.get(scenario) ??
      compiledBy(scenario.options).then((compiled) => simulateOn(scenario, compiled, onReference, computer));
    known.set(scenario, simulated);
    return simulated;
  };
  return {
    async run(runner) {
      const compiledFor = compilerFor(file, definitions, runner, languages);
      const onRunner = async (scenario: Scenario) =>
        simulateOn(scenario, await compiledFor(scenario.options), runner, computer);
      const simulatedOn = runner.target ? onRunner : referenceOf;
      return inTurn(file.scenarios, async (scenario) => {
        const began = performance.now();
        const result = await judge(scenario, await simulatedOn(scenario), runner, referenceOf);
        return { file: file.path, ...result, seconds: (performance.now() - began) / 1000 };
      });
    },
    async usage(runner) {
      const compiledFor = compilerFor(file, definitions, runner, languages);
      const meant = file.scenarios.filter(({ targets }) => targets.includes(runner.name));
      const used = async (scenario: Scenario): Promise<readonly Usage[]> => {
        const { compiled, seen } = await simulateOn(scenario, await compiledFor(scenario.options), runner, computer);
        if (!compiled.workflow || !seen || isBrokenOff(seen)) return [];
        return [{ scenario: scenario.name, workflow: compiled.workflow.id, used: seen[0]!.recording.used }];
      };
      return (await inTurn(meant, used)).flat();
    },
    async coverage() {
      const nounIn = (name: string) => languages.find((language) => language.name === name)?.terminology.step ?? "step";
      return (await inTurn(file.scenarios, referenceOf)).flatMap((simulated) => coverageIn(simulated, nounIn));
    },
    close: () => computer.close(),
  };
}

async function inTurn<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
): Promise<readonly Done[]> {
  const all: Done[] = [];
  for (const item of items) all.push(await work(item));
  return all;
}

/** A scenario with what was seen of its runs, its own first; `seen` is absent where it could not be. */
interface Simulated {
  readonly compiled: Compiled;
  readonly seen: readonly Observed[] | BrokenOff | undefined;
}

/** What a scenario reached; a run that was broken off reached nothing, and what does not compile has nothing to reach. */
function coverageIn(
  { compiled: { program }, seen }: Simulated,
  nounIn: (language: string) => string,
): readonly Coverage[] {
  if (!program || !seen) return [];
  const recordings = isBrokenOff(seen) ? [nothingRecorded] : seen.map(({ recording }) => recording);
  return recordings.map((recording) => coverageOf(program, recording, nounIn));
}

async function simulateOn(
  scenario: Scenario,
  compiled: Compiled,
  { target, executor }: Runner,
  computer: Computer,
): Promise<Simulated> {
  const { program, workflow, files, language } = compiled;
  if (!program || !workflow || (target && !executor)) return { compiled, seen: undefined };
  const run = (input: Json | undefined) => async (environment: SimulatedEnvironment) => {
    if (!workflow.anyInput && input !== undefined && !isObject(input)) return refused(environment);
    return executor
      ? executor.run(files, { workflow: workflow.id, input, environment: environment })
      : interpret({ program, workflow, input, environment });
  };
  const runs = [{ id: "run", at: 0, input: scenario.input, startedBy: undefined }, ...scenario.runs].map((each) => {
    const { id, at, startedBy } = each;
    return { id, at, startedBy, run: run(inputOf(each.input, workflow)) };
  });
  const startable = startableWorkflows(program).map((started) => ({
    workflow: started.id,
    run: (environment: SimulatedEnvironment) =>
      executor
        ? executor.run(files, { workflow: started.id, environment })
        : interpret({ program, workflow: started, environment }),
  }));
  const setup = { ...setupOf(scenario, program, computer, language), startable };
  return { compiled, seen: await simulateAll(setup, runs).catch(brokenOff) };
}

/** The workflows that events produced by runs of the program may start. */
export const startableWorkflows = ({ workflows }: Program): readonly Workflow[] =>
  workflows.some((workflow) => stepsOf(workflow).some(({ kind }) => kind === "emit"))
    ? workflows.filter(({ start }) => (start.on ?? []).length > 0)
    : [];

/** The end of a run that was called with what no run takes: nothing is executed. */
function refused(environment: SimulatedEnvironment): Outcome {
  environment.started();
  return {
    status: "failed",
    error: { name: "InvalidInput", message: "The input of a run has to be an object.", origin: "denied" },
  };
}

/** A run that could not be brought to an end, such as one that loops without waiting. */
const brokenOff = (error: unknown): BrokenOff => ({ brokenOff: (error as Error).message });

/** Says what came of a scenario on a runner. */
async function judge(
  scenario: Scenario,
  { compiled, seen }: Simulated,
  runner: Runner,
  referenceOf: (scenario: Scenario) => Promise<Simulated>,
): Promise<Omit<Result, "file" | "seconds">> {
  const common = { scenario: scenario.name, target: runner.name, differences: [], path: [] };
  if (!compiled.program) {
    const diagnostics = compiled.diagnostics.filter(({ severity }) => severity === "error");
    const isWanted = runner.target === undefined || scenario.targets.includes(runner.name);
    return { ...common, outcome: "refused", diagnostics, isFailure: isWanted };
  }
  const { unknown, missing } = checkNames(scenario, compiled.program);
  const diagnostics = [...unknown, ...missing];
  if (!seen) return { ...common, outcome: "unavailable", diagnostics, isFailure: false };
  const meant = runner.target && !isBrokenOff(seen) ? (await referenceOf(scenario)).seen : undefined;
  const found = isBrokenOff(seen)
    ? [{ what: "run", got: seen.brokenOff }]
    : differencesIn(scenario, seen, meant, compiled);
  const isFailure = found.length > 0 || missing.length > 0;
  const path = isBrokenOff(seen) ? [] : seen[0]!.path;
  return { ...common, outcome: isFailure ? "failed" : "passed", differences: found, diagnostics, path, isFailure };
}

/** In what the runs of a scenario are not as it expects, and not as on the reference where that is told (`meant`). An error in a composition has no name. */
function differencesIn(
  { expect, runs }: Scenario,
  seen: readonly Observed[],
  meant: Simulated["seen"],
  { workflow }: Compiled,
): readonly Difference[] {
  const namesErrors = !workflow?.unnamedErrors;
  const expected = [{ id: "run", expect }, ...runs];
  return expected.flatMap((each, i) => {
    const own = differences(each.expect, seen[i]!, true);
    const reference = meant && (isBrokenOff(meant) ? meant : meant[i]!);
    const found = reference
      ? [...own, ...referenceDifferences(each.expect, reference, seen[i]!, own, namesErrors)]
      : own;
    return i === 0 ? found : found.map((difference) => ({ ...difference, what: `${each.id}: ${difference.what}` }));
  });
}

/** A program made ready for a runner, or the diagnostics that say why it is not. */
interface Compiled {
  readonly program: Program | undefined;
  readonly workflow: Workflow | undefined;
  /** That of the workflow. */
  readonly language: Language | undefined;
  readonly files: readonly OutputFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Gives what a runner runs, made once for the same choices. */
function compilerFor(
  file: ScenarioFile,
  definitions: Definitions,
  runner: Runner,
  languages: readonly Language[],
): (options: Options) => Promise<Compiled> {
  const compiled = new Map<string, Promise<Compiled>>();
  return (options) => {
    const key = JSON.stringify(options);
    const known = compiled.get(key) ?? compile(file, definitions, options, runner, languages);
    compiled.set(key, known);
    return known;
  };
}

async function compile(
  file: ScenarioFile,
  { sources, configurationOf = () => undefined, read }: Definitions,
  options: Options,
  { target }: Runner,
  languages: readonly Language[],
): Promise<Compiled> {
  const choicesOf: ConfigurationOf = (source) => ({
    ...noConfiguration,
    options: configurationOf(source)?.options ?? {},
  });
  const input = { sources, from: file.language, options, configurationOf: choicesOf, read };
  const { program, diagnostics } = check(input, languages);
  const workflow = program?.workflows[0];
  const language = languages.find(({ name }) => name === workflow?.language);
  if (!program || !target) return { program, workflow, language, files: [], diagnostics };
  const made = await generate(program, target, { ...settingsFor(target.name, configurationOf), read });
  const isRefused = made.diagnostics.some(({ severity }) => severity === "error");
  return {
    program: isRefused ? undefined : program,
    workflow,
    language,
    files: made.files,
    diagnostics: [...diagnostics, ...made.diagnostics],
  };
}

/** A run of a workflow that events start is called only when an input is written. */
const inputOf = (input: Json | undefined, { start }: Workflow): Json | undefined =>
  input === undefined && (start.on ?? []).length === 0 ? {} : input;
