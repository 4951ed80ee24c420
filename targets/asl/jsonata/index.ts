export { Refused } from "./context.ts";
export { errorMarker, failedElsewhere, parseErrorMarker } from "./errors.ts";
export { functionNames } from "./helpers.ts";
export type { Knowledge } from "./knowledge.ts";
export { jsonataString, jsonataTemplate, printItems, printJsonata, refusals } from "./print.ts";
