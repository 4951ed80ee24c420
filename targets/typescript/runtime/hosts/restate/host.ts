import type { CloudEvent } from "../../events.ts";
import type { Signal } from "../../flow/abort.ts";
import type { Host } from "../../host.ts";
import { LaneInbox } from "./inbox.ts";
import type { Entry, Lane } from "./lane.ts";
import { parts } from "./parts.ts";
import type { RestatePromise } from "./sdk.ts";

/** The host of a run that Restate keeps. */
export function restateHost(lane: Lane): Host {
  const { setting, begin } = lane;
  const { telemetry } = setting.options;
  const name = { id: begin.id, workflow: begin.workflow, version: begin.version };
  return {
    runId: begin.id,
    now: () => lane.clock,
    random: (key) => parts.chanceOf(`${begin.id}/${key}`),
    retried: (key) => lane.retried.get(key) ?? 0,
    visit: () => undefined,
    ...(telemetry && { calling: (call, work) => telemetry.call(name, call, work) }),
    once: (key, work, signal) => lane.ask(key, signal, () => recorded(lane, key, work)),
    wait: (key, waiting, signal, events) => wait(lane, key, waiting, signal, events),
    sleep: (key, seconds, { signal }) => sleep(lane, key, () => lane.clock + seconds * 1000, signal),
    sleepUntil: (key, instant, { signal }) => sleep(lane, key, () => instant, signal),
    emit: (key, event, signal) =>
      lane.ask(key, signal, () => {
        emit(lane, event);
        return { key, kind: "value", value: undefined, at: lane.clock };
      }),
    detach: (key, work, launched) =>
      lane.ask(key, lane.controller.signal, () => {
        if (launched) {
          const { workflow, input } = launched;
          const id = `${begin.id}/${key}`;
          lane.tellBook("start", { id, workflow: workflow.id, version: workflow.version, input });
        } else lane.also(`${key}#detached`, recorded(lane, `${key}#detached`, work));
        return { key, kind: "value", value: undefined, at: lane.clock };
      }),
    round: () => undefined,
    giveWay() {
      lane.pauses += 1;
      return new Promise((resolve) => {
        setImmediate(() => {
          lane.pauses -= 1;
          resolve();
        });
      });
    },
    inbox(key, workflow, first) {
      const known = key === "" && begin.hears ? "?" : "";
      const inbox = new LaneInbox(lane, key, workflow, first, known);
      lane.inboxes.set(key, inbox);
      if (key !== "" && workflow.events && !lane.isReplaying)
        lane.tellBook("join", {
          run: begin.id,
          inbox: key,
          workflow: workflow.id,
          version: workflow.version,
          token: "",
        });
      inbox.begin();
      return inbox;
    },
    callWorkflow(id) {
      throw new parts.WorkflowError("NotFound", `There is no workflow ${id} here.`, { origin: "function" });
    },
  };
}

/** Does something as a step of Restate; how it came out is its answer, also where it failed. */
function recorded(lane: Lane, key: string, work: () => unknown): RestatePromise<Entry> {
  const { now, alive } = lane.setting;
  lane.queue(key);
  const act = async (): Promise<Entry> => {
    await alive();
    await lane.turn(key);
    const working = outcomeOf(key, work, now);
    lane.begun(key);
    const outcome = await working;
    await alive();
    return outcome;
  };
  return lane.ctx
    .run(key, act)
    .map(
      (entry, failure) =>
        entry ?? { key, kind: "failure", text: parts.failureText(parts.failureFrom(failure)), at: lane.clock },
    );
}

async function outcomeOf(key: string, work: () => unknown, now: () => number): Promise<Entry> {
  try {
    const value = await work();
    const text = JSON.stringify(value);
    if (text !== undefined && text.length > longest) throw tooLong(text.length);
    return { key, kind: "value", value, at: now() };
  } catch (thrown) {
    return { key, kind: "failure", text: parts.failureText(parts.failureFrom(thrown)), at: now() };
  }
}

/** Restate takes messages of 32 MiB; three bytes may be needed for a character. */
const longest = 10 * 1024 * 1024;

const tooLong = (length: number) =>
  new parts.WorkflowError(
    "DataError",
    `What the step gave cannot be recorded: it has ${length} characters, and Restate takes ${longest}.`,
    {
      origin: "function",
    },
  );

/** Waits for events or time: what comes of that follows from what is recorded. Events that others may use too have to be granted. */
function wait<T>(
  lane: Lane,
  key: string,
  waiting: () => Promise<T> | T,
  signal: Signal,
  events: readonly string[],
): Promise<T> {
  const look = () => {
    const outer = lane.looking;
    lane.looking = key;
    try {
      return Promise.resolve(waiting());
    } catch (thrown) {
      return Promise.reject(thrown);
    } finally {
      lane.looking = outer;
    }
  };
  const attempt = async (): Promise<void> => {
    for (;;) {
      const outcome = await look();
      const used = [...lane.inboxes.values()].flatMap((inbox) => inbox.used.get(key) ?? [])[0];
      used?.inbox.used.delete(key);
      if (!used || (await lane.claim(used.inbox.key, used.numbers))) return lane.settle(key, outcome);
      used.inbox.restore(used);
      if (!lane.isAsked(key)) return;
    }
  };
  return lane.ask<T>(
    key,
    signal,
    () => {
      attempt().catch((thrown: unknown) => lane.fail(key, thrown));
      return undefined;
    },
    { events },
  );
}

function sleep(lane: Lane, key: string, dueAt: () => number, signal: Signal): Promise<void> {
  const due = Math.ceil(Math.min(lane.dues.get(key) ?? dueAt(), farthest));
  const begin = (): RestatePromise<Entry> => {
    lane.dues.set(key, due);
    const { now, pace } = lane.setting;
    if (due <= lane.clock) return lane.ctx.run(key, () => atOnce(key, due));
    const left = Math.min(Math.max(0, due - now()) / pace, longestSleep);
    return lane.ctx.sleep(left, key).map(() => ({ key, kind: "fired", at: due }));
  };
  return lane.ask(key, signal, begin, { until: due });
}

/** A timer that rings at once does so after what answers at once. */
async function atOnce(key: string, at: number): Promise<Entry> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { key, kind: "fired", at };
}

/** The last instant that a date can stand for, and the longest time that a timer takes. */
const farthest = 8.64e15;
const longestSleep = 1e13;

function emit(lane: Lane, event: CloudEvent): void {
  lane.ctx.genericSend({
    service: lane.setting.names.outbox,
    key: lane.begin.id,
    method: "post",
    parameter: new TextEncoder().encode(JSON.stringify(event)),
  });
}
