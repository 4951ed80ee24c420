import type { DurableContext } from "@aws/durable-execution-sdk-js";
import type { Place, Subscription, SubscriptionStart, WaitRequest, WaitResult } from "../../host.ts";
import { WorkflowError, waitOf, waitResult, waitStep } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { type AnswerRecord, answerFrom, brokerRun, recordOf, type WaitReference } from "../broker/messages.ts";
import type { EventBroker, ExecutionWait, TimedAnswer } from "./broker.ts";
import { again, type Entry, type Journal, nameOf } from "./journal.ts";
import type { ExecutionRecord } from "./table.ts";

/** A run that may receive events. */
export interface ReceivingRun {
  readonly id: string;
  /** The name of its execution. */
  readonly execution: string;
  /** When it was started: earlier events are not for it. */
  readonly since: number;
  /** When its root run was started, if that is another one. */
  readonly root?: number | undefined;
  /** The partition with the events that have started it. */
  readonly partition?: string | undefined;
}

/** A subscription with the correlation value that its run has. */
interface ValuedSubscription extends Subscription {
  readonly since: number;
  value: Json | undefined;
}

/** The events of a run. Each report to the broker is a step, after the one before. */
export class RunEvents {
  /** Rejects if the run cannot reach the broker. */
  readonly broken: Promise<never>;
  readonly #break: (reason: unknown) => void;
  readonly #journal: Journal;
  readonly #broker: EventBroker;
  readonly #run: ReceivingRun;
  readonly #pause: (milliseconds: number) => Promise<void>;
  #places: ExecutionRecord["places"];
  #reported: Promise<unknown> = Promise.resolve();
  #reports = 0;

