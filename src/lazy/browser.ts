import jsonata from "jsonata";
import * as tsMorph from "ts-morph";
import { jsonata as evaluator } from "../generated/jsonata-evaluator.js";

/** TypeScript's compiler, used as a parser of Composer's functions. */
export const loadTypescript = (): typeof tsMorph.ts => tsMorph.ts;

/** ts-morph, which reads the signatures of functions. */
export const loadTsMorph = (): typeof tsMorph => tsMorph;

/** JSONata. */
export const loadJsonata = (): typeof jsonata => jsonata;

/** The synchronous evaluator of JSONata. */
export const loadJsonataEvaluator = (): typeof evaluator => evaluator;
