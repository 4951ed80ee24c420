import type { WorkflowError } from "../../errors.ts";
import type { Signal } from "../../flow/abort.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { type AnswerRecord, answerFrom, type Begin, type RunReport, type WaitReference } from "../broker/messages.ts";
import { parts } from "../parts.ts";
import type { Examination } from "./foreign.ts";
import { requireRoom, sizeOf } from "./limits.ts";
import { bookKey, knownKey, retryKey, type Summary } from "./messages.ts";
import type { RestatePromise, Sdk, WorkflowContext } from "./sdk.ts";
import type { Setting } from "./serving.ts";

/** Something that a run is told: how a thing came out, or the answer of a wait. */
export type Entry =
  | { readonly key: string; readonly kind: "value"; readonly value: unknown; readonly at: number }
  | { readonly key: string; readonly kind: "failure"; readonly text: string; readonly at: number }
  | { readonly key: string; readonly kind: "fired"; readonly at: number }
  | { readonly key: string; readonly kind: "known"; readonly at: number }
  | { readonly key: string; readonly kind: "retry"; readonly at: number }
  | { readonly key: string; readonly kind: "examination"; readonly examination: Examination; readonly at: number }
  | AnswerEntry;

/** The answer of a wait. */
export interface AnswerEntry {
  readonly key: string;
  readonly kind: "answer";
  readonly answer: AnswerRecord;
  readonly at: number;
  readonly wait: WaitReference;
  /** Whether the object has the confirmation: the run is told again. */
  readonly isConfirmed?: true;
}

/** A message to a run that waits: the answer, or events that it is to examine itself. */
type AnswerMessage =
  | { readonly answer: AnswerRecord; readonly at: number }
  | { readonly examination: Examination; readonly at: number };

/** Asks Restate for something, or gives what is there at once; nothing where it is settled otherwise. */
type Beginning = () => RestatePromise<Entry> | Entry | undefined;

/** What a run has asked for and has not been told. */
interface Request {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly forget: () => void;
  readonly waits?: Waits | undefined;
}

/** What a run waits for. */
export interface Waits {
  readonly events?: readonly string[];
  readonly until?: number | undefined;
  /** Examines events, and returns what the wait awaits then. */
  readonly examine?: (examination: Examination) => RestatePromise<Entry>;
}

/**
 * A run within an invocation of Restate. All that it asks Restate for is asked as it goes on, and it goes on only when it is told something: one thing at a
 * time, in the order of Restate's journal, and each when it has come to rest after the one before. So it asks for the same in the same order when the
 * invocation is executed again.
 */
export class LiveRun {
  readonly ctx: WorkflowContext;
  readonly setting: Setting;
  readonly begin: Begin;
  readonly workflow: AnyWorkflow;
  readonly dues = new Map<string, number>();
  readonly retried = new Map<string, number>();
  readonly causes = new WeakMap<object, string>();
  controller = new AbortController();
  pauses = 0;
  clock: number;
  /** What nobody waits for and has to be done before the invocation ends. */
  readonly background = new Set<string>();
  #requests = new Map<string, Request>();
  readonly #pending = new Map<string, RestatePromise<Entry>>();
  /** How many bytes it has been told, and is about to be. */
  #size: number;
  readonly #coming = new Map<string, number>();
  #soon: Entry[] = [];
  #told: Entry[] = [];
  /** How much it had been told when it failed. */
  #failed = 0;
  /** What is told again, as a failed run goes on. */
  #again: Entry[] = [];
  #late = new Map<string, Entry>();
  /** What it reports when it has come to rest. */
  #later: RunReport[] = [];
  /** How often it has failed. */
  failures = 0;
  /** How others see the run: one of which nothing is kept is running. */
  #shown = JSON.stringify(running);
  readonly #line: string[] = [];
  #said = 0;
  /** Whether the book has anything of the run but how it began. */
  #isInBook: boolean;
  /** What the book has been told of and may not know. */
  readonly #unknown = new Set<string>();
  #held: { readonly key: string; readonly begin: Beginning }[] = [];
  readonly #turns = new Map<string, () => void>();

  constructor(ctx: WorkflowContext, setting: Setting, begin: Begin, workflow: AnyWorkflow) {
    this.ctx = ctx;
    this.setting = setting;
    this.begin = begin;
    this.workflow = workflow;
    this.clock = begin.at;
    this.#size = sizeOf(begin);
    this.#isInBook = begin.receives;
  }

  /** Asks for something: what is recorded under its key, when it is the turn of that. */
  ask<T>(key: string, signal: Signal, begin: Beginning, waits?: Waits): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise<T>((resolve, reject) => {
      const cutOff = () => {
        this.#remove(key);
        this.#pending.delete(key);
        this.begun(key);
        reject(signal.reason);
      };
      signal.addEventListener("abort", cutOff);
      const forget = () => signal.removeEventListener("abort", cutOff);
      this.#requests.set(key, { resolve: resolve as Request["resolve"], reject, forget, waits });
      const late = this.#late.get(key);
      if (late) {
        this.#late.delete(key);
        this.#soon.push(late);
      } else if (!this.#again.some((entry) => entry.key === key)) this.#start(key, begin);
    });
  }

