import { type CompiledScript, scriptCode, scriptModule } from "../../../src/ir/scripts.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { oneLine, propertyKey } from "../../../src/js-ast/index.ts";
import type { OutputFile } from "../../../src/target/contract.ts";

/** Functions whose source is in the definition: exported names by name. */
export const scriptNames = ({ functions }: Workflow): ReadonlyMap<string, string> => scriptModule(functions).names;

/** Their module. */
export const scriptModulePath = (name: string): string => `./${name}.functions.js`;

/**
 * A JavaScript module with the original source of these functions, and its declarations:
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
  const head = `// Functions of ${oneLine(name, 40)}, copied from its definition (${language}).\n`;
  const path = scriptModulePath(module).slice(2);
  return [
    { path, text: `${head}\n${scriptModule(functions).text}` },
    {
      path: path.replace(/\.js$/, ".d.ts"),
      text: [`import type { Json, JsonObject } from "${runtime}";\n`, ...scripts.map(printScriptType)].join("\n"),
    },
  ];
}

/** `export declare const discount: (params: Json) => JsonObject;` */
function printScriptType({ name, definition }: CompiledScript): string {
  const { variables, changes } = definition.protocol;
  if (variables.length === 0) return `export declare const ${name}: (params: Json) => JsonObject;\n`;
  const result =
    changes.length === 0
      ? "JsonObject"
      : `{ readonly params: JsonObject; readonly variables: ${variablesType(changes)} }`;
  return `export declare const ${name}: (given: Json) => ${result};\n`;
}

const variablesType = (names: readonly string[]): string =>
  `{ ${names.map((name) => `readonly ${propertyKey(name, "unicode")}: Json`).join("; ")} }`;
