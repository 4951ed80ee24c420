import type { Json, JsonObject } from "../../../src/json.ts";

/** What the functions of a workflow that receives events know of it. */
export interface Definition {
  /** What its spaces are called by: workflows that take events from each other have the same. */
  readonly workflow: string;
  /** What stands before the ids of its own steps, where there are waits of several workflows. */
  readonly own?: string | undefined;
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** The waits of the workflow, by the ids of their steps. */
  readonly waits: ReadonlyMap<string, Wait>;
  /** Whether all waits are for events with the correlation value that their run has from the start: each value then has a space of its own. */
  readonly sharded: boolean;
  /** How events start runs: of the workflow, or of each of those that take events from each other which events start. */
  readonly starts?: readonly Start[] | undefined;
  /** What the language calls an error of an expression that has no name; absent: as we do. */
  readonly unnamedError?: string | undefined;
}

/** An arriving event is of a definition when it has all the attributes given here. */
export interface EventDefinition {
  /** What its workflow calls it, where there are definitions of several. */
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly subject?: string | undefined;
  /** Compare the attributes without regard to case. */
  readonly foldCase?: boolean | undefined;
  /** What of an event has to equal the correlation value of a run; null is none. */
  readonly correlation?: ((event: JsonObject) => Json) | undefined;
}

/** Waits for the first alternative all of whose events have come. */
export interface Wait {
  readonly alternatives: readonly Alternative[];
  readonly unused: "keep" | "drop";
  /** What its language calls an error of an expression that has no name, where there are waits of several workflows. */
  readonly unnamedError?: string | undefined;
}

/** Of each group any pattern suffices; no event of `none` may have come; given up after so many seconds. */
export interface Alternative {
  readonly all: readonly (readonly Pattern[])[];
  readonly none: readonly Pattern[];
  readonly within?: number | undefined;
}

/** An event of a definition, for which `when` holds. */
export interface Pattern {
  readonly event: string;
  readonly when?: ((event: JsonObject, variables: JsonObject) => Json) | undefined;
}

/**
 * The events that start runs: any of them, or, `complete`, all of one alternative, at most `gap` seconds one after the other; of those that come at `from`
 * or later, and before `until` (milliseconds since 1970, UTC).
 */
export interface Start {
  /** The workflow, where events start several. */
  readonly workflow?: string | undefined;
  /** What the ARN of its state machine is called among those of the host. */
  readonly machine: string;
  /** The wait that is over as runs begin, whose answer is their input. */
  readonly behind?: string | undefined;
  readonly on: readonly Alternative[];
  readonly complete: boolean;
  readonly gap?: number | undefined;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * All that waits for each other: the events of a workflow, or those of one correlation value, and the waits of its runs. It is read as a whole, and
 * written only if nobody has changed it since.
 */
export interface Space {
  /** Grows with every change. */
  readonly version: number;
  /** The place that the next event gets among those of the space. */
  readonly next: number;
  /** In order of arrival. */
  readonly events: readonly Arrival[];
  readonly waits: readonly Waiting[];
  readonly starts: readonly Starting[];
  /** What is known of runs, by their ids: what was read of them, and what has changed. */
  readonly runs: ReadonlyMap<string, Run>;
}

/** An event that has come and is not used. */
export interface Arrival {
  readonly order: number;
  /** Milliseconds since 1970 (UTC). */
  readonly at: number;
  readonly event: JsonObject;
  /** What runs are called that it may start: not asked so far, as somebody waited for it when it came. */
  readonly mayStart?: string | undefined;
  /** The run that it has started: it is for that one only. */
  readonly run?: string | undefined;
  /** The workflow of that run, where events start several: each run has an event of its own then. */
  readonly workflow?: string | undefined;
  /** Waits for other events to start a run with: as what each workflow takes it. */
  readonly collected?: readonly Mark[] | undefined;
}

/** What a workflow takes an event as that waits for others to start a run with, and the text of its correlation value. */
export interface Mark {
  readonly name: string;
  readonly token?: string | undefined;
}

/** What is kept of a run: its correlation value where an event has set it, and, where events started it, the place of the last that came before it. */
export interface Run {
  readonly token?: Json | undefined;
  readonly after?: number | undefined;
}

/** A run that waits. */
export interface Waiting extends Run {
  readonly key: string;
  readonly step: string;
  readonly run: string;
  /** When the run began. */
  readonly started: number;
  /** Indexes of the branches and iterations around the step, outermost first. */
  readonly position: readonly number[];
  readonly variables: JsonObject;
  /** When the wait began. */
  readonly at: number;
  /** The token of the task that waits. */
  readonly task: string;
  /** Set when the wait is over and its task has to be told. */
  readonly ended?: Ended | undefined;
  /** The task has ended by itself; only what came until then is still to be dropped. */
  readonly over?: true | undefined;
}

/** How a wait ended, and all that is needed to take that back. */
export interface Ended {
  readonly at: number;
  /** How often somebody has set out to tell the task. */
  readonly attempt: number;
  readonly answer: Answer;
  /** The events that were used or dropped. */
  readonly taken: readonly Arrival[];
  /** Whether the run has its correlation value from one of them. */
  readonly sets: boolean;
}

/** What a task is told. */
export interface Answer {
  readonly received: Received;
  readonly token: Json;
}

/** The alternative that was taken, its events in order of arrival, each once, and the event that counts for each of its groups. */
export interface Received {
  readonly alternative: number | null;
  readonly events: readonly Taken[];
  readonly groups: readonly Taken[];
}

/** Stands for an alternative where a condition on an event has failed: the only group is the error then. */
export const failedLook = -1;

/** An event, and the name of the definition that it was taken as. */
export interface Taken {
  readonly name: string;
  readonly event: JsonObject;
}

/** A run that is to be started. */
export interface Starting {
  readonly name: string;
  /** What its first wait is told, where it begins behind that. */
  readonly answer?: Answer | undefined;
  /** The workflow, where events start several. */
  readonly workflow?: string | undefined;
}
