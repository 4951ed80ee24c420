import { check, generate } from "../../src/compile.ts";
import type { SimulatedEnvironment } from "../../src/environment/environment.ts";
import { assertWellFormed } from "../../src/ir/verify.ts";
import type { Program, Workflow } from "../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import type { Options } from "../../src/options.ts";
import { interpret } from "../../src/reference/index.ts";
import { setupOf } from "../../src/scenario/answers.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { startableWorkflows } from "../../src/scenario/run.ts";
import { type Observed, SeemsEndless, type Setup, simulateAll } from "../../src/scenario/simulation.ts";
import { emptyConfiguration, type OutputFile, type Target } from "../../src/target/contract.ts";
import type { Outcome, Simulator } from "../../src/target/simulator.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { readerOf } from "../../src/text/uris.ts";
import { languages } from "../languages.ts";
import { type EquivalenceCase, resourcesOf, scenarioFileOf, sourcesOf } from "./case.ts";

/** A target and the simulator of its output. */
export interface TargetRunner {
  readonly target: Target;
  readonly executor: Simulator;
}

/** The observable behavior of the runs of a scenario, the scenario's own run first. */
export type Observation = readonly ObservedRun[] | AbortedRuns;

/** A run that ended or is blocked. */
export interface ObservedRun {
  readonly id: string;
  readonly outcome: Outcome | { readonly status: "waiting" | "not-started" };
  /** Times are in seconds since the scenario started. */
  readonly calls: readonly Occurrence[];
  readonly emitted: readonly Occurrence[];
  readonly elapsed: number | undefined;
  readonly ended: number | undefined;
  /** The times at which joins completed early. How far the remaining branches got is unspecified. */
  readonly cutOffs: readonly number[];
  /** The times at which joins failed. How far branches got at that instant is unspecified. */
  readonly failures: readonly number[];
}

/** A call or an event with its time. */
export interface Occurrence {
  readonly at: number;
  readonly name: string;
  readonly value: Json;
}

/** Runs that were aborted: by the harness or the simulation, because they do too much, or because one crashed. */
export interface AbortedRuns {
  readonly reason: string;
  readonly isByHarness: boolean;
}

/** Whether runs were aborted. */
export const isAborted = (seen: Observation): seen is AbortedRuns => "reason" in seen;

