import { createRequire } from "node:module";
import type jsonata from "jsonata";

const require = createRequire(import.meta.url);

/** The JSONata parser, loaded by the first call: only expressions that may be nested too deeply need it. */
export const loadJsonata = (): typeof jsonata => require("jsonata") as typeof jsonata;
