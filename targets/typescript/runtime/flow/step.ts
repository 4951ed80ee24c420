import { functionFailure, NotBegun, WorkflowError } from "../errors.ts";
import type { Limits, Step } from "../flow.ts";
import type { Host } from "../host.ts";
import { copyOf, isObject, type Json } from "../json.ts";
import { FollowingSignal, type Signal } from "./abort.ts";
import { outcomeOf } from "./activities.ts";
import { act, type Context, callOf, keyOf } from "./context.ts";
import { withRetries } from "./recovery.ts";

/** Calls a function with retries and a timeout. */
export function step<T extends Json>(
  context: Context,
  name: string,
  call: (step: Step) => Promise<T> | T,
  limits: Limits | undefined,
): Promise<T> {
  act(context, name);
  return limits
    ? withRetries(context, name, limits, (inner) => callOnce(inner, name, call, limits.timeout))
    : callOnce(context, name, call);
}

/** Calls a pure function, again as a step if it fails. */
export function compute<T extends Json>(context: Context, name: string, call: () => T): Promise<T> | T {
  if (context.signal.aborted) throw context.signal.reason;
  const result = computed(call);
  if (result === undefined || hasError(result) || (isObject(result) && hasError(result["params"])))
    return step(context, name, call, undefined);
  act(context, name);
  return result;
}

/** Undefined if the function throws. */
function computed<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

const hasError = (value: Json | undefined): boolean => isObject(value) && Object.hasOwn(value, "error");

/** Calls a function without waiting for it. */
export function start(context: Context, name: string, call: (step: Step) => unknown): Promise<void> {
  const { host, position } = context;
  act(context, name);
  const key = keyOf(context, name);
  const signal = new AbortController().signal;
  const { attempt, ...known } = callOf(context, name);
  const given = {
    key: idempotencyKey(context, known.key),
    attempt,
    signal,
    position,
    get isStopping() {
      return host.isStopping?.() ?? false;
    },
  };
  return outcomeOf(
    context,
    host.detach(key, async () => call(given)),
  );
}

/** Calls a function, unless its result is recorded. */
export function callOnce<T extends Json>(
  context: Context,
  name: string,
  call: (step: GivenStep) => Promise<T> | T,
  timeout?: number,
  token?: string,
): Promise<T> {
  const { host, signal } = context;
  const key = keyOf(context, name);
  const known = callOf(context, name);
  const callKey = idempotencyKey(context, known.key, host.retried(key));
  const given = new GivenStep(context, callKey, known.attempt, timeout, token);
  const work = () =>
    host.calling
      ? host.calling({ step: name, key: given.key, attempt: given.attempt }, () => given.answer(call))
      : given.answer(call);
  return outcomeOf(context, host.once(key, work, signal, given.attempt));
}

/**
 * The key by which a function recognizes repeated calls: `run/Check#stock/Reserve`; with `~1` after the run was retried
 * there.
 */
export function idempotencyKey({ host }: Context, call: string, retried = 0): string {
  const key = `${host.runId}/${call}${retried === 0 ? "" : `~${retried}`}`;
  if (key.length <= maxKeyLength) return key;
  const digest = process.getBuiltinModule("node:crypto").createHash("sha256").update(key).digest("hex");
  return `${key.slice(0, maxKeyLength - digest.length - 1)}~${digest}`;
}

/** The usual limit of services that accept such keys. */
const maxKeyLength = 255;

/** What a function receives. Its signal is created on first access. */
export class GivenStep extends FollowingSignal implements Step {
  readonly key: string;
  readonly attempt: number;
  readonly position: readonly number[];
  readonly timeout: number | undefined;
  readonly token: string | undefined;
  readonly #signal: Signal;
  readonly #host: Host;

  constructor(
    { signal, position, host }: Context,
    key: string,
    attempt: number,
    timeout: number | undefined,
    token: string | undefined,
  ) {
    super(signal);
    this.#signal = signal;
    this.#host = host;
    this.key = key;
    this.attempt = attempt;
    this.position = position;
    this.timeout = timeout;
    this.token = token;
  }

  get trace(): string | undefined {
    return this.#host.traceOf?.();
  }

  get isStopping(): boolean {
    return this.#host.isStopping?.() ?? false;
  }

  /** Calls a function; the result as JSON, synchronously if the function is synchronous. */
  answer<T extends Json>(call: (step: GivenStep) => Promise<T> | T): Promise<T> | T {
    try {
      const answer = call(this);
      if (!isPromised(answer)) return this.#answered(answer);
      return Promise.resolve(answer).then(
        (given) => this.#answered(given),
        (thrown: unknown) => this.#failed(thrown),
      );
    } catch (thrown) {
      return this.#failed(thrown);
    }
  }

  #answered<T extends Json>(answer: T): T {
    this.release();
    return jsonOf(answer) as T;
  }

  #failed(thrown: unknown): never {
    this.release();
    throw this.#signal.aborted || thrown instanceof NotBegun ? thrown : functionFailure(thrown);
  }
}

const isPromised = <T>(answer: PromiseLike<T> | T): answer is PromiseLike<T> =>
  typeof answer === "object" && answer !== null && "then" in answer && typeof answer.then === "function";

/** Waits a number of seconds. */
export async function sleep(context: Context, name: string, seconds: number): Promise<void> {
  act(context, name);
  const key = keyOf(context, name);
  if (real(seconds) > 0) await outcomeOf(context, context.host.sleep(key, seconds, context));
}

/** Waits until an instant, in milliseconds since 1970. */
export async function sleepUntil(context: Context, name: string, instant: number): Promise<void> {
  act(context, name);
  await outcomeOf(context, context.host.sleepUntil(keyOf(context, name), real(instant), context));
}

function real(time: number): number {
  if (Number.isNaN(time))
    throw new WorkflowError("DataError", "There is no time to wait for.", { origin: "expression" });
  return time;
}

/** A copy of a function's result as JSON; null for undefined. A value without JSON fails with `DataError`. */
function jsonOf(answer: unknown): Json {
  try {
    return copyOf(answer) ?? null;
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new WorkflowError("DataError", `The function's answer is not JSON: ${why}`, { origin: "function" });
  }
}
