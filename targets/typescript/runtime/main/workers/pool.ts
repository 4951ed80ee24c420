import type { Worker } from "node:worker_threads";
import type { LogEntry } from "../../engine.ts";
import { NotBegun, WorkflowError } from "../../errors.ts";
import type { Step } from "../../flow.ts";
import type { Json } from "../../json.ts";
import {
  type CallMessage,
  type FromWorker,
  type FunctionName,
  pulse,
  type ToWorker,
  type WorkerRequest,
} from "./messages.ts";

/**
 * In milliseconds: the interval of checks, how long a blocked worker may ignore an abort, and the pause before a failed
 * start is repeated.
 */
const [checkMs, patienceMs, restartMs] = [250, 1000, 1000];

/** How long a call whose worker has died for an unknown reason is alone before the next one begins, in milliseconds. */
const aloneMs = 1000;

/** A call that has no result yet. */
interface PendingCall {
  readonly message: CallMessage;
  readonly signal: AbortSignal;
  readonly resolve: (value: Json) => void;
  readonly reject: (reason: unknown) => void;
  abortedAt?: number;
}

/** A worker thread, and the calls that it has. */
interface FunctionThread {
  readonly thread: Worker;
  readonly shared: Int32Array;
  readonly calls: Map<number, PendingCall>;
  readonly isForSuspects: boolean;
  isReady: boolean;
  /** It is ended because it has no more suspects. */
  isIdle?: boolean;
  /** The last known number of its turns, and when it changed. */
  turns: number;
  turnedAt: number;
  /** The call that began last, if it calls suspects. */
  last?: PendingCall;
}

/** Worker threads for functions. */
export class FunctionWorkers {
  readonly #start: (request: WorkerRequest) => Worker;
  readonly #log: (entry: LogEntry) => void;
  readonly #threads = new Set<FunctionThread>();
  /** Calls that no thread has, and calls during which a thread has died for an unknown reason. */
  readonly #waiting: PendingCall[] = [];
  readonly #suspects: PendingCall[] = [];
  readonly #checks: NodeJS.Timeout;
  #last = 0;
  #isClosed = false;

