import type { Collected } from "../../../../../src/matching/starting.ts";
import type { CloudEvent } from "../../events.ts";
import type { Claim } from "./messages.ts";

/** An inbox that is told of events. */
export interface Member {
  readonly order: number;
  readonly run: string;
  readonly inbox: string;
  readonly workflow: string;
  readonly version: string;
  /** The workflow of the run. */
  readonly root: string;
  readonly invocation: string;
  token: string;
}

/** Who has an event that is not used. */
export interface Holder {
  readonly order: number;
  readonly run: string;
  readonly inbox: string;
  readonly workflow: string;
  readonly root: string;
  readonly isOpen: boolean;
  isHeard: boolean;
}

/** An event that several may use. */
export interface Open {
  readonly number: number;
  readonly event: CloudEvent;
  readonly at: number;
  holders: Holder[];
  /** The workflows that it starts a run of where none of these uses it. */
  undecided: string[];
}

/** A claim; one that is granted keeps its events from all others until the run tells what has become of it. */
export interface Claimed extends Claim {
  readonly order: number;
  isGranted?: boolean;
}

/** What the book knows, besides the runs and the events that have come. */
export interface Page {
  clock: number;
  order: number;
  number: number;
  members: Member[];
  open: Open[];
  claims: Claimed[];
  collected: { [workflow: string]: readonly Collected<CloudEvent>[] };
  /** How many messages each run has been sent. */
  sent: { [run: string]: number };
}

export const emptyPage = (): Page => ({
  clock: 0,
  order: 0,
  number: 0,
  members: [],
  open: [],
  claims: [],
  collected: {},
  sent: {},
});
