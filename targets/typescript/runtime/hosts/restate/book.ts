import type { Command, Effect } from "../../../../../src/events/commands.ts";
import type { Rules, WaitRule } from "../../../../../src/events/rules.ts";
import type { Json as CoreJson, JsonObject as CoreJsonObject } from "../../../../../src/json.ts";
import type { Delivery, EngineOptions } from "../../engine.ts";
import type { CloudEvent, ReceivedEvent } from "../../events.ts";
import { commonPartition, emptyPartition, initialValue, own, rulesOf, setOwn, traceOfEvents } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import {
  type Begin,
  brokerRun,
  type KeptRun,
  type NewRun,
  recordOf,
  runIn,
  type SubflowSubscription,
  type WaitMessage,
  type WaitReference,
  waitId,
} from "../broker/messages.ts";
import { mergeKeys, partitionOfWait, partitionsOfEvent, receivesEvents } from "../broker/routing.ts";
import type { RunPort } from "./decision.ts";
import {
  dataOf,
  type ExaminationResult,
  examinationOf,
  expiredRule,
  ruleOf,
  type WaitData,
  withForeignRules,
} from "./foreign.ts";
import { ageOf, type BookHead, headFrom, type Member, type StoredHead } from "./head.ts";
import { memberKey, memberPrefix, runKey } from "./messages.ts";
import { inOrder, type ObjectState } from "./partition-documents.ts";
import { mergePartitions, Partitions } from "./partitions.ts";

/** The result of a start. */
export interface StartResult {
  readonly isNew: boolean;
  readonly kept: KeptRun;
}

/** All runs of a program, and the broker of their events: one operation at a time. */
export class Book {
  readonly #state: ObjectState;
  readonly #runs: RunPort;
  readonly #workflows: readonly AnyWorkflow[];
  readonly #head: BookHead;
  readonly #partitions: Partitions;
  readonly #rules: Rules;
  /** The rules of waits that this program lacks, while their runs' reports are processed. */
  readonly #foreign = new Map<string, WaitRule>();
  /** The waits whose runs have been sent events in this operation, by their replies. */
  readonly #examined = new Set<string>();

  private constructor(state: ObjectState, runs: RunPort, options: Pick<EngineOptions, "workflows">, head: BookHead) {
    this.#state = state;
    this.#runs = runs;
    this.#workflows = options.workflows;
    this.#head = head;
    this.#rules = rulesOf(options.workflows, () => brokerRun(runs.freshId(), ""));
    this.#partitions = new Partitions(state, withForeignRules(this.#rules, this.#foreign));
  }

  /** Opens the book at an instant, with the state of another version of the program if need be. */
  static async open(
    state: ObjectState,
    runs: RunPort,
    options: Pick<EngineOptions, "workflows">,
    at: number,
  ): Promise<Book> {
    const head = headFrom(await state.get<StoredHead>("page"));
    head.clock = Math.max(head.clock, at);
    const book = new Book(state, runs, options, head);
    await book.#adopt();
    return book;
  }

