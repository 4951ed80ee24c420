import type { Json, JsonObject } from "../../../../src/json.ts";

/**
 * What the conductor tells a helper of the run that it is called by: how it goes on behind the helper, and where in the run that is. The helper may answer at
 * once, or keep this and start the conductor again with it.
 */
export interface Caller {
  /** The conductor's action, as `__OW_ACTION_NAME` has it. */
  readonly flow: string;
  readonly run: string;
  /** When the run began, in milliseconds since 1970. */
  readonly began: number;
  /** The state behind the helper's (null: there is none), and the frames on the stack. */
  readonly state: string | null;
  readonly stack: readonly Json[];
  /** The indexes of the branches around it, outermost first. */
  readonly position?: readonly number[] | undefined;
  readonly join?: Join | undefined;
}

/**
 * Of which thread of a run an activation of the conductor is a part: the run itself, a branch of it, or an iteration. Opaque to the conductor, which hands it on
 * to helpers, and at its end to `rt-join`.
 */
export interface Join {
  /** What is told of the end: a fork, by its id, or `run` for the run as a whole. */
  readonly id: string;
  readonly index: number;
  /** The thread that the fork belongs to. */
  readonly parent?: string | undefined;
  readonly thread: string;
  /** Whose events this thread takes: a run and its branches share them, a subflow has its own. */
  readonly inbox: string;
  /** By which resumption the thread goes on: what still runs of an earlier one has no say any more. */
  readonly fence?: string | undefined;
}

/** What the conductor is started with to go on in the middle, under `$waybill`. */
export type Continuation = { readonly [part in keyof Caller]?: Caller[part] | undefined } & {
  readonly params?: JsonObject | undefined;
  /** The parameters have been looked at before: an error in them is one no more. */
  readonly isInspected?: boolean | undefined;
};

/** What a helper says when the run is to go on later: the activation of the conductor ends then. */
export const suspended = { $waybill: "suspended" } as const;

/** What a helper says when the time is over that the workflow gives it. */
export const timedOut = { error: { $waybill: "timeout" } } as const;

/** The frames of variables on a stack: what a branch has of the one that it starts from. */
export const variablesOn = (stack: readonly Json[]): readonly Json[] =>
  stack.filter((frame) => typeof frame === "object" && frame !== null && Object.hasOwn(frame, "let"));

/** The thread that a helper is called by: that of the run until it is in a branch. */
export const joinOf = ({ join, run }: Pick<Caller, "join" | "run">): Join =>
  join ?? { id: "run", index: 0, thread: run, inbox: run };

/** Whether a helper is called by a branch that its fork waits for inside an action: nothing is told of its end but by its result. */
export const isInside = ({ join, position = [] }: Caller): boolean => !join && position.length > 0;
