import { runInThisContext } from "node:vm";
import type { Json } from "../../../src/json.ts";
import { median } from "../measure.ts";

/** A program as a function of its input. */
export type ProgramFunction = (input: Json) => unknown;

const rounds = 31;

/** Milliseconds of a batch. */
const batch = 0.5;

/** The median ratio of the times of two functions. Each round runs both, so that disturbances affect both. */
export function timeRatio(ours: ProgramFunction, byHand: ProgramFunction, inputs: readonly Json[]): number {
  const [loop, handLoop] = [createLoop(), createLoop()];
  const times = repetitions(() => handLoop(byHand, inputs, 1));
  const ratios: number[] = [];
  for (let round = -rounds; round < rounds; round += 1) {
    const [a, b] = [milliseconds(() => loop(ours, inputs, times)), milliseconds(() => handLoop(byHand, inputs, times))];
    if (round >= 0) ratios.push(a / b);
  }
  return median(ratios);
}

type Loop = (program: ProgramFunction, inputs: readonly Json[], times: number) => unknown;

/** A loop of its own for each function, so that V8 optimizes it for this function. */
const createLoop = (): Loop =>
  runInThisContext(`(program, inputs, times) => {
  const results = new Array(inputs.length);
  for (let time = 0; time < times; time += 1) {
    for (let i = 0; i < inputs.length; i += 1) results[i] = program(inputs[i]);
  }
  return results;
}`) as Loop;

function repetitions(act: () => unknown): number {
  for (let warmUp = 0; warmUp < 200; warmUp += 1) act();
  const ms = milliseconds(() => {
    for (let time = 0; time < 20; time += 1) act();
  });
  return Math.max(1, Math.ceil((20 * batch) / ms));
}

function milliseconds(act: () => unknown): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}
