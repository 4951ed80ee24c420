import { createComputer } from "#computer";
import { generate } from "../compile.ts";
import {
  type Configuration,
  type ConfigurationOf,
  configuredId,
  noConfiguration,
  settingsFor,
  withoutBindings,
} from "../configuration/index.ts";
import { inputOfEventStart, missingFunctionResult, reachedLimit } from "../diagnostics/scenario.ts";
import type { SimulatedEnvironment } from "../environment/environment.ts";
import { inputError } from "../ir/inputs.ts";
import { inputOfRun, startsOnEvents } from "../ir/starts.ts";
import { stepsOf } from "../ir/walk.ts";
import type { ErrorValue, Program, Workflow } from "../ir/workflow.ts";
import { isObject, type Json } from "../json.ts";
import type { Language } from "../language.ts";
import { interpret } from "../reference/index.ts";
import type { OutputFile, Target } from "../target/contract.ts";
import type { Outcome, Simulator } from "../target/simulator.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ResourceReader } from "../text/uris.ts";
import { setupOf, unansweredFunctions } from "./answers.ts";
import { type BrokenOff, type Difference, differences, isBrokenOff, referenceDifferences } from "./compare.ts";
import type { Computer } from "./computer.ts";
import { type Coverage, coverageOf } from "./coverage.ts";
import { beside } from "./definitions.ts";
import type { Scenario, ScenarioFile } from "./model.ts";
import { checkNames, hasUnknownTimers, mistimedFirings } from "./names.ts";
import { plannedRuns } from "./planned-runs.ts";
import { nothingRecorded, type Recording } from "./recording.ts";
import { mistypedResults } from "./result-types.ts";
import { type Observed, simulateAll } from "./simulation.ts";
import { checkSubject } from "./subject.ts";

/** An executor of scenarios: the reference interpreter, or a target with its simulator, if it has one. */
export interface Runner {
  readonly name: string;
  /** If omitted, the reference. */
  readonly target?: Target | undefined;
  readonly executor?: Simulator | undefined;
}

/** The reference interpreter. */
export const onReference: Runner = { name: "reference" };

/** Loads the simulator of a target, to be closed after use. */
export const onTarget = async (target: Target): Promise<Runner> => ({
  name: target.name,
  target,
  executor: await target.loadSimulator?.(),
});

/** The definitions that a scenario file names, the workflow first. */
export interface Definitions {
  readonly sources: readonly Source[];
  /** The configuration of each definition. */
  readonly configurationOf?: ConfigurationOf | undefined;
  /** Reads the resources that they refer to. */
  readonly read?: ResourceReader | undefined;
}

/** The result of a scenario on a runner. */
export interface Result {
  readonly file: string;
  readonly scenario: string;
  readonly target: string;
  /**
   * `refused`: the workflow does not compile to the target. `skipped`: the scenario does not list the target.
   * `unavailable`: the target has no simulator in this environment.
   */
  readonly outcome: "passed" | "failed" | "refused" | "skipped" | "unavailable";
  readonly differences: readonly Difference[];
  readonly diagnostics: readonly Diagnostic[];
  /** The entered steps, for reports. */
  readonly path: readonly string[];
  /** Whether the outcome makes the command fail. */
  readonly isFailure: boolean;
  /** The duration in seconds of real time. */
  readonly seconds: number;
}

/** Runs the scenarios of a file on several runners. Each scenario runs on the reference once. */
export interface Session {
  /** Runs all scenarios. On a target, the results are also compared with the reference. */
  run(runner: Runner): Promise<readonly Result[]>;
  /**
   * The platform usage of each scenario's own run on a target; scenarios that do not apply to the target or were
   * aborted are omitted.
   */
  usage(runner: Runner): Promise<readonly Usage[]>;
  /** The recordings of the scenarios on the reference, for definitions that compile. */
  recordings(): Promise<readonly RecordedScenario[]>;
  /** What is observed of each scenario on the reference, its own run first; undefined if it cannot run. */
  observations(): Promise<readonly ObservedScenario[]>;
  /** The coverage of the scenarios on the reference, for definitions that compile. */
  coverage(): Promise<readonly Coverage[]>;
  close(): Promise<void>;
}

