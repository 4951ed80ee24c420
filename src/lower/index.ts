export {
  type Abilities,
  type FlatForEach,
  type FlatFork,
  type FlatScope,
  type FlatStep,
  type FlatWorkflow,
  type Guards,
  type Recovery,
  withoutAttempts,
} from "./attempts.ts";
export { type ErrorName, type ErrorSet, errorsTaken, takesAll, timeouts } from "./error-sets.ts";
export { always, dispatchSteps, effective, errorVariableOf, over, partOf, restored, retryLoop } from "./recovery.ts";
