import type { StoredWait } from "../../../../src/events/partition.ts";
import type { RunName } from "../engine.ts";
import { AbortSource, type Signal } from "../flow/abort.ts";
import type { Json } from "../json.ts";
import { type PendingRequest, Replay } from "../replay/replay.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { announce } from "./announcing.ts";
import type { StoredRound } from "./checkpoints.ts";
import type { Core } from "./core.ts";
import type { Decision } from "./decisions.ts";
import type { Apply, Schedulable } from "./group-commit.ts";
import type { Kind, RunRow } from "./statements.ts";
import type { Task } from "./store.ts";
import { strand } from "./stranding.ts";
import type { Timer } from "./timers.ts";
import { tokenIn } from "./values.ts";

/** A pending request of a run. */
export interface Request extends PendingRequest {
  /** What it waits for; absent if work is in progress. */
  readonly waits?: Waits | undefined;
  /** Repeats work that has begun, at an entry of the journal, and is not over. */
  readonly again?: ((seq: number) => void) | undefined;
  /** Called when it is cut off, unless the run is replaying. */
  readonly cutOff?: (() => void) | undefined;
  timer?: NodeJS.Timeout | undefined;
  /** It was resolved, rejected or cut off. */
  isRemoved?: boolean;
  /** When its call began. */
  began?: number | undefined;
}

/** How an entry is recorded: `store` writes more in the same transaction, and `stored` is called after the commit. */
export interface Recording {
  readonly follows?: boolean;
  /** The call whose result it is. */
  readonly call?: RecordedCall | undefined;
  readonly store?: Apply;
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
  /** It waits for the answer of a task, or for a worker of an activity. */
  readonly isTask?: true;
  readonly activity?: string;
  until?: number;
}

/** The reason of requests that a cancellation ends. */
export const cancelled = "The run was cancelled.";

/** A run in memory, whose journal is in the store. */
export class ReplayingRun extends Replay<Request> implements Schedulable {
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
  readonly controller: AbortSource;
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
  override isReplaying = true;
  isEnded: boolean;
  isStoredAsWaiting = false;
  /** The number of the next entry. */
  seq = 1;
  /** The numbers of effects in progress, pending writes, and detached effects. */
  working = 0;
  writing = 0;
  detached = 0;
  /** How often processes have died since the run last made progress, as stored. */
  deaths: number;
  /** The trace context of the request or event that has started it. */
  readonly trace: string | undefined;
  #recording = 0;

  constructor(core: Core, row: RunRow, workflow: AnyWorkflow) {
    const controller = new AbortSource();
    super(controller);
    this.controller = controller;
    this.core = core;
    this.ref = row.ref;
    this.id = row.id;
    this.workflow = workflow;
    this.created = row.created;
    this.root = row.root ?? row.ref;
    this.resting = row.waits;
    this.value = tokenIn(row.token);
    this.deaths = row.deaths;
    this.trace = row.trace ?? undefined;
    this.isEnded = row.status !== "running" && row.status !== "waiting";
  }

  get signal(): Signal {
    return this.controller;
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
      return store?.();
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
  decide(act: () => Task<Decision>, isRecording = false): void {
    let decision: Decision | undefined;
    if (isRecording) this.#recording += 1;
    const apply = function* (): Task<void> {
      decision = undefined;
      decision = yield* act();
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
  write(apply: Apply, after: () => void = () => undefined): void {
    this.writing += 1;
    const done = () => {
      this.writing -= 1;
      after();
      this.core.commits.schedule(this);
    };
    this.core.commits.write(this, apply, done);
  }

  /** The name of the run in logs and telemetry. */
  get name(): RunName {
    return { id: this.id, workflow: this.workflow.id, version: this.workflow.version, trace: this.trace };
  }

  /** The run has made progress, or the process has survived its execution. */
  survive(): void {
    if (this.deaths === 0) return;
    this.deaths = 0;
    this.write(() => void this.core.sql.survive.run(this.ref));
  }

  /** The run cannot continue in this process. */
  strand(reason: unknown): void {
    strand(this.core, this.ref, reason);
  }

  /** Stores that the run is running. */
  activate(): void {
    if (!this.isStoredAsWaiting) return;
    this.setActive();
    this.write(() => void this.core.sql.activate.run(this.ref));
  }

  /** The run is stored as running. */
  setActive(): void {
    this.isStoredAsWaiting = false;
    this.core.resting.delete(this.ref);
  }

  protected schedule(): void {
    this.core.commits.schedule(this);
  }

  /** Continues an idle run: it receives the next entry, or held requests begin, or it is stored as waiting. */
  look(): void {
    if (this.core.isClosing || this.core.live.get(this.ref) !== this) return;
    if (this.pauses > 0 || this.advance()) this.core.commits.schedule(this);
    else if (this.isEnded && this.detached === 0 && this.writing === 0) this.drop();
    else if (this.#isIdle()) this.#rest();
  }

  /** Rejects all pending requests. */
  abort(message: string): void {
    const reason = new Error(message);
    this.controller.abort(reason);
    this.cutOffOwn(reason);
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
    this.core.options.telemetry?.suspended(this.id);
    this.core.resting.delete(this.ref);
  }

  /** Throws if the run has not requested what is recorded. */
  protected override requireSamePath(): void {
    const recorded = this.mismatch();
    if (recorded !== undefined && !this.isEnded) {
      const asked = [...this.requests.keys()].filter((key) => !this.late.has(key)).join(", ");
      throw new Error(`The program asks for ${asked || "nothing"} where ${recorded} is recorded.`);
    }
  }

  protected override goingLive(): void {
    if (this.isEnded) this.abort(cancelled);
    this.#reconcile();
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
    if (!this.isStoredAsWaiting || this.working + this.writing > 0 || this.nextSeq !== undefined) return;
    const until = Math.min(...[...this.requests.values()].map(({ waits }) => waits?.until ?? Number.POSITIVE_INFINITY));
    this.drop();
    if (Number.isFinite(until)) this.core.alarm(until);
  }

  protected override cuttingOff(key: string, request: Request): void {
    if (this.isReplaying) this.#cutOffAgain.add(key);
    else if (!this.isEnded) request.cutOff?.();
  }

  /** Also waits until no transaction is in progress. */
  override giveWay(): Promise<void> {
    this.pauses += 1;
    return new Promise((resolve) => {
      setImmediate(() =>
        this.core.commits.between(this, () => {
          this.pauses -= 1;
          resolve();
        }),
      );
    });
  }

  protected override take(key: string): Request | undefined {
    const request = super.take(key);
    if (request) request.isRemoved = true;
    clearTimeout(request?.timer);
    return request;
  }
}

/** Whether earlier programs recorded a timer of a wait under a key. */
const isTimeOfWait = (key: string): boolean => /(?<!#)(?:##)*#within-\d+$/.test(key);
