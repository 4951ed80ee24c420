import { loadRuntimeModules, runtimeNames } from "../../src/expressions/index.ts";
import { runtimeFiles } from "../../src/generated/typescript-runtime.js";
import type { OutputFile } from "../../src/target.ts";
import { helperType, helperWord } from "./expressions/runtime.ts";

/** The runtime that emitted programs import, the same in all: the engine, and the functions that expressions call. */
export async function runtimeOf(): Promise<readonly OutputFile[]> {
  const runtimeModules = await loadRuntimeModules();
  const engine = Object.entries(runtimeFiles).map(([path, text]) => ({ path, text }));
  const own = engine.map((file) =>
    file.path === "index.ts" ? { ...file, text: `export * from "./expressions.ts";\n${file.text}` } : file,
  );
  const all = [...own, { path: "expressions.ts", text: faceText() }, ...runtimeModules(runtimeNames)];
  return all.map(({ path, text }) => ({ path: `runtime/${path}`, text }));
}

/** The functions that expressions call, by the names and with the types that programs know them by. */
function faceText(): string {
  const helpers = [...runtimeNames].sort();
  const imports = helpers.map((helper) => `${helper} as ${helper}_`).join(",\n  ");
  const constants = helpers.map(
    (helper) => `export const ${helperWord(helper)}: ${helperType(helper)} = ${helper}_ as never;\n`,
  );
  return `// The functions that expressions call.\nimport {\n  ${imports},\n} from "./expressions/index.ts";\nimport type { Json } from "./json.ts";\n\n${constants.join("")}`;
}
