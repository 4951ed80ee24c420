import fc from "fast-check";
import { randomFrom, randomProgram, randomValue } from "../../../expressions/javascript/programs.ts";
import { input, program, wideProgram } from "../../../expressions/random-jq.ts";

/**
 * Where programs come from. `usual`: paths, construction, arithmetic, interpolation, `length`, `+=`, `map`, `select`, `join`, `add`, `tojson`, `//` and
 * `if`. `wide`: these and the usual functions, with inputs that fit. `any`: every construct in any place.
 */
export const programSets = ["usual", "wide", "any"] as const;
export type ProgramSet = (typeof programSets)[number];

/** A program and what it is run on, as JSON texts. */
export interface Sample {
  readonly program: string;
  readonly inputs: readonly string[];
}

/** So many inputs has each program: reading a program costs jq more than running it. */
export const inputsOfProgram = 5;

/** So many samples of a set: the same for the same seed. */
export function samplesOf(set: ProgramSet, seed: number, count: number): readonly Sample[] {
  if (set === "any") return anyOf(seed, count);
  const inputs = fc.array(input, { minLength: inputsOfProgram, maxLength: inputsOfProgram });
  const drawn = fc.sample(fc.tuple(set === "usual" ? program : wideProgram, inputs), { seed, numRuns: count });
  return drawn.map(([text, values]) => ({ program: text, inputs: values.map((value) => JSON.stringify(value)) }));
}

/** Every second program tells what it gives before it fails. */
function anyOf(seed: number, count: number): readonly Sample[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, i) => {
    const text = randomProgram(random, 3);
    return {
      program: i % 2 === 0 ? text : `[limit(20; try (${text}) catch {failed: .})]`,
      inputs: Array.from({ length: inputsOfProgram }, () => JSON.stringify(randomValue(random))),
    };
  });
}
