import type { Origin } from "../../errors.ts";
import type { Step } from "../../flow.ts";
import type { Json } from "../../json.ts";

/** The data of a worker thread that calls functions. */
export interface WorkerRequest {
  /** The program's module begins as usual; this makes `main` serve function calls. */
  readonly waybillFunctions: true;
  /** The members of `Pulse`. */
  readonly pulse: SharedArrayBuffer;
}

/**
 * The memory that a worker shares with the main thread: a counter of its turns, and the call whose function is on its
 * stack.
 */
export const pulse = { turns: 0, call: 1, size: 2 } as const;

/** The interval in which a worker counts its turns, in milliseconds. */
export const pulseMs = 100;

/** A function of a program: a common one, or an own one of a workflow. */
export interface FunctionName {
  readonly workflow?: string | undefined;
  readonly name: string;
}

/** A call of a function. */
export interface CallMessage extends FunctionName {
  readonly kind: "call";
  readonly id: number;
  readonly argument: Json;
  readonly step: Pick<Step, "key" | "attempt" | "position" | "timeout" | "isStopping" | "trace">;
}

/** The messages from the main thread. */
export type ToWorker =
  | CallMessage
  | { readonly kind: "abort"; readonly id: number; readonly reason: string }
  | { readonly kind: "stopping" };

/** The messages from a worker. */
export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "result"; readonly id: number; readonly value: Json }
  | { readonly kind: "failure"; readonly id: number; readonly failure: FailureMessage }
  | { readonly kind: "notBegun"; readonly id: number }
  | { readonly kind: "rejection"; readonly reason: string };

/** The failure of a function. */
export interface FailureMessage {
  readonly origin: Origin;
  readonly name: string;
  readonly message: string;
  readonly data?: Json | undefined;
  readonly fatal: boolean;
}
