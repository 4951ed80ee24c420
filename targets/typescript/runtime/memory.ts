import type { Collected } from "../../../src/matching/starting.ts";
import { RunEnd, WorkflowError } from "./errors.ts";
import type { CloudEvent, Taken } from "./events.ts";
import { Following, neverAborted, type Signal } from "./flow/abort.ts";
import { listenersByPosition } from "./flow/context.ts";
import { startedBy } from "./flow/matching.ts";
import { runWorkflow } from "./flow/run.ts";
import type { Host, Inbox, Place } from "./host.ts";
import type { Json } from "./json.ts";
import type { AnyWorkflow, Workflow } from "./workflow.ts";

/** What a run in memory can touch: a clock, events, other workflows. */
export interface Surroundings {
  readonly runId: string;
  /** The time, in milliseconds since 1970 (UTC). */
  now(): number;
  /** Resolves after so many seconds; rejects with the signal's reason when that is aborted first. Positions order what rings at one virtual instant. */
  sleep(seconds: number, signal: AbortSignal, position: readonly number[]): Promise<void>;
  /** Hears every event from now on; returns how to stop. */
  listen(listener: (event: CloudEvent) => void): () => void;
  /** Whether an event is still for whoever uses it; absent: it is. */
  isFree?(event: CloudEvent): boolean;
  /** Takes an event for this run, which uses or drops it. */
  take?(event: CloudEvent): void;
  send(event: CloudEvent): Promise<void> | void;
  /** Between 0 and 1, for jitter; absent: 0.5, which is none. */
  random?(): number;
  visit?(step: string): void;
  /** Hears of each workflow that is started and not waited for; what it throws fails the run. */
  launch?(): void;
  /** Calls a workflow that is not in the program; absent: that fails. */
  callWorkflow?: Host["callWorkflow"];
  /** Lets others go on, in the middle of a run that only computes; absent: nobody else does. */
  giveWay?(): Promise<void>;
  /** Told once, at the instant the run starts. */
  started?(): void;
}

/** How a run ended. */
export type Outcome = { readonly output: Json } | { readonly error: WorkflowError };

/** Runs a workflow in memory: nothing of it outlives the process. Without an input, events start it where it has any that do. */
export async function runInMemory<F, I extends Json>(
  workflow: Workflow<F, I>,
  functions: F,
  surroundings: Surroundings,
  input?: I,
): Promise<Outcome> {
  const isByEvents = input === undefined && (workflow.start?.on ?? []).length > 0;
  const events = isByEvents ? await startingEvents(workflow, surroundings) : [];
  surroundings.started?.();
  const starting = {
    input: input === undefined ? {} : input,
    prefix: "",
    position: [],
    signal: neverAborted,
    isSubflow: false,
    events,
  };
  try {
    return { output: await runWorkflow({ host: memoryHost(surroundings), workflow, functions }, starting) };
  } catch (thrown) {
    if (thrown instanceof WorkflowError) return { error: thrown };
    if (!(thrown instanceof RunEnd)) throw thrown;
    return "value" in thrown.ending ? { output: thrown.ending.value } : { error: thrown.ending.error };
  }
}

/** A host that records nothing. */
function memoryHost(surroundings: Surroundings): Host {
  const { runId, callWorkflow = notThere, random = () => 0.5, visit = () => undefined } = surroundings;
  const sleep = (seconds: number, { signal, position }: Place) => {
    const following = new Following(signal);
    return surroundings.sleep(seconds, following.signal, position).finally(() => following.letGo());
  };
  return {
    runId,
    now: () => surroundings.now(),
    random,
    retried: () => 0,
    visit,
    once: (_key, work, signal) => perform(work, signal),
    wait: (_key, waiting, signal) => perform(waiting, signal),
    sleep: (_key, seconds, place) => sleep(Math.max(seconds, 0), place),
    sleepUntil(_key, instant, place) {
      const seconds = (instant - surroundings.now()) / 1000;
      return seconds > 0 ? sleep(seconds, place) : Promise.resolve();
    },
    detach(_key, work, launched) {
      if (launched) surroundings.launch?.();
      work().catch(() => undefined);
    },
    round: () => undefined,
    giveWay: () => surroundings.giveWay?.(),
    inbox: (_key, _workflow, first) => inboxOf(surroundings, first),
    emit: (_key, event, signal) => perform(() => surroundings.send(event), signal),
    callWorkflow,
  };
}

function perform<T>(work: () => Promise<T> | T, signal: Signal): Promise<T> | T {
  if (signal.aborted) throw signal.reason;
  return work();
}

function inboxOf(surroundings: Surroundings, first: readonly CloudEvent[]): Inbox {
  const { isFree = () => true, take = () => undefined } = surroundings;
  let waiting = [...first];
  const listeners = listenersByPosition();
  const close = surroundings.listen((event) => {
    waiting.push(event);
    listeners.tell();
  });
  return {
    get waiting() {
      waiting = waiting.filter((event) => first.includes(event) || isFree(event));
      return waiting;
    },
    token: undefined,
    replace(events) {
      for (const event of waiting) if (!events.includes(event)) take(event);
      waiting = [...events];
    },
    listen: (listener, position) => listeners.add(listener, position),
    close,
  };
}

/** Waits for the events that start a run, and gives them. */
function startingEvents(workflow: AnyWorkflow, surroundings: Surroundings): Promise<readonly Taken[]> {
  let collected: readonly Collected<CloudEvent>[] = [];
  return new Promise((resolve) => {
    const stop = surroundings.listen((event) => {
      if (surroundings.isFree?.(event) === false) return;
      const starting = startedBy(workflow, collected, event, surroundings.now());
      collected = starting.collected;
      if (!starting.taken) return;
      stop();
      for (const used of starting.taken) surroundings.take?.(used.event);
      resolve(starting.taken);
    });
  });
}

const notThere: Host["callWorkflow"] = (id) => {
  throw new WorkflowError("NotFound", `There is no workflow ${id} here.`, { origin: "function" });
};
