import type { NewWait } from "../../../../src/events/commands.ts";
import { emptyPartition, type Partition } from "../../../../src/events/partition.ts";
import { partitionOf, partitionsOf } from "../../../../src/events/routing.ts";
import { type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { HelperContext } from "./action.ts";
import type { Caller } from "./caller.ts";
import { type Awaited, type EventProgram, groupOf, routingsOf } from "./event-rules.ts";

/**
 * A partition of events in one document, so that one compare-and-set makes a decision. Its outcomes stay in it until
 * they are performed: waits that have ended and are not confirmed, and runs to start. Each activation that changes
 * a partition performs what is left, so that a crash loses nothing; performing something twice has no effect.
 */
export interface PartitionDocument {
  readonly partition: Partition;
  /** What waits are for, by digest. */
  readonly kinds: { readonly [digest: string]: Awaited };
  /** The digests of waits whose functions the last deployment did not contain. These waits receive no events. */
  readonly lacking?: readonly string[];
}

/** An operation's environment with the events of the program. */
export interface EventContext extends HelperContext {
  readonly program: EventProgram;
}

/** A partition without events and waits. */
export const emptyDocument: PartitionDocument = { partition: emptyPartition, kinds: {} };

/** The prefix of the keys of partitions. */
export const partitionPrefix = "events:";

/** The key of a partition: its group, and the correlation value. */
export const partitionKey = (group: string, value: string): string =>
  `${partitionPrefix}${encodeURIComponent(group)}:${value}`;

/** The group in the key of a partition. */
export function groupIn(key: string): string {
  const [, group = ""] = /^events:([^:]*):/.exec(key) ?? [];
  return decodeURIComponent(group);
}

/** The partitions that an event is for. */
export const partitionsFor = (event: JsonObject, program: EventProgram): readonly string[] =>
  [...routingsOf(program)].flatMap(([group, routing]) =>
    [...partitionsOf(event, routing)].map((value) => partitionKey(group, value)),
  );

/** The partition of a wait with correlation values, or with the run's value. */
export function partitionFor(
  { flow }: Pick<Caller, "flow">,
  values: { readonly [key: string]: Json } | undefined,
  token: Json | undefined,
  program: EventProgram,
): string {
  const group = groupOf(program, flow);
  const routing = routingsOf(program).get(group) ?? { events: [] };
  return partitionKey(group, partitionOf(values, token, routing));
}

/** Reads a partition. */
export const readPartition = async (key: string, { documents }: HelperContext): Promise<PartitionDocument> =>
  (await documents.read<PartitionDocument>(key)) ?? emptyDocument;

/** The correlation value of a run, as the partition knows it. */
export const runValueOf = ({ partition }: PartitionDocument, run: string): Json | undefined =>
  own(partition.runs, run)?.value;

/** The id of a wait in its partition. */
export const waitId = (thread: string, at: string): string => `${thread}@${at}`;

/** A thread that waits for events. */
export interface Waiting {
  readonly thread: string;
  /** The id of its checkpoint. */
  readonly at: string;
  readonly inbox: string;
  /** Orders subflows behind the run that contains them. */
  readonly age?: readonly number[];
  /** When the run began that a subflow is part of. */
  readonly rootBegan?: number;
  /** When its run began, and when the wait did. */
  readonly began: number;
  readonly since: number;
  readonly position?: readonly number[];
  readonly variables: JsonObject;
  /** The correlation values that the wait begins with, by key. */
  readonly values?: { readonly [key: string]: Json };
}

/** The wait of a thread. */
export const newWait = (waiting: Waiting, digest: string): NewWait => {
  const { thread, at, inbox, began, rootBegan, since, age = [], position = [], variables, values } = waiting;
  return {
    id: waitId(thread, at),
    run: inbox,
    step: digest,
    age: rootBegan === undefined ? [began, ...age] : [rootBegan, began, ...age],
    position,
    since: began,
    at: since,
    variables,
    ...(values && { values }),
    data: { thread, at },
  };
};