  /** Saves what has changed. */
  async close(): Promise<void> {
    for (const name of this.#partitions.loaded) await this.#sweep(name, this.#head.oldest);
    this.#partitions.save();
    this.#state.set("page", this.#head);
  }

  /** Starts runs unless they exist. */
  async startAll(runs: readonly NewRun[]): Promise<readonly StartResult[]> {
    const existing = await inOrder(runs.map(({ id }) => this.#state.get<KeptRun>(runKey(id))));
    const isFirst = ({ id }: NewRun, i: number) => runs.findIndex((each) => each.id === id) === i;
    const fresh = runs.filter((run, i) => existing[i] === null && isFirst(run, i));
    const begins = fresh.map((run) => this.#beginOf(run, []));
    const invocations = await inOrder(begins.map((begin) => this.#runs.launch(begin)));
    await this.#partitions.load(begins.flatMap((begin) => (begin.receives ? [this.#placeOf(begin).name] : [])));
    const started = new Map<string, KeptRun>();
    for (const [i, begin] of begins.entries()) {
      const root = await this.#rootOf(fresh[i]!);
      started.set(begin.id, this.#keep(begin, invocations[i]!, root));
      if (begin.receives) await this.#enter(begin, started.get(begin.id)!);
    }
    return runs.map((run, i) => ({ isNew: fresh.includes(run), kept: existing[i] ?? started.get(run.id)! }));
  }

  #beginOf({ id, workflow: name, version, input, trace: own }: NewRun, taken: readonly ReceivedEvent[]): Begin {
    const workflow = this.#find(name, version);
    const trace = own ?? traceOfEvents(taken);
    const receives = taken.length > 0 || workflow === undefined || receivesEvents(workflow);
    return {
      id,
      workflow: name,
      version: workflow?.version ?? version ?? "",
      input,
      at: this.#head.clock,
      taken,
      receives,
      delivers: this.#workflows.some(receivesEvents),
      ...(trace !== undefined && { trace, postsTrace: true }),
    };
  }

  /** The order of the root run of a subflow. */
  async #rootOf({ parent }: NewRun): Promise<number | undefined> {
    const kept = parent === undefined ? null : await this.#state.get<KeptRun>(runKey(parent));
    return kept ? (kept.root ?? kept.order) : undefined;
  }

  #keep({ id, workflow, version, at, input }: Begin, invocation: string, root?: number): KeptRun {
    this.#head.order += 1;
    const { order } = this.#head;
    const kept: KeptRun = { order, ...(root !== undefined && { root }), workflow, version, at, input, invocation };
    this.#state.set(runKey(id), kept);
    return kept;
  }

  /** A run may wait for the events that arrive from now on. */
  async #enter(begin: Begin, { order, root, workflow, version, at, invocation }: KeptRun): Promise<void> {
    const { id } = begin;
    const { value, name } = this.#placeOf(begin);
    const after = this.#head.number;
    this.#admit(id, { order, root, at, after, invocation, workflow, version, partitions: [name], subflows: {} });
    await this.#apply(name, { kind: "join", run: brokerRun(id, ""), after, value: value as CoreJson | undefined });
  }

  #admit(run: string, member: Member): void {
    this.#state.set(memberKey(run), member);
    this.#count(member, 1);
    this.#countLive(member, 1);
  }

  /** The correlation value and the partition of a run that begins. */
  #placeOf(begin: Begin): { readonly value: Json | undefined; readonly name: string } {
    const { id, workflow } = begin;
    const value = this.#initialValue(begin);
    return { value, name: partitionOfWait(workflow, undefined, value ?? id, this.#head.keys) };
  }

  #initialValue({ id, workflow: name, version, input, taken }: Begin): Json | undefined {
    const workflow = this.#find(name, version);
    try {
      return workflow && initialValue(workflow, id, input, taken);
    } catch {
      return undefined;
    }
  }

  /** A subflow of a run may wait for events from now on; repeated subscriptions have no effect. */
  async join({ run, key, workflow, version, value }: SubflowSubscription): Promise<void> {
    const member = (await this.#member(run)) ?? (await this.#admitParent(run));
    if (!member || Object.hasOwn(member.subflows, key)) return;
    const after = this.#head.number;
    const name = partitionOfWait(workflow, undefined, value ?? run, this.#head.keys);
    this.#head.order += 1;
    const subflow = { workflow, version, after, order: this.#head.order };
    this.#state.set(memberKey(run), {
      ...member,
      partitions: [...new Set([...member.partitions, name])],
      subflows: { ...member.subflows, [key]: subflow },
    } satisfies Member);
    this.#count({ workflow, version }, 1);
    await this.#apply(name, { kind: "join", run: brokerRun(run, key), after, value: value as CoreJson | undefined });
  }

  /** A run that does not wait itself may have subflows that do. */
  async #admitParent(run: string): Promise<Member | undefined> {
    const kept = await this.#state.get<KeptRun>(runKey(run));
    if (!kept) return undefined;
    const { order, root, at, invocation, workflow, version } = kept;
    const after = this.#head.number;
    const member: Member = { order, root, at, after, invocation, workflow, version, partitions: [], subflows: {} };
    this.#admit(run, member);
    return member;
  }

  /** A run, or a subflow in it, no longer waits. */
  async leave(run: string, key?: string): Promise<void> {
    const member = await this.#member(run);
    if (!member) return;
    const { subflows } = member;
    const left = key === undefined ? ["", ...Object.keys(subflows)] : Object.hasOwn(subflows, key) ? [key] : [];
    for (const each of left) this.#count(each === "" ? member : subflows[each]!, -1);
    if (key === undefined) {
      this.#state.clear(memberKey(run));
      this.#countLive(member, -1);
    } else if (left.length > 0) {
      const { [key]: _, ...others } = subflows;
      this.#state.set(memberKey(run), { ...member, subflows: others } satisfies Member);
    }
    await this.#partitions.load(member.partitions);
    for (const name of member.partitions)
      for (const each of left)
        await this.#apply(name, { kind: "leave", run: brokerRun(run, each), at: this.#head.clock });
  }

  /** A run begins to wait. */
  async wait(message: WaitMessage): Promise<void> {
    const { run, key, step, position, at, variables, values, value, reply } = message;
    const member = await this.#member(run);
    const subscription = member && (key === "" ? member : own(member.subflows, key));
    if (!member || !subscription) return;
    const name = this.#partitionOf(message);
    const id = brokerRun(run, key);
    if (!member.partitions.includes(name))
      this.#state.set(memberKey(run), { ...member, partitions: [...member.partitions, name] } satisfies Member);
    const known = (await this.#partitions.get(name)).runs[id];
    if (!known || (known.value === undefined && value !== undefined))
      await this.#apply(name, {
        kind: "join",
        run: id,
        after: subscription.after,
        value: value as CoreJson | undefined,
      });
    const { at: since, invocation } = member;
    const examined = message.examined as ExaminationResult | undefined;
    const rule = examined && ruleOf(examined, (await this.#partitions.get(name)).events);
    if (rule) this.#foreign.set(waitId(message), rule);
    await this.#apply(name, {
      kind: "wait",
      wait: {
        id: waitId(message),
        run: id,
        step,
        age: ageOf(member, key === "" ? undefined : own(member.subflows, key)),
        position,
        since,
        at,
        variables: variables as CoreJsonObject,
        ...(values && { values: values as CoreJsonObject }),
        data: { run, invocation, reply, through: examined?.through ?? 0 } satisfies WaitData,
      },
    });
    this.#foreign.clear();
  }

  async cancelWait(wait: WaitReference): Promise<void> {
    await this.#apply(this.#partitionOf(wait), { kind: "cancelWait", id: waitId(wait), at: this.#head.clock });
  }

  async confirm(wait: WaitReference): Promise<void> {
    await this.#apply(this.#partitionOf(wait), { kind: "confirm", id: waitId(wait) });
  }

  async expire(wait: WaitReference, at: number): Promise<void> {
    this.#foreign.set(waitId(wait), expiredRule);
    await this.#apply(this.#partitionOf(wait), { kind: "expire", id: waitId(wait), at });
    this.#foreign.clear();
  }

  /** Loads the partitions of events together. */
  load = (events: readonly CloudEvent[]): Promise<void> =>
    this.#partitions.load(events.flatMap((event) => this.#partitionsOf(event)));

  /** An event arrives. Its duplicates are the caller's concern. */
  async deliver(event: CloudEvent): Promise<Delivery> {
    this.#head.number += 1;
    const { number: order, clock: at } = this.#head;
    const woken: string[] = [];
    const started: string[] = [];
    for (const name of this.#partitionsOf(event)) {
      const effects = await this.#apply(name, { kind: "arrive", at, event: event as CoreJsonObject, order });
      for (const effect of effects) {
        if (effect.kind === "wake") woken.push(dataOf(effect.wait).run);
        if (effect.kind === "start") started.push(runIn(effect.run));
      }
    }
    return { status: "accepted", started, delivered: [...new Set(woken)] };
  }

  /** An event for code that this program lacks is kept until another program has it. */
  #partitionsOf(event: CloudEvent): readonly string[] {
    const names = [...partitionsOfEvent(event, this.#workflows, this.#head.keys)];
    if (names.length > 0) return names;
    const known = new Set(this.#workflows.map(versionKey));
    return Object.keys(this.#head.versions).some((version) => !known.has(version)) ? [unrouted] : [];
  }

  /** Signals a failed run to continue. */
  async retry(run: string, reply: string): Promise<boolean> {
    const kept = await this.#state.get<KeptRun>(runKey(run));
    if (kept) this.#runs.signal(kept.invocation, reply, { at: this.#head.clock });
    return kept !== null;
  }

  /** A run was ended from outside while its code was missing. */
  async cancelled(run: string): Promise<void> {
    const kept = await this.#state.get<KeptRun>(runKey(run));
    if (!kept) return;
    this.#state.set(runKey(run), { ...kept, cancelled: this.#head.clock });
    await this.leave(run);
  }

  /** Deletes unused events that arrived before an instant. */
  async prune(before: number): Promise<void> {
    for (const name of await this.#partitions.names())
      await this.#partitions.apply(name, { kind: "sweep", before, limit: Number.MAX_SAFE_INTEGER });
  }

  async #apply(name: string, command: Command): Promise<readonly Effect[]> {
    const effects = await this.#partitions.apply(name, command);
    for (const effect of effects) {
      if (effect.kind === "start") await this.#begin(name, effect);
      if (effect.kind !== "wake") continue;
      const { invocation, reply } = dataOf(effect.wait);
      this.#runs.signal(invocation, reply, { answer: recordOf(effect.answer), at: this.#head.clock });
    }
    await this.#letExamine(name);
    return effects;
  }

  /** Sends new events to the runs of waits that this program lacks. */
  async #letExamine(name: string): Promise<void> {
    const partition = await this.#partitions.get(name);
    for (const wait of partition.waits) {
      if (wait.end || wait.isConfirmed || this.#rules.waitRule(wait)) continue;
      const { invocation, reply } = dataOf(wait);
      const examination = this.#examined.has(reply) ? undefined : examinationOf(wait, partition);
      if (!examination) continue;
      this.#examined.add(reply);
      this.#runs.signal(invocation, reply, { examination, at: this.#head.clock });
    }
  }

  /** Starts a run that events start. */
  async #begin(partition: string, { workflow, run, events }: Effect & { readonly kind: "start" }): Promise<void> {
    const begin = this.#beginOf({ id: runIn(run), workflow, input: {} }, events as readonly ReceivedEvent[]);
    const { order, version, at, invocation } = this.#keep(begin, await this.#runs.launch(begin));
    const after = (await this.#partitions.get(partition)).runs[run]?.after ?? this.#head.number;
    this.#admit(begin.id, {
      order,
      at,
      after,
      invocation,
      workflow,
      version,
      partitions: [partition],
      subflows: {},
    });
    await this.#partitions.apply(partition, { kind: "join", run });
  }

  /** Deletes events that no run can use, and what waits have discarded. */
  async #sweep(name: string, oldest: number): Promise<void> {
    const { events, waits } = await this.#partitions.get(name);
    const before = events.find((event) => event.order > oldest || event.collectedBy)?.at ?? Number.POSITIVE_INFINITY;
    const isUnreachable = events.some(({ at, isFree, runs, users }) => at < before && isFree && !runs && !users);
    if (isUnreachable || waits.some(({ isConfirmed }) => isConfirmed))
      await this.#partitions.apply(name, { kind: "sweep", before, limit: maxSwept });
  }

  /** Adapts the state to this program, if another one has used it. */
  async #adopt(): Promise<void> {
    const program = JSON.stringify(this.#workflows.map(versionKey).sort());
    if (this.#head.program === program) return;
    const keys = mergeKeys(this.#workflows, this.#head.keys);
    const merged = Object.entries(this.#head.keys).flatMap(([id, key]) =>
      key !== null && keys[id] === null ? [id] : [],
    );
    this.#head.program = program;
    this.#head.keys = keys;
    if (merged.length > 0) await this.#merge(new Set(merged));
    for (const name of await this.#partitions.names())
      if (name !== unrouted) await this.#apply(name, { kind: "settle", at: this.#head.clock, isForced: true });
    const { events } = await this.#partitions.get(unrouted);
    await this.#partitions.replace(unrouted, emptyPartition);
    await this.load(events.map(({ event }) => event as CloudEvent));
    for (const { event, at } of events) {
      this.#head.number += 1;
      for (const name of this.#partitionsOf(event as CloudEvent))
        await this.#apply(name, { kind: "arrive", at, event, order: this.#head.number });
    }
  }

  /** Moves what belongs to some workflows into the common partition. */
  async #merge(workflows: ReadonlySet<string>): Promise<void> {
    const moving = new Map<string, boolean>();
    const keys = (await this.#state.stateKeys()).filter((key) => key.startsWith(memberPrefix));
    const runs = keys.map((key) => key.slice(memberPrefix.length));
    const members = await inOrder(runs.map((run) => this.#member(run)));
    for (const [i, run] of runs.entries()) {
      const member = members[i]!;
      for (const [key, { workflow }] of [["", member] as const, ...Object.entries(member.subflows)])
        moving.set(brokerRun(run, key), workflows.has(workflow));
      this.#state.set(memberKey(run), {
        ...member,
        partitions: [...new Set([...member.partitions, commonPartition])],
      });
    }
    await mergePartitions(this.#partitions, {
      run: (run) => moving.get(run) ?? true,
      event: (event, name) => name !== unrouted && this.#partitionsOf(event as CloudEvent)[0] !== name,
    });
  }

  #partitionOf = ({ run, workflow, values, value }: WaitReference): string =>
    partitionOfWait(workflow, values, value ?? run, this.#head.keys);

  #find(id: string, version: string | undefined): AnyWorkflow | undefined {
    return this.#workflows.find((each) => each.id === id && (version === undefined || each.version === version));
  }

  #member(run: string): Promise<Member | null> {
    return this.#state.get<Member>(memberKey(run));
  }

  /** Counts runs that may wait by ranges of the events that are for them, and updates the oldest event needed. */
  #countLive({ after }: Member, change: 1 | -1): void {
    const { live, number } = this.#head;
    const range = Math.floor(after / rangeSize);
    const count = (live[range] ?? 0) + change;
    if (count > 0) live[range] = count;
    else delete live[range];
    this.#head.oldest = Object.keys(live).reduce((least, each) => Math.min(least, Number(each) * rangeSize), number);
  }

  #count(version: { readonly workflow: string; readonly version: string }, change: 1 | -1): void {
    const key = JSON.stringify([version.workflow, version.version]);
    const count = (own(this.#head.versions, key) ?? 0) + change;
    if (count > 0) setOwn(this.#head.versions, key, count);
    else delete this.#head.versions[key];
  }
}

/** Where events are that no workflow of the program receives, though some version that it lacks may. */
const unrouted = "?";

/** Runs are counted by ranges of so many events. */
const rangeSize = 100;

/** One operation deletes at most so many events of a partition. */
const maxSwept = 100;

const versionKey = ({ id, version }: AnyWorkflow): string => JSON.stringify([id, version]);