  /**
   * As `ask`, for what others hear of, and may answer with an event: it begins when the book knows of all runs that this one has started and of all subflows
   * that listen, as an event before that would not be theirs.
   */
  act<T>(key: string, signal: Signal, begin: Beginning): Promise<T> {
    return this.ask(key, signal, () => {
      if (this.#unknown.size === 0) return begin();
      this.#held.push({ key, begin });
      return undefined;
    });
  }

  #start(key: string, begin: Beginning): void {
    if (this.#pending.has(key)) return;
    const begun = begin();
    if (begun === undefined) return;
    if ("kind" in begun) this.#soon.push(begun);
    else this.#pending.set(key, begun);
  }

  /** What is done begins in the order in which it was asked for, in whichever Restate begins it. */
  async turn(key: string): Promise<void> {
    if (this.#line[0] === key || !this.#line.includes(key)) return;
    await new Promise<void>((resolve) => this.#turns.set(key, resolve));
  }

  /** Something stands in line to begin. */
  queue(key: string): void {
    this.#line.push(key);
  }

  /** It has begun, or does not have to. */
  begun(key: string): void {
    const place = this.#line.indexOf(key);
    if (place < 0) return;
    this.#line.splice(place, 1);
    const [next] = this.#line;
    if (next !== undefined) this.#turns.get(next)?.();
  }

  /** Goes on without anybody's waiting for it. */
  also(key: string, promise: RestatePromise<Entry>): void {
    this.background.add(key);
    this.#pending.set(key, promise);
  }

  /** Something is about to be recorded: a failure where Restate could not go on with the run then. */
  requireRoom(key: string, value: unknown): void {
    const size = sizeOf(value);
    requireRoom([...this.#coming.values()].reduce((sum, each) => sum + each, this.#size + size));
    this.#coming.set(key, size);
  }

  isAsked(key: string): boolean {
    return this.#requests.has(key);
  }

  /** Reports something to the object. */
  say({ method, what }: RunReport): void {
    const parameter = new TextEncoder().encode(JSON.stringify({ at: this.clock, what }));
    const book = { service: this.setting.names.book, key: bookKey };
    this.ctx.genericSend({ ...book, method, parameter });
    if (method === "join") this.#isInBook = true;
    if (method !== "start" && method !== "join") return;
    // An object processes the messages of one sender in their order. A call with the message itself would be canceled with the run.
    const key = knownKey(++this.#said);
    this.#unknown.add(key);
    const known = this.ctx.genericCall({ ...book, method: "known", parameter: new TextEncoder().encode("null") });
    this.#pending.set(
      key,
      known.map(() => ({ key, kind: "known", at: this.clock })),
    );
  }

  /** The run no longer waits: the object is told if it knows more of the run than its beginning. */
  leave(): void {
    this.#later = [];
    if (this.#isInBook) this.say({ method: "leave", what: { run: this.begin.id } });
  }

  /** Reports something when the run has come to rest, unless it fails before. */
  sayLater(report: RunReport): void {
    this.#later.push(report);
  }

  /** Awaits the answer of a wait that the object knows of. */
  awaitAnswer(key: string, wait: WaitReference, reply: string): RestatePromise<Entry> {
    return this.ctx.signal<AnswerMessage>(reply).map((message, failure): Entry => {
      if (failure) throw failure;
      if ("examination" in message!) return { key, kind: "examination", ...message };
      return { key, kind: "answer", ...message!, wait };
    });
  }

  /** The book knows of something; what has waited for that begins. */
  #known(key: string): void {
    this.#unknown.delete(key);
    if (this.#unknown.size > 0) return;
    for (const held of this.#held.splice(0)) if (this.isAsked(held.key)) this.#start(held.key, held.begin);
  }

  /** Tells the run one thing after the other until something has come of it. */
  async pump(isOver: () => boolean): Promise<void> {
    for (;;) {
      await this.rest();
      if (isOver()) return;
      this.#report();
      await this.#next();
    }
  }

  /** Waits for one thing and tells it. */
  async #next(): Promise<void> {
    const soon = this.#soon.shift() ?? this.#again.shift();
    const entry = soon ?? (await this.#first());
    this.tell(entry);
  }

  #first(): Promise<Entry> {
    return firstOf([...this.#pending.values()]);
  }

  /** One thing is told, whoever waits for it. */
  async pumpOnce(): Promise<Entry> {
    const entry = await this.#first();
    this.tell(entry);
    return entry;
  }

  tell(entry: Entry): void {
    this.#pending.delete(entry.key);
    this.begun(entry.key);
    this.background.delete(entry.key);
    this.clock = Math.max(this.clock, entry.at);
    this.#size += sizeOf(entry);
    this.#coming.delete(entry.key);
    if (entry.kind === "known") {
      this.#known(entry.key);
      return;
    }
    if (entry.kind === "retry") return;
    if (entry.kind === "examination") {
      const examine = this.#requests.get(entry.key)?.waits?.examine;
      if (examine) this.#pending.set(entry.key, examine(entry.examination));
      return;
    }
    const request = this.#remove(entry.key);
    if (entry.kind === "answer") this.#tellAnswer(entry, request);
    else this.#told.push(entry);
    if (!request) {
      const isToldAgain = this.#again.length > 0 || (entry.kind === "answer" && entry.isConfirmed);
      if (isToldAgain) this.#late.set(entry.key, entry);
      return;
    }
    if (entry.kind === "answer") request.resolve(answerFrom(entry.answer));
    else if (entry.kind === "value") request.resolve(entry.value);
    else if (entry.kind === "fired") request.resolve(undefined);
    else {
      const failure: WorkflowError = parts.failureIn(entry.text);
      this.causes.set(failure, entry.key);
      request.reject(failure);
    }
  }

  /** The run has an answer from now on; one that it no longer waits for has been canceled. */
  #tellAnswer(entry: AnswerEntry, request: Request | undefined): void {
    if (entry.isConfirmed) this.#told.push(entry);
    else if (request) {
      this.#told.push({ ...entry, isConfirmed: true });
      this.say({ method: "confirm", what: entry.wait });
    }
  }

  /** Lets what is told run until nothing goes on. */
  async rest(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.pauses > 0);
  }

  /** Others are told what has changed. */
  #report(): void {
    for (const report of this.#later.splice(0)) this.say(report);
    if (this.#soon.length + this.#again.length > 0) return;
    const waits = [...this.#requests.values()].map((request) => request.waits);
    if (waits.length === 0 || waits.includes(undefined)) {
      this.show(running);
      return;
    }
    const until = Math.min(...waits.map((wait) => wait!.until ?? Number.POSITIVE_INFINITY));
    const events = [...new Set(waits.flatMap((wait) => wait!.events ?? []))];
    this.show({ status: "waiting", events, ...(Number.isFinite(until) && { until }) });
  }

  /** The key of the last failure, where it is this one, or of the last time-out. */
  lastFailure({ name, message }: { readonly name: string; readonly message: string }): string | undefined {
    const last = this.#told.findLast(({ kind }) => kind === "failure");
    if (last?.kind === "failure") {
      const failure = parts.failureIn(last.text);
      if (failure.name === name && failure.message === message) return last.key;
    }
    return this.#told.findLast(({ kind, key }) => kind === "fired" && /#timeout(?:#\d+)?$/.test(key))?.key;
  }

  show(summary: Omit<Summary, "updated">): void {
    const text = JSON.stringify(summary);
    if (text === this.#shown) return;
    this.#shown = text;
    this.ctx.set("summary", { ...summary, updated: this.clock });
  }

  /** The run has failed. It stays subscribed, because it may be retried. */
  fail(): void {
    this.#failed = this.#told.length;
    this.#later = [];
    this.failures += 1;
    const key = retryKey(this.failures);
    const retry = this.ctx.signal<{ readonly at: number }>(key).map((message, failure): Entry => {
      if (failure) throw failure;
      return { key, kind: "retry", at: message!.at };
    });
    this.#pending.set(key, retry);
  }

  /** Prepares to continue from where the run failed: what came of that is forgotten, and the rest is told again. */
  again(cause: string | undefined, failedAt: number, now: number): void {
    const at = cause === undefined ? -1 : this.#told.findLastIndex(({ key }) => key === cause);
    const since = this.#told.splice(at < 0 ? this.#failed : at);
    for (const { key, kind } of at < 0 ? [] : since) {
      if (kind === "failure") this.retried.set(key, (this.retried.get(key) ?? 0) + 1);
      if (kind === "fired") this.dues.delete(key);
    }
    for (const [key, due] of this.dues) if (due > failedAt) this.dues.set(key, due + now - failedAt);
    // Events that were received are not received again.
    const isKept = ({ kind, key }: Entry) => at < 0 || (kind === "answer" && key !== cause);
    this.#again = [...this.#told, ...since.filter(isKept)];
    this.#told = [];
    this.#late = new Map();
    this.#requests = new Map();
    this.#soon = [];
    this.#held = [];
    this.#later = [];
    this.controller = new AbortController();
    for (const key of [...this.#pending.keys()])
      if (!this.background.has(key) && !this.#unknown.has(key)) this.#pending.delete(key);
  }

  #remove(key: string): Request | undefined {
    const request = this.#requests.get(key);
    if (!request) return undefined;
    this.#requests.delete(key);
    request.forget();
    return request;
  }
}

const running: Omit<Summary, "updated"> = { status: "running", events: [] };

let sdk: Pick<Sdk, "RestatePromise"> | undefined;

/** The package is there where a program runs on this host. */
export function useSdk(loaded: Sdk): void {
  sdk = loaded;
}

const firstOf = (all: readonly RestatePromise<Entry>[]): Promise<Entry> => sdk!.RestatePromise.race(all);
