export { readConstructed } from "./constructed-members.ts";
export { removeDeadStores } from "./dead-stores.ts";
export {
  forEachWorkflow,
  forWorkflow,
  type Pass,
  type PassHooks,
  type PassRun,
  type PassSubject,
  renamed,
  runPasses,
} from "./driver.ts";
export {
  buildRetryLoop,
  catchAll,
  derivedOrigin,
  dispatchSteps,
  effectiveRetries,
  errorVariableOf,
  restoredVariables,
  withErrorVariable,
} from "./error-recovery.ts";
export { type ErrorName, type ErrorSet, matchedErrors, matchesAll, timeouts } from "./error-sets.ts";
export { expandRecovery } from "./expand-recovery.ts";
export {
  type FlatForEach,
  type FlatFork,
  type FlatScope,
  type FlatStep,
  type FlatWorkflow,
  flattenExceptions,
  type Guards,
  type Recovery,
  type RecoverySupport,
  retriesNatively,
} from "./flatten-exceptions.ts";
export { fuseAssignments } from "./fuse-assignments.ts";
export { threadJumps } from "./jump-threading.ts";
export { type Raising, raiseErrors } from "./raise-errors.ts";
export { separateErrors } from "./separate-errors.ts";
export { simplifyBranches, simplifyBranchesWithin } from "./simplify-branches.ts";
export { sinkRecovery } from "./sink-recovery.ts";
export { unbindEvents } from "./unbind-events.ts";
