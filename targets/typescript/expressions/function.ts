import { unsupportedExpression } from "../../../src/diagnostics/data.ts";
import {
  compileJavaScript,
  type Expression,
  factsOf,
  isRefusal,
  outputs,
  simplify,
} from "../../../src/expressions/index.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import type { Span } from "../../../src/text/source.ts";
import { camelCase, namesWith } from "../emit/names.ts";
import type { Environment } from "./environment.ts";
import { helperWord } from "./helpers.ts";
import { indented } from "./indent.ts";
import { writeList } from "./stream.ts";
import { typeText, unusedValue } from "./use.ts";
import { write } from "./write.ts";
import { atom, type Written } from "./written.ts";

/** A function of the document and the variables; where it would not read well, the JavaScript that computes it instead. */
export function printExpression(expression: Expression, variables: readonly string[], span: Span): string | Diagnostic {
  const simple = simplify(expression);
  const own = factsOf(simple).free.has("now'") ? [...variables, "now'"] : variables;
  const program = printTypeScript(simple, own);
  if (program) return program.code.trimEnd();
  const computed = compileJavaScript(simple);
  return isRefusal(computed)
    ? unsupportedExpression(computed.span ?? span, { message: computed.refused })
    : `// No TypeScript that reads well does exactly this. It is computed by JavaScript:\n${computed.code.trimEnd()}`;
}

/** An expression as a function in TypeScript. */
export interface TypeScriptProgram {
  readonly code: string;
  /** The functions of the expressions' runtime that it imports, and the names by which it knows them. */
  readonly helpers: ReadonlyMap<string, string>;
}

/**
 * Writes an expression as a function `program` of the input and of variables: it gives the one output; where there may be none, undefined for none; where
 * there may be several, the array of them. Undefined where the expression has no exact form that reads well.
 */
export function printTypeScript(expression: Expression, variables: readonly string[]): TypeScriptProgram | undefined {
  const names = namesWith(["program", "input", "Input", "Json"]);
  const parameters = new Map(variables.map((name) => [name, names.fresh(camelCase(name))]));
  const helpers = new Map<string, string>();
  const input = unusedValue();
  const lines: string[] = [];
  const written = writeWhole(expression, {
    input: atom("input", { use: input }),
    lines: { texts: lines, names: new Set(["input", ...parameters.values()]) },
    variable: (name) => (parameters.has(name) ? atom(parameters.get(name)!) : undefined),
    helper(name) {
      const known = helpers.get(name) ?? names.fresh(helperWord(name));
      helpers.set(name, known);
      return known;
    },
  });
  if (!written) return undefined;
  const type = typeText(input);
  const alias = type === "Json" ? "" : `type Input = ${type};\n\n`;
  const taken = [`input: ${alias === "" ? type : "Input"}`, ...[...parameters.values()].map((name) => `${name}: Json`)];
  const head = `${alias}export const program = (${taken.join(", ")}): ${resultType(expression, written)} =>`;
  const text = `${head}${bodyText(lines, written)};`;
  const used = new Map([...helpers].filter(([, name]) => isCalled(name, text)));
  return { code: indented(`${importText([...used.values()])}\n\n${text}\n`), helpers: used };
}

function bodyText(lines: readonly string[], { text }: Written): string {
  if (lines.length > 0) return ` {\n${lines.join("\n")}\nreturn ${text};\n}`;
  if (text.startsWith("{")) return ` (${text})`;
  return text.includes("\n") ? ` ${text}` : `\n${text}`;
}

/** Forms are tried that others take the place of: not all that was asked for is called. */
function isCalled(helper: string, text: string): boolean {
  const code = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${helper}\\(`).test(code);
}

function importText(names: readonly string[]): string {
  const sorted = ["type Json", ...names].sort((a, b) => (wordOf(a) < wordOf(b) ? -1 : 1));
  return `import { ${sorted.join(", ")} } from "./expressions.js";`;
}

/** What has no readable form, or is nested beyond what can be written. */
function writeWhole(expression: Expression, environment: Environment): Written | undefined {
  try {
    return outputs(expression) === "many" ? writeList(expression, environment) : write(expression, environment);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const wordOf = (name: string): string => name.replace(/^type /, "");

function resultType(expression: Expression, { type, isOptional }: Written): string {
  if (outputs(expression) === "many") return "readonly Json[]";
  const exact = type === "boolean" || type === "number" || type === "string" ? type : "Json";
  return isOptional ? `${exact} | undefined` : exact;
}

/** The variables that an expression has from outside, in order. */
export const variablesOf = (expression: Expression): readonly string[] => [...factsOf(expression).free.keys()].sort();
