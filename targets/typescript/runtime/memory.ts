import { RunEnd, WorkflowError } from "./errors.ts";
import type { CloudEvent, ReceivedEvent } from "./events.ts";
import { FollowingSignal, neverAborted, type Signal, stoppable } from "./flow/abort.ts";
import { runWorkflow } from "./flow/run.ts";
import type { Step } from "./flow.ts";
import type { Host, Place } from "./host.ts";
import type { Json } from "./json.ts";
import { eventsOf, type RunEvents } from "./memory-events.ts";
import { missedHeartbeat, newTaskToken } from "./tasks.ts";
import type { Workflow } from "./workflow.ts";

/** The environment of a run in memory: a clock, events, other workflows. */
export interface Surroundings {
  readonly runId: string;
  /** The time, in milliseconds since 1970 (UTC). */
  now(): number;
  /**
   * Resolves after this many seconds; rejects with the signal's reason if aborted. Positions order timers of one
   * instant.
   */
  sleep(seconds: number, signal: AbortSignal, position: readonly number[]): Promise<void>;
  /** Subscribes to all events from now on, and those that runs send; returns how to unsubscribe. */
  listen(listener: (event: CloudEvent) => void): () => void;
  /** Runs with the same object compete for events; by default, the run is alone. */
  readonly simulation?: object;
  /** Whether events may start the run now; by default, they may. */
  mayStart?(): boolean;
  /** Called when events have started the run, or one of its waits has ended. */
  received?(): void;
  /** Emits an event. Listeners receive it too, if runs are to. */
  send(event: CloudEvent): Promise<void> | void;
  /** Creates the token of a task for a step; by default, it is random. */
  newToken?(step: string, place: TaskPlace): Promise<string>;
  /** Offers a task to the workers of an activity, until one has taken it; by default, none does. */
  offerTask?(token: string, activity: string, input: Json, place: TaskPlace & { readonly step: string }): Promise<void>;
  /** Resolves or rejects with the answer of the task of a token; by default, tasks have no answer. */
  taskAnswer?(token: string, place: TaskPlace & { readonly onHeartbeat: () => void }): Promise<Json>;
  /** A number in [0, 1) for jitter; by default 0.5, which means no jitter. */
  random?(): number;
  visit?(step: string): void;
  /** Called when a detached workflow starts. What it throws fails the run. */
  launch?(): void;
  /** Called when a subflow starts that its starter waits for, the `depth`-th of those that wait for each other. */
  subflow?(depth: number, input: Json): void;
  /** Calls a workflow outside the program; by default, that fails. */
  callWorkflow?(id: string, input: Json, step: Step): Promise<Json>;
  /** Yields to other work during long computations. */
  giveWay?(): Promise<void>;
  /** Called once, when the run starts. */
  started?(): void;
}

/** Where in a run a task is awaited, and whether it still is. */
export interface TaskPlace {
  readonly position: readonly number[];
  readonly signal: AbortSignal;
}

/** How a run ended. */
export type Outcome = { readonly output: Json } | { readonly error: WorkflowError };

/** Runs a workflow in memory. Without input, events start it, if it has a start by events. */
export async function runInMemory<F, I extends Json>(
  workflow: Workflow<F, I>,
  functions: F,
  surroundings: Surroundings,
  input?: I,
): Promise<Outcome> {
  const startsByEvents = input === undefined && (workflow.start?.on ?? []).length > 0;
  const events = eventsOf(surroundings);
  const started = startsByEvents ? await events.untilStarted(workflow, surroundings) : undefined;
  surroundings.started?.();
  const starting = {
    input: input === undefined ? {} : input,
    prefix: "",
    position: [],
    signal: neverAborted,
    isSubflow: false,
    events: (started?.events ?? []) as readonly ReceivedEvent[],
  };
  const host = memoryHost(surroundings, events.join(surroundings, started));
  try {
    return { output: await runWorkflow({ host, workflow, functions }, starting) };
  } catch (thrown) {
    if (thrown instanceof WorkflowError) return { error: thrown };
    if (!(thrown instanceof RunEnd)) throw thrown;
    return "value" in thrown.ending ? { output: thrown.ending.value } : { error: thrown.ending.error };
  }
}