/** The recordings of the runs of a scenario, its own first; none if it was aborted. */
export interface RecordedScenario {
  readonly scenario: string;
  readonly program: Program;
  readonly recordings: readonly Recording[];
}

/** The observed runs of a scenario. */
export interface ObservedScenario {
  readonly scenario: string;
  readonly seen: readonly Observed[] | BrokenOff | undefined;
}

/** The counted or billed units of a platform that the run of a scenario used. */
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

/** How a session judges runs. */
export interface SessionOptions {
  /** Whether a call of a function without a result is a failure. */
  readonly isStrict?: boolean;
  /** Wraps the environment of each run on the reference, for example to trace its steps. */
  readonly observe?: ((environment: SimulatedEnvironment) => SimulatedEnvironment) | undefined;
}

/** Opens a session for the scenarios of a file, to be closed after use. */
export function openScenarios(
  file: ScenarioFile,
  definitions: Definitions,
  languages: readonly Language[],
  { isStrict = false, observe }: SessionOptions = {},
): Session {
  const computer = createComputer();
  const reported = new Set<Scenario>();
  const known = new Map<Scenario, Promise<Simulated>>();
  const compiledBy = compilerFor(file, definitions, onReference, languages);
  const referenceOf = (scenario: Scenario): Promise<Simulated> => {
    const simulated =
      known.get(scenario) ??
      compiledBy(scenario).then((compiled) => simulateOn(scenario, compiled, onReference, computer, observe));
    known.set(scenario, simulated);
    return simulated;
  };
  return {
    async run(runner) {
      const compiledFor = compilerFor(file, definitions, runner, languages);
      const onRunner = async (scenario: Scenario) =>
        simulateOn(scenario, await compiledFor(scenario), runner, computer);
      const simulatedOn = runner.target ? onRunner : referenceOf;
      return inTurn(file.scenarios, async (scenario) => {
        const began = performance.now();
        const simulated = await simulatedOn(scenario);
        const unanswered = unansweredBy(scenario, simulated, reported.has(scenario));
        if (simulated.seen) reported.add(scenario);
        const result = await judge(scenario, simulated, runner, referenceOf, { unanswered, isStrict });
        return { file: file.path, ...result, seconds: (performance.now() - began) / 1000 };
      });
    },
    async usage(runner) {
      const compiledFor = compilerFor(file, definitions, runner, languages);
      const meant = file.scenarios.filter(({ targets }) => targets.includes(runner.name));
      const used = async (scenario: Scenario): Promise<readonly Usage[]> => {
        const { compiled, seen } = await simulateOn(scenario, await compiledFor(scenario), runner, computer);
        if (!compiled.workflow || !seen || isBrokenOff(seen)) return [];
        return [{ scenario: scenario.name, workflow: compiled.workflow.id, used: seen[0]!.recording.used }];
      };
      return (await inTurn(meant, used)).flat();
    },
    async recordings() {
      const simulated = await inTurn(file.scenarios, async (scenario) => ({
        scenario,
        ...(await referenceOf(scenario)),
      }));
      return simulated.flatMap(({ scenario: { name: scenario }, compiled: { program }, seen }) => {
        if (!program || !seen) return [];
        return [{ scenario, program, recordings: isBrokenOff(seen) ? [] : seen.map(({ recording }) => recording) }];
      });
    },
    observations: () =>
      inTurn(file.scenarios, async (scenario) => ({
        scenario: scenario.name,
        seen: (await referenceOf(scenario)).seen,
      })),
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

/** The observed runs of a scenario, its own first; undefined if it could not run. */
interface Simulated {
  readonly compiled: Compiled;
  readonly seen: readonly Observed[] | BrokenOff | undefined;
}

/** The coverage of a scenario: nothing for an aborted run, and no workflows if they do not compile. */
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
  observe = (environment: SimulatedEnvironment): SimulatedEnvironment => environment,
): Promise<Simulated> {
  const { program, workflow, files, language } = compiled;
  const isSimulated = !target || (executor !== undefined && !isSkipped(scenario, target));
  if (!program || !workflow || !isSimulated || !applies(scenario, compiled) || hasUnknownTimers(scenario, program))
    return { compiled, seen: undefined };
  const run = (input: Json | undefined, timer?: number) => async (environment: SimulatedEnvironment) => {
    const invalid = inputError(workflow, input);
    if (invalid && (!isObject(input) || target?.callerChecksInputs)) return refused(invalid, environment);
    return executor
      ? executor.run(files, { workflow: workflow.id, input, timer, environment: environment })
      : interpret({ program, workflow, input, environment: observe(environment) });
  };
  const runs = plannedRuns(scenario).map(({ input, fired, ...planned }) =>
    fired
      ? { ...planned, at: fired.at, run: run({}, fired.timer) }
      : { ...planned, run: run(inputOfRun(workflow, input)) },
  );
  const startable = startableWorkflows(program).map((started) => ({
    workflow: started.id,
    run: (environment: SimulatedEnvironment) =>
      executor
        ? executor.run(files, { workflow: started.id, environment })
        : interpret({ program, workflow: started, environment: observe(environment) }),
  }));
  const setup = { ...setupOf(scenario, program, computer, language), startable };
  return { compiled, seen: await simulateAll(setup, runs).catch(brokenOff) };
}

/** The workflows that events produced by runs of the program may start. */
export const startableWorkflows = ({ workflows }: Program): readonly Workflow[] =>
  workflows.some((workflow) => stepsOf(workflow).some(({ kind }) => kind === "emit"))
    ? workflows.filter(startsOnEvents)
    : [];

/** The outcome of a run whose caller does not start it: platforms pass objects, and some do not check more. */
function refused({ name, message, origin }: ErrorValue, environment: SimulatedEnvironment): Outcome {
  environment.started();
  return { status: "failed", error: { name, message, origin } };
}

/** The result of an aborted simulation, such as one with an endless loop. */
const brokenOff = (error: unknown): BrokenOff => ({ brokenOff: (error as Error).message });

/** Whether a scenario does not list a target. */
const isSkipped = ({ targets }: Scenario, target: Target | undefined): boolean =>
  target !== undefined && !targets.includes(target.name);

/** Whether a target can start the runs of a scenario. */
const applies = ({ input, runs }: Scenario, { startsOnlyByEvents }: Compiled): boolean =>
  !startsOnlyByEvents || (input === undefined && runs.every((run) => run.input === undefined));

/** The functions that a scenario calls without a result. Of several runners, the first reports them. */
function unansweredBy(
  scenario: Scenario,
  { compiled: { program, language }, seen }: Simulated,
  isReported: boolean,
): readonly Diagnostic[] {
  if (!program || !seen || isBrokenOff(seen) || isReported) return [];
  const result = JSON.stringify(language?.defaultResult ?? null);
  return unansweredFunctions(scenario, program, seen).map((name) =>
    missingFunctionResult(scenario.span, { scenario: scenario.name, name, result }),
  );
}

/** Compares the observed runs of a scenario with its expectations. */
async function judge(
  scenario: Scenario,
  { compiled, seen }: Simulated,
  runner: Runner,
  referenceOf: (scenario: Scenario) => Promise<Simulated>,
  { unanswered, isStrict }: { readonly unanswered: readonly Diagnostic[]; readonly isStrict: boolean },
): Promise<Omit<Result, "file" | "seconds">> {
  const common = { scenario: scenario.name, target: runner.name, differences: [], path: [] };
  if (!compiled.program) {
    const diagnostics = compiled.diagnostics.filter(({ severity }) => severity === "error");
    return { ...common, outcome: "refused", diagnostics, isFailure: !isSkipped(scenario, runner.target) };
  }
  if (!isSkipped(scenario, runner.target) && !applies(scenario, compiled)) {
    const workflow = compiled.workflow!.id;
    const diagnostics = [
      inputOfEventStart(scenario.span, { workflow, target: runner.name, targets: scenario.targets }),
    ];
    return { ...common, outcome: "refused", diagnostics, isFailure: true };
  }
  const { unknown, missing } = checkNames(scenario, compiled.program);
  const limits = new Set(seen && !isBrokenOff(seen) ? seen.flatMap(({ recording }) => [...recording.limits]) : []);
  const reached = [...limits].map((limit) => reachedLimit(scenario.span, { limit }));
  const mistyped = mistypedResults(scenario, compiled.program);
  const mistimed = mistimedFirings(scenario, compiled.program);
  const diagnostics = [...unknown, ...missing, ...mistimed, ...unanswered, ...mistyped, ...reached];
  if (isSkipped(scenario, runner.target)) return { ...common, outcome: "skipped", diagnostics: [], isFailure: false };
  const isFailed = hasUnknownTimers(scenario, compiled.program);
  if (!seen) return { ...common, outcome: isFailed ? "failed" : "unavailable", diagnostics, isFailure: isFailed };
  const meant = runner.target && !isBrokenOff(seen) ? (await referenceOf(scenario)).seen : undefined;
  const found = isBrokenOff(seen)
    ? [{ what: "run", got: seen.brokenOff }]
    : differencesIn(scenario, seen, meant, compiled);
  const isFailure = found.length > 0 || missing.length > 0 || (isStrict && unanswered.length > 0);
  const path = isBrokenOff(seen) ? [] : seen[0]!.path;
  return { ...common, outcome: isFailure ? "failed" : "passed", differences: found, diagnostics, path, isFailure };
}

/**
 * The differences between the runs of a scenario and its expectations, and from the reference (`meant`). Errors of
 * compositions have no names.
 */
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

/** A program compiled for a runner, or the diagnostics that prevent it. */
interface Compiled {
  readonly program: Program | undefined;
  readonly workflow: Workflow | undefined;
  /** The language of the workflow. */
  readonly language: Language | undefined;
  readonly files: readonly OutputFile[];
  /** Whether only events start the workflow on the target. */
  readonly startsOnlyByEvents: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the program of a scenario depends on. */
type Choices = Pick<Scenario, "options" | "placeholders">;

/** Returns a compiler for a runner that caches programs by options and placeholders. */
function compilerFor(
  file: ScenarioFile,
  definitions: Definitions,
  runner: Runner,
  languages: readonly Language[],
): (choices: Choices) => Promise<Compiled> {
  const compiled = new Map<string, Promise<Compiled>>();
  return ({ options, placeholders = new Map() }) => {
    const key = JSON.stringify([options, ...placeholders]);
    const known = compiled.get(key) ?? compile(file, definitions, { options, placeholders }, runner, languages);
    compiled.set(key, known);
    return known;
  };
}

/** The ids that the scenario file, or else the configuration, gives to workflows whose definitions have none. */
function idsOf(
  { path, subflows }: ScenarioFile,
  sources: readonly Source[],
  configurationOf: ConfigurationOf,
): ReadonlyMap<Source, string> {
  const named = new Map([...subflows].toReversed().map(([id, given]) => [beside(path, given), id] as const));
  return new Map(
    sources.flatMap((source) => {
      const id = named.get(beside("", source.path)) ?? configuredId(configurationOf(source) ?? noConfiguration, source);
      return id === undefined ? [] : [[source, id] as const];
    }),
  );
}

async function compile(
  file: ScenarioFile,
  { sources, configurationOf = () => undefined, read }: Definitions,
  choices: Choices,
  { target }: Runner,
  languages: readonly Language[],
): Promise<Compiled> {
  const unbound = new Map<Configuration, Configuration>();
  const choicesOf: ConfigurationOf = (source) => {
    const configuration = configurationOf(source) ?? noConfiguration;
    const known = unbound.get(configuration) ?? withoutBindings(configuration);
    unbound.set(configuration, known);
    return known;
  };
  const workflowIds = idsOf(file, sources, configurationOf);
  const input = { sources, from: file.language, ...choices, configurationOf: choicesOf, workflowIds, read };
  const { program, diagnostics } = await checkSubject(file, input, languages);
  const workflow = program?.workflows[0];
  const language = languages.find(({ name }) => name === workflow?.language);
  const common = { workflow, language };
  if (!program || !target) return { ...common, program, files: [], startsOnlyByEvents: false, diagnostics };
  // Simulators identify a function by where it is bound, so that it must not share that with others of its kind.
  const settings = settingsFor(target.name, configurationOf);
  const made = await generate(program, target, { ...settings, read, simulates: true });
  const isRefused = made.diagnostics.some(({ severity }) => severity === "error");
  return {
    ...common,
    program: isRefused ? undefined : program,
    files: made.files,
    startsOnlyByEvents:
      workflow !== undefined && (target.startsOnlyByEvents?.(workflow, settings.configurationOf(workflow)) ?? false),
    diagnostics: [...diagnostics, ...made.diagnostics],
  };
}
