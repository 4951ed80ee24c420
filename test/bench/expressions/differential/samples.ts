import fc from "fast-check";
import { readJq } from "../../../../src/expressions/syntax/jq/lower.ts";
import { mutants } from "../../../expressions/jq/mutants.ts";
import { programs } from "../../../expressions/jq/programs.ts";
import { readSuites } from "../../../expressions/jq/suites.ts";
import { randomFrom, randomProgram, randomValue } from "../../../expressions/js/programs.ts";
import { input, program, wideProgram } from "../../../expressions/random-jq.ts";

/**
 * The sources of programs. `usual`: paths, construction, arithmetic, interpolation, `length`, `+=`, `map`, `select`,
 * `join`, `add`, `tojson`, `//` and `if`. `wide`: also the usual functions, with suitable inputs. `any`: every
 * construct anywhere. `suites`: mutants of jq's own tests with inputs from them.
 */
export const programSets = ["usual", "wide", "any", "suites"] as const;
export type ProgramSet = (typeof programSets)[number];

/** A program and its inputs as JSON. */
export interface ProgramSample {
  readonly program: string;
  readonly inputs: readonly string[];
}

/** Inputs per program. Parsing a program costs jq more than running it. */
export const inputsOfProgram = 5;

/** Returns samples of a set, deterministic for a seed. */
export function samplesOf(set: ProgramSet, seed: number, count: number): readonly ProgramSample[] {
  if (set === "any") return anyOf(seed, count);
  if (set === "suites") return mutantsOf(seed, count);
  const inputs = fc.array(input, { minLength: inputsOfProgram, maxLength: inputsOfProgram });
  const drawn = fc.sample(fc.tuple(set === "usual" ? program : wideProgram, inputs), { seed, numRuns: count });
  return drawn.map(([text, values]) => ({ program: text, inputs: values.map((value) => JSON.stringify(value)) }));
}

/**
 * Mutants that parse and whose result is the same in every build of jq: without clocks and without numbers that a
 * double cannot represent exactly.
 */
function mutantsOf(seed: number, count: number): readonly ProgramSample[] {
  const suites = readSuites().filter(
    ({ input: json, program }) => json !== undefined && !isPlatformDependent.test(program),
  );
  const texts = mutants([...programs, ...suites.map(({ program }) => program)]);
  const suiteInput = fc.constantFrom("null", ...suites.flatMap(({ input: text = "" }) => reserialize(text)));
  const inputs = fc.array(
    fc.oneof(
      suiteInput,
      suiteInput,
      input.map((value) => JSON.stringify(value)),
    ),
    {
      minLength: inputsOfProgram,
      maxLength: inputsOfProgram,
    },
  );
  const drawn = fc.sample(fc.tuple(texts, inputs), { seed, numRuns: 6 * count });
  const read = drawn.filter(([text]) => !isPlatformDependent.test(text) && "expression" in readJq(text));
  return read.slice(0, count).map(([program, values]) => ({ program, inputs: values }));
}

/**
 * Reserializes an input, because jq prints numbers such as `3.0` as written; drops inputs with numbers that a double
 * cannot represent.
 */
function reserialize(text: string): readonly string[] {
  try {
    return /\d{16}|\d[eE]/.test(text) ? [] : [JSON.stringify(JSON.parse(text))];
  } catch {
    return [];
  }
}

const isPlatformDependent =
  /\d{16}|\d[eE][+-]?\d|\.\d*0(?!\d)|mktime|gmtime|time|date|now|have_|input|debug|stderr|\benv|ENV|__loc__|halt|\$given|builtins|error\(null\)/;

/** Every second program outputs its results before its error. */
function anyOf(seed: number, count: number): readonly ProgramSample[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, i) => {
    const text = randomProgram(random, 3);
    return {
      program: i % 2 === 0 ? text : `[limit(20; try (${text}) catch {failed: .})]`,
      inputs: Array.from({ length: inputsOfProgram }, () => JSON.stringify(randomValue(random))),
    };
  });
}
