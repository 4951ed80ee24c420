import { call, type Expression, literal, queryEvaluationError } from "../../expressions/index.ts";
import type { StatesOwner } from "./context.ts";
import { innerOwners } from "./graph.ts";

/** The error of paths, intrinsic functions and values that cannot be used; nothing takes it. */
export const runtimeError = "States.Runtime";

/** The error of a limit. */
export const timeoutError = "States.Timeout";

/** The error of a result that cannot be placed. */
export const placementError = "States.ResultPathMatchFailure";

/** An expression that fails as a broken path does. */
export const runtimeFailure = (message: string): Expression => failure(runtimeError, message);

/** An expression that fails with an error. */
export const failure = (name: string, message: string): Expression => call("error", literal({ name, message }));

/** An expression that fails as one of JSONata does. */
export const queryFailure = (message: string): Expression => failure(queryEvaluationError, message);

/** Whether a Fail state of a scope or one inside it has no name or no cause. */
export const hasNullErrors = ({ States }: StatesOwner): boolean =>
  Object.values(States).some(
    (state) =>
      (state.Type === "Fail" &&
        faultsOf.some(([key, path]) => state[key] === undefined && state[path] === undefined)) ||
      innerOwners(state).some(hasNullErrors),
  );

const faultsOf = [
  ["Error", "ErrorPath"],
  ["Cause", "CausePath"],
] as const;
