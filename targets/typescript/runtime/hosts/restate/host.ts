import type { Answer } from "../../../../../src/events/partition.ts";
import type { CloudEvent, Wait } from "../../events.ts";
import type { Signal } from "../../flow/abort.ts";
import type { Host, Launched, Place, Subscription, WaitRequest, WaitResult } from "../../host.ts";
import { awaitedEvents, chanceOf, noTasks, WorkflowError, waitOf, waitResult, waitStep } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import type { WaitMessage, WaitReference } from "../broker/messages.ts";
import { type Examination, type ExaminationResult, examine } from "./foreign.ts";
import { failureOf, requireShort } from "./limits.ts";
import { answerKey, type PostedEvent } from "./messages.ts";
import type { Entry, ReplayingRun } from "./replay.ts";
import type { RestatePromise } from "./sdk.ts";

/** The host of a run that is a workflow of Restate. */
export function restateHost(live: ReplayingRun): Host {
  const { setting, begin } = live;
  const { telemetry, log } = setting.options;
  const { id, workflow, version, trace } = begin;
  const name = { id, workflow, version, trace };
  return {
    runId: begin.id,
    now: () => live.clock,
    random: (key) => chanceOf(`${begin.id}/${key}`),
    retried: (key) => live.retried.get(key) ?? 0,
    visit: (step) =>
      live.ctx.console.info(() => log({ level: "debug", message: "The run enters a step.", run: id, workflow, step })),
    traceOf: () => telemetry?.traceOf?.(begin.id) ?? begin.trace,
    ...(telemetry && { calling: (call, work) => telemetry.call(name, call, work) }),
    once: (key, work, signal) => live.act(key, signal, () => recorded(live, key, work)),
    sleep: (key, seconds, { signal }) => sleep(live, key, () => live.clock + seconds * 1000, signal),
    sleepUntil: (key, instant, { signal }) => sleep(live, key, () => instant, signal),
    emit: (key, event, signal) => live.act(key, signal, () => atOnce(live, key, () => emit(live, event))),
    detach: (key, work, launched) =>
      live.act(key, live.controller.signal, () =>
        atOnce(live, key, () => {
          if (launched) launch(live, `${begin.id}/${key}`, launched);
          else live.also(`${key}#detached`, recorded(live, `${key}#detached`, work));
        }),
      ),
    round: () => undefined,
    giveWay: () => live.giveWay(),
    subscribe: (key, workflow, { value }) => subscribe(live, key, workflow, value),
    receive: (key, request, place) => receive(live, key, request, place),
    ...noTasks,
    callWorkflow(id) {
      throw new WorkflowError("NotFound", `There is no workflow ${id} here.`, { origin: "function" });
    },
  };
}

/** Executes work as a step of Restate. Its result or failure is recorded as a value. */
function recorded(live: ReplayingRun, key: string, work: () => unknown): RestatePromise<Entry> {
  const { alive, begins, underWay } = live.setting;
  live.queue(key);
  const act = async (): Promise<Entry> => {
    await begins();
    await live.turn(key);
    const working = outcomeOf(live, key, work);
    underWay.add(working);
    live.begun(key);
    const outcome = await working.finally(() => underWay.delete(working));
    await alive();
    return outcome;
  };
  return live.ctx
    .run(key, act)
    .map((entry, failure) => entry ?? { key, kind: "failure", text: failureOf(failure), at: live.clock });
}

async function outcomeOf(live: ReplayingRun, key: string, work: () => unknown): Promise<Entry> {
  const { now } = live.setting;
  try {
    const value = await work();
    requireShort("What the step gave", value);
    live.requireRoom(key, value);
    return { key, kind: "value", value, at: now() };
  } catch (thrown) {
    return { key, kind: "failure", text: failureOf(thrown), at: now() };
  }
}

/** A subscription with the correlation value that its run has. */
interface ValuedSubscription extends Subscription {
  value: Json | undefined;
}

/** Subscribes a run or a subflow in it. The object has subscribed the run itself when it started it. */
function subscribe(
  live: ReplayingRun,
  key: string,
  workflow: AnyWorkflow,
  value: Json | undefined,
): ValuedSubscription {
  const { id: run } = live.begin;
  const isSubflow = key !== "" && Object.keys(workflow.waits ?? {}).length > 0;
  const { id, version } = workflow;
  if (isSubflow)
    live.report({ method: "join", what: { run, key, workflow: id, version, ...(value !== undefined && { value }) } });
  return {
    key,
    workflow,
    value,
    close() {
      if (isSubflow) live.reportWhenIdle({ method: "leave", what: { run, key } });
    },
  };
}

