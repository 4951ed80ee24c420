import type { RunName } from "../engine.ts";
import { Cut, type Signal } from "../flow/abort.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Core } from "./core.ts";
import type { RunInbox } from "./inbox.ts";
import type { StoredRound } from "./rounds.ts";
import type { Kind, RunRow } from "./statements.ts";
import { strand } from "./stranding.ts";
import type { Timer } from "./timers.ts";
import type { Touchable } from "./turns.ts";

/** Something that a run is told: how a thing came out, or that an event has come. */
export interface Entry {
  readonly seq: number;
  /** Tells it; false where nobody there wants to know. */
  readonly give: () => boolean;
  /** Whether others have to be told something first. */
  readonly isHeldBack?: () => boolean;
}

/** What a run has asked for and has not been told. */
export interface Request {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Stops hearing of the signal. */
  readonly forget: () => void;
  /** What it waits for; absent where something is being done for it. */
  readonly waits?: Waits | undefined;
  /** Does again what was begun and is not over, as the journal says in that place. */
  readonly again?: ((seq: number) => void) | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/** How something is done that a run asks for. */
export interface Asked {
  /** What does it where it is not recorded. */
  readonly begin: (request: Request) => void;
  /** Begins also while the run is replaying. */
  readonly isEager?: boolean;
  readonly waits?: Waits;
  readonly again?: (seq: number) => void;
}

/** How something is recorded: `store` writes more in the same transaction, and `stored` is called when that is there for good. */
export interface Recording {
  readonly follows?: boolean;
  readonly store?: () => void;
  readonly stored?: () => void;
}

/** What a run waits for: events by their definitions, an instant; and since when. */
export interface Waits {
  readonly key: string;
  readonly at: number;
  readonly events?: readonly string[];
  until?: number;
}

/** Why what a run has asked for is not given any more. */
export const cancelled = "The run was cancelled.";

/**
 * A run in memory. It is told one thing at a time, in the order in which these were recorded, and each when it has come to rest after the one before: so
 * a run that is executed again with its journal does the same as before, also where things raced. Until it has been told all of its journal it is
 * replaying, and what it asks for that is not in the journal is held.
 */
export class LiveRun implements Touchable {
  readonly core: Core;
  readonly ref: number;
  readonly id: string;
  readonly workflow: AnyWorkflow;
  readonly created: number;
  readonly controller = new Cut();
  readonly requests = new Map<string, Request>();
  readonly inboxes = new Map<string, RunInbox>();
  /** What each inbox listens to, as the store knew it when the run came into memory. */
  readonly listening = new Map<string, readonly string[]>();
  /** Timers that were set before, by their keys. */
  readonly dues = new Map<string, Timer>();
  /** The places of events that another run has used before they have come. */
  readonly lost = new Set<number>();
  /** How often failures were forgotten, by their keys. */
  readonly retried = new Map<string, number>();
  /** The keys of what is recorded and has not been told. */
  readonly ahead = new Set<string>();
  /** What was recorded, and was not asked for when it was its turn. */
  readonly late = new Map<string, Entry>();
  /** The keys of what was asked for and cut off while the run repeated what is recorded. */
  readonly #cutOffAgain = new Set<string>();
  /** The keys of waits for events that are over as it is recorded: they set no timers again. */
  readonly #waited = new Set<string>();
  /** Which failure in the journal an error stands for. */
  readonly causes = new WeakMap<object, number>();
  readonly rounds = new Map<string, StoredRound>();
  /** Loops of which the last round was not stored, and where they began. */
  readonly unstored = new Map<string, number>();
  /** The last place in its journal that was there when it came into memory. */
  loadedTo = 0;
  touched = false;
  isReplaying = true;
  /** Another one stands for the run: this one writes nothing any more. */
  isGone = false;
  isEnded: boolean;
  isStoredAsWaiting = false;
  /** The next place in the journal, and the place of what was told last. */
  seq = 1;
  told = 0;
  /** Things being done, writes under way, and things being done that nobody waits for. */
  working = 0;
  writing = 0;
  detached = 0;
  /** How many events it is taking from others that have them too: until that is stored, it is not told what follows from them. */
  claiming = 0;
  /** How often the process has died since the run got any further, as the store says. */
  deaths: number;
  /** How often it is giving way in the middle of what it computes. */
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
    this.deaths = row.deaths;
    this.isEnded = row.status !== "running" && row.status !== "waiting";
  }

  get signal(): Signal {
    return this.controller;
  }

