import type { CloudEvent } from "../../events.ts";
import type { Signal } from "../../flow/abort.ts";
import type { Inbox } from "../../host.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { Hearing, type Listening } from "../hearing/hearing.ts";
import type { Message, Said } from "../hearing/messages.ts";
import { parts } from "../parts.ts";
import { again, type Entry, type Journal, nameOf } from "./journal.ts";
import { executionOf, hear, messageOf, type Site, tell } from "./rendezvous.ts";

// Kept from before anybody may put another clock in their place.
const { nextTick } = globalThis.process;

/** A run, as it begins. */
export interface Hearer {
  readonly id: string;
  /** The name of its execution. */
  readonly execution: string;
  readonly workflow: AnyWorkflow;
  readonly input: Json;
}

/**
 * What a run hears: the messages that the table has for it, one after the other, of each of which it is told by a callback. What it says itself are steps, one
 * behind the other.
 */
export class Ear implements Listening {
  /** What is told again is said again as well: it is recorded. */
  readonly isReplaying = false;
  /** Rejects where the run cannot be told something. */
  readonly broken: Promise<never>;
  readonly #break: (reason: unknown) => void;
  readonly #journal: Journal;
  readonly #site: Site;
  readonly #execution: string;
  readonly #hearing: Hearing;
  #known: Promise<unknown> = Promise.resolve();
  #said = 0;

  constructor(journal: Journal, site: Site, { id, execution, workflow, input }: Hearer) {
    this.#journal = journal;
    this.#site = site;
    this.#execution = execution;
    this.#hearing = new Hearing(id, this);
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    [this.broken, this.#break] = [promise, reject];
    this.say({ method: "start", what: { id, workflow: workflow.id, version: workflow.version, input } });
    this.#listen(1);
  }

  /** Resolves when the table knows what the run has said until now. */
  known(): Promise<unknown> {
    return this.#known;
  }

  inbox(key: string, workflow: AnyWorkflow, first: readonly CloudEvent[]): Inbox {
    return this.#hearing.open(key, workflow, first);
  }

  /** Waits for events: those that others may use too have to be granted. */
  wait<T>(key: string, waiting: () => Promise<T> | T, signal: Signal): Promise<T> | T {
    const hearing = this.#hearing;
    const first = hearing.look(key, waiting);
    if (!(first instanceof Promise) && !hearing.usedBy(key)) return first;
    const granted = hearing.granted(key, first, waiting, () => !signal.aborted);
    return unlessAborted(signal, granted as Promise<T>);
  }

  /** The run hears nothing any more. */
  leave(): Promise<unknown> {
    this.#hearing.end();
    this.say({ method: "leave", what: { run: this.#hearing.run } });
    return this.#known;
  }

  /** A run is about to be started: what comes from now on is for it. */
  starts(workflow: AnyWorkflow, input: Json, id: string): void {
    if (!workflow.events) return;
    const what = { id, workflow: workflow.id, version: workflow.version, input };
    this.say({ method: "start", what }, executionOf(id));
  }

  /** Says something; `execution`: that of the run that it is about. */
  say(said: Said, execution = this.#execution): void {
    const { order } = this.#journal;
    const [before, at] = [this.#known, order.now()];
    const by = { run: this.#hearing.run, execution, n: ++this.#said };
    const say = async () => {
      await order.live;
      await before;
      await tell(this.#site, { at, by, ...said });
      return null;
    };
    const step = this.#journal.begin((context) => context.step(nameOf(`#said ${by.n}`), say, again));
    this.#known = Promise.resolve(step);
    this.#known.catch(this.#break);
  }

  /** Others may use what the run does not, as far as it is known when the run has come to rest. */
  passSoon(): void {
    nextTick(() => this.#hearing.pass());
  }

  /** Hears of one message after the other. */
  #listen(n: number): void {
    const { order } = this.#journal;
    const { run: id } = this.#hearing;
    const entryOf = async (message: Message): Promise<Entry> =>
      this.#journal.entry({ value: message as unknown as Json }, Math.max(message.at, order.now()));
    const operation = () =>
      this.#journal.begin(
        (outer) =>
          outer.runInChildContext(
            `#m${n}`,
            async (context): Promise<Entry | null> => {
              const [called, callback] = await context.createCallback("callback");
              const known = this.#known;
              const listen = async () => {
                await order.live;
                await known;
                const message = await hear(this.#site, id, n, callback);
                return message ? entryOf(message) : null;
              };
              const there = await context.step("listen", listen, again);
              if (there) return there;
              await called;
              const take = async () => {
                await order.live;
                return entryOf(await messageOf(this.#site, id, n));
              };
              return context.step("take", take, again);
            },
            { virtualContext: true },
          ),
        operationsOfMessage,
      );
    this.#journal.ask<Message>(parts.neverAborted, operation).then((message) => {
      this.#listen(n + 1);
      this.#hearing.hear(message);
      this.passSoon();
    }, this.#break);
  }
}

/** A callback, the step that looks whether the message is there, and the one that takes it. */
const operationsOfMessage = 3;

function unlessAborted<T>(signal: Signal, promise: Promise<T>): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const cutOff = () => reject(signal.reason);
    signal.addEventListener("abort", cutOff);
    promise.then((value) => {
      signal.removeEventListener("abort", cutOff);
      resolve(value);
    }, reject);
  });
}