/** The result of parsing and checking a case. */
export interface CheckedCase {
  readonly program: Program | undefined;
  readonly scenarios: readonly Scenario[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses and checks a case. Throws if its scenarios are invalid. */
export function checkCase(original: EquivalenceCase): CheckedCase {
  const text = JSON.stringify(scenarioFileOf(original, () => ({ status: "succeeded" })));
  const problems: Diagnostic[] = [];
  const source = { path: "scenario.json", text };
  const file = readScenarioFile(source, { languages, targets: [] }, (problem) => problems.push(problem));
  if (!file) throw new Error(`Invalid scenarios: ${problems.map(({ message }) => message).join(" ")}`);
  const input = {
    sources: sourcesOf(original),
    options: original.options as Options,
    read: readerOf(resourcesOf(original)),
    from: original.language,
    verify: assertWellFormed,
  };
  const { program, diagnostics } = check(input, languages);
  return { program, scenarios: file.scenarios, diagnostics };
}

/** Compiles a program for a target with the same settings for all workflows. */
export const generateFor = async (program: Program, target: Target, values: JsonObject = {}) =>
  generate(program, target, {
    configurationOf: () => ({ ...emptyConfiguration, values }),
    verify: assertWellFormed,
  });

/** Runs a program on the reference. */
export const onReference = (program: Program, scenario: Scenario, computer: Computer): Promise<Observation> =>
  observe(program, scenario, computer, maxActions, (workflow, input, environment) =>
    interpret({ program, workflow, input, environment }),
  );

/** Runs the output of a target. The limit on actions is higher than on the reference. */
export const onTarget = (
  { executor }: TargetRunner,
  files: readonly OutputFile[],
  program: Program,
  scenario: Scenario,
  computer: Computer,
): Promise<Observation> =>
  observe(program, scenario, computer, maxActions * 4, (workflow, input, environment) =>
    executor.run(files, { workflow: workflow.id, input, environment }),
  );

/** Runs with more calls, waits and events than this count as endless. */
const maxActions = 150;

async function observe(
  program: Program,
  scenario: Scenario,
  computer: Computer,
  max: number,
  run: (workflow: Workflow, input: Json | undefined, environment: SimulatedEnvironment) => Promise<Outcome>,
): Promise<Observation> {
  const calls: (Occurrence & { readonly run: string })[] = [];
  const ended = new Map<string, number>();
  const stop = new AbortController();
  let done = 0;
  let environment: SimulatedEnvironment | undefined;
  const now = () => ((environment?.now() ?? scenario.clock) - scenario.clock) / 1000;
  const count = (): boolean => {
    if (++done > max) stop.abort(new Error(tooManyActions));
    return !stop.signal.aborted;
  };
  const language = languages.find(({ name }) => name === program.workflows[0]!.language);
  const base = setupOf(scenario, program, computer, language);
  const setup: Setup = {
    ...base,
    startable: startableWorkflows(program).map((workflow) => ({
      workflow: workflow.id,
      run: (inner) => Promise.race([run(workflow, undefined, withCounter(inner, count)), stopped]),
    })),
    reply(name, index, argument, id) {
      if (!count()) return stopped;
      calls.push({ run: id, at: now(), name, value: argument });
      return base.reply(name, index, argument, id);
    },
  };
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason));
  });
  stopped.catch(() => undefined);
  try {
    const isStarted = (program.workflows[0]!.start.on ?? []).length > 0;
    const runs = [{ id: "run", at: 0, input: scenario.input }, ...scenario.runs].map(({ id, at, input }) => ({
      id,
      at,
      run: (inner: SimulatedEnvironment) => {
        environment = withCounter(inner, count);
        const work = run(program.workflows[0]!, input ?? (isStarted ? undefined : {}), environment).finally(() =>
          ended.set(id, now()),
        );
        return Promise.race([work, stopped]);
      },
    }));
    const seen = await simulateAll(setup, runs);
    return seen.map((each, i) => {
      const { id } = runs[i]!;
      const own = calls.filter(({ run }) => run === id || (i === 0 && !runs.some((other) => other.id === run)));
      return { id, calls: own, ended: ended.get(id), ...resultOf(each, scenario.clock) };
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { reason: message, isByHarness: message === tooManyActions || error instanceof SeemsEndless };
  }
}

const resultOf = (
  { outcome, emitted, elapsed, recording: { cutOffs, failures } }: Observed,
  clock: number,
): Pick<ObservedRun, "outcome" | "emitted" | "elapsed" | "cutOffs" | "failures"> => ({
  outcome,
  emitted: emitted.map(occurrenceOf(clock)),
  elapsed,
  cutOffs: [...cutOffs].map((at) => (at - clock) / 1000),
  failures: [...failures].map((at) => (at - clock) / 1000),
});

const tooManyActions = "The run performs too many actions; it seems endless.";

/** Blocks the run once `count` returns false. */
const withCounter = (environment: SimulatedEnvironment, count: () => boolean): SimulatedEnvironment => ({
  ...environment,
  sleep: (...args) => (count() ? environment.sleep(...args) : new Promise(() => undefined)),
  emit(event) {
    if (count()) environment.emit(event);
  },
});

/** Drops the event id, which each sender chooses. */
const occurrenceOf =
  (clock: number) =>
  ({ id: _, time, ...event }: JsonObject): Occurrence => ({
    at: (Date.parse(String(time)) - clock) / 1000,
    name: String(event["type"]),
    value: event as JsonObject,
  });
