import {
  type Block,
  collectImports,
  oneLine,
  printProgram,
  type Statement,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import { redirectRuntimeImports } from "./runtime-imports.ts";

/** Prints a module: a title comment, imports, types and other declarations. */
export type ModulePrinter = (title: string, declarations: Block) => string;

/** The maximum number of columns of emitted modules, where possible. */
export const moduleWidth = 100;

/** Creates the printer of modules that import the runtime from a path or package. */
export const createModulePrinter =
  (runtime: string): ModulePrinter =>
  (title, declarations) => {
    const imports = redirectRuntimeImports(runtime, collectImports(declarations));
    const types = declarations.filter(declaresType);
    const code = declarations.filter((declaration) => !declaresType(declaration));
    const head = `// ${oneLine(title)}\n${code.some(hasTooManyConditions) ? noCheckComment : ""}`;
    const statements = [...imports, ...types, ...code];
    return `${head}${imports.length === 0 ? "\n" : ""}${printProgram(statements, { types: true, width: moduleWidth })}`;
  };

/** TypeScript rejects functions with too many conditions. */
const maxConditions = 400;

function hasTooManyConditions(declaration: Statement): boolean {
  let conditions = 0;
  for (const { kind } of walkNodes([declaration])) if (kind === "if") conditions += 1;
  return conditions > maxConditions;
}

const noCheckComment =
  "// @ts-nocheck: a function has more conditions than TypeScript can analyze. The types of the exports are correct.\n";

const declaresType = ({ kind }: Statement): boolean => kind === "interface" || kind === "typeDeclaration";
