import type { WorkflowError } from "../../errors.ts";
import type { Signal } from "../../flow/abort.ts";
import { failureIn, Replay } from "../../internal.ts";
import type { PendingRequest } from "../../replay/replay.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { type AnswerRecord, answerFrom, type Begin, type RunReport, type WaitReference } from "../broker/messages.ts";
import type { Examination } from "./foreign.ts";
import { requireRoom, sizeOf } from "./limits.ts";
import { bookKey, knownKey, retryKey, type Summary } from "./messages.ts";
import type { RestatePromise, Sdk, WorkflowContext } from "./sdk.ts";
import type { Setting } from "./serving.ts";

/** A result that a run receives, or a message to it. */
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
  /** Whether the run has received it before, and confirmed it. */
  readonly isConfirmed?: true;
}

/** A message to a run that waits: the answer, or events for the run to examine. */
type AnswerMessage =
  | { readonly answer: AnswerRecord; readonly at: number }
  | { readonly examination: Examination; readonly at: number };

/** Begins a request to Restate, or returns a result at once; undefined if the request is settled elsewhere. */
type Beginning = () => RestatePromise<Entry> | Entry | undefined;

/** A request of a run without a result. */
interface Request extends PendingRequest {
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
 * A run in an invocation of Restate, whose journal is Restate's. It makes requests only when it receives a result, so
 * that it makes the same requests in the same order when the invocation is replayed.
 */
export class ReplayingRun extends Replay<Request> {
  readonly ctx: WorkflowContext;
  readonly setting: Setting;
  readonly begin: Begin;
  readonly workflow: AnyWorkflow;
  readonly dues = new Map<string, number>();
  readonly retried = new Map<string, number>();
  readonly causes = new WeakMap<object, string>();
  controller = new AbortController();
  clock: number;
  /** Detached work, which must end before the invocation does. */
  readonly background = new Set<string>();
  readonly #pending = new Map<string, RestatePromise<Entry>>();
  /** The bytes of all results so far, and of those under way. */
  #size: number;
  readonly #coming = new Map<string, number>();
  /** The results that it has received, for a retry. */
  #received: Entry[] = [];
  /** Their number when it failed. */
  #failed = 0;
  /** Reports to be sent when the run is idle. */
  #later: RunReport[] = [];
  /** How often it has failed. */
  failures = 0;
  /** The stored summary; a run without one is running. */
  #shown = JSON.stringify(running);
  readonly #line: string[] = [];
  #reported = 0;
  /** Whether the object knows more of the run than its beginning. */
  #isKnownToObject: boolean;
  /** Reports that the object may not have processed. */
  readonly #unknown = new Set<string>();
  #held: { readonly key: string; readonly begin: Beginning }[] = [];
  readonly #turns = new Map<string, () => void>();

  constructor(ctx: WorkflowContext, setting: Setting, begin: Begin, workflow: AnyWorkflow) {
    super();
    this.ctx = ctx;
    this.setting = setting;
    this.begin = begin;
    this.workflow = workflow;
    this.clock = begin.at;
    this.#size = sizeOf(begin);
    this.#isKnownToObject = begin.receives;
  }

  protected schedule(): void {}

  protected override cuttingOff(key: string): void {
    this.#pending.delete(key);
    this.begun(key);
  }

