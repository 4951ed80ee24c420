import { setupOf } from "../../src/scenario/answers.ts";
import type { Clock } from "../../src/scenario/clock.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { simulateAll } from "../../src/scenario/simulation.ts";
import type { Simulator } from "../../src/target.ts";
import type { SimulatedEnvironment } from "../../src/world.ts";
import type { HostUnderTest } from "./host.ts";
import type { Emitted } from "./program.ts";

/** How a scenario runs on a host whose time cannot be skipped: so many of its seconds in one; or why it cannot be told there. */
export type Pacing = { readonly pace: number } | { readonly leftOut: string };

/** The longest that a scenario may take, in milliseconds. */
const longest = 2500;

/**
 * Finds how fast a scenario may run, by running it on virtual time: its instants have to stay `apart` milliseconds from each other, and at none of them may
 * there be two things of which the order counts.
 */
export async function pacingOf(
  scenario: Scenario,
  emitted: Emitted,
  executor: Simulator,
  computer: Computer,
  { apart, isRemote }: Pick<HostUnderTest, "apart" | "isRemote">,
): Promise<Pacing> {
  const instants = await instantsOf(scenario, emitted, executor, computer);
  if (instants === undefined) return { leftOut: "it is broken off" };
  if (isRemote && (startTogether(scenario) || instants.some((each) => isTimerWithEvent(each, instants))))
    return { leftOut: "two things are at one instant" };
  const sorted = instants.filter(({ isAtOnce }) => !isAtOnce).sort((a, b) => a.at - b.at);
  const gaps = sorted.map(({ at, hasCome }, i) => {
    const before = sorted[i - 1];
    return { gap: at - (before?.at ?? scenario.clock), matters: i > 0 && (hasCome || before!.hasCome) };
  });
  if (gaps.some(({ gap, matters }) => matters && gap === 0)) return { leftOut: "two things are at one instant" };
  const least = Math.min(...gaps.flatMap(({ gap }) => (gap > 0 ? [gap] : [])));
  if (!Number.isFinite(least)) return { pace: 1 };
  const pace = least / apart;
  const span =
    (Math.max(scenario.clock, ...sorted.flatMap(({ at, hasCome }) => (hasCome ? [at] : []))) - scenario.clock) / pace;
  return span <= longest ? { pace } : { leftOut: "its instants fall together" };
}

/** A run of a workflow that events start is called only when an input is written. */
const inputOf = (input: Scenario["input"], { start }: Emitted["workflow"]): Scenario["input"] =>
  input === undefined && (start.on ?? []).length === 0 ? {} : input;

/** Whether two runs start at one instant, of which the calls are answered by their order. */
const startTogether = ({ runs }: Scenario): boolean => new Set([0, ...runs.map(({ at }) => at)]).size <= runs.length;

/** Whether a timer begins and rings at the instant at which an event comes. */
const isTimerWithEvent = ({ at, isAtOnce }: Instant, all: readonly Instant[]): boolean =>
  isAtOnce && all.some((other) => other.at === at && other.isArrival);

/** Something that was to happen at an instant, and whether it has: or it was called off. */
interface Instant {
  readonly at: number;
  readonly isArrival: boolean;
  /** It is a timer that was to ring when it was planned. */
  readonly isAtOnce: boolean;
  hasCome: boolean;
}

/** The instants at which something happens or was to happen, but for what happens at the first one; undefined where the runs never end. */
async function instantsOf(
  scenario: Scenario,
  { workflow, files, program, language }: Emitted,
  executor: Simulator,
  computer: Computer,
): Promise<readonly Instant[] | undefined> {
  const happened: Instant[] = [];
  const run = (input: Scenario["input"]) => (environment: SimulatedEnvironment) => {
    watch(
      (environment as SimulatedEnvironment & { readonly simulation: { readonly clock: Clock } }).simulation.clock,
      happened,
    );
    return executor.run(files, { workflow: workflow.id, input: inputOf(input, workflow), environment: environment });
  };
  const runs = [{ id: "run", at: 0, input: scenario.input }, ...scenario.runs];
  const setup = setupOf(scenario, program, computer, language);
  try {
    await simulateAll(
      setup,
      runs.map(({ id, at, input }) => ({ id, at, run: run(input) })),
    );
    return happened;
  } catch {
    return undefined;
  }
}

/** Hears of what a clock lets happen later than it was planned, of timers that ring at once, and of what it was to let happen and was called off. */
function watch(clock: Clock & { isWatched?: true }, happened: Instant[]): void {
  if (clock.isWatched) return;
  clock.isWatched = true;
  const { plan } = clock;
  clock.plan = (at, kind, fire, position) => {
    const isLater = at > clock.now();
    const isArrival = kind === "arrival";
    const instant = { at, isArrival, isAtOnce: kind === "timer" && !isLater, hasCome: false };
    if (isLater || isArrival || instant.isAtOnce) happened.push(instant);
    const hear = () => {
      instant.hasCome = true;
      fire();
    };
    return plan(at, kind, hear, position);
  };
}
