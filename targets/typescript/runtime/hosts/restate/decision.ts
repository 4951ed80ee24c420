import type { Changes } from "../../../../../src/events/changes.ts";
import type { Begin } from "../broker/messages.ts";
import { inOrder, longKeysIn, type ObjectState, readPartition, writePartition } from "./partition-documents.ts";
import type { ObjectContext } from "./sdk.ts";

// Restate replays an interrupted operation of the object, perhaps in a process with other workflows, which reads other
// entries and decides otherwise than the one before. So the journal contains what an operation reads and decides, and
// every program can complete it. Otherwise its replay fails indefinitely, and the object processes nothing else.

/** How the object starts runs and reaches them. */
export interface RunPort {
  freshId(): string;
  /** Starts a run, and returns how it is reached. */
  launch(begin: Begin): Promise<string>;
  /** Sends the answer of a wait, or the signal to retry. */
  signal(invocation: string, name: string, message: unknown): void;
}

/** What an operation changes. It does not depend on the program. */
interface Decision {
  readonly result: unknown;
  readonly launches: readonly Begin[];
  readonly writes: readonly Write[];
  readonly partitions: readonly { readonly name: string; readonly changes: Changes }[];
  readonly signals: readonly Signal[];
}

/** An entry of the state; without a value it is deleted. */
interface Write {
  readonly key: string;
  readonly value?: unknown;
  /** The launch that gives the value the id of its invocation. */
  readonly launch?: number;
}

interface Signal {
  readonly invocation: string;
  readonly name: string;
  readonly message: unknown;
}

/** Entries that an operation reads next, or its decision. */
type Step = { readonly reads: readonly string[] } | Decision;

/** How an operation is executed. */
export interface Execution {
  /** The service of runs. */
  readonly runs: string;
  /** Called before each record. */
  readonly alive: () => Promise<void>;
  /** Entries that every program reads for the message: each function returns more by those before. */
  readonly ahead: readonly ((known: (key: string) => unknown) => readonly string[])[];
  /** Values of the message, which a decision refers to instead of repeating them. */
  readonly values: readonly unknown[];
}

/** Executes an operation: it acts on a draft of the state, and then all that it has changed takes effect. */
export async function decide<T>(
  ctx: ObjectContext,
  execution: Execution,
  act: (draft: Draft) => Promise<T>,
): Promise<T> {
  const draft = new Draft(() => ctx.rand.uuidv4());
  for (const keysBy of execution.ahead) await read(ctx, draft, keysBy(draft.known));
  let outcome: { readonly result: T } | { readonly thrown: unknown } | undefined;
  act(draft).then(
    (result) => {
      outcome = { result };
    },
    (thrown: unknown) => {
      outcome = { thrown };
    },
  );
  const next = (): Step => {
    if (!outcome) return { reads: draft.missing() };
    if ("thrown" in outcome) throw outcome.thrown;
    return draft.decision(outcome.result);
  };
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const step = await recorded(ctx, execution, next);
    if ("reads" in step) await read(ctx, draft, step.reads);
    else {
      await perform(ctx, execution.runs, draft, step);
      return step.result as T;
    }
  }
}

/** Reads entries, and those for what is long in them. */
async function read(ctx: ObjectContext, draft: Draft, keys: readonly string[]): Promise<void> {
  const values = await inOrder<unknown>(keys.map((key) => (key === allKeys ? ctx.stateKeys() : ctx.get(key))));
  for (const [i, key] of keys.entries()) draft.learn(key, values[i]);
  const long = keys.flatMap((key, i) => longKeysIn(key, values[i]));
  if (long.length > 0) await read(ctx, draft, long);
}

/** Makes the changes of a decision. */
async function perform(ctx: ObjectContext, runs: string, draft: Draft, decision: Decision): Promise<void> {
  const { launches, writes, partitions, signals } = decision;
  const sent = launches.map((begin) => {
    const parameter = new TextEncoder().encode(JSON.stringify(begin));
    return ctx.genericSend({ service: runs, key: begin.id, method: "run", parameter }).invocationId;
  });
  const invocations = await inOrder(sent);
  for (const { key, value, launch } of writes) {
    if (value === undefined) ctx.clear(key);
    else ctx.set(key, launch === undefined ? value : { ...(value as object), invocation: invocations[launch] });
  }
  const known = { get: async <T>(key: string) => draft.known(key) as T | null };
  for (const { name, changes } of partitions) writePartition(ctx, name, await readPartition(known, name), changes);
  for (const { invocation, name, message } of signals) ctx.invocation(invocation).signal(name).resolve(message);
}

/** A part of the record of a step. */
interface RecordPart {
  /** Identifies the record, and marks values of the message in it. */
  readonly id: string;
  readonly count: number;
  readonly text: string;
}

