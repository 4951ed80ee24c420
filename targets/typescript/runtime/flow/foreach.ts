import type { ForEachOptions, Iteration } from "../flow.ts";
import type { Json } from "../json.ts";
import { type Signal, stoppable } from "./abort.ts";
import { Beginning, type Result, wait } from "./activities.ts";
import { type Context, inside, itemPrefixes, type Keys, keysOf, type Prefixes } from "./context.ts";
import { type FlowIn, flowOf } from "./create.ts";

/** Runs a body for each item; their values in the order of the items. */
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

/** What is done for which items, and where. */
interface Iterated<I extends Json, O extends Json> {
  readonly context: Context;
  readonly keys: Keys;
  readonly items: readonly I[];
  readonly body: Iteration<I, O>;
  /** Cuts off what goes on for the items. */
  readonly signal: Signal;
}

/** Starts iterations in order, as width and gap allow, and tells their values when all have ended or one has failed. */
class Loop<I extends Json, O extends Json> {
  readonly #iterated: Iterated<I, O>;
  readonly #decide: (result: Result<readonly O[]>) => void;
  readonly #width: number;
  readonly #gap: number;
  readonly #between: Spacing;
  readonly #prefixes: (index: number) => Prefixes;
  readonly #values: O[];
  #next = 0;
  #running = 0;
  #hasFailed = false;

  constructor(
    iterated: Iterated<I, O>,
    { width = Number.POSITIVE_INFINITY, gap = 0 }: ForEachOptions,
    decide: (result: Result<readonly O[]>) => void,
  ) {
    [this.#iterated, this.#decide, this.#width, this.#gap] = [iterated, decide, width, gap];
    this.#values = new Array<O>(iterated.items.length);
    this.#prefixes = itemPrefixes(iterated.keys);
    this.#between = spacing(resting(iterated), gap, () => this.startMore());
  }

  startMore(): void {
    const { length } = this.#values;
    while (!this.#hasFailed && this.#between.isOver() && this.#next < length && this.#running < this.#width) {
      const index = this.#next++;
      this.#running += 1;
      this.#start(index);
      if (this.#gap > 0 && this.#next < length) this.#between.started(this.#next, this.#running < this.#width);
    }
    if (this.#next === length && this.#running === 0) this.#decide({ value: this.#values });
  }

  ended(index: number, result: Result<O>): void {
    this.#running -= 1;
    if ("error" in result) {
      this.#hasFailed = true;
      this.#decide(result);
      return;
    }
    this.#values[index] = result.value;
    this.#between.ended(index);
    this.startMore();
  }

  #start(index: number): void {
    const { context, signal } = this.#iterated;
    const own = inside(context, this.#prefixes(index), index, signal);
    own.activities.ready(new Item(own, this, index));
  }

  /** Does what is done for an item. */
  iterate(flow: FlowIn, index: number): Promise<O> {
    const { items, body } = this.#iterated;
    return body(flow, items[index]!, index);
  }
}

/** What is done for one item. */
class Item<I extends Json, O extends Json> extends Beginning<O> {
  readonly #loop: Loop<I, O>;
  readonly #index: number;
  readonly #flow: FlowIn;

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
    this.#flow.over();
    this.#loop.ended(this.#index, result);
  }
}

/** Lets time pass until the next item may start. Gives what asks whether it has passed, when one has ended. */
type Resting = (next: number, gap: number, rested: () => void) => Rest["isOver"];

const resting =
  <I extends Json, O extends Json>({ context, keys: { key }, signal }: Iterated<I, O>): Resting =>
  (next, gap, rested) => {
    const { host } = context;
    const due = host.now() + gap * 1000;
    void host.sleep(`${key}#gap#${next}`, gap, { ...context, signal }).then(rested, () => undefined);
    return (ended) => host.once(`${key}#rest#${ended}`, () => host.now() >= due, signal);
  };

/** The time between two starts. */
interface Rest {
  /** Whether nothing but time is waited for: what begins then is begun by the timer. */
  isAwaited: boolean;
  readonly isOver: (ended: number) => Promise<boolean> | boolean;
}

/** Keeps the time between two starts. */
interface Spacing {
  isOver(): boolean;
  /** One has started, and the next may behind it; `isFree`: only time is in its way. */
  started(next: number, isFree: boolean): void;
  ended(index: number): void;
}

/**
 * Keeps the time between two starts. One that waits for another to end begins as that ends where the time is over at that instant, before what timers begin
 * then; `onward` is told of all others.
 */
function spacing(rest: Resting, gap: number, onward: () => void): Spacing {
  let resting: Rest | undefined;
  const over = (rested: Rest) => {
    if (resting === rested) resting = undefined;
    onward();
  };
  return {
    isOver: () => resting === undefined,
    started(next, isFree) {
      const begun: Rest = { isAwaited: isFree, isOver: rest(next, gap, () => over(begun)) };
      resting = begun;
    },
    ended(index) {
      const begun = resting;
      if (!begun || begun.isAwaited) return;
      begun.isAwaited = true;
      const isOver = begun.isOver(index);
      if (isOver === true) resting = undefined;
      else if (isOver)
        isOver.then(
          (isTime) => isTime && over(begun),
          () => undefined,
        );
    },
  };
}
