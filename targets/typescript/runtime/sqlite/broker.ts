import { step } from "../../../../src/events/broker.ts";
import { changesBetween } from "../../../../src/events/changes.ts";
import type { Command, Effect, NewWait } from "../../../../src/events/commands.ts";
import type { Partition, StoredEvent, StoredWait } from "../../../../src/events/partition.ts";
import type { Rules, WaitRule } from "../../../../src/events/rules.ts";
import { type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { CloudEvent, ReceivedEvent } from "../events.ts";
import { rulesOf, waitStep } from "../rules.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { recordAnswer } from "./answers.ts";
import { addConcerned, addEventsFor, type ConcernedWaits, waitsInOrder } from "./concerned.ts";
import type { Core } from "./core.ts";
import { type Decision, noDecision, type SubscriptionBeginning, type WaitBeginning } from "./decisions.ts";
import { anyPartition, partitionOfRun, Routes } from "./routes.ts";
import { partsOf, putEvent, removeEvent, renamed, runName } from "./rows.ts";
import { Scope } from "./scope.ts";
import { correlationOfNew, insertRun } from "./starting.ts";
import { WaitStore } from "./wait-store.ts";

/** Keeps the broker's events and waits as rows. All methods are called within a transaction of the store. */
export class StoreBroker {
  /** The stored waits, and the records of runs. */
  readonly waits: WaitStore;
  readonly #core: Core;
  #isAnyPartitionUsed: boolean | undefined;
  /** The ids of the runs that the arriving event may start, by workflow. */
  #ids: { readonly [workflow: string]: string } = {};
  #known: { readonly workflows: number; readonly rules: Rules; readonly routes: Routes } | undefined;

  constructor(core: Core) {
    this.#core = core;
    this.waits = new WaitStore(core);
  }

  /** The rule of a wait. */
  ruleOf(workflow: AnyWorkflow, wait: string): WaitRule {
    return this.#routes.stepOf(waitStep(workflow, wait))!.rule;
  }

  /**
   * An event arrives; undefined if it has arrived before. The runs that it starts have the given ids, by workflow; of a
   * workflow whose id exists it starts none.
   */
  arrive(event: CloudEvent, ids: { readonly [workflow: string]: string } = {}): Decision | undefined {
    const { sql, now } = this.#core;
    const at = now();
    const added = sql.addEvent.run(event.source, event.id, at);
    if (added.changes === 0) return undefined;
    const order = added.lastInsertRowid;
    const missing = this.#missing();
    for (const workflow of missing) sql.addMissed.run(workflow, order);
    if (!this.#isKnown(event) && missing.length === 0) return noDecision;
    const concerned = this.#concernedBy(event as JsonObject);
    this.#ids = ids;
    try {
      const command: Command = { kind: "arrive", at, event: event as JsonObject, order };
      return this.#match(concerned, order, command, { isMissed: missing.length > 0 });
    } finally {
      this.#ids = {};
    }
  }

  /** A run emits an event: it arrives unless nothing in the program receives such events. */
  emit(event: CloudEvent): Decision {
    if (!this.#isKnown(event) && this.#missing().length === 0) return noDecision;
    return this.arrive(event) ?? noDecision;
  }

  /** A run, or a subflow in it, begins. By default, all events that have arrived are not for it. */
  join({ after, value, ...rest }: SubscriptionBeginning): void {
    const last = after ?? this.#core.sql.lastEvent.get()!.number;
    this.waits.join({ ...rest, after: last, value: value as Json | undefined });
  }

  wait(beginning: WaitBeginning): Decision {
    const { run, key, inbox, workflow, wait: step, created, position, at, variables, values, seq } = beginning;
    const scope = this.#scope();
    const name = runName(run, inbox);
    const record = scope.addRun(name);
    const route = this.#routes.stepOf(waitStep(workflow, step))!;
    const partition = this.#routes.partitionOf(route.step, values, record?.value);
    if (partition === anyPartition) this.#isAnyPartitionUsed = true;
    const wait: NewWait = {
      id: runName(run, key),
      run: name,
      step: route.step,
      age: this.waits.ageOf(run, inbox),
      position,
      since: created,
      at,
      variables,
      ...(values && { values }),
      data: { partition },
    };
    scope.addWait(run, key);
    addEventsFor(scope, wait, route);
    if (this.#routes.hasDrops) scope.addDroppingWaits([partition]);
    return this.#apply(scope, [{ kind: "wait", wait }], { seqs: new Map([[wait.id, seq]]) });
  }

  /** The time of a wait has passed. */
  expire(run: number, key: string, at: number): Decision {
    const scope = this.#scope();
    const wait = scope.addWait(run, key);
    if (!wait) return noDecision;
    const route = this.#routes.stepOf(wait.step);
    if (route?.rule.unused === "drop") addEventsFor(scope, wait, route);
    return this.#apply(scope, [{ kind: "expire", id: runName(run, key), at }]);
  }

  /** The run has received the answer of a wait. */
  confirm(run: number, key: string): Decision {
    const id = runName(run, key);
    const scope = this.#scope();
    const wait = scope.addWait(run, key);
    if (!wait) return noDecision;
    if (this.#routes.hasDrops) for (const { order } of wait.end?.uses ?? []) scope.addEvent(order);
    const commands: Command[] = [{ kind: "confirm", id }];
    if (wait.dropped !== undefined) {
      addEventsFor(scope, wait, this.#routes.stepOf(wait.step));
      commands.push(sweepAll);
    }
    return this.#apply(scope, commands);
  }

  /** Deletes the events that waits which are over have discarded, once no other wait has used them. */
  sweep(): void {
    for (const { run, key } of this.#core.sql.allDroppingWaits.all()) {
      const scope = this.#scope();
      const wait = scope.addWait(run, key);
      if (!wait?.isConfirmed) continue;
      addEventsFor(scope, wait, this.#routes.stepOf(wait.step));
      this.#apply(scope, [sweepAll]);
    }
  }

  /** A wait was cut off: the events that it has used are for others. */
  cancel(run: number, key: string): Decision {
    const scope = this.#scope();
    const wait = scope.addWait(run, key);
    if (!wait) return noDecision;
    scope.addUsedEvents(wait);
    const command = { kind: "cancelWait", id: runName(run, key), at: this.#core.now() } as const;
    return this.#apply(scope, [command], { releases: true });
  }

  /** Cancels all waits of a run, with the answers that it has not received, but keeps the events that started it. */
  cancelAll(run: number): Decision {
    const open = this.waits.waitsOf(run).filter(({ isConfirmed }) => !isConfirmed);
    const keys = open.map(({ id }) => partsOf(id)[1]);
    const decision = joined(keys.map((key) => this.cancel(run, key)));
    for (const key of keys) this.#core.sql.forgetResult.run(run, key);
    return { ...decision, answers: decision.answers.filter((answer) => answer.run !== run) };
  }

  /** A run, or a subflow in it, has ended. */
  leave(run: number, inbox: string): Decision {
    const name = runName(run, inbox);
    const scope = this.#scope();
    scope.addRun(name);
    scope.addWaitsOfRun(run, inbox);
    for (const wait of scope.waits) scope.addUsedEvents(wait);
    scope.addEventsIn(partitionOfRun(name));
    return this.#apply(scope, [{ kind: "leave", run: name, at: this.#core.now() }], { releases: true });
  }

  /** A run has ended, with all subflows in it. */
  leaveAll(run: number): Decision {
    return joined(this.waits.inboxesOf(run).map((inbox) => this.leave(run, inbox)));
  }

  /** Gives a run events that it has used, as if it had been started by them. */
  restore(run: number, inbox: string, events: readonly { readonly order: number; readonly event: JsonObject }[]): void {
    const { sql } = this.#core;
    for (const { order, event } of events) {
      const stored = { order, at: 0, event, isFree: false, runs: [runName(run, inbox)] };
      if (sql.event.get(order) === undefined) putEvent(this.#core, this.#routes, stored, undefined, false);
    }
  }

  /** Matches waits whose rules were missing with events that arrived meanwhile. */
  settle(order: number): Decision {
    const row = this.#core.sql.event.get(order);
    if (!row) return noDecision;
    const scope = this.#scope();
    scope.addEvent(order);
    const stored = scope.partition().events[0];
    if (!stored) return noDecision;
    putEvent(this.#core, this.#routes, stored, { ...stored, isFree: false, runs: [], collectedBy: [] }, true);
    return this.#settleAround(stored);
  }

  /** Assigns partitions to events that an earlier form, or another program, has left without any. */
  route(): void {
    const scope = this.#scope();
    for (const { ref } of this.#core.sql.unrouted.all()) scope.addEvent(ref);
    for (const stored of scope.partition().events)
      putEvent(this.#core, this.#routes, stored, { ...stored, isFree: false, runs: [], collectedBy: [] }, true);
  }

  /** Deletes an unused event. */
  forget(order: number): void {
    removeEvent(this.#core, order);
  }

  /** Whether a workflow may receive or be started by an event. */
  concerns(workflow: AnyWorkflow, event: JsonObject): boolean {
    const { steps, starts } = this.#routes.routeOf(event);
    return (
      steps.some(({ step: each }) => isOf(each, workflow)) || starts.some((start) => start.workflow === workflow.id)
    );
  }

  get #rules(): Rules {
    return this.#program().rules;
  }

  get #routes(): Routes {
    return this.#program().routes;
  }

  /** The rules of the program, with the workflows that were adopted since. */
  #program() {
    const { workflows, newest } = this.#core;
    if (this.#known?.workflows === workflows.size) return this.#known;
    const all = [...newest.values()].map(({ workflow }) => workflow);
    const others = [...workflows.values()].filter((workflow) => !all.includes(workflow));
    let runs = 0;
    const rules = rulesOf([...all, ...others], ({ workflow }) =>
      this.#mayStart(workflow) ? `${newRun}${++runs}` : undefined,
    );
    const steps = [...all, ...others].flatMap((workflow) =>
      Object.keys(workflow.waits ?? {}).map((name) => waitStep(workflow, name)),
    );
    const routes = new Routes(
      steps.map((each) => [each, rules.waitRule({ step: each })!]),
      rules.starts,
    );
    this.#known = { workflows: workflows.size, rules, routes };
    return this.#known;
  }

  /** The versions that have active runs and are not in this program. */
  #missing(): readonly number[] {
    const { strangers, processes } = this.#core;
    return [...strangers, ...processes.elsewhere];
  }

  /** Whether there are waits that events of any partition may fulfill: most programs have none. */
  #hasWaitsInAnyPartition(): boolean {
    if (!this.#core.processes.isAlone) return true;
    this.#isAnyPartitionUsed ??= this.#core.sql.someOpenWait.get(anyPartition) !== undefined;
    return this.#isAnyPartitionUsed;
  }

  #isKnown(event: CloudEvent): boolean {
    const { steps, starts } = this.#routes.routeOf(event as JsonObject);
    return steps.length > 0 || starts.length > 0;
  }

  #scope(): Scope {
    return new Scope(this.#core, this.waits);
  }

  #concernedBy(event: JsonObject): ConcernedWaits {
    const partitions = new Set(this.#routes.routeOf(event).partitions);
    if (this.#hasWaitsInAnyPartition()) partitions.add(anyPartition);
    const concerned = { event, scope: this.#scope(), partitions };
    addConcerned(concerned, this.#core, this.#routes);
    return concerned;
  }

  /** Matches the waits that an event concerns, which may have become free. */
  #settleAround({ event, order, isFree }: StoredEvent): Decision {
    const concerned = this.#concernedBy(event);
    concerned.scope.addEvent(order);
    const command: Command = { kind: "settle", at: this.#core.now(), isForced: true };
    return isFree ? this.#match(concerned, order, command) : this.#apply(concerned.scope, [command]);
  }

  /**
   * Applies a command that matches an event with waits, oldest run first: to more and more waits until one uses the
   * event. Waits that it alone does not fulfill need not be kept in the scope, as the event changes nothing for them.
   */
  #match(concerned: ConcernedWaits, order: number, command: Command, options?: ApplyOptions): Decision {
    const { scope } = concerned;
    const waits = waitsInOrder(concerned, this.waits, this.#routes);
    for (let size = firstWaits; ; size *= 4) {
      const added: StoredWait[] = [];
      while (added.length < size) {
        const next = waits.next().value;
        if (!next) break;
        scope.add(next);
        added.push(next.wait);
      }
      const outcome = this.#step(scope, [command]);
      if (added.length < size || isUsedIn(outcome, order)) return this.#store(scope, outcome, options);
      const left = new Set(outcome.after.waits);
      for (const wait of added) if (left.has(wait)) scope.delete(wait);
    }
  }

  #apply(scope: Scope, commands: readonly Command[], options?: ApplyOptions): Decision {
    return this.#store(scope, this.#step(scope, commands), options);
  }

  #step(scope: Scope, commands: readonly Command[]): Outcome {
    const before = scope.partition();
    let after = before;
    const effects: Effect[] = [];
    const apply = (command: Command) => {
      const { partition, effects: more } = step(after, command, this.#rules);
      after = partition;
      effects.push(...more);
      if (after.isUnsettled) apply({ kind: "settle", at: this.#core.now() });
    };
    for (const command of commands) apply(command);
    return { before, after, effects };
  }

  /** Writes what has changed, and carries out the effects. */
  #store(
    { used }: Scope,
    { before, after: stepped, effects }: Outcome,
    { isMissed = false, releases = false, seqs }: ApplyOptions = {},
  ): Decision {
    if (stepped === before) return noDecision;
    const started = this.#start(effects);
    const after = renamed(stepped, started);
    this.#write(before, after, { isMissed, used });
    const wakes = effects.filter((effect) => effect.kind === "wake");
    const answers = wakes.map((effect) => recordAnswer(this.#core, effect, after, seqs?.get(effect.wait.id)));
    const decision = { answers, started: [...started.values()].map(({ ref }) => ref) };
    if (!releases && !this.#routes.hasExclusions) return decision;
    const uses = wakes.flatMap(({ wait }) => wait.end?.uses ?? []);
    const isFreed = ({ order, isFree }: StoredEvent) =>
      (releases && isFree && !before.events.find((event) => event.order === order)?.isFree) ||
      (this.#routes.hasExclusions && !isFree && uses.some((use) => use.order === order));
    return joined([decision, ...after.events.filter(isFreed).map((event) => this.#settleAround(event))]);
  }

  /** Creates the runs that events start, by the names that the broker knows them by so far. */
  #start(effects: readonly Effect[]): ReadonlyMap<string, { readonly ref: number; readonly value: Json | undefined }> {
    const started = new Map<string, { readonly ref: number; readonly value: Json | undefined }>();
    for (const effect of effects) {
      if (effect.kind !== "start") continue;
      const { ref, workflow } = this.#core.newest.get(effect.workflow)!;
      const id = own(this.#ids, effect.workflow) ?? crypto.randomUUID();
      const events = effect.events as readonly unknown[] as readonly ReceivedEvent[];
      const value = correlationOfNew(workflow, id, {}, events) as Json | undefined;
      started.set(effect.run, { ref: insertRun(this.#core, { id, ref, input: {} }, value), value });
    }
    return started;
  }

  #mayStart(workflow: string): boolean {
    const id = own(this.#ids, workflow);
    return this.#core.newest.has(workflow) && (id === undefined || this.#core.sql.runById.get(id) === undefined);
  }

  #write(
    before: Partition,
    after: Partition,
    { isMissed, used }: { readonly isMissed: boolean; readonly used: ReadonlySet<number> },
  ): void {
    const { put, deleted } = changesBetween(before, after);
    const stored = before.events.filter(({ order }) => !used.has(order));
    const known = new Map(stored.map((event) => [event.order, event]));
    const waits = new Set(before.waits.map(({ id }) => id));
    for (const entry of put) {
      if (entry.kind === "wait") this.waits.put(entry.wait, !waits.has(entry.id));
      else if (entry.kind === "event")
        putEvent(this.#core, this.#routes, entry.event, known.get(entry.event.order), isMissed);
      else if (entry.kind === "run") this.waits.putRecord(entry.id, entry.run, Object.hasOwn(before.runs, entry.id));
    }
    for (const { kind, id } of deleted) {
      if (kind === "event") removeEvent(this.#core, Number(id));
      else if (kind === "wait") this.waits.remove(id);
      else if (kind === "run") this.waits.removeRecord(id);
    }
  }
}

/** A partition before and after commands. */
interface Outcome {
  readonly before: Partition;
  readonly after: Partition;
  readonly effects: readonly Effect[];
}

interface ApplyOptions {
  /** Whether a version that may know the event is missing. */
  readonly isMissed?: boolean;
  /** Whether others may use the events that become free. */
  readonly releases?: boolean;
  /** The reserved entries of journals, by the ids of waits. */
  readonly seqs?: ReadonlyMap<string, number>;
}

const sweepAll: Command = { kind: "sweep", before: Number.NEGATIVE_INFINITY, limit: Number.POSITIVE_INFINITY };

/** What the broker calls runs that are not stored yet. */
const newRun = "new ";

/** Whether a wait has ended with an event. */
const isUsedIn = ({ effects }: Outcome, order: number): boolean =>
  effects.some((effect) => effect.kind === "wake" && effect.wait.end?.uses.some((use) => use.order === order));

/** How many waits are matched with an event at first. */
const firstWaits = 2;

const isOf = (each: string, { id, version }: AnyWorkflow): boolean =>
  each.startsWith(JSON.stringify([id, version]).slice(0, -1));

const joined = (decisions: readonly Decision[]): Decision =>
  decisions.length === 1
    ? decisions[0]!
    : {
        answers: decisions.flatMap(({ answers }) => answers),
        started: decisions.flatMap(({ started }) => started),
      };