/** A host that records nothing. */
function memoryHost(surroundings: Surroundings, events: RunEvents): Host {
  const { runId, callWorkflow = rejectCall, random = () => 0.5, visit = () => undefined } = surroundings;
  const sleep = (seconds: number, { signal, position }: Place) => {
    const following = new FollowingSignal(signal);
    return surroundings.sleep(seconds, following.signal, position).finally(() => following.release());
  };
  return {
    runId,
    now: () => surroundings.now(),
    random,
    retried: () => 0,
    visit,
    once: (_key, work, signal) => perform(work, signal),
    sleep: (_key, seconds, place) => sleep(Math.max(seconds, 0), place),
    sleepUntil(_key, instant, place) {
      const seconds = (instant - surroundings.now()) / 1000;
      return seconds > 0 ? sleep(seconds, place) : Promise.resolve();
    },
    detach(_key, work, launched) {
      if (launched) surroundings.launch?.();
      work().catch(() => undefined);
    },
    nest: (depth, input) => surroundings.subflow?.(depth, input),
    round: () => undefined,
    giveWay: () => surroundings.giveWay?.(),
    subscribe: (key, subscribed, start) => events.subscribe(key, subscribed, start),
    receive: (_key, request, place) => events.receive(request, place),
    emit: (_key, event, signal) => perform(() => surroundings.send(event), signal),
    ...tasksOf(surroundings, sleep),
    callWorkflow,
  };
}

/** Tasks that the surroundings answer. */
function tasksOf(
  { newToken, offerTask, taskAnswer }: Surroundings,
  sleep: (seconds: number, place: Place) => Promise<void>,
): Pick<Host, "openTask" | "offerTask" | "taskAnswer"> {
  return {
    openTask: (_key, { step }, place) =>
      newToken ? following(place, (given) => newToken(step, given)) : newTaskToken(),
    offerTask: (_key, { token, step, activity, input }, place) =>
      following(place, (given) =>
        offerTask ? offerTask(token, activity, input, { ...given, step }) : never(given.signal),
      ),
    taskAnswer: (_key, { token, heartbeat }, place) =>
      withHeartbeats(heartbeat, place, sleep, (onHeartbeat) =>
        following(place, (given) => (taskAnswer ? taskAnswer(token, { ...given, onHeartbeat }) : never(given.signal))),
      ),
  };
}

/** Waits for the surroundings with an `AbortSignal`. */
function following<T>({ signal, position }: Place, ask: (place: TaskPlace) => Promise<T>): Promise<T> {
  const own = new FollowingSignal(signal);
  return ask({ position, signal: own.signal }).finally(() => own.release());
}

/** Rejects when the signal is aborted. */
const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** Rejects if the next heartbeat is not there in time. */
function withHeartbeats<T>(
  seconds: number | undefined,
  { signal, position }: Place,
  sleep: (seconds: number, place: Place) => Promise<void>,
  work: (onHeartbeat: () => void) => Promise<T>,
): Promise<T> {
  if (seconds === undefined) return work(() => undefined);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let timer = stoppable(signal);
  const beat = (): void => {
    timer.stop();
    timer = stoppable(signal);
    sleep(seconds, { position, signal: timer.signal }).then(
      () => reject(missedHeartbeat()),
      () => undefined,
    );
  };
  work(beat)
    .finally(() => timer.stop())
    .then(resolve, reject);
  beat();
  return promise;
}

function perform<T>(work: () => Promise<T> | T, signal: Signal): Promise<T> | T {
  if (signal.aborted) throw signal.reason;
  return work();
}

const rejectCall: Host["callWorkflow"] = (id) => {
  throw new WorkflowError("NotFound", `There is no workflow ${id} here.`, { origin: "function" });
};
