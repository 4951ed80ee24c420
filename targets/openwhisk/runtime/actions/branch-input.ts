import { isObject, type JsonObject, own } from "../../../../src/json.ts";
import type { ActionContext } from "./action.ts";
import { branchKey, type Caller, type Continuation, type Join, variablesOn } from "./caller.ts";
import type { Branch } from "./joining.ts";

/** A branch to start, with the run that forks. */
export interface BranchStart extends Pick<Caller, "position" | "key" | "calls"> {
  readonly run?: string | undefined;
  readonly began: number;
  readonly stack: Caller["stack"];
  readonly join?: Join | undefined;
  readonly branch: Branch;
  readonly index: number;
}

/** The parameters with which the conductor is started for a branch or an iteration. */
export function inputOf(start: BranchStart, { sign }: Pick<ActionContext, "sign">): JsonObject {
  const { run, began, position = [], stack, join, branch, index } = start;
  const { state, params = {}, flow, input = {} } = branch;
  const key = branchKey(start, index);
  const part = { run, position: [...position, index], join, key };
  if (flow === undefined) {
    const continuation: Continuation = {
      ...part,
      began,
      state,
      stack: variablesOn(stack),
      params,
      isInspected: true,
    };
    return { $waybill: sign(withoutUndefined(continuation)) };
  }
  const $waybill = own(input, "$waybill");
  const root = isObject($waybill) ? own($waybill, "root") : undefined;
  return { ...input, $waybill: sign(withoutUndefined({ root, ...part })) };
}

/** A plain JSON copy. */
export const withoutUndefined = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
