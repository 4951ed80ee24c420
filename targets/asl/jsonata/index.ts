export type { VariableFacts, VariablePrinter } from "./context.ts";
export { noFacts, UnsupportedExpression } from "./context.ts";
export { errorMarker, limitError, outerFailure, parseErrorMarker } from "./errors.ts";
export { functionNames } from "./helpers/index.ts";
export { jsonataString, jsonataTemplate, printJsonata, unsupportedParts } from "./print.ts";
