import { compileJavaScript, isRefusal } from "../../../src/expressions/js/compile.ts";
import { readJq } from "../../../src/expressions/syntax/jq/lower.ts";
import { haveSources, realPrograms } from "../../expressions/real-programs.ts";
import { printed, readProgram } from "../../targets/asl/jsonata/compared-with-core.ts";
import { type BenchmarkRow, skippedRow } from "../row.ts";

/** The share of the example workflows' jq that cannot be compiled to JSONata or JavaScript. */
export function exampleRows(): readonly BenchmarkRow[] {
  if (!haveSources) return [skippedRow("the examples' jq", "%")];
  const programs = realPrograms();
  return [rowOf("JSONata", programs, 5, asJsonata), rowOf("JavaScript", programs, 0, asJavaScript)];
}

function rowOf(
  name: string,
  programs: readonly string[],
  limit: number,
  reason: (program: string) => string | undefined,
): BenchmarkRow {
  const refused = programs.flatMap((program) => {
    const why = reason(program);
    return why === undefined ? [] : [`${program}: ${why}`];
  });
  const parts = { programs: programs.length, refused: refused.length };
  return {
    name: `the examples' jq rejected as ${name}`,
    value: (100 * refused.length) / programs.length,
    limit,
    unit: "%",
    parts,
    list: refused,
  };
}

/** The reason why a program needs a Lambda function. */
function asJsonata(program: string): string | undefined {
  const { expression, why } = readProgram(program);
  if (!expression) return why;
  const text = printed(expression);
  return typeof text === "string" ? undefined : text.construct;
}

function asJavaScript(program: string): string | undefined {
  const read = readJq(program, { variables: ["value", "global", "counter"] });
  if (!("expression" in read)) return read[0]!.message;
  const text = compileJavaScript(read.expression);
  return isRefusal(text) ? text.refused : undefined;
}
