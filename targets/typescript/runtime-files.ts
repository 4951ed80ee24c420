import { runtimeScript, runtimeTypes } from "../../src/generated/typescript-runtime.js";
import type { OutputFile } from "../../src/target.ts";

/** The runtime that emitted programs import, the same in all: the engine, its command line, and what expressions and calls need. */
export const runtimeFiles: readonly OutputFile[] = [
  { path: "runtime.js", text: runtimeScript },
  { path: "runtime.d.ts", text: runtimeTypes },
];
