import type { StoredWait } from "../../../../src/events/partition.ts";
import type { RunName } from "../engine.ts";
import { AbortSource, type Signal } from "../flow/abort.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { announce } from "./announcing.ts";
import type { StoredRound } from "./checkpoints.ts";
import type { Core } from "./core.ts";
import type { Decision } from "./decisions.ts";
import type { Schedulable } from "./group-commit.ts";
import type { Kind, RunRow } from "./statements.ts";
import { strand } from "./stranding.ts";
import type { Timer } from "./timers.ts";
import { tokenIn } from "./values.ts";

/** An entry of the journal that a run receives. */
export interface Entry {
  readonly seq: number;
  /** Gives it to the run; false if the run does not want it. */
  readonly give: () => boolean;
}

/** A pending request of a run. */
export interface Request {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Stops listening to the signal. */
  readonly forget: () => void;
  /** What it waits for; absent if work is in progress. */
  readonly waits?: Waits | undefined;
  /** Repeats work that has begun, at an entry of the journal, and is not over. */
  readonly again?: ((seq: number) => void) | undefined;
  /** Called before it is resolved or rejected. */
  readonly given?: (() => void) | undefined;
  /** Called when it is cut off, unless the run is replaying. */
  readonly cutOff?: (() => void) | undefined;
  timer?: NodeJS.Timeout | undefined;
  /** When its call began. */
  began?: number | undefined;
}

/** How a request is carried out. */
export interface RequestWork {
  /** Begins the work, unless its result is recorded. */
  readonly begin: (request: Request) => void;
  readonly waits?: Waits;
  readonly again?: (seq: number) => void;
  readonly given?: () => void;
  readonly cutOff?: () => void;
  /** Converts the recorded value to the result. */
  readonly read?: (recorded: never) => unknown;
}

/** How an entry is recorded: `store` writes more in the same transaction, and `stored` is called after the commit. */
export interface Recording {
  readonly follows?: boolean;
  /** The call whose result it is. */
  readonly call?: RecordedCall | undefined;
  readonly store?: () => void;
  readonly stored?: () => void;
}

/** A call: when it began, and its attempt, from 1 on. */
export interface RecordedCall {
  readonly began: number;
  readonly attempt: number;
}

/** What a run waits for: events by their definitions or an instant, and since when. */
export interface Waits {
  readonly key: string;
  readonly at: number;
  readonly events?: readonly string[];
  until?: number;
}

/** The reason of requests that a cancellation ends. */
export const cancelled = "The run was cancelled.";

/**
 * A run in memory. It receives the entries of its journal one at a time, in their order, each after it has processed
 * the last one. So a replay with the journal takes the same path, even through races. Until the run has received its
 * whole journal, it replays, and requests that are not in the journal are held back.
 */
