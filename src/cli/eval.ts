import { unsupportedExpression } from "../diagnostics/data.ts";
import { EvaluationError, type Expression, errorOf, evaluate, simplify, toJson } from "../expressions/index.ts";
import { compileJavaScript, isRefusal, standaloneText } from "../expressions/js/index.ts";
import type { Json } from "../json.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { parseExpression } from "./eval/parse.ts";
import { requireOneOf } from "./flags.ts";
import { readJsonText } from "./json.ts";
import { readSource } from "./read.ts";
import type { Registry } from "./registry.ts";
import { expressionForms, expressionLanguages } from "./registry.ts";
import { type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";

/** The flags of `waybill eval`. */
export interface EvalFlags {
  readonly in: string;
  readonly as?: string;
  readonly compare?: boolean;
  readonly arg?: readonly (readonly [name: string, value: string])[];
  readonly nullInput?: boolean;
  readonly strict?: boolean;
  readonly color?: boolean;
}

/** Runs `waybill eval`: prints the outputs of an expression, or its translation. */
export async function evaluateExpression(
  text: string,
  flags: EvalFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const language = requireOneOf("--in", flags.in, expressionLanguages);
  const form = flags.as === undefined ? undefined : requireOneOf("--as", flags.as, expressionForms(registry));
  checkFlags(language, form, flags);
  const source: Source = { path: "<expression>", text };
  if (language === "jsonata") return printJsonata(source, flags, terminal);
  const diagnostics: Diagnostic[] = [];
  const options = { language, strict: flags.strict === true, variables: (flags.arg ?? []).map(([name]) => name) };
  const expression = parseExpression(source, options, (found) => diagnostics.push(found));
  const status = await printDiagnostics(diagnostics, { ...flags, format: "text" }, terminal);
  if (!expression || status !== exit.success) return status;
  if (flags.compare) return compare(text, expression, flags, terminal);
  if (form === undefined) return printOutputs(expression, flags, terminal);
  const span: Span = { source, start: 0, end: text.length };
  const printer = registry.targets.find(({ printExpression }) => printExpression?.as === form)?.printExpression;
  const printed = printer
    ? await printer.print(expression, options.variables, span)
    : printJavaScript(expression, span);
  if (typeof printed !== "string") return printDiagnostics([printed], { ...flags, format: "text" }, terminal);
  terminal.out(`${printed}\n`);
  return exit.success;
}

function checkFlags(language: string, form: string | undefined, { compare, strict, arg = [], nullInput }: EvalFlags) {
  if (compare && (language !== "jq" || form !== undefined))
    throw usageError("--compare requires a jq program and cannot be combined with --in or --as.");
  if (strict && language !== "jsonpath") throw usageError("--strict requires --in jsonpath.");
  if (arg.length > 0 && language === "jsonpath")
    throw usageError("--arg cannot be combined with --in jsonpath, which has no variables.");
  if (language === "jsonata" && form !== undefined)
    throw usageError("--as cannot be combined with --in jsonata, which Waybill only evaluates.");
  if (nullInput && form !== undefined) throw usageError("-n cannot be combined with --as, which evaluates nothing.");
}

/** The function returns an array unless the expression has exactly one output. */
function printJavaScript(expression: Expression, span: Span): string | Diagnostic {
  const program = compileJavaScript(simplify(expression));
  return isRefusal(program)
    ? unsupportedExpression(program.span ?? span, { message: program.refused })
    : standaloneText(program).trimEnd();
}

async function printOutputs(
  expression: Expression,
  { arg = [], nullInput }: EvalFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const input = await readInputDocument(nullInput, terminal);
  const now = Date.now() / 1000;
  const variables = new Map<string, Json>([["now'", now], ...arg]);
  try {
    for (const value of evaluate(expression, { input, variables })) terminal.out(`${toJson(value)}\n`);
    return exit.success;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { name, message } = errorOf(error.value);
    terminal.err(`The expression failed: ${name === "ExpressionError" ? message : `${name}: ${message}`}\n`);
    return exit.problems;
  }
}

async function printJsonata(source: Source, flags: EvalFlags, terminal: Terminal): Promise<ExitStatus> {
  const { evaluateJsonata } = await import("./eval/jsonata.ts");
  const result = await evaluateJsonata(source, {
    variables: flags.arg ?? [],
    readInput: () => readInputDocument(flags.nullInput, terminal),
  });
  if ("diagnostic" in result) return printDiagnostics([result.diagnostic], { ...flags, format: "text" }, terminal);
  if (result.value !== undefined) terminal.out(`${toJson(result.value)}\n`);
  return exit.success;
}

async function compare(
  program: string,
  expression: Expression,
  { arg = [], nullInput }: EvalFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { compareWithJq } = await import("./eval/compare.ts");
  const input = await readInputDocument(nullInput, terminal);
  return compareWithJq({ program, expression, input, variables: arg, now: Date.now() / 1000 }, terminal);
}

const readInputDocument = async (nullInput: boolean | undefined, terminal: Terminal): Promise<Json> =>
  nullInput ? null : readJsonText(await readSource("-", terminal), terminal, notJson);

const notJson = "Standard input is not valid JSON. Use `-n` to evaluate without a document.";
