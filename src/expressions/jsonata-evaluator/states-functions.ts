import type { EvaluatorProgram } from "../../generated/jsonata-evaluator.js";
import { seededRandom } from "./java-random.ts";

/** Values that a run has recorded for functions without arguments, each used once, in order. */
export interface RecordedValues {
  readonly random: Iterator<unknown>;
  readonly uuid: Iterator<unknown>;
}

/** Adds the functions of Step Functions to a program and removes `$eval`, which it does not have. */
export function addStatesFunctions(program: EvaluatorProgram, { random, uuid }: RecordedValues): void {
  program.registerFunction("eval", () => {
    throw { code: "T1006", message: "Attempted to invoke a non-function" };
  });
  program.registerFunction("parse", (text: string) => JSON.parse(text), "<s:j>");
  program.registerFunction("partition", partition, "<an:a>");
  program.registerFunction("range", range, "<nnn:a>");
  program.registerFunction("uuid", () => uuid.next().value, "<:s>");
  program.registerFunction(
    "random",
    (seed?: number) => (seed === undefined ? random.next().value : seededRandom(seed)),
    "<n?:n>",
  );
}

function partition(items: readonly unknown[], given: number): unknown[] | undefined {
  const size = Math.trunc(given);
  if (size < 1) return undefined;
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** A range of one number is that number, and a step in the wrong direction gives nothing, as on AWS. */
function range(from: number, upTo: number, by: number): number[] | number | undefined {
  const [first, last, step] = [from, upTo, by].map(Math.trunc) as [number, number, number];
  const length = step === 0 ? 0 : Math.floor((last - first) / step) + 1;
  if (!(length >= 1)) return undefined;
  if (length > maxRange) throw { code: "D2014", message: `The range has more than ${maxRange} numbers.` };
  return length === 1 ? first : Array.from({ length }, (_, i) => first + i * step);
}

/** As many as Step Functions makes. */
const maxRange = 360_145;
