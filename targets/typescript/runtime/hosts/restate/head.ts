import type { PartitionKeys } from "../broker/routing.ts";

/** The form of the object's state that this program reads and writes. */
export const form = 2;

/** What the object knows besides runs and partitions. */
export interface BookHead {
  readonly form: number;
  /** No earlier than any instant that it has received. */
  clock: number;
  /** How many runs and subflows have been started, and how many events have arrived. */
  order: number;
  number: number;
  /** Events up to this number arrived before every run that may still wait. */
  oldest: number;
  /** The versions of the workflows of the program that has used the state last. */
  program: string;
  keys: PartitionKeys;
  /** How many runs may wait, by ranges of the events that are for them. */
  live: { [range: string]: number };
  /** How many runs and subflows that may wait use each version of a workflow. */
  versions: { [version: string]: number };
}

/** A run that may wait for events. */
export interface Member {
  readonly order: number;
  /** The order of its root run, if that is another one. */
  readonly root?: number | undefined;
  readonly at: number;
  /** Events with greater numbers are for the run. */
  readonly after: number;
  readonly invocation: string;
  readonly workflow: string;
  readonly version: string;
  readonly partitions: readonly string[];
  readonly subflows: {
    readonly [key: string]: SubflowMember;
  };
}

/** A subflow in a run that may wait for events. */
export interface SubflowMember {
  readonly workflow: string;
  readonly version: string;
  readonly after: number;
  /** Its order among runs and subflows. Earlier programs have not stored it. */
  readonly order?: number;
}

/** The age of a run, or of a subflow in it: that of its root run, and then its own. */
export function ageOf({ order, root }: Member, subflow?: SubflowMember): readonly number[] {
  if (subflow) return subflow.order === undefined ? [root ?? order] : [root ?? order, subflow.order];
  return root === undefined ? [order] : [root, order];
}

/** What the state may contain: heads of form 1 have no `form`. */
export type StoredHead = Partial<BookHead> & { readonly members?: readonly unknown[] };

/** The head of a state, or of an empty one. Throws if this program cannot read it. */
export function headFrom(stored: StoredHead | null): BookHead {
  if (stored && (stored.form ?? 1) !== form && (stored.form !== undefined || stored.members?.length !== 0))
    throw new Error(`The state of Restate has the form ${stored.form ?? 1}, and this program reads form ${form}.`);
  const { clock = 0, order = 0, number = 0 } = stored ?? {};
  return {
    form,
    clock,
    order,
    number,
    oldest: number,
    program: "",
    keys: {},
    live: {},
    versions: {},
    ...(stored?.form && stored),
  };
}
