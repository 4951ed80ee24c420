import { runtime as expressions } from "../../src/generated/runtime.js";
import {
  allExports,
  jsonataHelper,
  publicExports,
  queryScript,
  queryTypes,
  runtimeCode,
  runtimeTypes,
} from "../../src/generated/typescript-runtime.js";
import type { OutputFile } from "../../src/target/contract.ts";
import { runtimeModule, runtimePackage } from "./emit/runtime-imports.ts";
import type { Host, RuntimeParts } from "./host.ts";

/** The runtime that all programs import, in one module. */
export const runtimeFiles = (): readonly OutputFile[] => [
  { path: "runtime.js", text: `${runtimeCode()}\n${publicExports()};\n` },
  { path: "runtime.d.ts", text: runtimeTypes() },
];

/** The same for programs whose host has a module of its own, which uses more of the runtime than programs do. */
export const sharedRuntimeFiles = (parts: RuntimeParts = wholeRuntime): readonly OutputFile[] => [
  { path: "runtime.js", text: reexport(parts.publicExports()) },
  { path: "runtime.d.ts", text: runtimeTypes() },
  { path: internalFile, text: `${parts.code()}\n${parts.allExports()};\n` },
];

const wholeRuntime: RuntimeParts = { code: runtimeCode, publicExports, allExports };

/** The module of a host, and the runtime unless it is a package. `runtime`: the module of the runtime. */
export function hostedRuntimeFiles({ name, module }: Host, runtime: string): readonly OutputFile[] {
  const isVendored = runtime === runtimeModule;
  if (module === undefined) return isVendored ? runtimeFiles() : [];
  return [
    ...(isVendored
      ? sharedRuntimeFiles(module.runtime)
      : [{ path: internalFile, text: `export * from ${JSON.stringify(`${runtimePackage}/internal`)};\n` }]),
    { path: `${name}.js`, text: module.script() },
    { path: `${name}.d.ts`, text: module.types(runtime) },
  ];
}

/** The evaluator of JSONata. `runtime`: the module of the runtime. */
export const jsonataFiles = (runtime: string): readonly OutputFile[] => [
  { path: "jsonata.js", text: `${helperFor(runtime)}${expressions()["jsonata"]!.text}\n` },
  {
    path: "jsonata.d.ts",
    text: `import type { Json } from ${JSON.stringify(runtime)};

/** Evaluates a JSONata expression of a state. \`place\`: its field and state. \`inputs\`: the values of its variables. */
export declare const evaluateJsonata: (text: string, place: readonly Json[], inputs: Json) => Json;
`,
  },
];

/** The functions of JSONata. `runtime`: the module of the runtime. */
export const queryFiles = (runtime: string): readonly OutputFile[] => [
  { path: "query.js", text: queryScript().replace(JSON.stringify(runtimeModule), () => JSON.stringify(runtime)) },
  { path: "query.d.ts", text: queryTypes().replace(JSON.stringify(runtimeModule), () => JSON.stringify(runtime)) },
];

const helperFor = (runtime: string): string =>
  jsonataHelper().replace(JSON.stringify(runtimeModule), () => JSON.stringify(runtime));

const internalFile = "runtime.internal.js";

/** `export { a, b as c }` → `export { a, c } from "./runtime.internal.js";` */
const reexport = (statement: string): string =>
  `${statement.replaceAll(/[^\s,{}]+ as /g, "")} from ${JSON.stringify(`./${internalFile}`)};\n`;
