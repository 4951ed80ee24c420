import type { Json } from "../../src/json.ts";

/** A state machine, a branch or an item processor, before its states have their names: states refer to each other by `StateKey`. */
export interface Machine {
  readonly start: StateKey;
  readonly states: readonly State[];
}

/** Tells a state from all others of its machine, branches included: the id of the step that it begins with, or a derivative. */
export type StateKey = string;

/** One state. `fields` are those of its type in the order in which they are written; references and branches stand in the other members. */
export interface State {
  readonly key: StateKey;
  readonly type: "Pass" | "Task" | "Choice" | "Wait" | "Parallel" | "Map" | "Succeed" | "Fail";
  /** The step that it stands for. */
  readonly step: string;
  /** Whether it only computes expressions for states that follow. */
  readonly computes?: boolean | undefined;
  readonly fields: readonly (readonly [string, Json])[];
  readonly choices?: readonly Edge[] | undefined;
  /** `Default` of a Choice. */
  readonly otherwise?: StateKey | undefined;
  readonly branches?: readonly Machine[] | undefined;
  readonly processor?: Machine | undefined;
  readonly retry?: readonly Json[] | undefined;
  readonly catch?: readonly Edge[] | undefined;
  readonly exit?: Exit | undefined;
}

/** A choice rule or a catcher: what it asks (`Condition`, or `ErrorEquals`), where it leads, and the data on the way. */
export interface Edge {
  readonly when: readonly [string, Json];
  readonly next: StateKey;
  readonly output?: Json | undefined;
  readonly assign?: { readonly [variable: string]: Json } | undefined;
}

/** How a state is left when it succeeds; no `next` ends its `States` object. */
export interface Exit {
  readonly next: StateKey | undefined;
  readonly output?: Json | undefined;
  readonly assign?: { readonly [variable: string]: Json } | undefined;
}