  /** Makes a request. Resolves with the result recorded under its key when the result's turn comes. */
  request<T>(key: string, signal: Signal, begin: Beginning, waits?: Waits): Promise<T> {
    return this.ask(key, signal, { begin: () => this.#start(key, begin), waits });
  }

  /**
   * Like `request`, for requests that may cause events. They begin when the object knows all runs and subflows that this
   * run has started: these would not receive earlier events.
   */
  act<T>(key: string, signal: Signal, begin: Beginning): Promise<T> {
    return this.request(key, signal, () => {
      if (this.#unknown.size === 0) return begin();
      this.#held.push({ key, begin });
      return undefined;
    });
  }

  #start(key: string, begin: Beginning): void {
    if (this.#pending.has(key)) return;
    const begun = begin();
    if (begun === undefined) return;
    if ("kind" in begun) this.#queue(begun, this.applied);
    else this.#pending.set(key, begun);
  }

  /** Steps begin in the order of their requests, whatever order Restate begins them in. */
  async turn(key: string): Promise<void> {
    if (this.#line[0] === key || !this.#line.includes(key)) return;
    await new Promise<void>((resolve) => this.#turns.set(key, resolve));
  }

  /** A step is about to begin. */
  queue(key: string): void {
    this.#line.push(key);
  }

  /** A step has begun, or will not. */
  begun(key: string): void {
    const place = this.#line.indexOf(key);
    if (place < 0) return;
    this.#line.splice(place, 1);
    const [next] = this.#line;
    if (next !== undefined) this.#turns.get(next)?.();
  }

  /** Adds detached work. */
  also(key: string, promise: RestatePromise<Entry>): void {
    this.background.add(key);
    this.#pending.set(key, promise);
  }

  /** Throws if a result would make the run's journal too large for Restate. */
  requireRoom(key: string, value: unknown): void {
    const size = sizeOf(value);
    requireRoom([...this.#coming.values()].reduce((sum, each) => sum + each, this.#size + size));
    this.#coming.set(key, size);
  }

  /** Reports something to the object. */
  report({ method, what }: RunReport): void {
    const parameter = new TextEncoder().encode(JSON.stringify({ at: this.clock, what }));
    const book = { service: this.setting.names.book, key: bookKey };
    this.ctx.genericSend({ ...book, method, parameter });
    if (method === "join") this.#isKnownToObject = true;
    if (method !== "start" && method !== "join") return;
    // An object processes the messages of one sender in their order. A call with the report itself would be canceled
    // with the run.
    const key = knownKey(++this.#reported);
    this.#unknown.add(key);
    const known = this.ctx.genericCall({ ...book, method: "known", parameter: new TextEncoder().encode("null") });
    this.#pending.set(
      key,
      known.map(() => ({ key, kind: "known", at: this.clock })),
    );
  }

  /** The run no longer waits: the object is notified if it has stored more of the run than its beginning. */
  leave(): void {
    this.#later = [];
    if (this.#isKnownToObject) this.report({ method: "leave", what: { run: this.begin.id } });
  }

  /** Reports something when the run is idle, unless it fails before. */
  reportWhenIdle(report: RunReport): void {
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

  /** The object has processed a report. Held requests begin. */
  #known(key: string): void {
    this.#unknown.delete(key);
    if (this.#unknown.size > 0) return;
    for (const held of this.#held.splice(0)) if (this.requests.has(held.key)) this.#start(held.key, held.begin);
  }

  /** Delivers results until the run is over. */
  async pump(isOver: () => boolean): Promise<void> {
    for (;;) {
      await this.rest();
      if (isOver()) return;
      this.#showStatus();
      await this.#next();
    }
  }

  /** Delivers the next result. */
  async #next(): Promise<void> {
    if (!this.advance()) this.apply(await this.#first());
  }

  /** Queues a result that is known already. */
  #queue(entry: Entry, seq: number): void {
    const give = () => {
      const isAgain = this.ahead.delete(entry.key);
      if (!this.apply(entry) && isAgain) this.late.set(entry.key, { seq, give: () => this.#give(entry) });
      return true;
    };
    this.push({ seq, give });
  }

  #first(): Promise<Entry> {
    return firstOf([...this.#pending.values()]);
  }

  /** Delivers a result to a run that has ended. */
  async applyNext(): Promise<Entry> {
    const entry = await this.#first();
    this.apply(entry);
    return entry;
  }

  /** Gives a result to the run; false if the run does not want it. */
  apply(entry: Entry): boolean {
    this.#pending.delete(entry.key);
    this.begun(entry.key);
    this.background.delete(entry.key);
    this.clock = Math.max(this.clock, entry.at);
    this.#size += sizeOf(entry);
    this.#coming.delete(entry.key);
    if (entry.kind === "retry") return true;
    if (entry.kind === "known") this.#known(entry.key);
    else if (entry.kind === "examination") {
      const examine = this.requests.get(entry.key)?.waits?.examine;
      if (examine) this.#pending.set(entry.key, examine(entry.examination));
    } else {
      const isWanted = this.requests.has(entry.key);
      if (entry.kind === "answer") this.#receiveAnswer(entry, isWanted);
      else this.#received.push(entry);
      return this.#give(entry);
    }
    return true;
  }

  #give(entry: Entry): boolean {
    return this.settle(entry.key, ({ resolve, reject }) => {
      if (entry.kind === "answer") resolve(answerFrom(entry.answer));
      else if (entry.kind === "value") resolve(entry.value);
      else if (entry.kind !== "failure") resolve(undefined);
      else {
        const failure: WorkflowError = failureIn(entry.text);
        this.causes.set(failure, entry.key);
        reject(failure);
      }
    });
  }

  /** Records and confirms an answer, unless the run has canceled the wait. */
  #receiveAnswer(entry: AnswerEntry, isWanted: boolean): void {
    if (entry.isConfirmed) this.#received.push(entry);
    else if (isWanted) {
      this.#received.push({ ...entry, isConfirmed: true });
      this.report({ method: "confirm", what: entry.wait });
    }
  }

  /** Resolves when the run is idle. */
  async rest(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.pauses > 0);
  }

  /** Sends held reports, and stores what has changed of the summary. */
  #showStatus(): void {
    for (const report of this.#later.splice(0)) this.report(report);
    if (this.nextSeq !== undefined) return;
    const waits = [...this.requests.values()].map((request) => request.waits);
    if (waits.length === 0 || waits.includes(undefined)) {
      this.show(running);
      return;
    }
    const until = Math.min(...waits.map((wait) => wait!.until ?? Number.POSITIVE_INFINITY));
    const events = [...new Set(waits.flatMap((wait) => wait!.events ?? []))];
    this.show({ status: "waiting", events, ...(Number.isFinite(until) && { until }) });
  }

  /** The key of the last failure if it is this one, or else of the last timeout. */
  lastFailure({ name, message }: { readonly name: string; readonly message: string }): string | undefined {
    const last = this.#received.findLast(({ kind }) => kind === "failure");
    if (last?.kind === "failure") {
      const failure = failureIn(last.text);
      if (failure.name === name && failure.message === message) return last.key;
    }
    return this.#received.findLast(({ kind, key }) => kind === "fired" && /#timeout(?:#\d+)?$/.test(key))?.key;
  }

  show(summary: Omit<Summary, "updated">): void {
    const text = JSON.stringify(summary);
    if (text === this.#shown) return;
    this.#shown = text;
    this.ctx.set("summary", { ...summary, updated: this.clock });
  }

  /** The run has failed. It stays subscribed, because it may be retried. */
  fail(): void {
    this.#failed = this.#received.length;
    this.#later = [];
    this.failures += 1;
    const key = retryKey(this.failures);
    const retry = this.ctx.signal<{ readonly at: number }>(key).map((message, failure): Entry => {
      if (failure) throw failure;
      return { key, kind: "retry", at: message!.at };
    });
    this.#pending.set(key, retry);
  }

  /** Prepares a retry: the run receives its results again, except those since its failure. */
  again(cause: string | undefined, failedAt: number, now: number): void {
    const at = cause === undefined ? -1 : this.#received.findLastIndex(({ key }) => key === cause);
    const since = this.#received.splice(at < 0 ? this.#failed : at);
    for (const { key, kind } of at < 0 ? [] : since) {
      if (kind === "failure") this.retried.set(key, (this.retried.get(key) ?? 0) + 1);
      if (kind === "fired") this.dues.delete(key);
    }
    for (const [key, due] of this.dues) if (due > failedAt) this.dues.set(key, due + now - failedAt);
    // Events that were received are not received again.
    const isKept = ({ kind, key }: Entry) => at < 0 || (kind === "answer" && key !== cause);
    const again = [...this.#received, ...since.filter(isKept)];
    this.#received = [];
    this.restart();
    for (const { key } of again) this.ahead.add(key);
    for (const [i, entry] of again.entries()) this.#queue(entry, i + 1);
    this.#held = [];
    this.#later = [];
    this.controller = new AbortController();
    for (const key of [...this.#pending.keys()])
      if (!this.background.has(key) && !this.#unknown.has(key)) this.#pending.delete(key);
  }
}

const running: Omit<Summary, "updated"> = { status: "running", events: [] };

let sdk: Pick<Sdk, "RestatePromise"> | undefined;

/** Sets the SDK, which is loaded only on this host. */
export function useSdk(loaded: Sdk): void {
  sdk = loaded;
}

/** The first of several results. A race of one would cost more than the result itself. */
const firstOf = (all: readonly RestatePromise<Entry>[]): Promise<Entry> =>
  all.length === 1 ? all[0]! : sdk!.RestatePromise.race(all);
