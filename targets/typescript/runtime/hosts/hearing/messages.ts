import type { CloudEvent, Taken } from "../../events.ts";
import type { Json } from "../../json.ts";

/** What a run begins with. */
export interface Begin {
  readonly id: string;
  readonly workflow: string;
  readonly version: string;
  readonly input: Json;
  readonly at: number;
  /** The events that start it. */
  readonly taken: readonly Taken[];
  /** Whether it is told of events. */
  readonly hears: boolean;
}

/** What a run is told by others, one after the other. */
export type Message =
  | {
      readonly kind: "event";
      readonly at: number;
      readonly inbox: string;
      readonly number: number;
      readonly isShared: boolean;
      readonly event: CloudEvent;
    }
  | { readonly kind: "lost"; readonly at: number; readonly inbox: string; readonly number: number }
  | {
      readonly kind: "claimed";
      readonly at: number;
      readonly claim: number;
      readonly isGranted: boolean;
      /** What of the claim the inbox does not have any more. */
      readonly gone?: readonly number[];
    }
  | { readonly kind: "retry"; readonly at: number };

/** A run, where it is started. */
export interface NewRun {
  readonly id: string;
  readonly workflow: string;
  readonly version?: string;
  readonly input: Json;
}

/** An inbox of a run, as it begins. */
export interface Joining {
  readonly run: string;
  readonly inbox: string;
  readonly workflow: string;
  readonly version: string;
  readonly token: string;
}

/** A run is about to use events that others may use. */
export interface Claim {
  readonly run: string;
  readonly inbox: string;
  readonly claim: number;
  readonly numbers: readonly number[];
}

/** What has become of a claim that was granted: a run has used the events, or does not, as the wait that claimed them was cut off. */
export interface Granted {
  readonly run: string;
  readonly claim: number;
}

/** A run has heard of an event and does not use it now. */
export interface Heard {
  readonly run: string;
  readonly inbox: string;
  readonly number: number;
}

/** How a run began, as it is kept. */
export interface Kept {
  readonly order: number;
  readonly workflow: string;
  readonly version: string;
  readonly at: number;
  readonly input: Json;
  /** What the run is reached by. */
  readonly invocation: string;
  /** When it was ended from outside, where it could not say so itself. */
  readonly cancelled?: number;
}

/** What the book is told by a run. */
export type Said =
  | { readonly method: "start"; readonly what: NewRun }
  | { readonly method: "join"; readonly what: Joining }
  | { readonly method: "token"; readonly what: Pick<Joining, "run" | "inbox" | "token"> }
  | { readonly method: "leave"; readonly what: Leaver }
  | { readonly method: "heard"; readonly what: Heard }
  | { readonly method: "claim"; readonly what: Claim }
  | { readonly method: "used" | "unused"; readonly what: Granted };

/** A run, or a subflow in it, that listens no more. */
export interface Leaver {
  readonly run: string;
  readonly inbox?: string;
}
