import { createRequire } from "node:module";
import type jsonata from "jsonata";
import type { ts } from "ts-morph";

// The packages that few compilations need, for Node.js: each is loaded by the first call. `browser.ts` has the same functions for bundlers; the field
// "imports" of package.json selects one of the two.

const require = createRequire(import.meta.url);

/** TypeScript's compiler, used as a parser of Composer's functions. Loading it takes 150 ms. */
export const loadTypescript = (): typeof ts => (require("ts-morph") as { readonly ts: typeof ts }).ts;

/** The JSONata parser, which only expressions need that may be nested too deeply. */
export const loadJsonata = (): typeof jsonata => require("jsonata") as typeof jsonata;
