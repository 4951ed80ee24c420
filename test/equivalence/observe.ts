import { check, generate } from "../../src/compile.ts";
import { assertWellFormed } from "../../src/ir/verify.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { languages } from "../../src/languages/index.ts";
import { type Options, type Program, readerOf } from "../../src/program.ts";
import { interpret } from "../../src/reference/index.ts";
import { setupOf } from "../../src/scenario/answers.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { type Observed, SeemsEndless, type Setup, simulateAll } from "../../src/scenario/simulation.ts";
import type { Outcome, OutputFile, Simulator, Target } from "../../src/target.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import type { SimulatedEnvironment } from "../../src/world.ts";
import { type Case, resourcesOf, scenarioFileOf, sourcesOf } from "./case.ts";

/** A target with what executes its files. */
export interface Runner {
  readonly target: Target;
  readonly executor: Simulator;
}

/** All that users can see of the runs of a scenario, its own first. */
export type Seen = readonly Run[] | BrokenOff;

/** A run that came to an end, or to rest. */
export interface Run {
  readonly id: string;
  readonly outcome: Outcome | { readonly status: "waiting" | "not-started" };
  /** Seconds from the beginning of the scenario, and what was called with what. */
  readonly calls: readonly Happened[];
  readonly emitted: readonly Happened[];
  /** Seconds. */
  readonly elapsed: number | undefined;
  /** Seconds from the beginning of the scenario. */
  readonly ended: number | undefined;
  /** The seconds at which joins were decided while branches went on: how far these got is no part of the meaning. */
  readonly cutOffs: readonly number[];
  /** The seconds at which joins failed: how far branches got at that instant is no part of the meaning. */
  readonly failures: readonly number[];
}

/** A call or an event, and when it was. */
export interface Happened {
  readonly at: number;
  readonly what: string;
  readonly value: Json;
}

/** Runs that were stopped, and why: by us or by the simulation, as they do too much, or because one crashes. */
export interface BrokenOff {
  readonly brokenOff: string;
  readonly isOurs: boolean;
}

/** Whether runs were stopped. */
export const isBrokenOff = (seen: Seen): seen is BrokenOff => "brokenOff" in seen;

/** A case that was read and checked. */
export interface Checked {
  readonly program: Program | undefined;
  readonly scenarios: readonly Scenario[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a case; throws where its scenarios are none. */
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

/** What a target makes of a program. */
export const emitted = async (program: Program, target: Target) =>
  generate(program, target, { verify: assertWellFormed });

/** Runs a program on the reference. */
export const onReference = (program: Program, scenario: Scenario, computer: Computer): Promise<Seen> =>
  observed(program, scenario, computer, mostDone, (input, environment) =>
    interpret({ program, workflow: program.workflows[0]!, input, environment }),
  );

/** Runs what a target has emitted for it. It may do some more than the reference before it is stopped. */
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

/** Runs that together call, wait and emit more often than this are taken for such without an end. */
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

/** What a simulation has seen of a run, in seconds from the beginning of the scenario. */
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

/** The world, in which nothing goes on once `count` says that enough has been done. */
const counting = (environment: SimulatedEnvironment, count: () => boolean): SimulatedEnvironment => ({
  ...environment,
  sleep: (...asked) => (count() ? environment.sleep(...asked) : new Promise(() => undefined)),
  emit(event) {
    if (count()) environment.emit(event);
  },
});

/** An event as it was emitted; its id is left to who sends it. */
const happened =
  (clock: number) =>
  ({ id: _, time, ...event }: JsonObject): Happened => ({
    at: (Date.parse(String(time)) - clock) / 1000,
    what: String(event["type"]),
    value: event as JsonObject,
  });
