import type { Json, JsonObject } from "../json.ts";
import type { Answer, ReceivedEvent, StoredWait } from "./partition.ts";

/** A wait as a run begins it. */
export type NewWait = Omit<StoredWait, "end" | "dropped" | "isConfirmed" | "isClosed">;

/** What happens to a partition. Times (`at`) are in milliseconds since 1970 (UTC). */
export type Command =
  /** An event arrives. Its order is `next` unless the store numbers events over all partitions. */
  | {
      readonly kind: "arrive";
      readonly at: number;
      readonly event: JsonObject;
      readonly key?: string | undefined;
      readonly order?: number | undefined;
    }
  /**
   * A run begins to wait, in place of an earlier wait with the same id, whose answer the run has not received. With the
   * equal `data` (without any: equal `at`) it is a repetition, and its answer is repeated. A run that comes to a
   * step again waits with another id.
   */
  | { readonly kind: "wait"; readonly wait: NewWait }
  /**
   * A wait is over without its answer having been used: it was cut off, or its run is gone. Events that it had used are
   * released. With `discards`, events until its end are discarded if its step drops unused events. With
   * `closes`, such a wait stays, closed, until it is cancelled again with `discards`.
   */
  | {
      readonly kind: "cancelWait";
      readonly id: string;
      readonly at: number;
      readonly discards?: boolean | undefined;
      readonly closes?: boolean | undefined;
    }
  /** The time of a wait has passed; has no effect while some alternative is open. */
  | { readonly kind: "expire"; readonly id: string; readonly at: number }
  /** The run has received the answer of a wait. */
  | { readonly kind: "confirm"; readonly id: string }
  /** A run begins: events up to `after` are not for it. Omitted members keep their values. */
  | {
      readonly kind: "join";
      readonly run: string;
      readonly after?: number | undefined;
      readonly value?: Json | undefined;
    }
  /** A run has ended: its waits and the events that started it are forgotten; unconfirmed events are released. */
  | { readonly kind: "leave"; readonly run: string; readonly at: number }
  /** A run gets its correlation value, which its waits without one use from now on. */
  | { readonly kind: "setToken"; readonly run: string; readonly value: Json | undefined; readonly at: number }
  /**
   * Continues to match waits; repeat it while the partition is unsettled. Forced, it also matches waits whose rules
   * were missing before.
   */
  | { readonly kind: "settle"; readonly at: number; readonly isForced?: boolean | undefined }
  /** Deletes up to `limit` entries: unused events and keys that arrived before `before`, and what no longer counts. */
  | { readonly kind: "sweep"; readonly before: number; readonly limit: number };

/** What follows from a command. */
export type Effect =
  /** A wait has ended; its run is to continue with the answer, and then to confirm it. */
  | { readonly kind: "wake"; readonly wait: StoredWait; readonly answer: Answer }
  /** Events start a run. */
  | {
      readonly kind: "start";
      readonly workflow: string;
      readonly run: string;
      readonly at: number;
      readonly events: readonly ReceivedEvent[];
      readonly value: Json | undefined;
    }
  /** Events were deleted. */
  | { readonly kind: "forget"; readonly events: readonly number[] };
