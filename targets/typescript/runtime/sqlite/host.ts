import { NotBegun, WorkflowError } from "../errors.ts";
import type { CloudEvent } from "../events.ts";
import type { Signal } from "../flow/abort.ts";
import type { Host } from "../host.ts";
import { announce } from "./announcing.ts";
import { round } from "./checkpoints.ts";
import type { Decision } from "./decisions.ts";
import { beginDetached, doDetached, launchRun } from "./detached.ts";
import type { RecordedCall, ReplayingRun, Request } from "./replay.ts";
import type { LateEffect } from "./store.ts";
import { endTasksAt, offerTask, openTask, taskAnswer } from "./tasks.ts";
import { startTimer, type Timer } from "./timers.ts";
import { chanceOf, failureFrom, failureText, storable, textOf } from "./values.ts";
import { receive, subscribe } from "./waits.ts";

/** The host of a durable run. */
export function durableHost(run: ReplayingRun): Host {
  const { core } = run;
  const { telemetry } = core.options;
  return {
    runId: run.id,
    now: core.now,
    random: (key) => chanceOf(`${run.id}/${key}`),
    retried: (key) => run.retried.get(key) ?? 0,
    isStopping: () => core.isClosing,
    visit: (step) => visit(run, step),
    ...effectsOf(run),
    traceOf: () => telemetry?.traceOf?.(run.id) ?? run.trace,
    ...(telemetry && { calling: (call, work) => telemetry.call(run.name, call, work) }),
    round: (prefix, name, data, entered) => round(run, prefix, name, data, entered),
    giveWay: () => run.giveWay(),
    subscribe: (key, workflow, { value }) => subscribe(run, key, workflow, value),
    receive: (key, request, place) => receive(run, key, request, place),
    openTask: (key, task, place) => openTask(run, key, task, place),
    offerTask: (key, offer, place) => offerTask(run, key, offer, place),
    taskAnswer: (key, request, place) => taskAnswer(run, key, request, place),
    callWorkflow(id) {
      throw new WorkflowError("NotFound", `There is no workflow ${id} here.`, { origin: "function" });
    },
  };
}

/** The effects that are recorded under keys. */
function effectsOf(run: ReplayingRun): Pick<Host, "once" | "emit" | "sleep" | "sleepUntil" | "detach"> {
  const { now } = run.core;
  return {
    once: (key, work, signal, attempt = 1) =>
      run.ask(key, signal, { begin: (request) => perform(run, key, request, { work, attempt }) }),
    emit: (key, event, signal) => run.ask(key, signal, { begin: () => recordEmitted(run, key, event) }),
    sleep: (key, seconds, { signal }) => sleep(run, key, () => now() + seconds * 1000, signal),
    sleepUntil: (key, instant, { signal }) => sleep(run, key, () => instant, signal),
    detach: (key, work, launched) =>
      run.ask(key, run.signal, {
        begin: () => launchRun(run, key, launched) || beginDetached(run, key, work),
        again: (seq) => doDetached(run, key, seq, work),
      }),
  };
}

function visit({ core, isRepeating, id, workflow }: ReplayingRun, step: string): void {
  if (!isRepeating)
    core.log({ level: "debug", message: "The run enters a step.", run: id, workflow: workflow.id, step });
}

/** An attempt of work. */
interface Attempt<T> {
  readonly work: () => Promise<T> | T;
  readonly attempt: number;
}

/** Executes work and records its result or failure, unless it was cut off. */
function perform<T>(run: ReplayingRun, key: string, request: Request, { work, attempt }: Attempt<T>): void {
  run.working += 1;
  const call = { began: run.core.now(), attempt };
  request.began = call.began;
  const finish = (record: () => void) =>
    run.core.commits.between(run, () => {
      run.working -= 1;
      if (run.isAsked(key, request)) record();
      else run.core.commits.schedule(run);
    });
  const fail = (thrown: unknown) =>
    finish(() => thrown instanceof NotBegun || recordFailure(run, key, failureFrom(thrown), call));
  const succeed = (value: T) => finish(() => recordValue(run, key, value, call));
  let result: Promise<T> | T;
  try {
    result = work();
  } catch (thrown) {
    fail(thrown);
    return;
  }
  if (result instanceof Promise) result.then(succeed, fail);
  else succeed(result);
}

/** Records a result. A result that is too large becomes a failure. */
function recordValue(run: ReplayingRun, key: string, value: unknown, call: RecordedCall): void {
  let text: string | null;
  try {
    text = storable(textOf(value), run.core.longest);
  } catch (reason) {
    recordUnrecordable(run, key, "the step gave", reason, call);
    return;
  }
  run.record(key, "value", text, ({ resolve }) => resolve(value), { call });
}

/** Records an event for its sink, and that the step is done. Waits and starts of the program receive it at once. */
function recordEmitted(run: ReplayingRun, key: string, event: CloudEvent): void {
  const { core, ref } = run;
  let text: string;
  try {
    text = storable(JSON.stringify(event), core.longest);
  } catch (reason) {
    recordUnrecordable(run, key, "is emitted", reason);
    return;
  }
  let decision: Decision | undefined;
  let emitted: LateEffect | undefined;
  run.record(key, "value", null, ({ resolve }) => resolve(undefined), {
    follows: true,
    *store() {
      emitted = core.sql.emit.run(ref, event.type, text, core.now());
      decision = undefined;
      decision = yield* core.broker.emit(event);
    },
    stored() {
      core.outbox?.added(event.type, emitted?.lastInsertRowid);
      if (decision) announce(core, decision);
    },
  });
}

function recordUnrecordable(run: ReplayingRun, key: string, what: string, reason: unknown, call?: RecordedCall): void {
  const why = reason instanceof Error ? reason.message : String(reason);
  const message = `What ${what} cannot be recorded: ${why}.`;
  recordFailure(run, key, new WorkflowError("DataError", message, { origin: "function" }), call);
}

/** Records a failure. Data that are too large make it another failure. */
function recordFailure(run: ReplayingRun, key: string, failure: WorkflowError, call?: RecordedCall): void {
  let text: string;
  try {
    text = storable(failureText(failure), run.core.longest);
  } catch (reason) {
    recordUnrecordable(run, key, "the step failed with", reason, call);
    return;
  }
  const fail = ({ reject }: Request, seq: number) => {
    run.causes.set(failure, seq);
    reject(failure);
  };
  run.record(key, "failure", text, fail, { call });
}

function sleep(run: ReplayingRun, key: string, dueAt: () => number, signal: Signal): Promise<void> {
  const begin = (request: Request) => {
    const known = run.dues.get(key);
    const store = () => endTasksAt(run, key);
    const fire = () => run.record(key, "fired", null, ({ resolve }) => resolve(undefined), { store });
    startTimer(run, request, known ?? setTimer(run, key, dueAt()), { isNew: known === undefined, fire });
  };
  return run.ask(key, signal, { begin, waits: { key, at: run.core.now() } });
}

/** Records a timer, for replays. */
function setTimer(run: ReplayingRun, key: string, wanted: number): Timer {
  const due = Math.ceil(Math.min(wanted, farthest));
  const [seq, at] = [run.seq++, run.core.now()];
  run.survive();
  run.write(() => void run.core.sql.record.run(run.ref, seq, key, "due", `${due}`, at));
  return { at, due };
}

/** The last instant of a JavaScript date. */
const farthest = 8.64e15;