/** Records a step, in parts that Restate accepts, and returns the recorded one. */
async function recorded(ctx: ObjectContext, { alive, values }: Execution, step: () => Step): Promise<Step> {
  for (;;) {
    let own: readonly RecordPart[] | undefined;
    const part = (i: number) =>
      ctx.run("decide", async () => {
        await alive();
        own ??= partsOf(step(), values);
        return own[i] ?? own[0]!;
      });
    const all = [await part(0)];
    const { id, count } = all[0]!;
    while (all.length < count && all.every((each) => each.id === id)) all.push(await part(all.length));
    await alive();
    // Another process has recorded the first parts and died: a new record begins.
    if (all.every((each) => each.id === id)) return stepIn(all.map(({ text }) => text).join(""), id, values);
  }
}

function partsOf(step: Step, values: readonly unknown[]): readonly RecordPart[] {
  const id = crypto.randomUUID();
  const places = new Map(values.flatMap((value, i) => (isLong(value) ? [[value, i] as const] : [])));
  const text = JSON.stringify(step, (_, value: unknown) => {
    const place = isLong(value) ? places.get(value) : undefined;
    return place === undefined ? value : { [id]: place };
  });
  const count = Math.ceil(text.length / maxPart);
  return Array.from({ length: count }, (_, i) => ({ id, count, text: text.slice(i * maxPart, (i + 1) * maxPart) }));
}

function stepIn(text: string, id: string, values: readonly unknown[]): Step {
  if (!text.includes(`{"${id}":`)) return JSON.parse(text) as Step;
  return JSON.parse(text, (_, value: unknown) =>
    value !== null && typeof value === "object" && Object.hasOwn(value, id)
      ? values[(value as { readonly [key: string]: number })[id]!]
      : value,
  ) as Step;
}

/** Whether a value is referred to rather than repeated. */
const isLong = (value: unknown): boolean =>
  typeof value === "string" ? value.length > 1000 : typeof value === "object" && value !== null;

/** The characters of a part: in JSON in JSON, each needs up to four bytes. */
const maxPart = 4_000_000;

/** Stands for the keys of all entries among those that are read. */
const allKeys = "keys";

/** The state as an operation sees it, with its changes. What has not been read is awaited. */
export class Draft implements ObjectState, RunPort {
  readonly freshId: () => string;
  readonly #read = new Map<string, unknown>();
  readonly #awaited = new Map<string, PromiseWithResolvers<unknown>>();
  readonly #written = new Map<string, unknown>();
  readonly #partitions: { readonly name: string; readonly changes: Changes }[] = [];
  readonly #launches: Begin[] = [];
  readonly #signals: Signal[] = [];

  constructor(freshId: () => string) {
    this.freshId = freshId;
  }

  /** The stored value of an entry that has been read. */
  known = (key: string): unknown => this.#read.get(key);

  /** The entries that are awaited. */
  missing = (): readonly string[] => [...this.#awaited.keys()];

  /** An entry has been read. */
  learn(key: string, value: unknown): void {
    this.#read.set(key, value);
    this.#awaited.get(key)?.resolve(value);
    this.#awaited.delete(key);
  }

  async get<T>(key: string): Promise<T | null> {
    if (this.#written.has(key)) return (this.#written.get(key) ?? null) as T | null;
    return (await this.#whenRead(key)) as T | null;
  }

  async stateKeys(): Promise<readonly string[]> {
    const keys = new Set((await this.#whenRead(allKeys)) as readonly string[]);
    for (const [key, value] of this.#written) {
      if (value === undefined) keys.delete(key);
      else keys.add(key);
    }
    return [...keys];
  }

  set<T>(key: string, value: T): void {
    this.#written.set(key, value);
  }

  clear(key: string): void {
    this.#written.set(key, undefined);
  }

  change(name: string, changes: Changes): void {
    if (changes.put.length + changes.deleted.length > 0) this.#partitions.push({ name, changes });
  }

  /** Returns what the id of the invocation replaces when the run is started. */
  async launch(begin: Begin): Promise<string> {
    return `${launched}${this.#launches.push(begin) - 1}`;
  }

  signal(invocation: string, name: string, message: unknown): void {
    this.#signals.push({ invocation, name, message });
  }

  /** All that the operation has changed. */
  decision(result: unknown): Decision {
    const writes = [...this.#written].map(([key, value]): Write => {
      const { invocation } = Object(value) as { readonly invocation?: unknown };
      const isLaunched = typeof invocation === "string" && invocation.startsWith(launched);
      return { key, value, ...(isLaunched && { launch: Number(invocation.slice(launched.length)) }) };
    });
    return { result, launches: this.#launches, writes, partitions: this.#partitions, signals: this.#signals };
  }

  #whenRead(key: string): Promise<unknown> {
    if (this.#read.has(key)) return Promise.resolve(this.#read.get(key));
    const awaited = this.#awaited.get(key) ?? Promise.withResolvers<unknown>();
    this.#awaited.set(key, awaited);
    return awaited.promise;
  }
}

const launched = "launched:";
