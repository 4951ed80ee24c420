import { createHash, randomUUID } from "node:crypto";
import type { Command, Effect } from "../../../../../src/events/commands.ts";
import type { Answer, Partition, StoredWait } from "../../../../../src/events/partition.ts";
import type { Rules } from "../../../../../src/events/rules.ts";
import type { Json as CoreJson, JsonObject as CoreJsonObject } from "../../../../../src/json.ts";
import type { CloudEvent, ReceivedEvent } from "../../events.ts";
import { answerOf, applyCommand, pendingEffects, rulesOf } from "../../internal.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { brokerRun, runIn, type WaitReference, waitId } from "../broker/messages.ts";
import { mergeKeys, type PartitionKeys, partitionOfWait, partitionsOfEvent } from "../broker/routing.ts";
import type { EventsTable, ExecutionRecord, StoredPartition, WriteResult } from "./table.ts";

/** Where the broker keeps partitions, and how it reaches executions. */
export interface BrokerSite {
  readonly table: EventsTable;
  readonly workflows: readonly AnyWorkflow[];
  /** Milliseconds since 1970. */
  clock(): number;
  /** Starts the execution of a run, once for each id. */
  launch(run: StartedRun): Promise<void>;
  /** Completes a callback; has no effect if it is completed or its execution has ended. */
  wake(callback: string): Promise<void>;
  pause(milliseconds: number): Promise<void>;
}

/** A run that events start. */
export interface StartedRun {
  readonly workflow: string;
  readonly id: string;
  readonly taken: readonly ReceivedEvent[];
  /** When it was started: earlier events are not for it. */
  readonly since: number;
  /** The partition with its events. */
  readonly partition: string;
}

/** A wait that an execution begins. */
export interface ExecutionWait extends WaitReference {
  readonly step: string;
  readonly position: readonly number[];
  readonly age: readonly number[];
  /** When its run or subflow, and the wait began. */
  readonly since: number;
  readonly at: number;
  readonly variables: { readonly [name: string]: unknown };
  readonly callback: string;
  readonly execution: string;
  /** The places of the execution, including that of this wait. */
  readonly places: ExecutionRecord["places"];
}

/** The answer of a wait, and when it ended. */
export interface TimedAnswer {
  readonly answer: Answer;
  readonly at: number;
}

/**
 * The broker of a program's events in a DynamoDB table. Each command changes one partition in one transaction; then its
 * effects are performed. If a function crashes in between, its repetition or the scheduled sweep performs them.
 */
export class EventBroker {
  readonly #site: BrokerSite;
  readonly #rules: Rules;
  #keys: Promise<PartitionKeys> | undefined;

  constructor(site: BrokerSite) {
    this.#site = site;
    this.#rules = rulesOf(site.workflows, () => brokerRun(randomUUID(), ""));
  }

