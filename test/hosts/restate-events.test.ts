import type { Answer } from "../../src/events/partition.ts";
import {
  type AnswerRecord,
  answerFrom,
  type Begin,
  type WaitReference,
} from "../../targets/typescript/runtime/hosts/broker/messages.ts";
import { bookHandlers } from "../../targets/typescript/runtime/hosts/restate/handlers.ts";
import type { ObjectContext } from "../../targets/typescript/runtime/hosts/restate/sdk.ts";
import type { Setting } from "../../targets/typescript/runtime/hosts/restate/serving.ts";
import { initialValue, waitStep } from "../../targets/typescript/runtime/rules.ts";
import {
  type CrashPoint,
  describeEventStore,
  type EventStore,
  type EventStoreDriver,
  type Receipt,
  type TestClock,
} from "../events/adapters.ts";
import type { EventProgram } from "../events/program.ts";
import { waitingWorkflow, workflowsOf } from "./event-workflows.ts";

// The object of Restate with the broker's partitions, on a simulation of its state. Restate performs what a handler
// has sent, even if the process dies.

const driver = (isPartitioned: boolean): EventStoreDriver => ({
  name: `of Restate${isPartitioned ? ", partitioned by value" : ""}`,
  crashPoints: ["before store", "before effects", "before confirm"],
  supports: ({ key }) => !isPartitioned || key !== undefined,
  open: (program, clock) => openStore(program, clock, isPartitioned),
});

interface AnswerMessage {
  readonly answer: AnswerRecord;
}

function openStore(program: EventProgram, clock: TestClock, isPartitioned: boolean): EventStore {
  const workflows = workflowsOf(program, isPartitioned);
  const orders = workflows.find(({ id }) => id === waitingWorkflow)!;
  const handlers = bookHandlers({
    options: { workflows },
    names: { run: "run", book: "book", outbox: "outbox" },
    alive: async () => undefined,
  } as unknown as Setting);
  const state = new Map<string, string>();
  const values = new Map<string, Answer["value"]>();
  const waits = new Map<string, WaitReference>();
  const sent: (() => Promise<void>)[] = [];
  let receipts: Receipt[] = [];
  let crash: CrashPoint | undefined;
  let ids = 0;
  const crashAt = (point: CrashPoint) => {
    if (crash !== point) return;
    crash = undefined;
    throw new Error(`Crash ${point}.`);
  };
  /** Calls a handler; its changes and messages take effect together. */
  const callNow = async (method: keyof typeof handlers, what: unknown): Promise<void> => {
    const draft = new Map(state);
    const outgoing: (() => Promise<void>)[] = [];
    const context = {
      get: async (key: string) => (draft.has(key) ? JSON.parse(draft.get(key)!) : null),
      set: (key: string, value: unknown) => void draft.set(key, JSON.stringify(value)),
      clear: (key: string) => void draft.delete(key),
      stateKeys: async () => [...draft.keys()],
      run: async (_: string, work: () => unknown) => JSON.parse(JSON.stringify(await work())),
      rand: { uuidv4: () => `started-${++ids}` },
      genericSend({ parameter }: { readonly parameter: Uint8Array }) {
        const begin = JSON.parse(new TextDecoder().decode(parameter)) as Begin;
        outgoing.push(async () => receiveStart(begin));
        return { invocationId: Promise.resolve(begin.id) };
      },
      invocation: () => ({
        signal: (reply: string) => ({
          resolve: (message: AnswerMessage) => void outgoing.push(() => receiveAnswer(reply, message)),
        }),
      }),
    } as unknown as ObjectContext;
    await (handlers[method] as (ctx: ObjectContext, message: unknown) => Promise<unknown>)(context, {
      at: clock.now,
      what: JSON.parse(JSON.stringify(what)),
    });
    crashAt("before store");
    state.clear();
    for (const [key, value] of draft) state.set(key, value);
    sent.push(...outgoing);
    crashAt("before effects");
  };
  let last: Promise<unknown> = Promise.resolve();
  /** Restate calls one handler of an object at a time. */
  const call = (method: keyof typeof handlers, what: unknown): Promise<void> => {
    const next = last.then(() => callNow(method, what));
    last = next.catch(() => undefined);
    return next.then(flush);
  };
  const flush = async (): Promise<void> => {
    for (let next = sent.shift(); next; next = sent.shift()) await next();
  };
  const receiveStart = ({ id, workflow, taken }: Begin): void => {
    if (taken.length === 0) return;
    values.set(id, initialValue(orders, id, undefined as never, taken) as Answer["value"]);
    receipts.push({ kind: "start", workflow, run: id, events: taken as Receipt["events"] & object });
  };
  const receiveAnswer = async (id: string, { answer }: AnswerMessage): Promise<void> => {
    const wait = waits.get(id)!;
    const whole = answerFrom(answer);
    receipts.push({ kind: "answer", id, ...whole });
    if (whole.value !== undefined) values.set(wait.run, whole.value);
    sent.unshift(() => call("confirm", wait));
    crashAt("before confirm");
  };
  return {
    arrive: (event) => call("deliverAll", [event]),
    async join(run, value) {
      if (values.has(run)) return;
      await call("start", { id: run, workflow: waitingWorkflow, input: value ?? null });
      values.set(run, value);
    },
    async wait({ id, run, step, position, variables, values: own }) {
      const wait = { run, key: "", wait: id, workflow: waitingWorkflow, values: own, value: values.get(run) };
      waits.set(id, wait as WaitReference);
      await call("wait", { ...wait, step: waitStep(orders, step), position, at: clock.now, variables, reply: id });
    },
    cancel: (id) => call("cancelWait", waits.get(id)!),
    expire: (id) => call("expire", waits.get(id)!),
    leave: (run) => call("leave", { run }),
    received() {
      const all = receipts;
      receipts = [];
      return all;
    },
    crashAt(point) {
      crash = point;
    },
    reopen: flush,
  };
}

describeEventStore(driver(false), { count: 40 });
describeEventStore(driver(true), { count: 40 });
