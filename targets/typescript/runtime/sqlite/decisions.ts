import type { Json, JsonObject } from "../../../../src/json.ts";
import type { Json as RuntimeJson } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { StoredAnswer } from "./answers.ts";
import type { NewSubscription } from "./wait-store.ts";

/** What a decision has written: to be announced when the transaction is committed. */
export interface Decision {
  readonly answers: readonly StoredAnswer[];
  readonly started: readonly number[];
}

/** A decision without consequences. */
export const noDecision: Decision = { answers: [], started: [] };

/** A subscription that a run begins. */
export interface SubscriptionBeginning extends Omit<NewSubscription, "after" | "value"> {
  readonly after?: number | undefined;
  readonly value: RuntimeJson | undefined;
}

/** A wait that a run begins. */
export interface WaitBeginning {
  readonly run: number;
  readonly key: string;
  readonly inbox: string;
  readonly workflow: AnyWorkflow;
  /** Its name in the workflow. */
  readonly wait: string;
  /** When the run was created. */
  readonly created: number;
  readonly position: readonly number[];
  readonly at: number;
  readonly variables: JsonObject;
  readonly values?: { readonly [key: string]: Json } | undefined;
  /** The entry of the journal for an answer that is there at once. */
  readonly seq: number;
}