  /** Asks for something: what is recorded under its key, when it is the turn of that. */
  ask<T>(key: string, signal: Signal, { begin, isEager = false, waits, again }: Asked): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise<T>((resolve, reject) => {
      const forget = this.#hear(key, signal);
      const request: Request = { resolve: resolve as Request["resolve"], reject, forget, waits, again };
      this.requests.set(key, request);
      const late = this.late.get(key);
      if (waits?.events && (late || this.ahead.has(key))) this.#waited.add(key);
      if (late) {
        this.late.delete(key);
        this.push(late);
      } else if (!this.ahead.has(key)) {
        if (this.isReplaying && !isEager) this.#held.push(() => this.isAsked(key, request) && begin(request));
        else begin(request);
      }
    });
  }

  isAsked(key: string, request: Request): boolean {
    return this.requests.get(key) === request;
  }

  /**
   * Records how something came out, and tells it when that is there for good; at once, in its turn, where it `follows` from what is
   * recorded already, as a run that is resumed finds the same then.
   */
  record(
    key: string,
    kind: Kind,
    text: string | null,
    tell: (request: Request, seq: number) => void,
    { follows = false, store, stored }: Recording = {},
  ): void {
    const seq = this.seq++;
    const entry = { seq, give: () => this.settle(key, (request) => tell(request, seq)) };
    const isEarly = follows && this.#recording + this.claiming === 0;
    this.activate();
    this.survive();
    if (isEarly) this.push(entry);
    this.#recording += 1;
    const write = () => {
      this.core.sql.record.run(this.ref, seq, key, kind, text, this.core.now());
      store?.();
    };
    this.write(write, () => {
      this.#recording -= 1;
      stored?.();
      if (!isEarly) this.push(entry);
    });
  }

  /** Writes something; the run stays in memory until it is done. */
  write(apply: () => void, after: () => void = () => undefined): void {
    this.writing += 1;
    const unlessGone = (act: () => void) => () => this.isGone || act();
    const done = () => {
      this.writing -= 1;
      after();
      this.core.turns.touch(this);
    };
    this.core.turns.write(this, unlessGone(apply), unlessGone(done));
  }

  /** What the run is called where somebody hears of it. */
  get name(): RunName {
    return { id: this.id, workflow: this.workflow.id, version: this.workflow.version };
  }

  /** The run has got further, or the process has lived on with it. */
  survive(): void {
    if (this.deaths === 0) return;
    this.deaths = 0;
    this.write(() => this.core.sql.survive.run(this.ref));
  }

  /** The run cannot go on in this process. */
  strand(reason: unknown): void {
    strand(this.core, this.ref, reason);
  }

  /** Notes in the store that the run does something. */
  activate(): void {
    if (!this.isStoredAsWaiting) return;
    this.setActive();
    this.write(() => this.core.sql.activate.run(this.ref));
  }

  /** The store says that the run does something. */
  setActive(): void {
    this.isStoredAsWaiting = false;
    this.core.resting.delete(this.ref);
  }

  /** Lines up what is recorded. */
  replay(entries: readonly Entry[]): void {
    this.#ready = [...entries];
    this.#recorded = this.#ready.length;
    this.core.turns.touch(this);
  }

  /** Another run has used an event that had come to an inbox, or was on its way there. */
  lose(inbox: string, seq: number): void {
    if (!this.inboxes.get(inbox)?.lose(seq)) this.lost.add(seq);
  }

  /** Lines something up to be told. */
  push(entry: Entry): void {
    this.#ready.push(entry);
    this.core.turns.touch(this);
  }

  settle(key: string, tell: (request: Request) => void): boolean {
    const request = this.requests.get(key);
    if (!request) return false;
    this.#remove(key, request);
    tell(request);
    return true;
  }

  /** One look at a run that has come to rest: it is told the next thing; or what was held begins; or it rests. */
  look(): void {
    if (this.core.isClosing || this.core.live.get(this.ref) !== this) return;
    if (this.pauses > 0 || this.#tell() || this.#goLive()) this.core.turns.touch(this);
    else if (this.isEnded && this.detached === 0 && this.writing === 0) this.drop();
    else if (this.#isIdle()) this.#rest();
  }

  /** Ends everything that the run has asked for. */
  abort(message: string): void {
    const reason = new Error(message);
    this.controller.abort(reason);
    for (const [key, request] of [...this.requests]) {
      if (request.forget === nothing) this.#cutOff(key, reason);
    }
  }

  /** What is recorded and this execution has never asked for, so that it is not the one which was recorded; undefined where there is none. */
  mismatch(): string | undefined {
    const isKnown = (key: string) => this.#cutOffAgain.has(key) || this.#waited.has(waitOf(key)) || key.includes("\n");
    return [...this.late.keys(), ...this.ahead].find((key) => !isKnown(key));
  }

  /** Forgets the run; what is stored of it stays. */
  drop(): void {
    for (const { timer } of this.requests.values()) clearTimeout(timer);
    this.core.live.delete(this.ref);
    this.core.options.telemetry?.rests(this.id);
    this.core.resting.delete(this.ref);
    for (const [key, ref] of this.core.claims) if (ref === this.ref) this.core.claims.delete(key);
  }

  #tell(): boolean {
    const end = this.isReplaying ? this.#recorded : this.#ready.length;
    while (this.#next < end) {
      const entry = this.#ready[this.#next]!;
      if (entry.isHeldBack?.()) return true;
      this.#next += 1;
      this.told = Math.max(this.told, entry.seq);
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
    for (const inbox of this.inboxes.values()) inbox.goLive();
    const held = this.#held;
    this.#held = [];
    for (const begin of held) begin();
    return true;
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

  /** Leaves memory until something comes that the run waits for. */
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
    this.#remove(key, request);
    request.reject(reason);
    this.core.turns.touch(this);
  }

  #remove(key: string, request: Request): void {
    this.requests.delete(key);
    request.forget();
    clearTimeout(request.timer);
  }
}

/** The key of the wait of which a timer is one; of another key nothing that is a key. */
const waitOf = (key: string): string => key.slice(0, Math.max(key.lastIndexOf("#within-"), 0));

const nothing = (): void => undefined;
