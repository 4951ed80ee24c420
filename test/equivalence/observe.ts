import { check, generate } from "../../src/compile.ts";
import type { SimulatedEnvironment } from "../../src/environment/environment.ts";
import type { Program } from "../../src/ir/program.ts";
import { assertWellFormed } from "../../src/ir/verify.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { languages } from "../../src/languages/index.ts";
import type { Options } from "../../src/options.ts";
import { interpret } from "../../src/reference/index.ts";
import { setupOf } from "../../src/scenario/answers.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { type Observed, SeemsEndless, type Setup, simulateAll } from "../../src/scenario/simulation.ts";
import type { OutputFile, Target } from "../../src/target/contract.ts";
import type { Outcome, Simulator } from "../../src/target/simulator.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { readerOf } from "../../src/text/resources.ts";
import { type Case, resourcesOf, scenarioFileOf, sourcesOf } from "./case.ts";

/** A target and the simulator of its output. */
export interface Runner {
  readonly target: Target;
  readonly executor: Simulator;
}

/** The observable behavior of the runs of a scenario, the scenario's own run first. */
export type Seen = readonly Run[] | BrokenOff;

/** A run that ended or is blocked. */
export interface Run {
  readonly id: string;
  readonly outcome: Outcome | { readonly status: "waiting" | "not-started" };
  /** Times are in seconds since the scenario started. */
  readonly calls: readonly Happened[];
  readonly emitted: readonly Happened[];
  readonly elapsed: number | undefined;
  readonly ended: number | undefined;
  /** The times at which joins completed early. How far the remaining branches got is unspecified. */
  readonly cutOffs: readonly number[];
  /** The times at which joins failed. How far branches got at that instant is unspecified. */
  readonly failures: readonly number[];
}

/** A call or an event with its time. */
export interface Happened {
  readonly at: number;
  readonly what: string;
  readonly value: Json;
}

/** Runs that were aborted: by the harness or the simulation, because they do too much, or because one crashed. */
export interface BrokenOff {
  readonly brokenOff: string;
  readonly isOurs: boolean;
}

/** Whether runs were aborted. */
export const isBrokenOff = (seen: Seen): seen is BrokenOff => "brokenOff" in seen;

/** The result of parsing and checking a case. */
export interface Checked {
  readonly program: Program | undefined;
  readonly scenarios: readonly Scenario[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses and checks a case. Throws if its scenarios are invalid. */
export function checked(original: Case): Checked {
  const text = JSON.stringify(scenarioFileOf(original, () => ({ status: "succeeded" })));
  const faults: Diagnostic[] = [];
  const source = { path: "scenario.json", text };
  const file = readScenarioFile(source, { languages, targets: [] }, (fault) => faults.push(fault));
  if (!file) throw new Error(`These are no scenarios: ${faults.map(({ message }) => message).join(" ")}`);
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

/** Compiles a program for a target. */
export const emitted = async (program: Program, target: Target) =>
  generate(program, target, { verify: assertWellFormed });

/** Runs a program on the reference. */
export const onReference = (program: Program, scenario: Scenario, computer: Computer): Promise<Seen> =>
  observed(program, scenario, computer, mostDone, (input, environment) =>
    interpret({ program, workflow: program.workflows[0]!, input, environment }),
  );

/** Runs the output of a target. The limit on actions is higher than on the reference. */
export const onTarget = (
  { executor }: Runner,
  files: readonly OutputFile[],
  program: Program,
  scenario: Scenario,
  computer: Computer,
): Promise<Seen> =>
  observed(program, scenario, computer, mostDone * 4, (input, environment) =>
    executor.run(files, { workflow: program.workflows[0]!.id, input, environment: environment }),
  );

/** Runs with more calls, waits and events than this count as endless. */
const mostDone = 150;

async function observed(
  program: Program,
  scenario: Scenario,
  computer: Computer,
  most: number,
  run: (input: Json | undefined, environment: SimulatedEnvironment) => Promise<Outcome>,
): Promise<Seen> {
  const calls: (Happened & { readonly run: string })[] = [];
  const ended = new Map<string, number>();
  const stop = new AbortController();
  let done = 0;
  let environment: SimulatedEnvironment | undefined;
  const now = () => ((environment?.now() ?? scenario.clock) - scenario.clock) / 1000;
  const count = (): boolean => {
    if (++done > most) stop.abort(new Error(doesTooMuch));
    return !stop.signal.aborted;
  };
  const language = languages.find(({ name }) => name === program.workflows[0]!.language);
  const given = setupOf(scenario, program, computer, language);
  const setup: Setup = {
    ...given,
    reply(name, index, argument, id) {
      if (!count()) return stopped;
      calls.push({ run: id, at: now(), what: name, value: argument });
      return given.reply(name, index, argument, id);
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
        environment = counting(inner, count);
        const work = run(input ?? (isStarted ? undefined : {}), environment).finally(() => ended.set(id, now()));
        return Promise.race([work, stopped]);
      },
    }));
    const seen = await simulateAll(setup, runs);
    return seen.map((each, i) => {
      const { id } = runs[i]!;
      const own = calls.filter(({ run }) => run === id);
      return { id, calls: own, ended: ended.get(id), ...seenOf(each, scenario.clock) };
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { brokenOff: message, isOurs: message === doesTooMuch || error instanceof SeemsEndless };
  }
}

const seenOf = (
  { outcome, emitted, elapsed, recording: { cutOffs, failures } }: Observed,
  clock: number,
): Pick<Run, "outcome" | "emitted" | "elapsed" | "cutOffs" | "failures"> => ({
  outcome,
  emitted: emitted.map(happened(clock)),
  elapsed,
  cutOffs: [...cutOffs].map((at) => (at - clock) / 1000),
  failures: [...failures].map((at) => (at - clock) / 1000),
});

const doesTooMuch = "The run does too much; it seems never to end.";

/** Blocks the run once `count` returns false. */
const counting = (environment: SimulatedEnvironment, count: () => boolean): SimulatedEnvironment => ({
  ...environment,
  sleep: (...asked) => (count() ? environment.sleep(...asked) : new Promise(() => undefined)),
  emit(event) {
    if (count()) environment.emit(event);
  },
});

/** Drops the event id, which each sender chooses. */
const happened =
  (clock: number) =>
  ({ id: _, time, ...event }: JsonObject): Happened => ({
    at: (Date.parse(String(time)) - clock) / 1000,
    what: String(event["type"]),
    value: event as JsonObject,
  });
