import type { Effect } from "../../../src/events/commands.ts";
import { endOf } from "../../../src/events/draft.ts";
import {
  type Answer,
  answerOf,
  type Partition,
  type RunRecord,
  type StoredWait,
} from "../../../src/events/partition.ts";
import { pendingEffects } from "../../../src/events/pending.ts";
import { commonPartition, type Routing } from "../../../src/events/routing.ts";
import { equalJson, type Json, own } from "../../../src/json.ts";
import { Decision, type DecisionProgram, dataOf } from "./decision.ts";
import type { Form1Start } from "./form1.ts";
import type { StoredPartition } from "./stored-partition.ts";
import type { DynamoDB, EventTable } from "./table.ts";
import { endTask, hasEnded, inputBehindWait, type StepFunctions, startOnce, taskEnd, whileThrottled } from "./tasks.ts";
import { requireKey } from "./upgrade.ts";

/** What the functions use. */
export interface Host {
  readonly dynamodb: DynamoDB;
  readonly stepFunctions: StepFunctions;
  /** The name of the table. */
  readonly table: string;
  /** The ARNs of state machines by variable: events start no executions of a machine without one. */
  readonly machines: { readonly [name: string]: string | undefined };
  /** Whether events start executions now. */
  readonly starts: boolean;
  /** How long unused events are kept, in seconds; default: a week. */
  readonly keptSeconds?: number | undefined;
  /** How many items a function reads for an event before it may omit kept events; default: 100. */
  readonly maxItems?: number | undefined;
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

/** An effect whose function has not noted it for so many milliseconds is repeated by others. */
const staleAfter = 60_000;

/** How often a change is tried again when other functions change the same partition. */
const maxAttempts = 50;

/** How many waits one transaction claims, and how many entries it deletes. */
const [maxClaims, maxDeleted] = [20, 12];

/** How many transactions with deletions one call makes for a partition. */
const maxSweeps = 50;

const weekSeconds = 7 * 86_400;

/** The events, waits and starts of a group. */
export interface GroupProgram extends DecisionProgram {
  readonly group: string;
  readonly routing: Routing;
  /** As long as nothing is left undone, kept events then fulfill no wait and start no run. */
  readonly isDecidedBySingleEvents: boolean;
  /** The ARN of the execution that an event starts under a name; undefined if events start none now. */
  readonly executionOf: (workflow: string | undefined, name: string) => string | undefined;
}

/** How long unused events are kept. */
export const keptMilliseconds = ({ keptSeconds = weekSeconds }: Host): number => keptSeconds * 1000;

/** One call of a function for a group of workflows: the changes that it makes, and their effects. */
export class Group {
  readonly table: EventTable;
  readonly #host: Host;
  readonly #program: GroupProgram;
  readonly #kept: number;
  /** The partitions as this call has last read or written them. */
  readonly #known = new Map<string, StoredPartition>();
  readonly #work: (() => Promise<void>)[] = [];

  constructor(table: EventTable, program: GroupProgram, host: Host) {
    this.table = table;
    this.#host = host;
    this.#program = program;
    this.#kept = keptMilliseconds(host);
  }

