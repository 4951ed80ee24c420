import type { SimulatedEnvironment } from "../../src/environment/environment.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import { setupOf } from "../../src/scenario/answers.ts";
import type { Clock } from "../../src/scenario/clock.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { simulateAll } from "../../src/scenario/simulation.ts";
import type { Simulator } from "../../src/target/simulator.ts";
import type { HostUnderTest } from "./host.ts";
import type { HostProgram } from "./program.ts";

/** How many seconds of a scenario pass per second on a host with real time, or why the scenario is skipped. */
export type Pacing = { readonly pace: number } | { readonly skipped: string };

/** The longest duration of a scenario in real time. */
const maxDurationMs = 2500;

/**
 * Determines the pace of a scenario by running it in virtual time: its instants must stay `minSpacingMs` apart, and no
 * instant may have two events whose order matters.
 */
export async function pacingOf(
  scenario: Scenario,
  emitted: HostProgram,
  executor: Simulator,
  computer: Computer,
  { minSpacingMs: apart, isRemote }: Pick<HostUnderTest, "minSpacingMs" | "isRemote">,
): Promise<Pacing> {
  const instants = await instantsOf(scenario, emitted, executor, computer);
  if (instants === undefined) return { skipped: "its simulation fails" };
  if (isRemote && (hasSimultaneousStarts(scenario) || instants.some((each) => coincidesWithEvent(each, instants))))
    return { skipped: "two events happen at the same instant" };
  if (launchedRunsShareResults(scenario, emitted)) return { skipped: "two runs call at the same instant" };
  const sorted = instants.filter(({ isImmediate: isAtOnce }) => !isAtOnce).sort((a, b) => a.at - b.at);
  const gaps = sorted.map(({ at, hasFired: hasCome }, i) => {
    const before = sorted[i - 1];
    return { gap: at - (before?.at ?? scenario.clock), matters: i > 0 && (hasCome || before!.hasFired) };
  });
  if (gaps.some(({ gap, matters }) => matters && gap === 0))
    return { skipped: "two events happen at the same instant" };
  const least = Math.min(
    ...gaps.flatMap(({ gap }) => (gap > 0 ? [gap] : [])),
    ...distancesToDeadlines(scenario, emitted, instants),
  );
  if (!Number.isFinite(least)) return { pace: 1 };
  const pace = least / apart;
  const span =
    (Math.max(scenario.clock, ...sorted.flatMap(({ at, hasFired: hasCome }) => (hasCome ? [at] : []))) -
      scenario.clock) /
    pace;
  return span <= maxDurationMs ? { pace } : { skipped: "its instants are too close together" };
}

/**
 * How far events are from the instants at which single alternatives of waits may expire. No timer is set for these. A
 * wait may begin at any instant.
 */
function distancesToDeadlines(
  { clock }: Scenario,
  { program }: HostProgram,
  instants: readonly ScheduledInstant[],
): readonly number[] {
  const durations = program.workflows.flatMap((workflow) =>
    stepsOf(workflow).flatMap((step) =>
      step.kind === "receive" && step.alternatives.length > 1
        ? step.alternatives.flatMap(({ within }) => (within === undefined ? [] : [within * 1000]))
        : [],
    ),
  );
  const begins = [clock, ...instants.map(({ at }) => at)];
  const deadlines = begins.flatMap((begin) => durations.map((duration) => begin + duration));
  return instants
    .filter(({ isArrival }) => isArrival)
    .flatMap(({ at }) => deadlines.map((deadline) => Math.abs(at - deadline)))
    .filter((distance) => distance > 0);
}

/** The input of a run: `{}` by default, unless events start the workflow. */
const inputOf = (input: Scenario["input"], { start }: HostProgram["workflow"]): Scenario["input"] =>
  input === undefined && (start.on ?? []).length === 0 ? {} : input;

/**
 * Whether a run starts another one without waiting for it, and a function has a list of results: the order of their
 * calls, and thus the result of each, is undefined.
 */
const launchedRunsShareResults = ({ functions }: Scenario, { program }: HostProgram): boolean =>
  program.workflows.flatMap(stepsOf).some((step) => step.kind === "invoke" && !step.wait) &&
  [...functions.values()].some(({ list }) => list.length > 1);

/** Whether two runs start at the same instant: then the order of their calls is undefined. */
const hasSimultaneousStarts = ({ runs }: Scenario): boolean =>
  new Set([0, ...runs.map(({ at }) => at)]).size <= runs.length;

/** Whether a timer starts and fires at the instant at which an event arrives. */
const coincidesWithEvent = (
  { at, isImmediate: isAtOnce }: ScheduledInstant,
  all: readonly ScheduledInstant[],
): boolean => isAtOnce && all.some((other) => other.at === at && other.isArrival);

/** An instant at which something was scheduled; `hasFired` is false if it was canceled. */
interface ScheduledInstant {
  readonly at: number;
  readonly isArrival: boolean;
  /** A timer that was due when it was scheduled. */
  readonly isImmediate: boolean;
  hasFired: boolean;
}

/** The instants after the first at which something was scheduled; undefined if the runs never end. */
async function instantsOf(
  scenario: Scenario,
  { workflow, files, program, language }: HostProgram,
  executor: Simulator,
  computer: Computer,
): Promise<readonly ScheduledInstant[] | undefined> {
  const instants: ScheduledInstant[] = [];
  const run = (input: Scenario["input"]) => (environment: SimulatedEnvironment) => {
    watch(
      (environment as SimulatedEnvironment & { readonly simulation: { readonly clock: Clock } }).simulation.clock,
      instants,
    );
    return executor.run(files, { workflow: workflow.id, input: inputOf(input, workflow), environment: environment });
  };
  const runs = [{ id: "run", at: 0, input: scenario.input }, ...scenario.runs];
  const setup = setupOf(scenario, program, computer, language);
  // Arrivals are scheduled before the clock is watched.
  for (const { at } of setup.events)
    instants.push({ at: setup.clock + at * 1000, isArrival: true, isImmediate: false, hasFired: true });
  try {
    await simulateAll(
      setup,
      runs.map(({ id, at, input }) => ({ id, at, run: run(input) })),
    );
    return instants;
  } catch {
    return undefined;
  }
}

/** Records what is scheduled on a clock: later tasks, arrivals and timers that are due at once. */
function watch(clock: Clock & { isWatched?: true }, instants: ScheduledInstant[]): void {
  if (clock.isWatched) return;
  clock.isWatched = true;
  const { plan } = clock;
  clock.plan = (at, kind, fire, position) => {
    const isLater = at > clock.now();
    const isArrival = kind === "arrival";
    const instant = { at, isArrival, isImmediate: kind === "timer" && !isLater, hasFired: false };
    if (isLater || isArrival || instant.isImmediate) instants.push(instant);
    const onFire = () => {
      instant.hasFired = true;
      fire();
    };
    return plan(at, kind, onFire, position);
  };
}
