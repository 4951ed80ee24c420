import { expect } from "vitest";
import { createMemoryBroker, type MemoryBroker } from "../../src/events/memory.ts";
import type { Answer } from "../../src/events/partition.ts";
import type { WaitRule } from "../../src/events/rules.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import type { CrashPoint, EventStore, EventStoreDriver, Receipt, RunWait, TestClock } from "./adapters.ts";
import { type EventProgram, rulesOf } from "./program.ts";

/** A run of the comparison: its id in memory, that of the adapter, and when it began. */
interface ComparedRun {
  readonly id: string;
  readonly own: string;
  readonly began: number;
}

/** A wait of the comparison. */
interface ComparedWait {
  readonly run: string;
  /** When its last alternative times out; infinity if one never does. */
  readonly end: number;
  readonly cancel: () => void;
}

/** Applies each operation to an adapter and to a broker in memory, and compares what runs receive. */
export class Comparison {
  readonly store: EventStore;
  readonly clock: TestClock;
  readonly program: EventProgram;
  /** Lets the next operation crash. */
  nextCrash: CrashPoint | undefined;
  /** Lets every operation crash. */
  everyCrash: CrashPoint | undefined;
  /** The runs of the workflow with waits. */
  readonly runs = new Map<string, ComparedRun>();
  /** Waits without an answer. */
  readonly waits = new Map<string, ComparedWait>();
  readonly events: JsonObject[] = [];
  readonly #broker: MemoryBroker;
  readonly #expected = new Map<string, Json>();
  readonly #actual = new Map<string, Json>();
  readonly #started: { readonly workflow: string; readonly run: string; readonly key: string }[] = [];
  readonly #ownIds = new Map<string, string>();
  #position = 0;