export class ReplayingRun implements Schedulable {
  readonly core: Core;
  readonly ref: number;
  readonly id: string;
  readonly workflow: AnyWorkflow;
  readonly created: number;
  /** The run itself, or the root run of a subflow that runs apart. */
  readonly root: number;
  /** Its correlation value at the beginning. */
  readonly value: Json | undefined;
  /** What it waited for when it was last stored as waiting, as JSON. */
  readonly resting: string | null;
  readonly controller = new AbortSource();
  readonly requests = new Map<string, Request>();
  /** The inboxes of the subscriptions that are open, and how to store them. */
  readonly subscriptions = new Map<string, () => void>();
  /** The inboxes whose subscriptions are stored. */
  readonly subscribed = new Set<string>();
  /** The waits by their keys that were stored when the run was loaded. */
  readonly storedWaits = new Map<string, StoredWait>();
  /** The keys of those of them whose answers the run has received since. */
  readonly answered = new Set<string>();
  /** Timers that were set before, by their keys. */
  readonly dues = new Map<string, Timer>();
  /** How often failures were deleted for a retry, by their keys. */
  readonly retried = new Map<string, number>();
  /** The keys of entries that the run has not received. */
  readonly ahead = new Set<string>();
  /** Entries whose turn came before their requests. */
  readonly late = new Map<string, Entry>();
  /** The keys of requests that were cut off during the replay. */
  readonly #cutOffAgain = new Set<string>();
  /** The journal entries of failures. */
  readonly causes = new WeakMap<object, number>();
  readonly rounds = new Map<string, StoredRound>();
  /** Loops whose last round was not stored, and the entries at which they began. */
  readonly unstored = new Map<string, number>();
  /** The last entry of the journal when the run was loaded. */
  loadedTo = 0;
  isScheduled = false;
  isReplaying = true;
  /** Another process continues the run: this one stores nothing more. */
  isGone = false;
  isEnded: boolean;
  isStoredAsWaiting = false;
  /** The number of the next entry, and of the last one that the run received. */
  seq = 1;
  applied = 0;
  /** The numbers of effects in progress, pending writes, and detached effects. */
  working = 0;
  writing = 0;
  detached = 0;
  /** How often processes have died since the run last made progress, as stored. */
  deaths: number;
  /** The number of pending yields within computations. */
  pauses = 0;
  #ready: Entry[] = [];
  #next = 0;
  #recorded = 0;
  #recording = 0;
  #held: (() => void)[] = [];

  constructor(core: Core, row: RunRow, workflow: AnyWorkflow) {
    this.core = core;
    this.ref = row.ref;
    this.id = row.id;
    this.workflow = workflow;
    this.created = row.created;
    this.root = row.root ?? row.ref;
    this.resting = row.waits;
    this.value = tokenIn(row.token);
    this.deaths = row.deaths;
    this.isEnded = row.status !== "running" && row.status !== "waiting";
  }

  get signal(): Signal {
    return this.controller;
  }

