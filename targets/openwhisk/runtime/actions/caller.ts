import type { Json, JsonObject } from "../../../../src/json.ts";

/**
 * The state of a run that calls the helper action, signed by the conductor: how it continues, and its position in the
 * run. An operation responds at once, or stores this and starts the conductor again with it.
 */
export interface Caller {
  /** The action of the conductor, as in `__OW_ACTION_NAME`. */
  readonly flow: string;
  readonly run: string;
  /** When the run began, in milliseconds since 1970. */
  readonly began: number;
  /** The next state. Null: none, the run is over. */
  readonly state: string | null;
  readonly stack: readonly Json[];
  /** The indexes of the branches around it, outermost first. */
  readonly position?: readonly number[] | undefined;
  readonly join?: Join | undefined;
  /** When the run began that started this one without waiting for it, in milliseconds since 1970. */
  readonly rootBegan?: number | undefined;
  /** The prefix of idempotency keys, the number of calls, and the call that is being repeated. */
  readonly key?: string | undefined;
  readonly calls?: number | undefined;
  readonly attempt?: JsonObject | undefined;
}

/** Identifies a thread of a run: the run itself, a branch, or an iteration. Opaque to the conductor. */
export interface Join {
  /** What its end is reported to: the id of a fork, or `run`. */
  readonly id: string;
  readonly index: number;
  /** The thread of the fork. */
  readonly parent?: string | undefined;
  readonly thread: string;
  /** Identifies the events that it may receive: a run and its branches share them, a subflow has its own. */
  readonly inbox: string;
  /** Orders subflows of one run behind it: the position at which they start. */
  readonly age?: readonly number[] | undefined;
  /** When the run began that a subflow is part of, in milliseconds since 1970. */
  readonly rootBegan?: number | undefined;
  /**
   * The innermost fork around it that may be decided before its branch has ended. Null: no fork may; undefined: unknown,
   * in documents of earlier versions.
   */
  readonly enclosing?: ForkReference | null | undefined;
  /** Identifies the resumption that the thread runs by. Activations of earlier ones no longer count. */
  readonly fence?: string | undefined;
}

/** A fork and the thread that waits at it. */
export interface ForkReference {
  readonly thread: string;
  readonly id: string;
}

/** The parameter `$waybill` of the conductor: starts it in the middle of a composition. */
export type Continuation = { readonly [part in keyof Caller]?: Caller[part] | undefined } & {
  readonly params?: JsonObject | undefined;
  /** The correlation value of the event that starts the run. */
  readonly token?: Json | undefined;
  /** Whether an error in the parameters is data, because it was handled before. */
  readonly isInspected?: boolean | undefined;
};

/** The response if the run continues later: this activation of the conductor then ends. */
export const suspended = { $waybill: "suspended" } as const;

/** The response if the time that the workflow allows has passed. */
export const timedOut = { error: { $waybill: "timeout" } } as const;

/** The variables on a stack, which a branch inherits. */
export const variablesOn = (stack: readonly Json[]): readonly Json[] =>
  stack.filter((frame) => typeof frame === "object" && frame !== null && Object.hasOwn(frame, "let"));

/** The thread of a caller. */
export const joinOf = ({ join, run, rootBegan }: Pick<Caller, "join" | "run" | "rootBegan">): Join =>
  join ?? { id: "run", index: 0, thread: run, inbox: run, ...(rootBegan !== undefined && { rootBegan }) };

/** Whether the caller is a branch whose activation its fork waits for. */
export const isInside = ({ join, position = [] }: Pick<Caller, "join" | "position">): boolean =>
  !join && position.length > 0;

/** What the idempotency keys of a branch depend on. */
interface BranchPrefix {
  readonly key?: string | undefined;
  readonly run?: string | undefined;
  readonly calls?: number | undefined;
}

/** The prefix of the idempotency keys of a branch. */
export const branchKey = (caller: BranchPrefix, index: number): string => `${callKey(caller)}.${index}`;

/** Identifies a request of a run: the same when it is repeated. */
export const callKey = ({ key, run, calls = 0 }: BranchPrefix): string => `${key ?? run}/${calls}`;
