import { type CompiledScript, scriptCode, scriptModule } from "../../../src/ir/scripts.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { propertyKey } from "../../../src/js-ast/index.ts";
import type { OutputFile } from "../../../src/target/contract.ts";
import { oneLine } from "./steps.ts";

/** The names of the functions whose texts a workflow has, as the module exports them, by their own. */
export const scriptNames = ({ functions }: Workflow): ReadonlyMap<string, string> => scriptModule(functions).names;

/** Where a program has the functions whose texts a workflow has, by the name of the workflow's module. */
export const scriptsPath = (name: string): string => `./${name}.functions.js`;

/**
 * The functions whose texts a workflow has, as a module of JavaScript that has them as they are written, and the types of what it exports; nothing where there are
 * none. `runtime`: where the program has its runtime from.
 *
 *   export const discount = call(() =>
 *     (params) => ({ price: params.price * 0.9 })
 *   );
 */
export function scriptFiles(
  { name, functions, language }: Workflow,
  module: string,
  runtime: string,
): readonly OutputFile[] {
  const scripts = scriptCode(functions).functions;
  if (scripts.length === 0) return [];
  const head = `// The functions of ${oneLine(name, 40)}, from ${language}, as they are written there. Change the definition, not this file.\n`;
  const path = scriptsPath(module).slice(2);
  return [
    { path, text: `${head}\n${scriptModule(functions).text}` },
    {
      path: path.replace(/\.js$/, ".d.ts"),
      text: [`import type { Json, JsonObject } from "${runtime}";\n`, ...scripts.map(typeText)].join("\n"),
    },
  ];
}

/** `export declare const discount: (params: Json) => JsonObject;` */
function typeText({ name, definition }: CompiledScript): string {
  const { variables } = definition.protocol;
  if (variables.length === 0) return `export declare const ${name}: (params: Json) => JsonObject;\n`;
  const values = variables.map((variable) => `readonly ${propertyKey(variable, "unicode")}: Json`).join("; ");
  return `export declare const ${name}: (given: Json) => { readonly params: JsonObject; readonly variables: { ${values} } };\n`;
}
