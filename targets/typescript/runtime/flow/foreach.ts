import { failureOf, isFailure, WorkflowError } from "../errors.ts";
import type { ForEachOptions, Iteration, Tolerance } from "../flow.ts";
import type { Json } from "../json.ts";
import { type Signal, stoppable } from "./abort.ts";
import { ActivityStart, type Result, wait } from "./activities.ts";
import { type Context, innerContext, itemPrefixes, type Keys, keysOf, type Prefixes } from "./context.ts";
import { type ContextFlow, flowOf } from "./create.ts";

/** Runs a body for each item and returns the values in the order of the items. */
export function forEach<I extends Json, O extends Json>(
  context: Context,
  name: string,
  items: readonly I[],
  body: Iteration<I, O>,
  options: ForEachOptions,
): Promise<readonly O[]> {
  const keys = keysOf(context, name);
  return wait(context, (wake) => {
    const { signal, stop } = stoppable(context.signal);
    new Loop<I, O>({ context, keys, items, body, signal }, options, wake).startMore();
    return stop;
  });
}

/** A loop's items, body and place. */
interface LoopSpec<I extends Json, O extends Json> {
  readonly context: Context;
  readonly keys: Keys;
  readonly items: readonly I[];
  readonly body: Iteration<I, O>;
  /** Cancels the iterations. */
  readonly signal: Signal;
}

/** Starts iterations in order, as width and gap allow, until all have ended or one has failed. */
class Loop<I extends Json, O extends Json> {
  readonly #spec: LoopSpec<I, O>;
  readonly #decide: (result: Result<readonly O[]>) => void;
  readonly #width: number;
  readonly #gap: number;
  readonly #spacing: Spacing;
  readonly #prefixes: (index: number) => Prefixes;
  readonly #values: O[];
  readonly #tolerates: Tolerance | undefined;
  readonly #failed = new Set<number>();
  /** How much the failed iterations and all items count. */
  #failures = 0;
  #total: number | undefined;
  #next = 0;
  #running = 0;
  #hasFailed = false;

  constructor(
    spec: LoopSpec<I, O>,
    { width = Number.POSITIVE_INFINITY, gap = 0, tolerates }: ForEachOptions,
    decide: (result: Result<readonly O[]>) => void,
  ) {
    [this.#spec, this.#decide, this.#width, this.#gap, this.#tolerates] = [spec, decide, width, gap, tolerates];
    this.#values = new Array<O>(spec.items.length);
    this.#prefixes = itemPrefixes(spec.keys);
    this.#spacing = createSpacing(createGapTimer(spec), gap, () => this.startMore());
  }

  startMore(): void {
    const { length } = this.#values;
    while (!this.#hasFailed && this.#spacing.isOver() && this.#next < length && this.#running < this.#width) {
      const index = this.#next++;
      this.#running += 1;
      this.#start(index);
      if (this.#gap > 0 && this.#next < length) this.#spacing.started(this.#next, this.#running < this.#width);
    }
    if (this.#next === length && this.#running === 0)
      this.#decide({ value: this.#values.filter((_, i) => !this.#failed.has(i)) });
  }

  ended(index: number, result: Result<O>): void {
    this.#running -= 1;
    if ("error" in result) {
      const error = this.#intolerable(index, result.error);
      if (error !== undefined) {
        this.#hasFailed = true;
        this.#decide({ error });
        return;
      }
    } else this.#values[index] = result.value;
    this.#spacing.ended(index);
    this.startMore();
  }

  /** The error of the loop after the failure of an iteration, if that is not tolerated. */
  #intolerable(index: number, error: unknown): unknown {
    if (!this.#tolerates || !isFailure(error) || failureOf(error).fatal) return error;
    const { count, percentage, counted, error: own } = this.#tolerates;
    this.#failed.add(index);
    const { items } = this.#spec;
    this.#total ??= items.reduce((sum, item) => sum + countOf(item, counted), 0);
    this.#failures += countOf(items[index]!, counted);
    const failures = this.#failures;
    const share = (failures / this.#total) * 100;
    const isLimited = count !== undefined || percentage !== undefined;
    if (isLimited && failures <= (count ?? failures) && share <= (percentage ?? 100)) return undefined;
    return new WorkflowError(own.name, own.message);
  }

  #start(index: number): void {
    const { context, signal } = this.#spec;
    const own = innerContext(context, this.#prefixes(index), index, signal);
    own.activities.ready(new LoopIteration(own, this, index));
  }

  /** Runs the body for an item. */
  iterate(flow: ContextFlow, index: number): Promise<O> {
    const { items, body } = this.#spec;
    return body(flow, items[index]!, index);
  }
}

/** How much the failure of the iteration of an item counts. */
const countOf = (item: Json, counted: string | undefined): number =>
  counted === undefined ? 1 : (item as { readonly [member: string]: readonly Json[] })[counted]!.length;

/** One iteration. */
class LoopIteration<I extends Json, O extends Json> extends ActivityStart<O> {
  readonly #loop: Loop<I, O>;
  readonly #index: number;
  readonly #flow: ContextFlow;

  constructor(context: Context, loop: Loop<I, O>, index: number) {
    super(context);
    this.#loop = loop;
    this.#index = index;
    this.#flow = flowOf(context);
  }

  work(): Promise<O> {
    return this.#loop.iterate(this.#flow, this.#index);
  }

  done(result: Result<O>): void {
    this.#flow.close();
    this.#loop.ended(this.#index, "error" in result ? { error: this.#flow.raised(result.error) } : result);
  }
}

/** Waits until the next iteration may start. Returns a function that checks this when an iteration has ended. */
type GapTimer = (next: number, gap: number, onOver: () => void) => Gap["isOver"];

const createGapTimer =
  <I extends Json, O extends Json>({ context, keys: { key }, signal }: LoopSpec<I, O>): GapTimer =>
  (next, gap, onOver) => {
    const { host } = context;
    const due = host.now() + gap * 1000;
    void host.sleep(`${key}#gap#${next}`, gap, { ...context, signal }).then(onOver, () => undefined);
    return (ended) => host.once(`${key}#rest#${ended}`, () => host.now() >= due, signal);
  };

/** The time between two starts. */
interface Gap {
  /** Whether only the timer delays the next iteration, which therefore starts it. */
  isAwaited: boolean;
  readonly isOver: (ended: number) => Promise<boolean> | boolean;
}

/** Enforces the minimum time between two starts. */
interface Spacing {
  isOver(): boolean;
  /** An iteration has started. `isFree`: only time delays the next one. */
  started(next: number, isFree: boolean): void;
  ended(index: number): void;
}

/**
 * Enforces the minimum time between two starts. If the time is over at the instant at which an iteration ends, the next
 * one starts with that end, before the timers of the instant; otherwise `onOver` is called.
 */
function createSpacing(startTimer: GapTimer, seconds: number, onOver: () => void): Spacing {
  let current: Gap | undefined;
  const end = (gap: Gap) => {
    if (current === gap) current = undefined;
    onOver();
  };
  return {
    isOver: () => current === undefined,
    started(next, isFree) {
      const gap: Gap = { isAwaited: isFree, isOver: startTimer(next, seconds, () => end(gap)) };
      current = gap;
    },
    ended(index) {
      const gap = current;
      if (!gap || gap.isAwaited) return;
      gap.isAwaited = true;
      const isOver = gap.isOver(index);
      if (isOver === true) current = undefined;
      else if (isOver)
        isOver.then(
          (hasPassed) => hasPassed && end(gap),
          () => undefined,
        );
    },
  };
}
