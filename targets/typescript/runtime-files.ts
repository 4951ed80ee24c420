import { loadRuntimeModules, runtimeNames } from "../../src/expressions/index.ts";
import { runtimeFiles } from "../../src/generated/typescript-runtime.js";
import type { OutputFile } from "../../src/target.ts";
import { helperType, helperWord } from "./expressions/runtime.ts";

/** The runtime that emitted programs import: the engine, the same in all, and the functions that their expressions call, with what these import. */
export async function runtimeOf(helpers: ReadonlySet<string> = runtimeNames): Promise<readonly OutputFile[]> {
  const engine = Object.entries(runtimeFiles).map(([path, text]) => ({ path, text }));
  const files = helpers.size === 0 ? engine : withExpressions(engine, [...helpers].sort(), await loadRuntimeModules());
  return files.map(({ path, text }) => ({ path: `runtime/${path}`, text }));
}

function withExpressions(
  engine: readonly OutputFile[],
  helpers: readonly string[],
  modulesOf: Awaited<ReturnType<typeof loadRuntimeModules>>,
): readonly OutputFile[] {
  const own = engine.map((file) =>
    file.path === "index.ts" ? { ...file, text: `export * from "./expressions.ts";\n${file.text}` } : file,
  );
  return [...own, { path: "expressions.ts", text: faceText(helpers) }, ...modulesOf(helpers)];
}

/**
 * The functions that expressions call, by the names that programs know them by: `export { named as memberOf } from "./expressions/index.ts";`, and
 * with a type of their own where that says more to programs.
 */
function faceText(helpers: readonly string[]): string {
  const plain = helpers.filter((helper) => helperType(helper) === undefined);
  const typed = helpers.filter((helper) => helperType(helper) !== undefined);
  const imported = typed.map((helper) => `${helper} as ${helper}_`);
  const constants = typed.map(
    (helper) => `export const ${helperWord(helper)}: ${helperType(helper)} = ${helper}_ as never;`,
  );
  const lines = [
    "// The functions that expressions call.",
    ...(typed.length === 0 ? [] : [`import ${from(imported)}`, 'import type { Json } from "./json.ts";', ""]),
    ...(plain.length === 0 ? [] : [`export ${from(plain.map(renamed))}`, ""]),
    ...constants,
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

const from = (names: readonly string[]): string => `{\n  ${names.join(",\n  ")},\n} from "./expressions/index.ts";`;

const renamed = (helper: string): string =>
  helperWord(helper) === helper ? helper : `${helper} as ${helperWord(helper)}`;
