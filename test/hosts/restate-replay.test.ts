import { describe, expect, test } from "vitest";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import { bookHandlers } from "../../targets/typescript/runtime/hosts/restate/handlers.ts";
import type { ObjectContext } from "../../targets/typescript/runtime/hosts/restate/sdk.ts";
import type { Setting } from "../../targets/typescript/runtime/hosts/restate/serving.ts";
import { waitStep } from "../../targets/typescript/runtime/rules.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { correlated, event, workflowOf } from "./samples.ts";

// Operations of Restate's object that a process with one program begins, and one with another program completes. The
// simulated journal is as strict as Restate's: a replay must issue the recorded commands, in their order.

type Method = Exclude<keyof ReturnType<typeof bookHandlers>, "known">;

interface Operation {
  readonly method: Method;
  readonly what: unknown;
}

/** An entry of a journal. */
interface JournalEntry {
  readonly command: string;
  /** The result as JSON. */
  readonly result: string;
}

/** The object with its state, and what its operations have sent. */
class SimulatedObject {
  state = new Map<string, string>();
  sent: string[] = [];
  #journal: JournalEntry[] = [];

  copy(): SimulatedObject {
    const copy = new SimulatedObject();
    copy.state = new Map(this.state);
    copy.sent = [...this.sent];
    return copy;
  }

  get contents(): unknown {
    return [[...this.state].sort(([a], [b]) => (a < b ? -1 : 1)), this.sent];
  }

  /** Whether the operation ends before its process dies, when the journal has `limit` entries. */
  async execute(program: Program, { method, what }: Operation, limit = Number.POSITIVE_INFINITY): Promise<boolean> {
    const handlers = bookHandlers({
      options: { workflows: program },
      names: { run: "run", book: "book", outbox: "outbox" },
      alive: async () => undefined,
    } as unknown as Setting);
    const handler = handlers[method] as (ctx: ObjectContext, message: unknown) => Promise<unknown>;
    const { promise: died, resolve: die } = Promise.withResolvers<"died">();
    const ended = handler(
      this.#contextFor(limit, () => die("died")),
      { at: 1000, what: JSON.parse(JSON.stringify(what)) },
    );
    if ((await Promise.race([died, ended])) === "died") return false;
    this.#journal = [];
    return true;
  }

  #contextFor(limit: number, die: () => void): ObjectContext {
    const [journal, state, sent] = [this.#journal, this.state, this.sent];
    let [place, ids] = [0, 0];
    let isDead = false;
    const record = <T>(command: string, effect: () => T): T => {
      if (isDead) return undefined as T;
      const known = journal[place++];
      if (known) {
        if (known.command !== command) throw new Error(`Journal mismatch: ${known.command} is not ${command}.`);
        return JSON.parse(known.result) as T;
      }
      if (journal.length >= limit) {
        isDead = true;
        die();
        return undefined as T;
      }
      const result = effect();
      journal.push({ command, result: JSON.stringify(result) ?? "null" });
      return result;
    };
    const read = <T>(command: string, effect: () => T): Promise<T> => {
      const result = record(command, effect);
      return isDead ? new Promise(() => undefined) : Promise.resolve(result);
    };
    const post = (what: string): void => record(what, () => void sent.push(what));
    return {
      get: (key: string) => read(`get ${key}`, () => JSON.parse(state.get(key) ?? "null")),
      stateKeys: () => read("state keys", () => [...state.keys()]),
      set(key: string, value: unknown) {
        const text = JSON.stringify(value);
        record(`set ${key} ${text}`, () => void state.set(key, text));
      },
      clear: (key: string) => record(`clear ${key}`, () => void state.delete(key)),
      rand: { uuidv4: () => `id-${++ids}` },
      async run(name: string, work: () => Promise<unknown>) {
        const result = journal[place] ? undefined : await work();
        return read(`run ${name}`, () => JSON.parse(JSON.stringify(result)));
      },
      genericSend({ key, parameter }: { readonly key: string; readonly parameter: Uint8Array }) {
        post(`start ${key} ${new TextDecoder().decode(parameter)}`);
        return { invocationId: Promise.resolve(`invocation of ${key}`) };
      },
      invocation: (id: string) => ({
        signal: (name: string) => ({
          resolve: (message: unknown) => post(`signal ${id} ${name} ${JSON.stringify(message)}`),
        }),
      }),
    } as unknown as ObjectContext;
  }
}

type Program = readonly AnyWorkflow[];

