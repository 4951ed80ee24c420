import type { Signal } from "../flow/abort.ts";

/** A result in the journal of a run. */
export interface JournalEntry {
  /** Its number: the run receives results in this order. */
  readonly seq: number;
  /** Gives it to the run; false if the run does not want it. */
  readonly give: () => boolean;
}

/** A request of a run that has no result yet. */
export interface PendingRequest {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Stops listening to the signal. */
  readonly forget: () => void;
  /** Called before it is resolved or rejected with a result. */
  readonly given?: (() => void) | undefined;
}

/** How a request is carried out; further members are those of the request. */
export type RequestWork<Request extends PendingRequest> = Omit<Request, "resolve" | "reject" | "forget"> & {
  /** Begins the work, unless its result is recorded. */
  readonly begin: (request: Request) => void;
  /** Converts the recorded value to the result. */
  readonly read?: (recorded: never) => unknown;
};

/**
 * A run that is executed with a journal. It receives the recorded results of its requests one at a time, in their
 * order, each when it is idle after the last one. So a replay with the journal takes the same path, even through races.
 *
 * Hosts keep the journal. They pass what earlier executions have recorded to `replay`, record the results of work that
 * `begin` starts, and pass these to `push`.
 */
export abstract class Replay<Request extends PendingRequest> {
  readonly requests = new Map<string, Request>();
  /** The keys of recorded entries that the run has not received. */
  readonly ahead = new Set<string>();
  /** Entries whose turn came before their requests. */
  readonly late = new Map<string, JournalEntry>();
  /** Whether the run receives the entries passed to `replay`. Requests without an entry are held until it has. */
  isReplaying = false;
  /** The number of the last entry that the run received. */
  applied = 0;
  /** The number of pending yields within computations. */
  pauses = 0;
  #queue: JournalEntry[] = [];
  #next = 0;
  #recorded = 0;
  #held: (() => void)[] = [];
  readonly #own: Signal | undefined;

  /** `own`: the signal of the run itself. `cutOffOwn` cuts off its requests, which do not listen to it. */
  constructor(own?: Signal) {
    this.#own = own;
  }

  /** Calls `advance` when the run is idle. */
  protected abstract schedule(): void;

  /** Called before a request is rejected because its signal is aborted. */
  protected cuttingOff(_key: string, _request: Request): void {}

  /** Called when the run has received all recorded entries. Throws if it has taken another path. */
  protected requireSamePath(): void {}

  /** Called then, before held requests begin. */
  protected goingLive(): void {}

  /** Requests an effect. Resolves with what is recorded under its key, in its turn. */
  ask<T>(key: string, signal: Signal, { begin, read, ...work }: RequestWork<Request>): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise<T>((resolve, reject) => {
      const give = (recorded: unknown) => resolve((read ? read(recorded as never) : recorded) as T);
      const pending: PendingRequest = { resolve: give, reject, forget: this.#listen(key, signal), ...work };
      const request = pending as Request;
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

  /** Resolves or rejects the request of a key. Returns false if the run has not made it. */
  settle(key: string, tell: (request: Request) => void): boolean {
    const request = this.take(key);
    if (!request) return false;
    request.given?.();
    tell(request);
    return true;
  }

  /** Removes a request. */
  protected take(key: string): Request | undefined {
    const request = this.requests.get(key);
    if (!request) return undefined;
    this.requests.delete(key);
    request.forget();
    return request;
  }

  /** Queues the recorded entries. */
  replay(entries: readonly JournalEntry[]): void {
    this.isReplaying = true;
    [this.#queue, this.#next, this.#recorded] = [[...entries], 0, entries.length];
    this.schedule();
  }

  /** Whether it repeats what an earlier execution has recorded: the steps that it enters were entered then. */
  get isRepeating(): boolean {
    return this.isReplaying && this.#recorded > 0;
  }

  /** Queues an entry by its number, behind the recorded ones: those of one transaction may come in another order. */
  push(entry: JournalEntry): void {
    let index = this.#queue.length;
    const first = Math.max(this.#next, this.isReplaying ? this.#recorded : 0);
    while (index > first && this.#queue[index - 1]!.seq > entry.seq) index -= 1;
    this.#queue.splice(index, 0, entry);
    this.schedule();
  }

  /** The number of the next entry, if one is queued. */
  get nextSeq(): number | undefined {
    return this.#queue[this.#next]?.seq;
  }

  /** Gives an idle run the next entry that it wants, or begins held requests; false if there is neither. */
  protected advance(): boolean {
    return this.#give() || this.#goLive();
  }

  #give(): boolean {
    const end = this.isReplaying ? this.#recorded : this.#queue.length;
    while (this.#next < end) {
      const entry = this.#queue[this.#next]!;
      this.#next += 1;
      this.applied = Math.max(this.applied, entry.seq);
      if (entry.give()) return true;
    }
    if (!this.isReplaying) [this.#queue, this.#next] = [[], 0];
    return false;
  }

  #goLive(): boolean {
    if (!this.isReplaying) return false;
    this.requireSamePath();
    this.isReplaying = false;
    this.goingLive();
    const held = this.#held;
    this.#held = [];
    for (const act of held) act();
    return true;
  }

  /** Forgets all requests and entries, for an execution from the beginning. */
  protected restart(): void {
    this.requests.clear();
    this.ahead.clear();
    this.late.clear();
    [this.#queue, this.#next] = [[], 0];
    this.applied = 0;
  }

  /** Cuts off the requests of the run's own signal. */
  protected cutOffOwn(reason: unknown): void {
    for (const [key, request] of [...this.requests]) if (request.forget === nothing) this.#cutOff(key, reason);
  }

  /** Yields to the event loop. Until then, the run receives no entries, because a replay would give them elsewhere. */
  giveWay(): Promise<void> {
    this.pauses += 1;
    return new Promise((resolve) => {
      setImmediate(() => {
        this.pauses -= 1;
        resolve();
      });
    });
  }

  #listen(key: string, signal: Signal): () => void {
    if (signal === this.#own) return nothing;
    const cutOff = () => this.#cutOff(key, signal.reason);
    signal.addEventListener("abort", cutOff);
    return () => signal.removeEventListener("abort", cutOff);
  }

  #cutOff(key: string, reason: unknown): void {
    const request = this.requests.get(key);
    if (!request) return;
    this.cuttingOff(key, request);
    this.take(key);
    request.reject(reason);
    this.schedule();
  }
}

const nothing = (): void => undefined;
