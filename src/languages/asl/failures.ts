import { call, type Expression, literal, queryEvaluationError } from "../../expressions/index.ts";
import { awaitsCallback } from "./callbacks.ts";
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

/** Whether an error that a scope or one inside it raises may have no name or no cause: of a Fail state or a callback. */
export const hasNullErrors = ({ States }: StatesOwner): boolean =>
  Object.values(States).some(
    (state) =>
      awaitsCallback(state) ||
      (state.Type === "Fail" &&
        faultsOf.some(([key, path]) => state[key] === undefined && state[path] === undefined)) ||
      innerOwners(state).some(hasNullErrors),
  );

const faultsOf = [
  ["Error", "ErrorPath"],
  ["Cause", "CausePath"],
] as const;
