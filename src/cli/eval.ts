import { unsupportedExpression } from "../diagnostics/data.ts";
import {
  compileJavaScript,
  EvaluationError,
  type Expression,
  errorOf,
  evaluate,
  isRefusal,
  simplify,
  standaloneText,
  toJson,
} from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { oneOf } from "./choices.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { readExpression } from "./eval/languages.ts";
import { readSource } from "./read.ts";
import type { Registry } from "./registry.ts";
import { formsOfExpressions, languagesOfExpressions } from "./registry.ts";
import { type ExitStatus, exit, type Terminal, usage } from "./terminal.ts";

/** The options of `waybill eval`. */
export interface EvalChoices {
  readonly in: string;
  readonly as?: string;
  readonly compare?: boolean;
  /** The variables with their values. */
  readonly arg: readonly (readonly [name: string, value: string])[];
  readonly nullInput?: boolean;
  readonly strict?: boolean;
  /** Absent: as the terminal has it. */
  readonly color?: boolean;
}

/** `waybill eval`: what an expression gives for the JSON document on standard input, a line for each output; or with `--as` what it becomes. */
export async function evaluateExpression(
  text: string,
  choices: EvalChoices,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const language = oneOf("--in", choices.in, languagesOfExpressions);
  const form = choices.as === undefined ? undefined : oneOf("--as", choices.as, formsOfExpressions(registry));
  checkChoices(language, form, choices);
  const source: Source = { path: "<expression>", text };
  const diagnostics: Diagnostic[] = [];
  const options = { language, strict: choices.strict === true, variables: choices.arg.map(([name]) => name) };
  const expression = readExpression(source, options, (found) => diagnostics.push(found));
  const status = await printDiagnostics(diagnostics, { ...choices, format: "text" }, terminal);
  if (!expression || status !== exit.fine) return status;
  if (choices.compare) return compare(text, expression, choices, terminal);
  if (form === undefined) return printOutputs(expression, choices, terminal);
  const span: Span = { source, start: 0, end: text.length };
  const printer = registry.targets.find(({ printExpression }) => printExpression?.as === form)?.printExpression;
  const printed = printer ? await printer.print(expression, options.variables, span) : javascriptText(expression, span);
  if (typeof printed !== "string") return printDiagnostics([printed], { ...choices, format: "text" }, terminal);
  terminal.out(`${printed}\n`);
  return exit.fine;
}

/** What says nothing together is refused rather than left out. */
function checkChoices(language: string, form: string | undefined, { compare, strict, arg, nullInput }: EvalChoices) {
  if (compare && (language !== "jq" || form !== undefined))
    throw usage("--compare takes programs of jq, and prints what they give: --in and --as do not go with it.");
  if (strict && language !== "jsonpath") throw usage("--strict is for JSONPath: it goes with --in jsonpath only.");
  if (arg.length > 0 && language === "jsonpath") throw usage("--arg gives variables, of which JSONPath has none.");
  if (nullInput && form !== undefined) throw usage("-n says what is evaluated; --as evaluates nothing.");
}

/** A function of the document; where the expression need not give one value, it gives the array of its outputs. */
function javascriptText(expression: Expression, span: Span): string | Diagnostic {
  const program = compileJavaScript(simplify(expression));
  return isRefusal(program)
    ? unsupportedExpression(program.span ?? span, { message: program.refused })
    : standaloneText(program).trimEnd();
}

async function printOutputs(
  expression: Expression,
  { arg, nullInput }: EvalChoices,
  terminal: Terminal,
): Promise<ExitStatus> {
  const input = await inputFor(nullInput, terminal);
  const now = Date.now() / 1000;
  const variables = new Map<string, Json>([["now'", now], ...arg]);
  try {
    for (const value of evaluate(expression, { input, variables })) terminal.out(`${toJson(value)}\n`);
    return exit.fine;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { name, message } = errorOf(error.value);
    terminal.err(`The expression fails: ${name === "ExpressionError" ? message : `${name}: ${message}`}\n`);
    return exit.problems;
  }
}

async function compare(
  program: string,
  expression: Expression,
  { arg, nullInput }: EvalChoices,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { compareWithJq } = await import("./eval/compare.ts");
  const input = await inputFor(nullInput, terminal);
  return compareWithJq({ program, expression, input, texts: arg, now: Date.now() / 1000 }, terminal);
}

const inputFor = async (nullInput: boolean | undefined, terminal: Terminal): Promise<Json> =>
  nullInput ? null : documentOf((await readSource("-", terminal)).text);

function documentOf(text: string): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usage(`Standard input is not a JSON document: ${why}. Without a document, say \`-n\`.`);
  }
}
