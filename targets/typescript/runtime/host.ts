import type { CallName } from "./engine.ts";
import type { CloudEvent } from "./events.ts";
import type { Signal } from "./flow/abort.ts";
import type { Step } from "./flow.ts";
import type { Json, JsonObject } from "./json.ts";
import type { AnyWorkflow } from "./workflow.ts";

/**
 * Where a run lives. A host decides what is recorded, and gives it back to a run that is resumed; how branches, retries and waits for events work is the
 * same on every host. Keys name the effects of a run: each is used once, and a resumed run uses the same ones. The laws of a host that keeps runs, which
 * `test/hosts` holds against each:
 *
 * 1. Recorded once. How an effect came out is there for good before the run is told, and is never asked for again; what was under way when a process died
 *    is done again, with the same key. A run is told one thing at a time, in the order in which these were recorded, also when it is resumed.
 * 2. Durable timers. An instant is recorded when it is first asked for; it rings once, at that instant or, where no process was there, at the next chance.
 * 3. Durable children. A workflow that nobody waits for is a run of its own, started in the transaction that records that; one that is waited for is part
 *    of its run.
 * 4. Messages. An event is taken in once, by its source and id, in one transaction with what it wakes: it goes to the runs that have its correlation value,
 *    is kept for as long as these go on, also while no process is there, and each is used by one run and there by one wait.
 * 5. Starts. With the id of a run that there is, that one is given and nothing is started; an event that starts a run does so once.
 * 6. Versions. A run goes on with the version of its workflow that it began with; where that is missing it is stranded, and nothing of it is lost.
 * 7. Runs are listed, shown, cancelled, retried from where they failed, and forgotten when they have ended.
 * 8. No host takes a run for its own that another process goes on with.
 *
 * A host that keeps nothing (`memory.ts`) has no process to outlive: it keeps what of these laws is about one process.
 */
export interface Host {
  readonly runId: string;
  /** The time, in milliseconds since 1970 (UTC). */
  now(): number;
  /** Between 0 and 1, for jitter: the same each time for one key of a run that is recorded. */
  random(key: string): number;
  /** How often what failed under a key was forgotten, as the run was to go on from there. */
  retried(key: string): number;
  /** Whether the process is about to stop: a call that has not begun need not. Absent where none stops while calls wait. */
  isStopping?(): boolean;
  /** Hears of each step as it is entered. */
  visit(step: string): void;
  /**
   * Does something, once: how it came out is recorded under the key before it is told, also when it failed. What is aborted is not recorded. A host that
   * records nothing gives what is there at once.
   */
  once<T>(key: string, work: () => Promise<T> | T, signal: Signal): Promise<T> | T;
  /** Makes a call of a function; absent: nobody wants to hear of it. */
  calling?<T>(call: CallName, work: () => Promise<T> | T): Promise<T> | T;
  /**
   * As `once`, for what only waits for events or time: a run of which nothing else is going on need not be kept in memory. `events` are the names of the
   * definitions of what it waits for.
   */
  wait<T>(key: string, waiting: () => Promise<T> | T, signal: Signal, events: readonly string[]): Promise<T> | T;
  /**
   * Resolves so many seconds after it was first asked for under this key, not before what is there at the same instant. Rejects with the signal's reason when
   * that is aborted. Of timers that ring at one instant on a virtual clock the one with the first position does so first.
   */
  sleep(key: string, seconds: number, place: Place): Promise<void>;
  /** As `sleep`, until an instant in milliseconds since 1970. */
  sleepUntil(key: string, instant: number, place: Place): Promise<void>;
  /**
   * Does something that nobody waits for, once, even when the run has ended before it is done. Where that is to run a workflow, `launched` says which, so
   * that a host can make it a run of its own.
   */
  detach(key: string, work: () => Promise<unknown>, launched?: Launched): Promise<void> | void;
  /**
   * Records what a loop begins its next round with, and forgets what the rounds before it have recorded. Gives what is recorded; undefined where nothing
   * ever is. The loop is known by its name and by what begins the keys of its flow; `entered` is how often each step of the flow has been entered.
   */
  round(
    prefix: string,
    name: string,
    data: JsonObject,
    entered: Recorded<RoundState["entered"]>,
  ): Promise<RoundState> | undefined;
  /** Lets other runs and what the process hears go on, in the middle of a run that only computes; undefined where nothing else goes on. */
  giveWay(): Promise<void> | undefined;
  /** The events of a run, or of a subflow in it, from when it starts; `first` are those that started it. */
  inbox(key: string, workflow: AnyWorkflow, first: readonly CloudEvent[]): Inbox;
  /** Sends an event to the world, once: how a host that records sees to it is nothing that the run hears of. */
  emit(key: string, event: CloudEvent, signal: Signal): Promise<void> | void;
  /** Calls a workflow that is not in the program. */
  callWorkflow(id: string, input: Json, step: Step): Promise<Json>;
}

/** Where in a run something is done: the indexes of the branches and items around it, outermost first, and what cuts it off. */
export interface Place {
  readonly position: readonly number[];
  readonly signal: Signal;
}

/** A workflow that is started and not waited for. */
export interface Launched {
  readonly workflow: AnyWorkflow;
  readonly input: Json;
}

/** What can be recorded, in the form in which it is. */
export interface Recorded<T> {
  toRecord(): T;
}

/** What a round begins with: the data of the loop, and how often each step of the flow had been entered. */
export interface RoundState {
  readonly data: JsonObject;
  readonly entered: { readonly [name: string]: number };
}

/** Events of a definition that a wait waits for. */
export interface Demand {
  readonly name: string;
  /** Any one is used as it comes: no condition has to hold for it, and nothing else has to come or must not. */
  readonly isSure: boolean;
}

/** The events that have come for a run and that it has not used, in order of arrival. */
export interface Inbox {
  readonly waiting: readonly CloudEvent[];
  /** The correlation value, once there is one. */
  token: Json | undefined;
  /** Puts back what a wait has not used, in place of all that was there. */
  replace(events: readonly CloudEvent[]): void;
  /**
   * Hears of every arrival until it is told to stop, before those behind its position; the event is in `waiting` by then. `demands` are what the listener
   * waits for: of the events that are for anybody only those come.
   */
  listen(listener: () => void, position: readonly number[], demands: readonly Demand[]): () => void;
  close(): void;
}
