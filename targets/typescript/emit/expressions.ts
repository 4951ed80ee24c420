import type { Import } from "../../../src/code/index.ts";
import { compileJavaScript, isRefusal, outputs, runtimeText } from "../../../src/expressions/index.ts";
import type { Span } from "../../../src/text/source.ts";
import { helperOfWord, helperType } from "../expressions/helpers.ts";
import type { Compiled } from "./module.ts";

/** What a module needs of the expressions' runtime: its functions, and expressions that have no readable form, as JavaScript with types beside it. */
export interface ExpressionFiles {
  readonly script: string;
  readonly types: string;
  /** The expressions that have no form at all: with any of these the files are not whole. */
  readonly refusals: readonly Refusal[];
}

/** An expression that cannot be computed exactly, and why. */
export interface Refusal {
  readonly span: Span | undefined;
  readonly reason: string;
}

/** Writes what a module imports of them; `compiled` are the expressions that have no readable form. */
export function expressionFiles({ names }: Import, compiled: readonly Compiled[]): ExpressionFiles {
  const words = names.map(({ name, exported = name }) => exported);
  const used = compiled.filter(({ name }) => words.includes(name));
  const helpers = words.flatMap((word) =>
    used.some(({ name }) => name === word) ? [] : [[helperOfWord(word)!, word] as const],
  );
  const made = used.map(programOf);
  const programs = made.filter((program) => "text" in program);
  const needed = new Set([...helpers.map(([helper]) => helper), ...programs.flatMap(({ needs }) => needs)]);
  const exported = helpers.map(([helper, word]) => (helper === word ? word : `${helper} as ${word}`));
  const list = exported.length === 0 ? "" : `\nexport { ${exported.sort().join(", ")} };\n`;
  return {
    script: `// What the workflow's expressions need.\n\n${runtimeText(needed)}${programs.map(({ text }) => `\n${text}`).join("")}${list}`,
    types: typesText(used, helpers),
    refusals: made.filter((program) => "reason" in program),
  };
}

interface Program {
  readonly text: string;
  readonly needs: readonly string[];
}

/** A function of the variables of an expression. */
function programOf({ name, expression, variables }: Compiled): Program | Refusal {
  const program = compileJavaScript(expression, { name: `${name}_`, variables });
  if (isRefusal(program)) return { span: program.span ?? expression.span, reason: program.refused };
  const names = variables.map((_, i) => `v${i + 1}`).join(", ");
  const call = `${name}_(null${names === "" ? "" : `, ${names}`})${outputs(expression) === "one" ? "" : "[0]"}`;
  return { text: `${program.text}export const ${name} = (${names}) => ${call};\n`, needs: program.helpers };
}

function typesText(
  compiled: readonly Compiled[],
  helpers: readonly (readonly [helper: string, word: string])[],
): string {
  const lines = [
    ...helpers.map(([helper, word]) => `export declare function ${word}${helperType(helper)};`),
    ...compiled.map(({ name, variables, isOptional }) => {
      const parameters = variables.map((_, i) => `v${i + 1}: Json`).join(", ");
      return `export declare function ${name}(${parameters}): Json${isOptional ? " | undefined" : ""};`;
    }),
  ];
  return `import type { Json } from "./runtime/index.ts";\n\n${lines.sort().join("\n")}\n`;
}
