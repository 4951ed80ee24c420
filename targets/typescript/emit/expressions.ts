import { compileJavaScript, isRefusal, runtimeText } from "../../../src/expressions/index.ts";
import type { Span } from "../../../src/text/source.ts";
import { helperType } from "./helpers.ts";
import type { Compiled, Module } from "./module.ts";

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

/** Writes them; undefined where the module needs nothing. */
export function expressionFiles({ compiled, helpers }: Module): ExpressionFiles | undefined {
  if (compiled.length === 0 && helpers.size === 0) return undefined;
  const made = compiled.map(programOf);
  const programs = made.filter((program) => "text" in program);
  const runtime = runtimeText(new Set([...helpers.keys(), ...programs.flatMap(({ needs }) => needs)]));
  const exported = [...helpers].map(([helper, name]) => (helper === name ? name : `${helper} as ${name}`));
  const list = exported.length === 0 ? "" : `\nexport { ${exported.sort().join(", ")} };\n`;
  return {
    script: `// What the workflow's expressions need.\n\n${runtime}${programs.map(({ text }) => `\n${text}`).join("")}${list}`,
    types: typesText(compiled, helpers),
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
  const call = `${name}_(null${names === "" ? "" : `, ${names}`})`;
  return { text: `${program.text}export const ${name} = (${names}) => ${call};\n`, needs: program.helpers };
}

function typesText(compiled: readonly Compiled[], helpers: ReadonlyMap<string, string>): string {
  const lines = [
    ...[...helpers].map(([helper, name]) => `export declare function ${name}${helperType(helper)};`),
    ...compiled.map(({ name, variables, isOne }) => {
      const parameters = variables.map((_, i) => `v${i + 1}: Json`).join(", ");
      return `export declare function ${name}(${parameters}): ${isOne ? "Json" : "readonly Json[]"};`;
    }),
  ];
  return `import type { Json } from "./runtime/index.ts";\n\n${lines.sort().join("\n")}\n`;
}
