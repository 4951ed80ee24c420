import jsonata from "jsonata";
import { ts } from "ts-morph";

/** TypeScript's compiler, used as a parser of Composer's functions. */
export const loadTypescript = (): typeof ts => ts;

/** The JSONata parser. */
export const loadJsonata = (): typeof jsonata => jsonata;
