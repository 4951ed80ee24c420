import type { Json, JsonObject } from "../../../../src/json.ts";
import type { Program } from "../../../../src/program.ts";
import { interpret } from "../../../../src/reference/index.ts";
import { type Observed, type Setup, simulate } from "../../../../src/scenario/simulation.ts";
import type { Executor, Outcome, OutputFile } from "../../../../src/target.ts";
import type { World } from "../../../../src/world.ts";
import { replies, tooManyCalls } from "./answers.ts";
import { dice, members, value } from "./dice.ts";

/** Runs a program's first workflow: the IR, or what was emitted for it. */
export type Running = (program: Program, files: readonly OutputFile[], input: Json, world: World) => Promise<Outcome>;

/** Runs the IR. */
export const onReference: Running = (program, _, input, world) =>
  interpret({ program, workflow: program.workflows[0]!, input, world });

/** Runs emitted files. */
export const onExecutor =
  (executor: Executor): Running =>
  (program, files, input, world) =>
    executor.run(files, { workflow: program.workflows[0]!.id, input, world });

/** What users can see of a run of a program's first workflow, with the answers that come of a seed. */
export async function performed(
  run: Running,
  program: Program,
  files: readonly OutputFile[],
  input: Json,
  seed: number,
): Promise<JsonObject> {
  const reply = replies(seed);
  const calls: string[] = [];
  let seconds = () => 0;
  const setup: Setup = {
    clock: 0,
    events: [],
    async reply(name, _, argument) {
      calls.push(`${seconds()} s: ${name} ${JSON.stringify(argument)}`);
      return reply(name, argument, seconds());
    },
  };
  const runIn = (world: World) => {
    seconds = () => world.now() / 1000;
    return run(program, files, input, world);
  };
  try {
    return visible(await simulate(setup, runIn), calls);
  } catch (error) {
    if (error instanceof Error && error.message === tooManyCalls) return { tooManyCalls };
    throw error;
  }
}

/** The input of a run: an object, but for some where data may fail. */
export function inputOf(seed: number, wild: boolean): Json {
  const die = dice(seed);
  return wild && die.chance(10) ? value(die, 2) : members(die, 3);
}

/**
 * The ids of events are each target's own, and so is the order of calls and events at one instant. Where a run ends, what is beside its end
 * may just have called or not: branches where one has failed, and subflows that nobody waits for, which call `k`.
 */
function visible({ outcome, emitted, elapsed }: Observed, calls: readonly string[]): JsonObject {
  const ended =
    outcome.status === "failed"
      ? { ...outcome, error: { name: outcome.error.name, message: outcome.error.message } }
      : outcome;
  const events = emitted.map(
    ({ id: _, ...event }) => `${Date.parse(String(event["time"])) / 1000} s: ${JSON.stringify(event)}`,
  );
  const beside = `${elapsed} s: ${outcome.status === "failed" ? "" : "k "}`;
  const sure = [...calls, ...events].filter((call) => !call.startsWith(beside)).toSorted();
  return JSON.parse(JSON.stringify({ outcome: ended, seen: sure, elapsed: elapsed ?? null })) as JsonObject;
}
