import type { Json } from "../../../src/json.ts";

/** A jq program as people write it in workflows, and the same function written by hand in TypeScript. */
export interface RealisticProgram {
  readonly program: string;
  /** Inputs for which the program does not fail. */
  readonly inputs: readonly Json[];
  /** Returns the only output, or an array of all outputs if there may be several. */
  byHand(input: Json): unknown;
}

/** A program without its inputs. */
export type HandWritten<Input> = readonly [program: string, byHand: (input: Input) => unknown];

/** Returns the programs of one kind of input. */
export const programsOf = <Input extends Json>(
  inputs: readonly Input[],
  programs: readonly HandWritten<Input>[],
): readonly RealisticProgram[] => programs.map(([program, byHand]) => ({ program, inputs, byHand }));

/** Returns `count` values, each made from its index. */
export const times = <Value>(count: number, create: (index: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, index) => create(index));

/** Returns one of the values, by index. */
export const pick = <Value>(values: readonly Value[], index: number): Value => values[index % values.length]!;
