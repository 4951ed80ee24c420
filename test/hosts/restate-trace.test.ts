import { expect, test } from "vitest";
import type { EngineOptions, Sending } from "../../targets/typescript/runtime/engine.ts";
import { EventRefused } from "../../targets/typescript/runtime/errors.ts";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import type { Begin } from "../../targets/typescript/runtime/hosts/broker/messages.ts";
import { bookHandlers } from "../../targets/typescript/runtime/hosts/restate/handlers.ts";
import { outboxHandlers } from "../../targets/typescript/runtime/hosts/restate/outbox.ts";
import { execute } from "../../targets/typescript/runtime/hosts/restate/run.ts";
import type { ObjectContext, Sdk, WorkflowContext } from "../../targets/typescript/runtime/hosts/restate/sdk.ts";
import type { Setting } from "../../targets/typescript/runtime/hosts/restate/serving.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { event, workflowOf } from "./samples.ts";

// The trace context of a run goes with its events to their sinks. The simulated journal records the commands of each
// handler as Restate does, which refuses a replay that issues others.

const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const emitting = workflowOf(
  async (flow) => {
    await flow.emit("Tell", "done", null);
    return null;
  },
  { events: { done: { type: "order.done", source: "shop" } } } as Partial<AnyWorkflow>,
);

interface Sent {
  readonly service: string;
  readonly key: string;
  readonly method: string;
  readonly parameter: unknown;
}

class TerminalError extends Error {}

const settingOf = (options: Partial<EngineOptions>): Setting => ({
  options: { workflows: [emitting], functions: {}, log: () => undefined, ...options } as EngineOptions,
  names: { run: "run", book: "book", outbox: "outbox", gate: "gate" },
  now: () => 1000,
  pace: 1,
  alive: async () => undefined,
  ended: () => undefined,
  begins: async () => undefined,
  underWay: new Set(),
});

/** A context that records the commands of a handler. */
function recording(state: Map<string, unknown>, key = "") {
  const commands: string[] = [];
  const sent: Sent[] = [];
  const ctx = {
    key,
    request: () => ({ attemptCompletedSignal: new AbortController().signal }),
    console: { info: () => undefined },
    rand: { uuidv4: () => "id" },
    get: async (name: string) => state.get(name) ?? null,
    stateKeys: async () => [...state.keys()],
    async run(name: string, work: () => unknown) {
      commands.push(`run ${name}`);
      return JSON.parse(JSON.stringify((await work()) ?? null));
    },
    set(name: string, value: unknown) {
      commands.push(`set ${name} ${JSON.stringify(value)}`);
      state.set(name, JSON.parse(JSON.stringify(value)));
    },
    clear(name: string) {
      commands.push(`clear ${name}`);
      state.delete(name);
    },
    genericSend({ service, key, method, parameter }: Sent & { readonly parameter: Uint8Array }) {
      const text = new TextDecoder().decode(parameter);
      commands.push(`send ${service} ${key} ${method} ${text}`);
      sent.push({ service, key, method, parameter: JSON.parse(text) });
      return { invocationId: Promise.resolve("invocation") };
    },
  } as unknown as ObjectContext & WorkflowContext;
  return { ctx, commands, sent, state };
}

/** What the object starts a run with. */
async function beginOf(own: string | undefined): Promise<Begin> {
  const { ctx, sent } = recording(new Map());
  const run = { id: "r", workflow: "W", version: "1", input: null, ...(own !== undefined && { trace: own }) };
  await bookHandlers(settingOf({})).startAll(ctx, { at: 1000, what: [run] });
  return sent.find(({ method }) => method === "run")!.parameter as Begin;
}

/** The commands of a run, and the event that it posts. */
async function executed(begin: Begin) {
  const { ctx, commands, sent } = recording(new Map());
  await execute(ctx, settingOf({}), begin, { CancelledError: class extends Error {} });
  return { commands, posted: sent.find(({ service }) => service === "outbox")! };
}

/** Executes a handler of the outbox. */
async function outbox(
  method: "post" | "send" | "again",
  posted: unknown,
  send: EngineOptions["send"],
  state = new Map<string, unknown>(),
) {
  const recorded = recording(state, "r");
  const handlers = outboxHandlers(settingOf({ send }), { TerminalError } as unknown as Pick<Sdk, "TerminalError">);
  await handlers[method](recorded.ctx, posted as CloudEvent);
  return recorded;
}

test("the trace context of a run is sent to the sink, also when a refused event is sent again", async () => {
  const { posted } = await executed(await beginOf(trace));
  const traces: Sending["trace"][] = [];
  const passed = await outbox("post", posted.parameter, () => undefined);
  const refused = await outbox("send", passed.sent[0]!.parameter, (_, sending) => {
    traces.push(sending.trace);
    throw new EventRefused("no");
  });
  expect([...refused.state.values()]).toMatchObject([{ event: { type: "order.done" }, trace, reason: "no" }]);
  const again = await outbox("again", undefined, (_, sending) => void traces.push(sending.trace), refused.state);
  expect(traces).toEqual([trace, trace]);
  expect(again.state.size).toBe(0);
});

test("a run without a trace context posts only its event", async () => {
  const { posted } = await executed(await beginOf(undefined));
  expect(posted.parameter).toMatchObject({ specversion: "1.0", type: "order.done" });
});

test("a run that began before traces were posted replays its journal", async () => {
  const { postsTrace, ...before } = await beginOf(trace);
  expect(postsTrace).toBe(true);
  const [plain, { commands }] = [await executed(await beginOf(undefined)), await executed(before)];
  expect(commands).toEqual(plain.commands);
});

test("the outbox completes the messages of an earlier version with the same commands", async () => {
  const sent = event("1");
  const text = JSON.stringify(sent);
  expect((await outbox("post", sent, () => undefined)).commands).toEqual([
    "run sink",
    `send outbox ["r",""] send ${text}`,
  ]);
  const place = `${"1000".padStart(16, "0")}:1`;
  const stored = `{"event":${text},"at":1000`;
  const refuse = () => {
    throw new EventRefused("no");
  };
  expect((await outbox("send", sent, refuse)).commands).toEqual([
    "run now",
    `set waiting:${place} ${stored}}`,
    "run send",
    `set refused:${place} ${stored},"reason":"no"}`,
    `clear waiting:${place}`,
  ]);
});
