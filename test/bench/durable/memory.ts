import { assign, createActor, setup } from "xstate";
import { runInMemory } from "../../../targets/typescript/runtime/memory.ts";
import { median, seconds } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";
import { fiveSteps, functions } from "./workflows.ts";

const rounds = 200_000;

/** An environment without events and delays. */
export const idleEnvironment = {
  runId: "run",
  now: Date.now,
  sleep: () => Promise.resolve(),
  listen: () => () => undefined,
  send: () => undefined,
};

/** A loop of five steps in memory. */
export async function memoryRow(): Promise<BenchmarkRow> {
  const own: number[] = [];
  const xstate: number[] = [];
  for (let i = 0; i < 5; i++) {
    own.push((5 * rounds) / (await seconds(() => runInMemory(fiveSteps, functions, idleEnvironment, { rounds }))));
    xstate.push(sends / (await seconds(() => sendAll(sends))));
  }
  const parts = { "xstate's sends/s": median(xstate) };
  return {
    name: "in memory, a loop of five steps",
    value: median(own),
    limit: 2_000_000,
    isLeast: true,
    unit: "steps/s",
    parts,
  };
}

const sends = 200_000;

/** The closest equivalent in xstate: a cycle of five states that advances with each event. */
function sendAll(count: number): void {
  const names = ["A", "B", "C", "D", "E"];
  const states = Object.fromEntries(
    names.map((name, i) => [name, { on: { NEXT: { target: names[(i + 1) % 5]!, actions: "count" } } }]),
  );
  const counted = setup({
    actions: { count: assign({ n: ({ context }) => context.n + 1 }) },
    types: { context: {} as { n: number } },
  });
  const actor = createActor(counted.createMachine({ initial: "A", context: { n: 0 }, states } as never)).start();
  for (let i = 0; i < count; i++) actor.send({ type: "NEXT" } as never);
}