/** Waits for events, which the object decides about. */
async function receive(
  live: ReplayingRun,
  key: string,
  { subscription, wait: name, variables, values }: WaitRequest,
  { position, signal }: Place,
): Promise<WaitResult> {
  const own = subscription as ValuedSubscription;
  const { workflow } = own;
  const reference: WaitReference = {
    run: live.begin.id,
    key: own.key,
    wait: key,
    workflow: workflow.id,
    ...(values && { values }),
    ...(own.value !== undefined && { value: own.value }),
  };
  const timer = new AbortController();
  let isOpen = false;
  let [at, examinations] = [0, 0];
  const register = (examined?: ExaminationResult): RestatePromise<Entry> => {
    const reply = answerKey(key, `${live.failures}.${examinations}`);
    const wait: WaitMessage = {
      ...reference,
      step: waitStep(workflow, name),
      version: workflow.version,
      position: position.map((index) => Math.min(index, Number.MAX_SAFE_INTEGER)),
      at,
      variables,
      reply,
      ...(examined && { examined }),
    };
    live.report({ method: "wait", what: wait });
    return live.awaitAnswer(key, reference, reply);
  };
  const begin = (): RestatePromise<Entry> => {
    isOpen = true;
    at = startTimer(live, reference, waitOf(workflow, name), timer.signal);
    return register();
  };
  const examineEvents = (examination: Examination): RestatePromise<Entry> => {
    examinations += 1;
    return register(examine(examination, workflow, live.clock));
  };
  const cancel = () => {
    timer.abort();
    if (isOpen) live.report({ method: "cancelWait", what: reference });
  };
  signal.addEventListener("abort", cancel);
  try {
    const answer = await live.request<Answer>(key, signal, begin, {
      events: awaitedEvents(workflow, name),
      examine: examineEvents,
    });
    const result = waitResult(answer);
    if (result.value !== undefined) own.value = result.value;
    return result;
  } catch (thrown) {
    if (!signal.aborted) live.causes.set(Object(thrown), key);
    throw thrown;
  } finally {
    isOpen = false;
    timer.abort();
    signal.removeEventListener("abort", cancel);
  }
}

/** Starts the timer of a wait's last alternative, if all expire. Returns when the wait has begun. */
function startTimer(live: ReplayingRun, reference: WaitReference, { alternatives }: Wait, signal: Signal): number {
  const last = Math.max(...alternatives.map(({ within = Number.POSITIVE_INFINITY }) => within)) * 1000;
  if (last === Number.POSITIVE_INFINITY) return live.clock;
  const key = `${reference.wait}#within`;
  const shifted = live.dues.get(key);
  const at = shifted === undefined ? live.clock : Math.floor(shifted - last);
  const expire = () => live.report({ method: "expire", what: reference });
  sleep(live, key, () => at + last, signal).then(expire, () => undefined);
  return at;
}

function sleep(live: ReplayingRun, key: string, dueAt: () => number, signal: Signal): Promise<void> {
  const due = Math.ceil(Math.min(live.dues.get(key) ?? dueAt(), farthest));
  const begin = (): RestatePromise<Entry> => {
    live.dues.set(key, due);
    const { now, pace } = live.setting;
    if (due <= live.clock) return live.ctx.run(key, () => ringing(key, due));
    const left = Math.min(Math.max(0, due - now()) / pace, longestSleep);
    return live.ctx.sleep(left, key).map(() => ({ key, kind: "fired", at: due }));
  };
  return live.request(key, signal, begin, { until: due });
}

/** A timer that is due at once fires after other results of that instant. */
async function ringing(key: string, at: number): Promise<Entry> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { key, kind: "fired", at };
}

/** The last instant of a date, and the longest timer. */
const farthest = 8.64e15;
const longestSleep = 1e13;

/** Sends something that has no result. */
function atOnce({ clock: at }: ReplayingRun, key: string, act: () => void): Entry {
  try {
    act();
    return { key, kind: "value", value: undefined, at };
  } catch (thrown) {
    return { key, kind: "failure", text: failureOf(thrown), at };
  }
}

function launch(live: ReplayingRun, id: string, { workflow, input }: Launched): void {
  requireShort("What the run is started with", input);
  live.report({
    method: "start",
    what: {
      id,
      workflow: workflow.id,
      version: workflow.version,
      input,
      parent: live.begin.id,
      ...(live.begin.trace !== undefined && { trace: live.begin.trace }),
    },
  });
}

/** Sends an event. If no workflow received events when the run began, its outbox checks whether one does now. */
function emit(live: ReplayingRun, event: CloudEvent): void {
  requireShort("The event", event);
  const { id, delivers, trace, postsTrace } = live.begin;
  const posted: PostedEvent = postsTrace && trace !== undefined ? { event, trace } : event;
  live.ctx.genericSend({
    service: live.setting.names.outbox,
    key: id,
    method: delivers ? "post" : "postNew",
    parameter: new TextEncoder().encode(JSON.stringify(posted)),
  });
  if (delivers) live.report({ method: "deliverAll", what: [event] });
}
