export { type Abilities, type FlatScope, type FlatStep, flatten, type Recovery } from "./attempts.ts";
export { type ErrorName, type ErrorSet, errorsTaken, takesAll, timeouts } from "./error-sets.ts";
export { dispatchSteps, effective, over, retryLoop } from "./recovery.ts";
