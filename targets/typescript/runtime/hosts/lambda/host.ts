import type { StepConfig } from "@aws/durable-execution-sdk-js";
import type { CloudEvent } from "../../events.ts";
import type { Signal } from "../../flow/abort.ts";
import type { Host, Place } from "../../host.ts";
import { chanceOf, noTasks, WorkflowError } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { again, type Entry, type Journal, nameOf, type Outcome } from "./journal.ts";
import type { RunEvents } from "./run-events.ts";

/** What a run can reach in addition to the operations of its execution. */
export interface RunConnections {
  readonly runId: string;
  /** When its root run was started. */
  readonly root: number;
  /** Sends an event. Rejects if it may be accepted later. */
  send(event: CloudEvent): Promise<void>;
  /** Delivers an event to the program's own waits and starts. */
  deliver(event: CloudEvent): Promise<void>;
  /** Starts a run, once for each id. */
  launch(run: LaunchedRun): Promise<void>;
  readonly events: Pick<RunEvents, "reported" | "subscribe" | "receive">;
  /** Waits in this process. */
  pause(milliseconds: number): Promise<void>;
}

/** A subflow that runs apart. */
export interface LaunchedRun {
  readonly workflow: AnyWorkflow;
  readonly input: Json;
  readonly id: string;
  /** When it is started: earlier events are not for it. */
  readonly since: number;
  /** When its root run was started. */
  readonly root: number;
}

/** The host of a run that is a durable execution of AWS Lambda. Detached work is added to `detached`. */
export function lambdaHost(journal: Journal, reach: RunConnections, detached: Promise<unknown>[]): Host {
  const { order } = journal;
  const { runId } = reach;
  const { events } = reach;
  const effect = <T>(key: string, work: () => Promise<T> | T, signal: Signal): Promise<T> => {
    const known = events.reported();
    return journal.ask<T>(key, signal, (isAsked) => {
      const perform = () => performed(journal, work, isAsked, known);
      return journal.begin((context) => context.step(nameOf(key), perform, once));
    });
  };
  /** When timers are due, by the keys of their first requests. */
  const dues = new Map<string, number>();
  const sleepUntil = (key: string, wanted: number, { signal, position }: Place): Promise<void> => {
    const due = dues.get(key) ?? wanted;
    dues.set(key, due);
    return journal.ask<void>(key, signal, (isAsked) => timer(journal, reach, key, { due, position }, isAsked));
  };
  return {
    runId,
    now: () => order.now(),
    random: (key) => chanceOf(`${runId}/${key}`),
    retried: () => 0,
    visit: () => undefined,
    once: effect,
    subscribe: (key, workflow, start) => required(events).subscribe(key, workflow, start),
    receive: (key, request, place) => required(events).receive(key, request, place),
    sleep: (key, seconds, place) => sleepUntil(key, order.now() + Math.max(seconds, 0) * 1000, place),
    sleepUntil: (key, instant, place) => (instant <= order.now() ? Promise.resolve() : sleepUntil(key, instant, place)),
    detach(key, work, launched) {
      const id = `${runId}/${key}`;
      const since = order.now();
      const known = events.reported();
      const start = async () => {
        await order.live;
        await known;
        if (launched) await reach.launch({ ...launched, id, since, root: reach.root });
        else await work().catch(() => undefined);
        return null;
      };
      const step = journal.begin((context) => context.step(nameOf(key), start, launched ? again : once));
      detached.push(Promise.resolve(step));
    },
    round: () => undefined,
    // An invocation executes one run.
    giveWay: () => undefined,
    emit(key, event, signal) {
      const known = events.reported();
      return journal.ask<void>(key, signal, (isAsked) => {
        const sendAll = async () => {
          await known;
          await reach.deliver(event);
          await reach.send(event);
        };
        const send = () => sent(journal, sendAll, isAsked);
        return journal.begin((context) => context.step(nameOf(key), send, again));
      });
    },
    ...noTasks,
    callWorkflow(id) {
      throw new WorkflowError("NotFound", `There is no workflow ${id} here.`, { origin: "function" });
    },
  };
}

function required<T>(events: T | undefined): T {
  if (events) return events;
  throw new Error("The program receives no events.");
}

/** Workflows retry, the SDK does not. */
const once: StepConfig<Entry | null> = { retryStrategy: () => ({ shouldRetry: false }) };

/** Executes work after the run has received all recorded results. Returns null if the work was aborted. */
async function performed<T>(
  journal: Journal,
  work: () => Promise<T> | T,
  isAsked: () => boolean,
  known: Promise<unknown>,
): Promise<Entry | null> {
  await journal.order.live;
  await known;
  if (!isAsked()) return null;
  let outcome: Outcome;
  try {
    outcome = { value: (await work()) as Json };
  } catch (thrown) {
    outcome = { thrown };
  }
  return isAsked() ? journal.entry(outcome, journal.clock()) : null;
}

/** Sends until it succeeds. An error of the workflow is recorded as a failure. */
async function sent(journal: Journal, send: () => Promise<void>, isAsked: () => boolean): Promise<Entry | null> {
  await journal.order.live;
  if (!isAsked()) return null;
  let outcome: Outcome = { value: undefined };
  try {
    await send();
  } catch (thrown) {
    if (!(thrown instanceof WorkflowError)) throw thrown;
    outcome = { thrown };
  }
  return isAsked() ? journal.entry(outcome, journal.clock()) : null;
}

/** The longest wait, in seconds: a year of 366 days. */
const longest = 31_622_400;

/**
 * Fires at an instant. Whole seconds pass in a wait, during which the execution is suspended, and the rest in a step,
 * which also records the place of the timer among the run's results.
 */
function timer(
  journal: Journal,
  { pause }: RunConnections,
  key: string,
  { due, position }: { readonly due: number; readonly position: readonly number[] },
  isAsked: () => boolean,
): PromiseLike<Entry | null> {
  const { order, clock } = journal;
  const wanted = (due - order.now()) / 1000;
  if (wanted > longest)
    throw new WorkflowError(
      "LimitError",
      `A wait of ${wanted} s is longer than a durable execution of AWS Lambda takes, a year.`,
      {
        origin: "limit",
        fatal: true,
      },
    );
  const isWhole = Number.isInteger(wanted);
  const ring = async () => {
    await order.live;
    if (wanted < 1 || !isWhole) await pause(Math.max(0, Math.min(due - clock(), 1000)));
    return isAsked() ? journal.entry({ value: undefined }, due, position) : null;
  };
  if (wanted < 1) return journal.begin((context) => context.step(nameOf(key), ring, once));
  return journal.begin(
    (outer) =>
      outer.runInChildContext(
        nameOf(key),
        async (context) => {
          const left = (due - clock()) / 1000;
          const seconds = Math.max(1, isWhole ? Math.ceil(left) : Math.floor(left));
          await context.wait("time", { seconds });
          if (!isAsked()) return new Promise<never>(() => undefined);
          return context.step("rings", ring, once);
        },
        { virtualContext: true },
      ),
    waitAndRing,
  );
}

/** The operations of a timer: a wait and a step. */
const waitAndRing = 2;
