import type { CloudEvent } from "../../events.ts";
import type { Signal } from "../../flow/abort.ts";
import type { Host, Launched } from "../../host.ts";
import { parts } from "../parts.ts";
import { failureOf, requireShort } from "./limits.ts";
import type { Entry, LiveRun } from "./live.ts";
import type { RestatePromise } from "./sdk.ts";

/** The host of a run that Restate keeps. */
export function restateHost(live: LiveRun): Host {
  const { setting, begin } = live;
  const { telemetry } = setting.options;
  const name = { id: begin.id, workflow: begin.workflow, version: begin.version };
  return {
    runId: begin.id,
    now: () => live.clock,
    random: (key) => parts.chanceOf(`${begin.id}/${key}`),
    retried: (key) => live.retried.get(key) ?? 0,
    visit: () => undefined,
    ...(telemetry && { calling: (call, work) => telemetry.call(name, call, work) }),
    once: (key, work, signal) => live.act(key, signal, () => recorded(live, key, work)),
    wait: (key, waiting, signal, events) => wait(live, key, waiting, signal, events),
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
    giveWay() {
      live.pauses += 1;
      return new Promise((resolve) => {
        setImmediate(() => {
          live.pauses -= 1;
          resolve();
        });
      });
    },
    inbox: (key, workflow, first) => live.hearing.open(key, workflow, first),
    callWorkflow(id) {
      throw new parts.WorkflowError("NotFound", `There is no workflow ${id} here.`, { origin: "function" });
    },
  };
}

/** Does something as a step of Restate; how it came out is its answer, also where it failed. */
function recorded(live: LiveRun, key: string, work: () => unknown): RestatePromise<Entry> {
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

async function outcomeOf(live: LiveRun, key: string, work: () => unknown): Promise<Entry> {
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

/** Waits for events or time: what comes of that follows from what is recorded. Events that others may use too have to be granted. */
function wait<T>(
  live: LiveRun,
  key: string,
  waiting: () => Promise<T> | T,
  signal: Signal,
  events: readonly string[],
): Promise<T> {
  const { hearing } = live;
  const attempt = async (): Promise<void> => {
    const first = hearing.look(key, waiting);
    live.settle(key, await hearing.granted(key, first, waiting, () => live.isAsked(key)));
  };
  return live.ask<T>(
    key,
    signal,
    () => {
      attempt().catch((thrown: unknown) => live.reject(key, thrown));
      return undefined;
    },
    { events },
  );
}

function sleep(live: LiveRun, key: string, dueAt: () => number, signal: Signal): Promise<void> {
  const due = Math.ceil(Math.min(live.dues.get(key) ?? dueAt(), farthest));
  const begin = (): RestatePromise<Entry> => {
    live.dues.set(key, due);
    const { now, pace } = live.setting;
    if (due <= live.clock) return live.ctx.run(key, () => ringing(key, due));
    const left = Math.min(Math.max(0, due - now()) / pace, longestSleep);
    return live.ctx.sleep(left, key).map(() => ({ key, kind: "fired", at: due }));
  };
  return live.ask(key, signal, begin, { until: due });
}

/** A timer that rings at once does so after what answers at once. */
async function ringing(key: string, at: number): Promise<Entry> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { key, kind: "fired", at };
}

/** The last instant that a date can stand for, and the longest time that a timer takes. */
const farthest = 8.64e15;
const longestSleep = 1e13;

/** Does what Restate is told and nobody waits for. */
function atOnce({ clock: at }: LiveRun, key: string, act: () => void): Entry {
  try {
    act();
    return { key, kind: "value", value: undefined, at };
  } catch (thrown) {
    return { key, kind: "failure", text: failureOf(thrown), at };
  }
}

function launch(live: LiveRun, id: string, { workflow, input }: Launched): void {
  requireShort("What the run is started with", input);
  live.say({ method: "start", what: { id, workflow: workflow.id, version: workflow.version, input } });
}

function emit(live: LiveRun, event: CloudEvent): void {
  requireShort("The event", event);
  live.ctx.genericSend({
    service: live.setting.names.outbox,
    key: live.begin.id,
    method: "post",
    parameter: new TextEncoder().encode(JSON.stringify(event)),
  });
}