  constructor(
    journal: Journal,
    broker: EventBroker,
    run: ReceivingRun,
    pause: (milliseconds: number) => Promise<void>,
  ) {
    this.#journal = journal;
    this.#broker = broker;
    this.#run = run;
    this.#pause = pause;
    this.#places = run.partition === undefined ? [] : [[run.partition, brokerRun(run.id, "")]];
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    [this.broken, this.#break] = [promise, reject];
  }

  /** Resolves when the broker knows what the run has reported so far. */
  reported(): Promise<unknown> {
    return this.#reported;
  }

  subscribe(key: string, workflow: AnyWorkflow, { value }: SubscriptionStart): Subscription {
    const since = key === "" ? this.#run.since : this.#journal.order.now();
    const subscription: ValuedSubscription = { key, workflow, since, value, close: () => undefined };
    return subscription;
  }

  /** Waits for events. */
  async receive(key: string, request: WaitRequest, { position, signal }: Place): Promise<WaitResult> {
    const { order } = this.#journal;
    const { wait: name, variables, values } = request;
    const subscription = request.subscription as ValuedSubscription;
    const { workflow, since, value } = subscription;
    const reference: WaitReference = {
      run: this.#run.id,
      key: subscription.key,
      wait: key,
      workflow: workflow.id,
      ...(values && { values }),
      ...(value !== undefined && { value }),
    };
    requireSize(variables as Json);
    const wait: Omit<ExecutionWait, "callback" | "places"> = {
      ...reference,
      step: waitStep(workflow, name),
      position: position.map((index) => Math.min(index, Number.MAX_SAFE_INTEGER)),
      age: this.#ageOf(subscription),
      since,
      at: order.now(),
      variables,
      execution: this.#run.execution,
    };
    const within = lastOf(waitOf(workflow, name).alternatives);
    let isOver = false;
    const cancel = () => {
      if (!isOver) this.#report(() => this.#broker.cancelWait(reference));
    };
    const answering = this.#journal.ask<AnswerRecord>(key, signal, this.#begin(wait, within, position));
    signal.addEventListener("abort", cancel);
    try {
      const answer = answerFrom(await answering);
      isOver = true;
      this.#report(() => this.#broker.confirm(reference));
      const result = waitResult(answer);
      if (result.value !== undefined) subscription.value = result.value;
      return result;
    } finally {
      isOver = true;
      signal.removeEventListener("abort", cancel);
    }
  }

  /** The run no longer receives events. */
  leave(): Promise<unknown> {
    if (this.#places.length > 0) this.#report(() => this.#broker.leave({ places: this.#places }));
    return this.#reported;
  }

  /** The age of the run or of a subflow in it: that of its root run, and then its own. */
  #ageOf({ key, since }: ValuedSubscription): readonly number[] {
    const { root, since: own } = this.#run;
    if (key !== "") return [root ?? own, since];
    return root === undefined ? [own] : [root, own];
  }

  /** The operations of a wait: a callback, a step that begins the wait, and one that receives the answer. */
  #begin(
    wait: Omit<ExecutionWait, "callback" | "places">,
    within: number,
    position: readonly number[],
  ): (isAsked: () => boolean) => PromiseLike<Entry | null> {
    const { order } = this.#journal;
    const entryOf = ({ answer, at }: TimedAnswer): Promise<Entry> =>
      this.#journal.entry({ value: recordOf(answer) as unknown as Json }, Math.max(at, order.now()), position);
    const operate = async (
      context: DurableContext,
      before: Promise<unknown>,
      setBegun: () => void,
      isAsked: () => boolean,
    ): Promise<Entry | null> => {
      for (let isFirst = true; ; isFirst = false) {
        const [called, callback] = await context.createCallback("callback");
        const begin = async () => {
          await order.live;
          await before;
          if (!isAsked()) return null;
          const found = await this.#broker.wait({ ...wait, callback, places: await this.#placesWith(wait) });
          return found ? entryOf(found) : null;
        };
        const there = await context.step("wait", begin, again);
        setBegun();
        if (there) return there;
        if (isFirst && within !== Number.POSITIVE_INFINITY) this.#startTimer(wait, within, context, isAsked);
        await called;
        const receive = async () => {
          await order.live;
          const found = await this.#broker.answer(wait);
          return found ? entryOf(found) : null;
        };
        const received = await context.step("receive", receive, again);
        if (received) return received;
      }
    };
    const count = within === Number.POSITIVE_INFINITY ? operationsOfWait : operationsOfWait + operationsOfTimer;
    return (isAsked) => {
      const before = this.#reported;
      const { promise: begun, resolve: setBegun } = Promise.withResolvers<void>();
      const operation = this.#journal.begin(
        (outer) =>
          outer.runInChildContext(nameOf(wait.wait), (context) => operate(context, before, setBegun, isAsked), {
            virtualContext: true,
          }),
        count,
      );
      this.#reported = Promise.all([before, begun]);
      return operation;
    };
  }

  /** Lets the alternatives of a wait expire. */
  #startTimer(
    wait: Omit<ExecutionWait, "callback" | "places">,
    within: number,
    outer: DurableContext,
    isAsked: () => boolean,
  ): void {
    outer
      .runInChildContext("within", (context) => this.#expire(wait, within, context, isAsked), { virtualContext: true })
      .then(undefined, this.#break);
  }

  async #expire(
    wait: Omit<ExecutionWait, "callback" | "places">,
    within: number,
    context: DurableContext,
    isAsked: () => boolean,
  ): Promise<Entry | null> {
    const { order, clock } = this.#journal;
    const due = wait.at + within * 1000;
    if (within >= 1) {
      const left = (due - clock()) / 1000;
      await context.wait("time", {
        seconds: Math.max(1, Number.isInteger(within) ? Math.ceil(left) : Math.floor(left)),
      });
      if (!isAsked()) return new Promise<never>(() => undefined);
    }
    const expire = async () => {
      await order.live;
      if (within < 1 || !Number.isInteger(within)) await this.#pause(Math.max(0, Math.min(due - clock(), 1000)));
      if (isAsked()) await this.#broker.expire(wait, due);
      return null;
    };
    return context.step("expire", expire, again);
  }

  /** The places of the execution, and that of a wait. */
  async #placesWith(wait: WaitReference): Promise<ExecutionRecord["places"]> {
    const place = [await this.#broker.partitionOf(wait), brokerRun(wait.run, wait.key)] as const;
    if (!this.#places.some(([name, run]) => name === place[0] && run === place[1]))
      this.#places = [...this.#places, place];
    return this.#places;
  }

  /** Reports something to the broker, in a step of its own. */
  #report(act: () => Promise<unknown>): void {
    const { order } = this.#journal;
    const before = this.#reported;
    this.#reports += 1;
    const name = nameOf(`#report ${this.#reports}`);
    const report = async () => {
      await order.live;
      await before;
      await act();
      return null;
    };
    const step = this.#journal.begin((context) => context.step(name, report, again));
    this.#reported = Promise.resolve(step);
    this.#reported.catch(this.#break);
  }
}

/** A callback, the step that begins the wait, and the one that receives the answer; a timer and the step after it. */
const operationsOfWait = 3;
const operationsOfTimer = 2;

/** When the last alternative expires, in seconds from the beginning of the wait. */
const lastOf = (alternatives: readonly { readonly within?: number }[]): number =>
  Math.max(...alternatives.map(({ within = Number.POSITIVE_INFINITY }) => within));

/** Throws an error that the run cannot handle if variables do not fit into an item of the table. */
function requireSize(variables: Json): void {
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes > maxVariables)
    throw new WorkflowError(
      "LimitError",
      `The conditions of the wait use ${bytes} bytes of data, and the events table takes ${maxVariables} at most.`,
      { origin: "limit", fatal: true },
    );
}

const maxVariables = 256 * 1024;