  private constructor(store: EventStore, clock: TestClock, program: EventProgram) {
    this.store = store;
    this.clock = clock;
    this.program = program;
    this.#broker = createMemoryBroker(
      rulesOf(program),
      () => clock.now,
      (start) => {
        const key = startKey(start);
        this.#expected.set(key, null);
        this.#started.push({ workflow: start.workflow, run: start.run, key });
      },
    );
  }

  static async open(driver: EventStoreDriver, program: EventProgram): Promise<Comparison> {
    const clock = { now: Date.UTC(2026, 0, 1) };
    return new Comparison(await driver.open(program, clock), clock, program);
  }

  /** Delivers an event; its id is its number unless it is given. */
  async arrive(event: JsonObject): Promise<void> {
    const complete = { specversion: "1.0", id: `e${this.events.length}`, source: "/test", ...event };
    await this.repeat(complete);
    this.events.push(complete);
  }

  /** Delivers an event that has been delivered before. */
  async repeat(event: JsonObject): Promise<void> {
    await this.#both(
      () => this.#broker.arrive(event),
      () => this.store.arrive(event),
    );
    for (const { workflow, run, key } of this.#started.splice(0)) {
      if (workflow !== "orders") continue;
      this.runs.set(run, { id: run, own: this.#ownIds.get(key)!, began: this.clock.now });
      await this.#join(run, undefined);
    }
  }

  /** A run begins. */
  async begin(id: string, value?: Json): Promise<void> {
    this.runs.set(id, { id, own: id, began: this.clock.now });
    await this.#join(id, value);
  }

  #join(id: string, value: Json | undefined): Promise<void> {
    return this.#both(
      () => this.#broker.join(id, value),
      () => this.store.join(this.runs.get(id)!.own, value),
    );
  }

  /** A run begins to wait. */
  async wait(runId: string, step: string, given: Partial<RunWait> = {}): Promise<void> {
    const { own: ownId, began } = this.runs.get(runId)!;
    const position = [...(given.position ?? []), this.#position];
    const id = given.id ?? `${runId}/${step}/${this.#position}`;
    this.#position += 1;
    const wait = { step, began, variables: {}, ...given, id, position };
    const inMemory = { id, run: runId, step, age: [began], position, variables: wait.variables, values: wait.values };
    await this.#both(
      () => {
        const end = this.clock.now + 1_000 * limitOf(rulesOf(this.program).waitRule({ step })!);
        this.waits.set(id, { run: runId, end, cancel: () => undefined });
        const cancel = this.#broker.wait(inMemory, (answer) => {
          this.waits.delete(id);
          this.#expected.set(`answer ${id}`, plainAnswer(answer));
        });
        if (this.waits.has(id)) this.waits.set(id, { run: runId, end, cancel });
      },
      () => {
        if (!this.#actual.has(`answer ${id}`)) return this.store.wait({ ...wait, run: ownId });
      },
    );
  }

  async cancel(id: string): Promise<void> {
    const { cancel } = this.waits.get(id)!;
    this.waits.delete(id);
    await this.#both(cancel, () => this.store.cancel(id));
  }

  async leave(runId: string): Promise<void> {
    const { own: ownId } = this.runs.get(runId)!;
    for (const [id, { run }] of this.waits) if (run === runId) this.waits.delete(id);
    this.runs.delete(runId);
    await this.#both(
      () => this.#broker.leave(runId),
      () => this.store.leave(ownId),
    );
  }

  /** Time passes; waits whose limits pass meanwhile expire in their order. */
  async pass(seconds: number): Promise<void> {
    const until = this.clock.now + seconds * 1_000;
    for (;;) {
      const [first] = [...this.waits].filter(([, { end }]) => end < until).sort(([, a], [, b]) => a.end - b.end);
      if (!first) break;
      const [id, { end }] = first;
      this.clock.now = Math.max(this.clock.now, end);
      await this.#both(
        () => this.#broker.expire(id),
        () => this.store.expire(id),
      );
      expect(this.answerOf(id), id).toBeDefined();
    }
    this.clock.now = until;
  }

  /** The answer that a wait is expected to have received; undefined if it still waits. */
  answerOf(id: string): Json | undefined {
    return this.#expected.get(`answer ${id}`);
  }

  async close(): Promise<void> {
    await this.pass(100);
    await this.store.close?.();
  }

  async #both(inMemory: () => void, inStore: () => Promise<void> | void): Promise<void> {
    inMemory();
    const point = this.nextCrash ?? this.everyCrash;
    this.nextCrash = undefined;
    this.store.crashAt?.(point);
    try {
      await inStore();
    } catch (crash) {
      if (point === undefined) throw crash;
      await this.store.reopen!();
      await this.#collect();
      await inStore();
    } finally {
      this.store.crashAt?.(undefined);
    }
    await this.#collect();
    expect(entriesOf(this.#actual)).toEqual(entriesOf(this.#expected));
  }

  async #collect(): Promise<void> {
    for (const receipt of await this.store.received()) this.#record(receipt);
  }

  #record(receipt: Receipt): void {
    const [key, value] =
      receipt.kind === "answer" ? [`answer ${receipt.id}`, plainAnswer(receipt)] : [startKey(receipt), null];
    if (this.#actual.has(key)) expect(this.#actual.get(key), `${key}, repeated`).toEqual(value);
    this.#actual.set(key, value);
    if (receipt.kind === "start") this.#ownIds.set(key, receipt.run);
  }
}

const entriesOf = (map: ReadonlyMap<string, Json>): readonly (readonly [string, Json])[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** A start is known by its workflow and its events, since adapters have their own ids for runs. */
const startKey = ({ workflow, events }: Pick<Receipt & { readonly kind: "start" }, "workflow" | "events">): string =>
  `start ${workflow} ${JSON.stringify(events.map(({ name, event }) => [name, event["id"]]))}`;

/** What adapters have in common of an answer: the message of an error is their own. */
const plainAnswer = ({ alternative, events, groups, error }: Answer): Json =>
  JSON.parse(JSON.stringify(error === undefined ? { alternative, events, groups } : { isFailed: true })) as Json;

const limitOf = ({ alternatives }: WaitRule): number =>
  Math.max(...alternatives.map(({ within }) => within ?? Number.POSITIVE_INFINITY));
