export type { Knowledge, VariableText } from "./context.ts";
export { nothingKnown, Refused } from "./context.ts";
export { errorMarker, failedElsewhere, limit, parseErrorMarker } from "./errors.ts";
export { functionNames } from "./helpers/index.ts";
export { jsonataString, jsonataTemplate, printJsonata, refusals } from "./print.ts";