  /** Changes a partition, again if other functions change it meanwhile. `finish` performs the effects. */
  async update(
    name: string,
    decide: (decision: Decision, stored: StoredPartition) => void | Promise<void>,
    arrived?: string,
  ): Promise<"done" | "unchanged" | "repeated"> {
    let omitsEvents = arrived !== undefined && this.#program.isDecidedBySingleEvents;
    for (let attempt = 0; ; attempt++) {
      const stored = await this.#read(name, omitsEvents);
      const decision = new Decision(stored.partition, this.#program);
      await decide(decision, stored);
      if (stored.isPartial && mayNeedEvents(decision)) {
        omitsEvents = false;
        this.#known.delete(name);
        continue;
      }
      const { base, partition, attempts = stored.attempts } = decision;
      if (partition === base && attempts === stored.attempts) return "unchanged";
      const key = name === commonPartition ? this.#program.routing.key : undefined;
      const update = { before: { ...stored, partition: base }, partition, attempts, key };
      const result = await this.table.write([update], this.#host.now(), arrived);
      this.#known.delete(name);
      if (result === "repeated") return "repeated";
      if (result !== "changed") {
        this.#known.set(name, result[0]!);
        for (const effect of decision.effects) this.#work.push(() => this.#perform(name, effect));
        this.#work.push(...decision.afterwards);
        if (partition.isUnsettled) this.#work.push(() => this.#settle(name));
        return "done";
      }
      if (attempt >= maxAttempts) throw new Error("Other functions change the events too often.");
      await this.#host.pause(Math.random() * Math.min(1000, 10 * 2 ** attempt));
    }
  }

  async #read(name: string, omitsEvents = false): Promise<StoredPartition> {
    const known = this.#known.get(name);
    if (known) return known;
    const stored = await this.table.read(name, this.#host.now(), omitsEvents);
    const { group, routing } = this.#program;
    if (name === commonPartition) requireKey(stored, routing, group);
    this.#known.set(name, stored);
    for (const start of stored.form1?.starts ?? []) this.#work.push(() => this.#performForm1(name, start));
    return stored;
  }

  /** Adds the record of a run to the partition of its wait. `given`: its correlation value from the start. */
  async join(name: string, decision: Decision, run: string, given: Json | undefined): Promise<void> {
    const known = own(decision.partition.runs, run);
    const changed = (await this.table.readRun(run, name)) ?? {};
    const { value = given } = changed;
    const record: RunRecord = {
      ...changed,
      ...(value !== undefined && { value }),
      ...(known?.start && { start: known.start }),
    };
    if (!equalJson((known ?? {}) as Json, record as Json)) decision.assumeRun(run, record);
  }

  /** Performs the effects of all changes. Throws the first error, after everything else. */
  async finish(): Promise<void> {
    const errors: unknown[] = [];
    for (let work = this.#work.shift(); work; work = this.#work.shift())
      await work().catch((error: unknown) => errors.push(error));
    for (const [name, { partition }] of this.#known)
      if (partition.waits.some(({ isConfirmed }) => isConfirmed)) await this.#sweepEntries(name);
    if (errors.length > 0) throw errors[0];
  }

  /** Repeats effects that functions have not noted for some time. */
  async repeatEffects(name: string, age = staleAfter): Promise<void> {
    const stored = await this.#read(name);
    const isStale = (effect: Effect): boolean => this.#host.now() - timeOf(effect) >= age;
    const stale = pendingEffects(stored.partition).filter(isStale);
    const waits = stale.flatMap((effect) =>
      effect.kind === "wake" && "task" in dataOf(effect.wait) ? effect.wait : [],
    );
    for (let i = 0; i < waits.length; i += maxClaims) await this.#claim(name, waits.slice(i, i + maxClaims));
    for (const effect of stale)
      if (effect.kind === "start" || (effect.kind === "wake" && !("task" in dataOf(effect.wait))))
        this.#work.push(() => this.#perform(name, effect));
  }

  /** Ends the Task of a wait once more, which a function may have done before it crashed. */
  async endAgain(name: string, wait: StoredWait): Promise<void> {
    await this.#claim(name, [wait], true);
    await this.finish();
  }

  /**
   * Does what functions have left undone in all partitions, and deletes what has become old. Throws the first error,
   * after everything else.
   */
  async sweep(): Promise<void> {
    const errors: unknown[] = [];
    for (const name of new Set([commonPartition, ...(await this.table.findPending())]))
      await this.#sweepPartition(name).catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }

  async #sweepPartition(name: string): Promise<void> {
    await this.#settle(name);
    await this.repeatEffects(name);
    await this.finish();
    await this.#sweepEntries(name);
  }

  async #settle(name: string): Promise<void> {
    await this.update(name, (decision) => decision.apply({ kind: "settle", at: this.#host.now() }));
  }

  /** Counts attempts to end the Tasks of waits, and then makes them. */
  async #claim(name: string, waits: readonly StoredWait[], isReplaced = false): Promise<void> {
    await this.update(name, (decision, { attempts }) => {
      const claimed = waits.flatMap((wait) => pendingWait(decision.partition, wait) ?? []);
      if (claimed.length === 0) return;
      decision.attempts = new Map([
        ...attempts,
        ...claimed.map(({ id }) => [id, (attempts.get(id) ?? 0) + 1] as const),
      ]);
      decision.afterwards = claimed.map(
        (wait) => () => this.#endTask(name, wait, answerOf(decision.partition, wait), isReplaced),
      );
    });
  }

  async #perform(name: string, effect: Effect): Promise<void> {
    if (effect.kind === "forget") return;
    const { stepFunctions } = this.#host;
    if (effect.kind === "start") {
      if (this.#program.behindWait(effect.workflow)?.isOnly)
        throw new Error(`No wait has received the events that start ${effect.run}.`);
      await this.#send(() => startOnce(stepFunctions, effect.run, "{}"));
      await this.update(name, (decision) => {
        if (own(decision.partition.runs, effect.run)?.start) decision.apply({ kind: "join", run: effect.run });
      });
      return;
    }
    const { wait, answer } = effect;
    const data = dataOf(wait);
    if ("task" in data) return this.#endTask(name, wait, answer, false);
    await this.#startBehindWait(wait.run, data.starts, answer);
    await this.update(name, (decision) => decision.apply({ kind: "confirm", id: wait.id }));
  }

  async #startBehindWait(run: string, workflow: string | undefined, answer: Answer): Promise<void> {
    const behind = this.#program.behindWait(workflow);
    const input = behind && inputBehindWait(answer, behind, run);
    if (behind?.isOnly && input === undefined)
      throw new Error(`The events that start ${run} are larger than 256 KiB, the maximum of its input.`);
    await this.#send(() => startOnce(this.#host.stepFunctions, run, input ?? "{}"));
  }

  /** Performs a pending start of form 1. */
  async #performForm1(partition: string, { sk, name, workflow, answer }: Form1Start): Promise<void> {
    const execution = this.#program.executionOf(workflow, name);
    if (execution === undefined) return;
    if (answer) await this.#startBehindWait(execution, workflow, answer);
    else await this.#send(() => startOnce(this.#host.stepFunctions, execution, "{}"));
    await this.table.delete(partition, sk);
  }

  /**
   * Ends the Task of a wait. If the Task does not wait any more and no function has ended it, the wait is canceled,
   * unless its state is about to replace it.
   */
  async #endTask(name: string, wait: StoredWait, answer: Answer, isReplaced: boolean): Promise<void> {
    const data = dataOf(wait);
    if (!("task" in data)) return;
    const { stepFunctions } = this.#host;
    const end = taskEnd(
      wait.id,
      answer,
      this.#program.partOf(wait.step),
      wait.end!.uses.map(({ order }) => order),
    );
    const outcome = await this.#send(() => endTask(stepFunctions, data.task, end));
    await this.update(name, async (decision, { attempts }) => {
      const { id, run } = wait;
      if (!pendingWait(decision.partition, wait)) return;
      const isOnlyAttempt = !attempts.has(id);
      if (
        outcome === "ended" ||
        (!isOnlyAttempt && (await this.#send(() => hasEnded(stepFunctions, data.execution ?? run, end))))
      )
        return decision.apply({ kind: "confirm", id });
      const closes = Number.isFinite(endOf(wait, this.#program.rules.waitRule(wait)));
      if (!isReplaced) decision.apply({ kind: "cancelWait", id, at: this.#host.now(), closes });
    });
  }

  #send<Response>(request: () => Promise<Response>): Promise<Response> {
    return whileThrottled(request, (milliseconds) => this.#host.pause(milliseconds));
  }

  /** Deletes events that are old or discarded, some in each transaction. */
  async #sweepEntries(name: string): Promise<void> {
    const before = this.#host.now() - this.#kept;
    for (let i = 0; i < maxSweeps; i++) {
      const sweep = (decision: Decision) => decision.apply({ kind: "sweep", before, limit: maxDeleted });
      if ((await this.update(name, sweep)) === "unchanged") return;
    }
  }
}

/** Whether a run that has received events has other waits: its new correlation value may be that of kept events. */
const mayNeedEvents = ({ effects, partition: { waits } }: Decision): boolean =>
  effects.some(
    (effect) => effect.kind === "wake" && waits.some(({ id, run }) => run === effect.wait.run && id !== effect.wait.id),
  );

/** A wait that is still to receive its answer. */
const pendingWait = ({ waits }: Partition, { id, data }: StoredWait): StoredWait | undefined =>
  waits.find((wait) => wait.id === id && wait.end && !wait.isConfirmed && equalJson(wait.data!, data!));

/** When an effect was decided. */
const timeOf = (effect: Effect): number =>
  effect.kind === "wake" ? effect.wait.end!.at : effect.kind === "start" ? effect.at : 0;
