import { runInThisContext } from "node:vm";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { compileJavaScript, isRefusal, standaloneText } from "../../../src/expressions/js/compile.ts";
import { simplify } from "../../../src/expressions/simplify/simplify.ts";
import { readJq } from "../../../src/expressions/syntax/jq/lower.ts";
import { printTypeScript } from "../../../targets/typescript/expressions/print.ts";
import { realPrograms } from "../../expressions/real-programs.ts";
import { realisticPrograms } from "../../expressions/realistic/index.ts";
import { isReadable } from "../../targets/typescript/expressions/readability.ts";
import { programScript } from "../../targets/typescript/expressions/running.ts";
import { median } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";
import { samplesOf } from "./differential/samples.ts";
import { type ProgramFunction, timeRatio } from "./time-ratio.ts";

/** The time of realistic programs relative to functions written by hand, and the share without a readable form. */
export const realisticRows = (): readonly BenchmarkRow[] => [
  speedRow("as JavaScript", javaScriptFunction),
  speedRow("as readable TypeScript", typeScriptFunction),
  unreadableRow("realistic and example programs", [
    ...realisticPrograms.map(({ program }) => program),
    ...realPrograms(),
  ]),
  unreadableRow(
    "usual jq",
    samplesOf("usual", 1, 200).map(({ program }) => program),
  ),
];

/** A compiled program, or undefined if there is no such form. */
type Compilation = (expression: Expression) => ProgramFunction | undefined;

function javaScriptFunction(expression: Expression): ProgramFunction {
  const program = compileJavaScript(expression);
  if (isRefusal(program)) throw new Error(program.refused);
  return runInThisContext(`(() => {${standaloneText(program)}\nreturn program; })()`) as ProgramFunction;
}

function typeScriptFunction(expression: Expression): ProgramFunction | undefined {
  const program = printTypeScript(expression, []);
  return "code" in program ? (runInThisContext(programScript(program)) as ProgramFunction) : undefined;
}

/** The value is the largest ratio. */
function speedRow(form: string, compile: Compilation): BenchmarkRow {
  const ratios = realisticPrograms.flatMap((each): readonly (readonly [string, number])[] => {
    const program = compile(parse(each.program));
    return program ? [[each.program, timeRatio(program, each.byHand, each.inputs)]] : [];
  });
  const sorted = ratios.toSorted(([, a], [, b]) => b - a);
  return {
    name: `the slowest realistic program ${form}, to a function by hand`,
    value: sorted[0]![1],
    limit: 3,
    unit: "×",
    parts: { programs: ratios.length, median: median(ratios.map(([, ratio]) => ratio)) },
    list: sorted.map(([program, ratio]) => `${ratio.toFixed(2)} × ${program}`),
  };
}

/** Parses a program that must be valid. */
function parse(program: string): Expression {
  const read = readJq(program, { variables: ["value", "global", "counter"] });
  if (!("expression" in read)) throw new Error(`${program}: ${read[0]!.message}`);
  return read.expression;
}

/** The share of programs without a readable form. */
function unreadableRow(name: string, programs: readonly string[]): BenchmarkRow {
  const unreadable = programs.filter((program) => {
    const printed = printTypeScript(simplify(parse(program)), ["value", "global", "counter"]);
    return !("code" in printed && isReadable(printed));
  });
  return {
    name: `${name} without a readable form`,
    value: (100 * unreadable.length) / programs.length,
    limit: 20,
    unit: "%",
    parts: { programs: programs.length, unreadable: unreadable.length },
    list: unreadable,
  };
}
