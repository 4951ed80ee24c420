import { createRequire } from "node:module";
import type jsonata from "jsonata";
import type * as tsMorph from "ts-morph";
import type { ts } from "ts-morph";

// The packages that few compilations need, for Node.js: each is loaded by the first call. `browser.ts` has the same functions for bundlers; the field
// "imports" of package.json selects one of the two.

const require = createRequire(import.meta.url);

/** TypeScript's compiler, used as a parser of Composer's functions. Loading it takes 150 ms. */
export const loadTypescript = (): typeof ts => loadTsMorph().ts;

/** ts-morph, which reads the signatures of functions. */
export const loadTsMorph = (): typeof tsMorph => require("ts-morph") as typeof tsMorph;

/** The JSONata parser, which only expressions need that may be nested too deeply. */
export const loadJsonata = (): typeof jsonata => require("jsonata") as typeof jsonata;
