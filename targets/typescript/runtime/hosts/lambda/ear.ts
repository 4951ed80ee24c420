import type { CloudEvent, Taken } from "../../events.ts";
import type { Signal } from "../../flow/abort.ts";
import type { Inbox } from "../../host.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { type Listening, RunInbox } from "../restate/inbox.ts";
import type { Message } from "../restate/messages.ts";
import { again } from "./again.ts";
import { type Entry, type Journal, nameOf } from "./journal.ts";
import { parts } from "./parts.ts";
import { hear, messageOf, type Said, type Site, tell } from "./rendezvous.ts";

// Kept from before anybody may put another clock in their place.
const { nextTick } = globalThis.process;

/** A run, as it begins. */
export interface Hearer {
  readonly id: string;
  readonly workflow: AnyWorkflow;
  readonly input: Json;
  readonly taken: readonly Taken[];
}

/**
 * What a run hears: the messages that the table has for it, one after the other, of each of which it is told by a callback. What it says itself are steps, one
 * behind the other.
 */
export class Ear implements Listening {
  looking: string | undefined;
  /** What is told again is said again as well: it is recorded. */
  readonly isReplaying = false;
  readonly begin: { readonly id: string };
  readonly inboxes = new Map<string, RunInbox>();
  /** Rejects where the run cannot be told something. */
  readonly broken: Promise<never>;
  readonly #break: (reason: unknown) => void;
  readonly #journal: Journal;
  readonly #site: Site;
  readonly #claiming = new Map<number, (isGranted: boolean) => void>();
  #known: Promise<unknown> = Promise.resolve();
  #said = 0;
  #claims = 0;
  #heard: { readonly inbox: string; readonly number: number }[] = [];

  constructor(journal: Journal, site: Site, { id, workflow, input }: Hearer) {
    this.#journal = journal;
    this.#site = site;
    this.begin = { id };
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    [this.broken, this.#break] = [promise, reject];
    this.#say({ method: "start", what: { id, workflow: workflow.id, version: workflow.version, input } });
    this.#listen(1);
  }

  /** Resolves when the table knows what the run has said until now. */
  known(): Promise<unknown> {
    return this.#known;
  }

  inbox(key: string, workflow: AnyWorkflow, first: readonly CloudEvent[]): Inbox {
    const inbox = new RunInbox(this, key, workflow, first, key === "" && workflow.events ? "?" : "");
    this.inboxes.set(key, inbox);
    const { id: run } = this.begin;
    const joining = { run, inbox: key, workflow: workflow.id, version: workflow.version, token: "" };
    if (key !== "" && workflow.events) this.#say({ method: "join", what: joining });
    inbox.begin();
    return inbox;
  }

  /** Waits for events: those that others may use too have to be granted. */
  wait<T>(key: string, waiting: () => Promise<T> | T, signal: Signal): Promise<T> | T {
    const outcome = this.#look(key, waiting);
    return outcome instanceof Promise || this.#usedBy(key) ? this.#granted(key, outcome, waiting, signal) : outcome;
  }

  async #granted<T>(key: string, first: Promise<T> | T, waiting: () => Promise<T> | T, signal: Signal): Promise<T> {
    for (let outcome = first; ; outcome = this.#look(key, waiting)) {
      const found = await outcome;
      const used = this.#usedBy(key);
      used?.inbox.used.delete(key);
      if (!used || (await unlessAborted(signal, this.claim(used.inbox.key, used.numbers)))) return found;
      used.inbox.restore(used);
    }
  }

  #look<T>(key: string, waiting: () => Promise<T> | T): Promise<T> | T {
    const outer = this.looking;
    this.looking = key;
    try {
      return waiting();
    } finally {
      this.looking = outer;
    }
  }

  #usedBy(key: string) {
    return [...this.inboxes.values()].flatMap((inbox) => inbox.used.get(key) ?? [])[0];
  }

  claim(inbox: string, numbers: readonly number[]): Promise<boolean> {
    const claim = ++this.#claims;
    this.#say({ method: "claim", what: { run: this.begin.id, inbox, claim, numbers } });
    return new Promise((resolve) => this.#claiming.set(claim, resolve));
  }

  tellBook(method: string, what: object): void {
    this.#say({ method, what } as Said);
  }

  /** The run hears nothing any more. */
  leave(): Promise<unknown> {
    this.#say({ method: "leave", what: { run: this.begin.id } });
    return this.#known;
  }

  #say(said: Said): void {
    const { order } = this.#journal;
    const n = ++this.#said;
    const [before, at, run] = [this.#known, order.now(), this.begin.id];
    const say = async () => {
      await order.live;
      await before;
      await tell(this.#site, { at, by: { run, n }, ...said });
      return null;
    };
    const step = this.#journal.begin((context) => context.step(nameOf(`#said ${n}`), say, again));
    this.#known = Promise.resolve(step);
    this.#known.catch(this.#break);
  }

  /** Hears of one message after the other. */
  #listen(n: number): void {
    const { order } = this.#journal;
    const { id } = this.begin;
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
      this.#take(message);
      nextTick(() => this.#pass());
    }, this.#break);
  }

  #take(message: Message): void {
    if (message.kind === "event") {
      if (message.isShared) this.#heard.push({ inbox: message.inbox, number: message.number });
      this.inboxes.get(message.inbox)?.arrive(message);
    } else if (message.kind === "lost") this.inboxes.get(message.inbox)?.lose(message.number);
    else if (message.kind === "claimed") {
      this.#claiming.get(message.claim)?.(message.isGranted);
      this.#claiming.delete(message.claim);
    }
  }

  /** Others may use what the run has heard of and does not use: that is known when it is told of all that it claims. */
  #pass(): void {
    if (this.#claiming.size > 0) return;
    for (const heard of this.#heard.splice(0)) this.#say({ method: "heard", what: { run: this.begin.id, ...heard } });
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