  constructor(start: (request: WorkerRequest) => Worker, log: (entry: LogEntry) => void) {
    [this.#start, this.#log] = [start, log];
    this.#checks = setInterval(() => this.#check(), checkMs);
    this.#checks.unref();
  }

  /** Starts threads. Rejects if the program cannot be loaded in one. */
  async open(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#open(false)));
  }

  /** Calls a function in a thread. */
  call({ workflow, name }: FunctionName, argument: Json, step: Step): Promise<Json> {
    const { key, attempt, position, timeout, isStopping = false, trace, signal } = step;
    if (isStopping) return Promise.reject(new NotBegun());
    return new Promise((resolve, reject) => {
      this.#last += 1;
      const known = { key, attempt, position: [...position], timeout, isStopping, trace };
      const message: CallMessage = { kind: "call", id: this.#last, workflow, name, argument, step: known };
      this.#dispatch({ message, signal, resolve, reject });
    });
  }

  /** The process is about to stop. */
  stopping(): void {
    for (const { thread } of this.#threads) thread.postMessage({ kind: "stopping" } satisfies ToWorker);
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#checks);
    await Promise.all(Array.from(this.#threads, ({ thread }) => thread.terminate()));
  }

  /** Starts a thread. Resolves when it is ready; rejects if it exits before. */
  #open(isForSuspects: boolean): Promise<void> {
    const buffer = new SharedArrayBuffer(pulse.size * Int32Array.BYTES_PER_ELEMENT);
    const thread = this.#start({ waybillFunctions: true, pulse: buffer });
    const own: FunctionThread = {
      ...{ thread, shared: new Int32Array(buffer), calls: new Map(), isForSuspects },
      ...{ isReady: false, turns: 0, turnedAt: performance.now() },
    };
    this.#threads.add(own);
    return new Promise((resolve, reject) => {
      let reason: unknown;
      thread.on("error", (thrown) => {
        reason = thrown;
      });
      thread.once("exit", (status) => {
        const why = reason instanceof Error ? (reason.stack ?? reason.message) : `it has exited with status ${status}`;
        reject(new Error(why));
        this.#lost(own, why);
      });
      thread.on("message", (message: FromWorker) => {
        if (message.kind === "ready") {
          own.isReady = true;
          resolve();
          this.#dispatchWaiting();
        } else this.#receive(own, message);
      });
    });
  }

  #receive(thread: FunctionThread, message: Exclude<FromWorker, { kind: "ready" }>): void {
    if (message.kind === "rejection") {
      const { reason } = message;
      this.#log({ level: "error", message: "A promise was rejected in a function, and nothing handles it.", reason });
      return;
    }
    const call = thread.calls.get(message.id);
    thread.calls.delete(message.id);
    if (call && message.kind === "result") call.resolve(message.value);
    else if (call && message.kind === "failure") call.reject(errorOf(message.failure));
    else call?.reject(new NotBegun());
    if (thread.isForSuspects && call === thread.last) this.#tryNext(thread);
  }

  #dispatchWaiting(): void {
    for (const call of this.#waiting.splice(0)) this.#dispatch(call);
    for (const thread of this.#threads)
      if (thread.isForSuspects && thread.isReady && !thread.last) this.#tryNext(thread);
  }

  /** Gives a call to the thread that has the fewest, if possible not to a blocked one. */
  #dispatch(call: PendingCall): void {
    if (call.signal.aborted) {
      call.reject(call.signal.reason);
      return;
    }
    const ready = [...this.#threads].filter(({ isReady, isForSuspects }) => isReady && !isForSuspects);
    const responsive = ready.filter((thread) => !isBlocked(thread));
    const [first, ...others] = responsive.length > 0 ? responsive : ready;
    if (!first) {
      this.#waiting.push(call);
      return;
    }
    send(
      others.reduce((best, thread) => (thread.calls.size < best.calls.size ? thread : best), first),
      call,
    );
  }

  /** Replaces a thread that has ended. The call that has ended it fails; the others are called again. */
  #lost(thread: FunctionThread, reason: string): void {
    this.#threads.delete(thread);
    if (this.#isClosed || thread.isIdle) return;
    const { calls, shared } = thread;
    const [only] = calls.size === 1 ? calls.values() : [];
    const culprit = calls.get(Atomics.load(shared, pulse.call)) ?? thread.last ?? only;
    const { step } = culprit?.message ?? {};
    this.#log({
      level: "error",
      message: "A worker thread for functions has ended. It is replaced.",
      ...(step && { call: step.key }),
      reason,
    });
    for (const call of calls.values()) {
      if (call.signal.aborted) call.reject(call.signal.reason);
      else if (call === culprit) call.reject(new WorkflowError("WorkerDied", died, { origin: "function" }));
      else if (culprit) this.#dispatch(call);
      else this.#suspects.push(call);
    }
    if (!thread.isForSuspects) this.#replace(thread.isReady);
    if (this.#suspects.length === 0) return;
    const existing = [...this.#threads].find(({ isForSuspects, isIdle }) => isForSuspects && !isIdle);
    if (!existing) this.#open(true).catch(() => undefined);
    else if (existing.isReady) this.#tryNext(existing);
  }

  #replace(wasReady: boolean): void {
    const timer = setTimeout(() => this.#open(false).catch(() => undefined), wasReady ? 0 : restartMs);
    timer.unref();
  }

  /** Begins the next suspect, which is alone for a while; ends the thread after the last one. */
  #tryNext(thread: FunctionThread): void {
    const call = this.#suspects.shift();
    if (!call) {
      thread.isIdle = thread.calls.size === 0;
      if (thread.isIdle) void thread.thread.terminate();
      return;
    }
    thread.last = call;
    send(thread, call);
    const isAlone = () => this.#threads.has(thread) && thread.last === call;
    const timer = setTimeout(() => isAlone() && this.#tryNext(thread), aloneMs);
    timer.unref();
  }

  /** Ends threads that a function blocks though its call has been aborted. */
  #check(): void {
    const now = performance.now();
    for (const thread of this.#threads) {
      const turns = Atomics.load(thread.shared, pulse.turns);
      if (turns !== thread.turns) [thread.turns, thread.turnedAt] = [turns, now];
      const isLate = ({ abortedAt = now }: PendingCall) => now - abortedAt > patienceMs;
      const current = thread.calls.get(Atomics.load(thread.shared, pulse.call));
      const suspects = current ? [current] : [...thread.calls.values()];
      if (isBlocked(thread) && suspects.some(isLate)) void thread.thread.terminate();
    }
  }
}

const died = "The worker thread of the function has ended during the call.";

/** Whether something computes in a thread for long. */
const isBlocked = ({ turnedAt, isReady }: FunctionThread): boolean =>
  isReady && performance.now() - turnedAt > patienceMs;

function send(thread: FunctionThread, call: PendingCall): void {
  const { message, signal } = call;
  const { id } = message;
  thread.calls.set(id, call);
  const abort = () => {
    call.abortedAt ??= performance.now();
    const { reason } = signal;
    const text = reason instanceof Error ? reason.message : String(reason);
    if (thread.calls.has(id)) thread.thread.postMessage({ kind: "abort", id, reason: text } satisfies ToWorker);
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    thread.thread.postMessage(message satisfies ToWorker);
  } catch (reason) {
    thread.calls.delete(id);
    call.reject(reason);
  }
}

const errorOf = ({ origin, name, message, data, fatal }: Extract<FromWorker, { kind: "failure" }>["failure"]): Error =>
  new WorkflowError(name, message, { origin, data, fatal });
