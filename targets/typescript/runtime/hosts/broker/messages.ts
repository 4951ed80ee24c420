import type { Answer } from "../../../../../src/events/partition.ts";
import type { CloudEvent, ReceivedEvent } from "../../events.ts";
import type { Json } from "../../json.ts";

/** A run to be started. */
export interface NewRun {
  readonly id: string;
  readonly workflow: string;
  readonly version?: string;
  readonly input: Json;
  /** The run that starts it, as a subflow that runs apart. */
  readonly parent?: string;
  /** The trace context of what starts it. */
  readonly trace?: string;
}

/** What a run begins with. */
export interface Begin {
  readonly id: string;
  readonly workflow: string;
  readonly version: string;
  readonly input: Json;
  readonly at: number;
  /** The events that start it. */
  readonly taken: readonly ReceivedEvent[];
  /** Whether it may wait for events. */
  readonly receives: boolean;
  /** Whether a workflow of the program received events when it began. */
  readonly delivers: boolean;
  /** The trace context of what has started it. */
  readonly trace?: string;
  /** Whether it posts its trace context with its events. Runs that began before programs did so replay without it. */
  readonly postsTrace?: true;
}

/** The stored beginning of a run. */
export interface KeptRun {
  readonly order: number;
  /** The order of the root run of a subflow that runs apart. */
  readonly root?: number | undefined;
  readonly workflow: string;
  readonly version: string;
  readonly at: number;
  readonly input: Json;
  /** The id of its invocation. */
  readonly invocation: string;
  /** When it was ended from outside while its code was missing. */
  readonly cancelled?: number;
}

/** A subscription of a subflow. */
export interface SubflowSubscription {
  readonly run: string;
  /** The prefix of the subflow's keys. */
  readonly key: string;
  readonly workflow: string;
  readonly version: string;
  readonly value?: Json | undefined;
}

/** A wait that a run begins. */
export interface WaitMessage extends WaitReference {
  /** The broker's name of the wait's step. */
  readonly step: string;
  readonly version: string;
  readonly position: readonly number[];
  readonly at: number;
  readonly variables: { readonly [name: string]: Json | undefined };
  /** The name under which the run awaits the answer. */
  readonly reply: string;
  /** What the run has found among the events that this wait was to examine. */
  readonly examined?: unknown;
}

/** A wait of a run, with what finds its partition. */
export interface WaitReference {
  readonly run: string;
  /** The key of the subscription: empty for the run itself. */
  readonly key: string;
  readonly wait: string;
  readonly workflow: string;
  readonly values?: { readonly [key: string]: Json } | undefined;
  /** The correlation value of the run when the wait began. */
  readonly value?: Json | undefined;
}

/** What a run reports. */
export type RunReport =
  | { readonly method: "start"; readonly what: NewRun }
  | { readonly method: "join"; readonly what: SubflowSubscription }
  | { readonly method: "leave"; readonly what: { readonly run: string; readonly key?: string } }
  | { readonly method: "wait"; readonly what: WaitMessage }
  | { readonly method: "cancelWait" | "confirm" | "expire"; readonly what: WaitReference }
  | { readonly method: "deliverAll"; readonly what: readonly CloudEvent[] };

/** The recorded form of an answer. Groups refer to its events, so that each is recorded once. */
export interface AnswerRecord extends Omit<Answer, "groups"> {
  readonly groups: readonly { readonly name: string; readonly event: number }[];
}

/** The record of an answer. */
export const recordOf = ({ groups, ...answer }: Answer): AnswerRecord => ({
  ...answer,
  groups: groups.map(({ name, event }) => ({
    name,
    event: answer.events.findIndex((each) => each.event === event),
  })),
});

/** The answer of a record. */
export const answerFrom = ({ groups, ...answer }: AnswerRecord): Answer => ({
  ...answer,
  groups: groups.map(({ name, event }) => ({ name, event: answer.events[event]!.event })),
});

/** The broker's name of a run, or of a subflow in it. */
export const brokerRun = (run: string, key: string): string => JSON.stringify([run, key]);

/** The run of a broker's run. */
export const runIn = (run: string): string => (JSON.parse(run) as readonly [string, string])[0];

/** The broker's id of a wait of a run. */
export const waitId = ({ run, wait }: Pick<WaitReference, "run" | "wait">): string => JSON.stringify([run, wait]);