  /** An event arrives. A repeated event has no effect, except for those that were not performed before. */
  async arrive(event: CloudEvent): Promise<void> {
    const at = this.#site.clock();
    const arrived = JSON.stringify([event.source, event.id]);
    for (const name of partitionsOfEvent(event, this.#site.workflows, await this.#partitionKeys())) {
      const command: Command = { kind: "arrive", at, event: event as CoreJsonObject };
      const { result, partition } = await this.#update(name, () => [command], { arrived });
      if (result === "repeated") await this.#performPending(name);
      else await this.#wakeForeign(partition, at);
    }
  }

  /** Begins a wait. Returns the answer if the events are there. */
  async wait(wait: ExecutionWait): Promise<TimedAnswer | undefined> {
    const { run, key, step, position, age, since, at, variables, values, value, callback } = wait;
    const { execution, places } = wait;
    const name = await this.partitionOf(wait);
    const id = waitId(wait);
    const own = brokerRun(run, key);
    const begin: Command = {
      kind: "wait",
      wait: {
        id,
        run: own,
        step,
        age,
        position,
        since,
        at,
        variables: variables as CoreJsonObject,
        ...(values && { values: values as CoreJsonObject }),
        data: { callback },
      },
    };
    const join: Command = { kind: "join", run: own, value: value as CoreJson | undefined };
    const commands = ({ runs }: Partition) => (Object.hasOwn(runs, own) ? [begin] : [join, begin]);
    const { effects } = await this.#update(name, commands, {
      executions: new Map([[execution, { places }]]),
      waiting: id,
    });
    return answerIn(effects, id);
  }

  /** The answer of a wait whose callback was completed; undefined if this code has examined new events in vain. */
  async answer(wait: WaitReference): Promise<TimedAnswer | undefined> {
    const id = waitId(wait);
    const name = await this.partitionOf(wait);
    const { partition } = await this.#site.table.readPartition(name);
    const ended = partition.waits.find((each) => each.id === id && each.end);
    if (ended) return { answer: answerOf(partition, ended), at: ended.end!.at };
    const settle: Command = { kind: "settle", at: this.#site.clock(), isForced: true };
    return answerIn((await this.#update(name, () => [settle], { waiting: id })).effects, id);
  }

  async confirm(wait: WaitReference): Promise<void> {
    await this.#update(await this.partitionOf(wait), () => [
      { kind: "confirm", id: waitId(wait) },
      { kind: "sweep", before: Number.NEGATIVE_INFINITY, limit: maxSwept },
    ]);
  }

  async cancelWait(wait: WaitReference): Promise<void> {
    const at = this.#site.clock();
    await this.#update(await this.partitionOf(wait), () => [{ kind: "cancelWait", id: waitId(wait), at }]);
  }

  async expire(wait: WaitReference, at: number): Promise<void> {
    await this.#update(await this.partitionOf(wait), () => [{ kind: "expire", id: waitId(wait), at }]);
  }

  /** An execution has ended. */
  async leave({ places }: ExecutionRecord): Promise<void> {
    const at = this.#site.clock();
    for (const [name, run] of places) await this.#update(name, () => [{ kind: "leave", run, at }]);
  }

  /** An execution of a name has ended, and may not have left. */
  async leaveExecution(name: string): Promise<void> {
    const record = await this.#site.table.readExecution(name);
    if (record) await this.leave(record);
  }

  /** Performs the effects that crashed functions have left. */
  async sweep(): Promise<void> {
    for (const name of await this.#site.table.pendingPartitions()) await this.#performPending(name);
  }

  /** The partition of a wait. */
  async partitionOf({ run, workflow, values, value }: WaitReference): Promise<string> {
    return partitionOfWait(workflow, values, value ?? run, await this.#partitionKeys());
  }

  #partitionKeys(): Promise<PartitionKeys> {
    this.#keys ??= this.#loadKeys().catch((reason: unknown) => {
      this.#keys = undefined;
      throw reason;
    });
    return this.#keys;
  }

  async #loadKeys(): Promise<PartitionKeys> {
    for (;;) {
      const stored = await this.#site.table.readKeys();
      const keys = mergeKeys(this.#site.workflows, stored);
      const changed = Object.keys(keys).find((id) => typeof stored[id] === "string" && stored[id] !== keys[id]);
      if (changed !== undefined)
        throw new Error(
          `The events of the workflow ${changed} are stored by their correlation value, and its new version has waits ` +
            "without it. Deploy it as another stack, or with another id.",
        );
      if (JSON.stringify(keys) === JSON.stringify(stored) || (await this.#site.table.writeKeys(stored, keys)))
        return keys;
    }
  }

  /** Changes a partition, again and again while other functions change it, and performs the effects. */
  async #update(
    name: string,
    commandsFor: (partition: Partition) => readonly Command[],
    options: UpdateOptions = {},
  ): Promise<{ readonly result: WriteResult; readonly effects: readonly Effect[]; readonly partition: Partition }> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const before = await this.#site.table.readPartition(name);
      const { partition, effects } = this.#apply(before, commandsFor(before.partition));
      const isChanged = partition !== before.partition || options.arrived !== undefined;
      const result = isChanged ? await this.#write(before, partition, effects, options) : "written";
      if (result === "repeated") return { result, effects: [], partition };
      if (result === "written") {
        // A command without effect may repeat that of a function that crashed before it performed the effects.
        await this.#perform(name, isChanged ? effects : pendingEffects(partition), options.waiting);
        if (partition.isUnsettled) await this.#settle(name);
        return { result, effects, partition };
      }
      await this.#site.pause(Math.random() * Math.min(1000, 10 * 2 ** attempt));
    }
    throw new Error("Other functions change the events table too often.");
  }

  #apply(
    { partition }: StoredPartition,
    commands: readonly Command[],
  ): { readonly partition: Partition; readonly effects: readonly Effect[] } {
    const effects: Effect[] = [];
    let after = partition;
    for (const command of commands) {
      const step = applyCommand(after, command, this.#rules);
      after = step.partition;
      effects.push(...step.effects);
    }
    return { partition: after, effects };
  }

  #write(
    before: StoredPartition,
    partition: Partition,
    effects: readonly Effect[],
    { arrived, executions = new Map() }: UpdateOptions,
  ): Promise<WriteResult> {
    const started = effects.flatMap((effect): readonly (readonly [string, ExecutionRecord])[] =>
      effect.kind === "start" ? [[executionOf(runIn(effect.run)), { places: [[before.name, effect.run]] }]] : [],
    );
    return this.#site.table.writePartition(before, partition, {
      arrived,
      executions: new Map([...executions, ...started]),
    });
  }

  async #settle(name: string): Promise<void> {
    await this.#update(name, () => [{ kind: "settle", at: this.#site.clock() }]);
  }

  async #performPending(name: string): Promise<void> {
    const { partition } = await this.#site.table.readPartition(name);
    await this.#perform(name, pendingEffects(partition));
    if (partition.isUnsettled) await this.#settle(name);
  }

  /** Performs effects, except for the answer that the caller is waiting for. */
  async #perform(name: string, effects: readonly Effect[], waiting?: string): Promise<void> {
    for (const effect of effects) {
      if (effect.kind === "wake" && effect.wait.id !== waiting) await this.#site.wake(callbackOf(effect.wait));
      if (effect.kind !== "start") continue;
      const { workflow, run, events, at } = effect;
      const taken = events as readonly ReceivedEvent[];
      await this.#site.launch({ workflow, id: runIn(run), taken, since: at, partition: name });
      await this.#update(name, () => [{ kind: "join", run }]);
    }
  }

  /** Lets executions of other versions examine an event that this code has not used. */
  async #wakeForeign({ events, waits }: Partition, since: number): Promise<void> {
    if (!events.some(({ isFree, at }) => isFree && at >= since)) return;
    for (const wait of waits)
      if (!wait.end && !wait.isConfirmed && !this.#rules.waitRule(wait)) await this.#site.wake(callbackOf(wait));
  }
}

/** What an update writes in addition, and the wait whose answer the caller returns. */
interface UpdateOptions {
  readonly arrived?: string;
  readonly executions?: ReadonlyMap<string, ExecutionRecord>;
  readonly waiting?: string;
}

const maxAttempts = 50;

/** A transaction deletes at most so many discarded events. */
const maxSwept = 20;

const callbackOf = ({ data }: StoredWait): string => (data as { readonly callback: string }).callback;

function answerIn(effects: readonly Effect[], id: string): TimedAnswer | undefined {
  for (const effect of effects)
    if (effect.kind === "wake" && effect.wait.id === id) return { answer: effect.answer, at: effect.wait.end!.at };
  return undefined;
}

/** The name of the execution of a run: names are short and of few characters. */
export const executionOf = (id: string): string => createHash("sha256").update(id).digest("hex");
