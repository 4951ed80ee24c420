import jsonata from "jsonata";

/** The JSONata parser. In Node.js it is loaded by the first call. */
export const loadJsonata = (): typeof jsonata => jsonata;