const waiting = (id: string, version: string, more: Partial<AnyWorkflow> = {}): AnyWorkflow =>
  workflowOf(async () => null, {
    ...correlated,
    id,
    version,
    waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
    ...more,
  });

const oldest = waiting("W", "1");
const first: Program = [oldest];
const starting = { correlation: undefined, start: { on: [{ all: [["go"]] }] } } as unknown as Partial<AnyWorkflow>;
const keyless = { events: { go: { type: "go" } }, correlation: undefined } as unknown as Partial<AnyWorkflow>;
const programs: { readonly [name: string]: Program } = {
  "the same versions": first,
  "another version": [waiting("W", "2")],
  "one version more": [waiting("W", "2"), oldest],
  "one workflow more": [oldest, waiting("S", "1", starting)],
  "another correlation": [waiting("W", "2", keyless), oldest],
};

const begin = (id: string): Operation => ({
  method: "startAll",
  what: [{ id, workflow: "W", version: "1", input: id }],
});
const deliver = (...events: readonly CloudEvent[]): Operation => ({ method: "deliverAll", what: events });
const reference = (run: string) => ({ run, key: "", wait: "Wait", workflow: "W", value: run });
const wait = (run: string): Operation => ({
  method: "wait",
  what: {
    ...reference(run),
    step: waitStep(oldest, "Wait"),
    version: "1",
    position: [],
    at: 1,
    variables: {},
    reply: "r",
  },
});

const early = (data: string) => deliver(event("early", { who: "b", data }));
const before: readonly Operation[] = [begin("a"), begin("b"), wait("a")];

/** The operations under test, each perhaps with one that precedes it. */
const operations: { readonly [name: string]: Operation | readonly [Operation, Operation] } = {
  "starts of runs": { method: "startAll", what: [begin("c"), begin("d")].flatMap(({ what }) => what) },
  "an event that a run waits for": deliver(event("1", { who: "a" })),
  "several events": deliver(event("1", { who: "a" }), event("1", { who: "a" }), event("2", { who: "c" })),
  "a wait with an early event": [early("Event. ".repeat(500)), wait("b")],
  "a canceled wait": { method: "cancelWait", what: reference("a") },
  "the end of a run": { method: "leave", what: { run: "a" } },
  "a subflow": { method: "join", what: { run: "a", key: "sub", workflow: "W", version: "1", value: "a" } },
  "another program": { method: "adopt", what: null },
  "forgotten runs": { method: "forget", what: ["a", "b"] },
  "a cancellation": { method: "cancelled", what: "a" },
};

/** The object after the operations that precede the one under test. */
async function preparedFor(earlier: readonly Operation[]): Promise<SimulatedObject> {
  const object = new SimulatedObject();
  for (const each of [...before, ...earlier]) await object.execute(first, each);
  return object;
}

/** The contents of an object after one program has executed an operation. */
async function contentsAfter(prepared: SimulatedObject, operation: Operation, program: Program): Promise<unknown> {
  const object = prepared.copy();
  await object.execute(program, operation);
  return object.contents;
}

/** Wherever processes die, the object is as if one of the programs had executed the operation alone. */
async function expectOneDecision(operation: Operation, earlier: readonly Operation[], program: Program): Promise<void> {
  const prepared = await preparedFor(earlier);
  const outcomes = [await contentsAfter(prepared, operation, first), await contentsAfter(prepared, operation, program)];
  for (let limit = 0, isDone = false; !isDone; limit++) {
    const object = prepared.copy();
    isDone = await object.execute(first, operation, limit);
    const isCompleted =
      isDone ||
      (await object.execute(program, operation, limit + 2)) ||
      (await object.execute(first, operation, limit + 3)) ||
      (await object.execute(program, operation));
    expect(isCompleted).toBe(true);
    expect(outcomes).toContainEqual(object.contents);
  }
}

describe("operations of Restate's object that another program completes", () => {
  for (const [name, each] of Object.entries(operations))
    for (const [other, program] of Object.entries(programs))
      test(`${name}, completed by a program with ${other}`, async () => {
        const [operation, ...earlier] = ("method" in each ? [each] : each.toReversed()) as [Operation, ...Operation[]];
        await expectOneDecision(operation, earlier, program);
      });

  test("a wait with a long event, whose decision is recorded in parts", async () => {
    await expectOneDecision(wait("b"), [early("Event. ".repeat(600_000))], programs["another version"]!);
  });
});
