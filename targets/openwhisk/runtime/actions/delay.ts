import type { JsonObject } from "../../../../src/json.ts";
import type { ActionContext, Operation } from "./action.ts";
import { type Caller, isInside, suspended, timedOut } from "./caller.ts";

/** A delay for a time, or until an instant. */
export interface DelayRequest {
  readonly ms?: number;
  /** In ISO 8601. */
  readonly until?: string;
  /** The time that the workflow allows. */
  readonly timeoutMs?: number;
  readonly $waybill: Caller;
}

/** Suspends a run until an instant, in milliseconds since 1970. */
export type SuspendUntil<Context> = (
  due: number,
  request: { readonly caller: Caller; readonly isTimeout: boolean },
  context: Context,
) => Promise<void>;

/** Creates the operation for delays: it sleeps through short ones, and suspends the run for long ones. */
export const createDelay =
  <Context extends ActionContext>(suspendUntil?: SuspendUntil<Context>): Operation<Context> =>
  async (params, context) => {
    const { ms, until, timeoutMs = Number.POSITIVE_INFINITY, $waybill: caller } = params as unknown as DelayRequest;
    const { settings, now, sleep } = context;
    const wanted = until === undefined ? (ms ?? 0) : Date.parse(until) - now();
    if (Number.isNaN(wanted)) throw new Error("The time of a delay is not a number.");
    const isTimeout = wanted > timeoutMs;
    const length = Math.max(0, Math.min(wanted, timeoutMs));
    if (suspendUntil && length > settings.insideMs && !isInside(caller)) {
      await suspendUntil(now() + length, { caller, isTimeout }, context);
      return suspended;
    }
    if (length > 0) await sleep(length);
    return (isTimeout ? timedOut : {}) as JsonObject;
  };
