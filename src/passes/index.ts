export {
  always,
  dispatchSteps,
  effective,
  errorVariableOf,
  over,
  partOf,
  restored,
  retryLoop,
} from "./error-recovery.ts";
export { type ErrorName, type ErrorSet, errorsTaken, takesAll, timeouts } from "./error-sets.ts";
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
} from "./flatten-exceptions.ts";
export { withFusedAssignments, withoutDecided, withoutUnread, withThreadedJumps } from "./simplify-branches.ts";
