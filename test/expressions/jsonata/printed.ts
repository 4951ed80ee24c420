import { createContext, runInContext } from "node:vm";
import {
  compileJsonata,
  type Expression,
  isParseError,
  jsonataDocumentReads,
  parseJsonata,
  statesProgram,
  variable,
} from "../../../src/expressions/index.ts";
import { compileJavaScript, isRefusal, standaloneText } from "../../../src/expressions/js/index.ts";
import { printProgram } from "../../../src/js-ast/index.ts";
import type { Json } from "../../../src/json.ts";

/** A program and the values of its variables; under `$`, its document. */
export interface Case {
  readonly text: string;
  readonly inputs: ReadonlyMap<string, Json>;
}

/** What a program gives: JSON, or the message of its error. */
export type Outcome = { readonly value: Json } | { readonly message: string };

/** What a program gives as JavaScript; undefined if the evaluator runs it. */
export function printedOutcome({ text, inputs }: Case, policy: "readable" | "exact" = "readable"): Outcome | undefined {
  const names = [...inputs.keys()];
  const variables = names.map((_, i) => `v${i}`);
  const program = statesProgram(
    text,
    { field: "Output", state: "S" },
    names.map((name, i) => [name, variable(variables[i]!)]),
  );
  if (!program.dialect.javascript!(program)) return undefined;
  const compiled = compileJavaScript(program, { variables, policy, withoutInput: true });
  if (isRefusal(compiled)) throw new Error(compiled.refused);
  const code = standaloneText(compiled);
  if (code.includes("evaluateJsonata")) throw new Error(`The evaluator runs ${text}.`);
  const main: (...values: readonly Json[]) => Json = runInContext(`(() => {${code}\nreturn program; })()`, context);
  const values = structuredClone([...inputs.values()]);
  return outcomeOf(() => main(...values));
}

const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });

/** What the evaluator gives for a program. */
export function evaluatedOutcome({ text, inputs }: Case): Outcome {
  const { $: document, ...others } = Object.fromEntries(structuredClone(inputs));
  const program = statesProgram(text, { field: "Output", state: "S" }, []);
  if (document === undefined)
    return outcomeOf(() => [...program.dialect.evaluate(program, new Map(Object.entries(others)))][0]!);
  const compiled = compileJsonata(text);
  if (isParseError(compiled)) throw new Error(compiled.message);
  const run = { variables: new Map(Object.entries(others)), now: 0, random: () => 0.5, refusesInfinity: true };
  const result = compiled.evaluate(document, run);
  if (result.kind === "value") return result.value === undefined ? failure(text, nothing) : { value: result.value };
  const { code, message } = result.error;
  if (message === "The result contains a function.") return failure(text, "returned an unsupported result type.");
  return failure(text, `threw an error during evaluation. ${code === undefined ? "" : `${code}: `}${message}`);
}

const nothing = "returned nothing (undefined).";

const failure = (text: string, reason: string): Outcome => ({
  message: `An error occurred while executing the state 'S'. The JSONata expression '${text}' specified for the field 'Output' ${reason}`,
});

/** Values as JSON, in which 0 has no sign. */
function outcomeOf(evaluate: () => Json): Outcome {
  try {
    return { value: JSON.parse(JSON.stringify(evaluate())) as Json };
  } catch (error) {
    const { value } = error as { readonly value?: { readonly message: string } };
    if (value === undefined) throw error;
    return { message: value.message };
  }
}

/** Whether an outcome is an exceeded limit, which only the evaluator has. */
export const isLimit = (outcome: Outcome): boolean => "message" in outcome && /D1011|D1012|D2015/.test(outcome.message);

/** A program that reads its document as `$doc`; undefined if it reads it where that is not possible. */
export function withVariable(text: string): string | undefined {
  const tree = parseJsonata(text);
  if (isParseError(tree)) return undefined;
  const reads = jsonataDocumentReads(tree).toSorted((a, b) => b.start - a.start);
  const changed = reads.reduce((whole, { start, end }) => {
    const part = text.slice(start, end);
    return `${whole.slice(0, start)}$doc${/^\$\$?$/.test(part) ? "" : `.${part}`}${whole.slice(end)}`;
  }, text);
  return isParseError(parseJsonata(changed)) ? undefined : changed;
}

/** The code of a program of variables, without a function around it; undefined if the evaluator runs it. */
export function printedCode(text: string, inputs: readonly (readonly [name: string, value: Expression])[]) {
  const program = statesProgram(text, { field: "Output", state: "S" }, inputs);
  if (!program.dialect.javascript!(program)) return undefined;
  const compiled = compileJavaScript(program, { policy: "readable", withoutInput: true });
  if (isRefusal(compiled)) throw new Error(compiled.refused);
  const code = printProgram(compiled.statements, { types: false, width: 1000 });
  return /^function program\([^)]*\) \{\s*([\s\S]*?)\s*\}\s*$/.exec(code)?.[1];
}
