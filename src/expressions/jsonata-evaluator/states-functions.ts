import type { EvaluatorProgram } from "../../generated/jsonata-evaluator.js";
import { partition, rangeBetween } from "../jsonata-functions/lists.ts";
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
  program.registerFunction("range", rangeBetween, "<nnn:a>");
  program.registerFunction("uuid", () => uuid.next().value, "<:s>");
  program.registerFunction(
    "random",
    (seed?: number) => (seed === undefined ? random.next().value : seededRandom(seed)),
    "<n?:n>",
  );
}
