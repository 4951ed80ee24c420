import { createRequire } from "node:module";
import type { ts } from "ts-morph";

const require = createRequire(import.meta.url);

/** TypeScript's compiler, loaded by the first call: it takes 150 ms, for which only definitions with functions pay. */
export const loadTypescript = (): typeof ts => (require("ts-morph") as { readonly ts: typeof ts }).ts;
