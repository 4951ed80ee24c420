import { jsonataDiagnostic, jsonataFailure } from "../../diagnostics/data.ts";
import { compileJsonata, isParseError } from "../../expressions/index.ts";
import type { Json } from "../../json.ts";
import type { Diagnostic } from "../../text/diagnostics.ts";
import type { Source } from "../../text/source.ts";

/** What a JSONata expression is evaluated for. The document is read after the expression was parsed. */
export interface JsonataEvaluation {
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly readInput: () => Promise<Json>;
}

/** Evaluates JSONata for `waybill eval`: the value, undefined if it yields nothing, or why it has none. */
export async function evaluateJsonata(
  source: Source,
  { variables, readInput }: JsonataEvaluation,
): Promise<{ readonly value: Json | undefined } | { readonly diagnostic: Diagnostic }> {
  const program = compileJsonata(source.text);
  if (isParseError(program))
    return { diagnostic: jsonataDiagnostic({ source, start: program.from, end: program.to }, program) };
  const input = await readInput();
  const context = { variables: new Map<string, Json>(variables), now: Date.now(), random: Math.random };
  const result = program.evaluate(input, context);
  if (result.kind === "value") return { value: result.value };
  const { error } = result;
  return { diagnostic: jsonataFailure({ source, start: error.from, end: error.to }, error) };
}