  /** Requests an effect. Resolves with what is recorded under its key, in its turn. */
  ask<T>(key: string, signal: Signal, { begin, read, ...work }: RequestWork): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise<T>((resolve, reject) => {
      const forget = this.#hear(key, signal);
      const give = (recorded: unknown) => resolve((read ? read(recorded as never) : recorded) as T);
      const request: Request = { resolve: give, reject, forget, ...work };
      this.requests.set(key, request);
      const late = this.late.get(key);
      if (late) {
        this.late.delete(key);
        this.push(late);
      } else if (!this.ahead.has(key)) {
        if (this.isReplaying) this.#held.push(() => this.isAsked(key, request) && begin(request));
        else begin(request);
      }
    });
  }

  isAsked(key: string, request: Request): boolean {
    return this.requests.get(key) === request;
  }

  /**
   * Records a result, and passes it to the run after the commit. A result that `follows` from recorded entries alone is
   * passed at once, in its turn, because a replay would produce it again.
   */
  record(
    key: string,
    kind: Kind,
    text: string | null,
    tell: (request: Request, seq: number) => void,
    { follows = false, call, store, stored }: Recording = {},
  ): void {
    const seq = this.seq++;
    const entry = { seq, give: () => this.settle(key, (request) => tell(request, seq)) };
    const isEarly = follows && this.#recording === 0;
    this.activate();
    this.survive();
    if (isEarly) this.push(entry);
    this.#recording += 1;
    const write = () => {
      const { sql, now } = this.core;
      const at = now();
      if (call) sql.recordCall.run(this.ref, seq, key, kind, text, at, Math.max(0, at - call.began), call.attempt);
      else sql.record.run(this.ref, seq, key, kind, text, at);
      store?.();
    };
    this.write(write, () => {
      this.#recording -= 1;
      stored?.();
      if (!isEarly) this.push(entry);
    });
  }

  /**
   * Decides about events. A decision that may record something holds back what follows from the run's other entries.
   */
  decide(act: () => Decision, isRecording = false): void {
    let decision: Decision | undefined;
    if (isRecording) this.#recording += 1;
    const apply = () => {
      decision = act();
    };
    this.write(apply, () => {
      if (isRecording) this.#recording -= 1;
      if (decision) announce(this.core, decision);
    });
  }

  /** Confirms the answers that it has received while it replayed. */
  confirm(): void {
    const { ref, core } = this;
    for (const key of this.storedWaits.keys())
      if (this.answered.has(key)) this.decide(() => core.broker.confirm(ref, key));
  }

  /** Reserves the next entry of its journal. */
  reserve(): number {
    return this.seq++;
  }

  /** Writes something; the run stays in memory until it is done. */
  write(apply: () => void, after: () => void = () => undefined): void {
    this.writing += 1;
    const unlessGone = (act: () => void) => () => this.isGone || act();
    const done = () => {
      this.writing -= 1;
      after();
      this.core.commits.schedule(this);
    };
    this.core.commits.write(this, unlessGone(apply), unlessGone(done));
  }

  /** The name of the run in logs and telemetry. */
  get name(): RunName {
    return { id: this.id, workflow: this.workflow.id, version: this.workflow.version };
  }

  /** The run has made progress, or the process has survived its execution. */
  survive(): void {
    if (this.deaths === 0) return;
    this.deaths = 0;
    this.write(() => this.core.sql.survive.run(this.ref));
  }

  /** The run cannot continue in this process. */
  strand(reason: unknown): void {
    strand(this.core, this.ref, reason);
  }

  /** Stores that the run is running. */
  activate(): void {
    if (!this.isStoredAsWaiting) return;
    this.setActive();
    this.write(() => this.core.sql.activate.run(this.ref));
  }

  /** The run is stored as running. */
  setActive(): void {
    this.isStoredAsWaiting = false;
    this.core.resting.delete(this.ref);
  }

  /** Queues the recorded entries. */
  replay(entries: readonly Entry[]): void {
    this.#ready = [...entries];
    this.#recorded = this.#ready.length;
    this.core.commits.schedule(this);
  }

  /** Queues an entry. Entries of one transaction may be queued in another order than that of the journal. */
  push(entry: Entry): void {
    let place = this.#ready.length;
    const first = Math.max(this.#next, this.isReplaying ? this.#recorded : 0);
    while (place > first && this.#ready[place - 1]!.seq > entry.seq) place -= 1;
    this.#ready.splice(place, 0, entry);
    this.core.commits.schedule(this);
  }

  settle(key: string, tell: (request: Request) => void): boolean {
    const request = this.requests.get(key);
    if (!request) return false;
    this.#remove(key, request);
    request.given?.();
    tell(request);
    return true;
  }

  /** Continues an idle run: it receives the next entry, or held requests begin, or it is stored as waiting. */
  look(): void {
    if (this.core.isClosing || this.core.live.get(this.ref) !== this) return;
    if (this.pauses > 0 || this.#tell() || this.#goLive()) this.core.commits.schedule(this);
    else if (this.isEnded && this.detached === 0 && this.writing === 0) this.drop();
    else if (this.#isIdle()) this.#rest();
  }

  /** Rejects all pending requests. */
  abort(message: string): void {
    const reason = new Error(message);
    this.controller.abort(reason);
    for (const [key, request] of [...this.requests]) {
      if (request.forget === nothing) this.#cutOff(key, reason);
    }
  }

  /** The key of a recorded entry that this execution has not requested, so that it differs from the recorded one. */
  mismatch(): string | undefined {
    const isKnown = (key: string) => this.#cutOffAgain.has(key) || isTimeOfWait(key) || key.includes("\n");
    return [...this.late.keys(), ...this.ahead].find((key) => !isKnown(key));
  }

  /** Removes the run from memory. */
  drop(): void {
    for (const { timer } of this.requests.values()) clearTimeout(timer);
    this.core.live.delete(this.ref);
    this.core.broker.waits.release(this.ref);
    this.core.options.telemetry?.rests(this.id);
    this.core.resting.delete(this.ref);
  }

  #tell(): boolean {
    const end = this.isReplaying ? this.#recorded : this.#ready.length;
    while (this.#next < end) {
      const entry = this.#ready[this.#next]!;
      this.#next += 1;
      this.applied = Math.max(this.applied, entry.seq);
      if (entry.give()) return true;
    }
    if (!this.isReplaying) [this.#ready, this.#next] = [[], 0];
    return false;
  }

  #goLive(): boolean {
    if (!this.isReplaying) return false;
    const recorded = this.mismatch();
    if (recorded !== undefined && !this.isEnded) {
      const asked = [...this.requests.keys()].filter((key) => !this.late.has(key)).join(", ");
      throw new Error(`The program asks for ${asked || "nothing"} where ${recorded} is recorded.`);
    }
    this.isReplaying = false;
    if (this.isEnded) this.abort(cancelled);
    this.#reconcile();
    const held = this.#held;
    this.#held = [];
    for (const begin of held) begin();
    return true;
  }

  /**
   * Stores what the run has done while it replayed: subscriptions that begin or end, waits that are over or cut off.
   */
  #reconcile(): void {
    const { ref, core } = this;
    for (const inbox of this.subscribed)
      if (inbox !== "" && !this.subscriptions.has(inbox)) this.decide(() => core.broker.leave(ref, inbox));
    for (const store of this.subscriptions.values()) store();
    this.confirm();
    for (const key of this.storedWaits.keys())
      if (!this.answered.has(key) && !this.requests.has(key)) this.decide(() => core.broker.cancel(ref, key));
  }

  #isIdle(): boolean {
    return (
      !this.isEnded &&
      !this.isStoredAsWaiting &&
      this.working + this.writing + this.detached === 0 &&
      this.requests.size > 0
    );
  }

  #rest(): void {
    const { core, ref } = this;
    const waits = [...this.requests.values()].flatMap((request) => request.waits ?? []);
    const until = Math.min(...waits.map((wait) => wait.until ?? Number.POSITIVE_INFINITY));
    const wakeAt = Number.isFinite(until) ? until : null;
    this.isStoredAsWaiting = true;
    this.survive();
    const now = core.now();
    const store = () => {
      if (!this.isStoredAsWaiting) return;
      core.sql.rest.run(now, wakeAt, JSON.stringify(waits), ref);
      core.sql.setClock.run(now);
    };
    this.write(store, () => {
      if (!this.isStoredAsWaiting || this.isEnded) return;
      core.resting.set(ref, this);
      if (core.resting.size > core.most) core.resting.values().next().value?.leave();
    });
  }

  /** Leaves memory until an event or timer of the run is due. */
  leave(): void {
    this.core.resting.delete(this.ref);
    if (!this.isStoredAsWaiting || this.working + this.writing > 0 || this.#ready.length > 0) return;
    const until = Math.min(...[...this.requests.values()].map(({ waits }) => waits?.until ?? Number.POSITIVE_INFINITY));
    this.drop();
    if (Number.isFinite(until)) this.core.alarm(until);
  }

  #hear(key: string, signal: Signal): () => void {
    if (signal === this.signal) return nothing;
    const cutOff = () => this.#cutOff(key, signal.reason);
    signal.addEventListener("abort", cutOff);
    return () => signal.removeEventListener("abort", cutOff);
  }

  #cutOff(key: string, reason: unknown): void {
    const request = this.requests.get(key);
    if (!request) return;
    if (this.isReplaying) this.#cutOffAgain.add(key);
    else if (!this.isEnded) request.cutOff?.();
    this.#remove(key, request);
    request.reject(reason);
    this.core.commits.schedule(this);
  }

  #remove(key: string, request: Request): void {
    this.requests.delete(key);
    request.forget();
    clearTimeout(request.timer);
  }
}

/** Whether earlier programs recorded a timer of a wait under a key. */
const isTimeOfWait = (key: string): boolean => /(?<!#)(?:##)*#within-\d+$/.test(key);

const nothing = (): void => undefined;
