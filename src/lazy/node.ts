import { createRequire } from "node:module";
import type jsonata from "jsonata";
import type * as tsMorph from "ts-morph";
import type { ts } from "ts-morph";
import type { jsonata as evaluator } from "../generated/jsonata-evaluator.js";
import { MissingPackageError } from "./missing.ts";

// The packages that few compilations need, for Node.js: each is loaded by the first call. `browser.ts` has the same functions for bundlers; the field
// "imports" of package.json selects one of the two.

const require = createRequire(import.meta.url);

/** TypeScript's compiler, used as a parser of Composer's functions. Loading it takes 150 ms. */
export const loadTypescript = (): typeof ts => loadTsMorph().ts;

/** ts-morph, which reads the signatures of functions. It contains TypeScript, and is larger than the rest of the package, so it is optional. */
export function loadTsMorph(): typeof tsMorph {
  try {
    return require("ts-morph") as typeof tsMorph;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Cannot find module 'ts-morph'"))
      throw new MissingPackageError("ts-morph", "28");
    throw error;
  }
}

/**
 * JSONata, for the simulator of state machines, and to parse expressions that may be nested too deeply. `.build/bundle.ts`
 * copies it next to the bundled modules.
 */
export const loadJsonata = (): typeof jsonata =>
  require(import.meta.url.endsWith(".ts") ? "jsonata" : "./jsonata.cjs") as typeof jsonata;

/** The synchronous evaluator of JSONata, for expressions of workflows. `.build/bundle.ts` copies it likewise. */
export const loadJsonataEvaluator = (): typeof evaluator =>
  (
    require(import.meta.url.endsWith(".ts") ? "../generated/jsonata-evaluator.js" : "./jsonata-evaluator.cjs") as {
      readonly jsonata: typeof evaluator;
    }
  ).jsonata;
