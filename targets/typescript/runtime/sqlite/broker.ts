import { step } from "../../../../src/events/broker.ts";
import { changesBetween } from "../../../../src/events/changes.ts";
import type { Command, Effect } from "../../../../src/events/commands.ts";
import type { Partition, RunRecord, StoredEvent, StoredWait } from "../../../../src/events/partition.ts";
import { type EventPattern, hasAttributes, type Rules, type WaitRule } from "../../../../src/events/rules.ts";
import { type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { CloudEvent, ReceivedEvent } from "../events.ts";
import { rulesOf, waitStep } from "../rules.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { recordAnswer, type StoredAnswer } from "./answers.ts";
import type { Core } from "./core.ts";
import { partsOf, putEvent, putWait, removeEvent, renamed, runName, Scope, waitIn } from "./partitions.ts";
import { anyPartition, partitionOfRun, partitionOfStart, Routes, type StepRoute } from "./routes.ts";
import { correlationOfNew, insertRun } from "./starting.ts";

/** What a decision has written: to be announced when the transaction is committed. */
export interface Decision {
  readonly answers: readonly StoredAnswer[];
  readonly started: readonly number[];
}

/** A decision without consequences. */
export const noDecision: Decision = { answers: [], started: [] };

/** A wait that a run begins. */
export interface WaitBeginning {
  readonly run: number;
  readonly key: string;
  readonly inbox: string;
  readonly workflow: AnyWorkflow;
  /** Its name in the workflow. */
  readonly wait: string;
  /** When the run was created. */
  readonly created: number;
  readonly position: readonly number[];
  readonly at: number;
  readonly variables: JsonObject;
  readonly values?: { readonly [key: string]: Json } | undefined;
  /** The entry of the journal for an answer that is there at once. */
  readonly seq: number;
}

/** Keeps the broker's events and waits as rows. All methods are called within a transaction of the store. */
export class StoreBroker {
  readonly #core: Core;
  #isAnyPartitionUsed: boolean | undefined;
  /** The ids of the runs that the arriving event may start, by workflow. */
  #ids: { readonly [workflow: string]: string } = {};
  #known: { readonly workflows: number; readonly rules: Rules; readonly routes: Routes } | undefined;

  constructor(core: Core) {
    this.#core = core;
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
    const scope = this.#around(event as JsonObject);
    this.#ids = ids;
    try {
      const command: Command = { kind: "arrive", at, event: event as JsonObject, order };
      return this.#apply(scope, [command], { isMissed: missing.length > 0 });
    } finally {
      this.#ids = {};
    }
  }

  /** A run emits an event: it arrives unless nothing in the program receives such events. */
  emit(event: CloudEvent): Decision {
    if (!this.#isKnown(event) && this.#missing().length === 0) return noDecision;
    return this.arrive(event) ?? noDecision;
  }

  /** A run, or a subflow in it, begins. Events up to `after` are not for it; by default, those that have arrived. */
  join(run: number, inbox: string, workflow: number, value: unknown, after?: number): void {
    const { sql } = this.#core;
    const text = value === undefined ? null : JSON.stringify(value);
    sql.subscribe.run(run, inbox, workflow, after ?? sql.lastEvent.get()!.number, text);
  }

  wait(beginning: WaitBeginning): Decision {
    const { run, key, inbox, workflow, wait, created, position, at, variables, values, seq } = beginning;
    const scope = new Scope(this.#core);
    const name = runName(run, inbox);
    const record = scope.addRun(name);
    const route = this.#routes.stepOf(waitStep(workflow, wait))!;
    const partition = this.#routes.partitionOf(route.step, values, record?.value);
    if (partition === anyPartition) this.#isAnyPartitionUsed = true;
    scope.addWait(run, key);
    this.#addEventsFor(scope, { partition, run: name }, route);
    if (this.#routes.hasDrops) scope.addDroppingWaits([partition]);
    const command: Command = {
      kind: "wait",
      wait: {
        id: runName(run, key),
        run: name,
        step: route.step,
        age: [created, run],
        position,
        since: created,
        at,
        variables,
        ...(values && { values }),
        data: { partition },
      },
    };
    return this.#apply(scope, [command], { seqs: new Map([[runName(run, key), seq]]) });
  }

  /** The time of a wait has passed. */
  expire(run: number, key: string, at: number): Decision {
    const scope = new Scope(this.#core);
    const wait = scope.addWait(run, key);
    if (!wait) return noDecision;
    const route = this.#routes.stepOf(wait.step);
    if (route?.rule.unused === "drop")
      this.#addEventsFor(scope, { partition: partitionIn(wait), run: wait.run }, route);
    return this.#apply(scope, [{ kind: "expire", id: runName(run, key), at }]);
  }

  /** The run has received the answer of a wait. */
  confirm(run: number, key: string): Decision {
    const id = runName(run, key);
    const scope = new Scope(this.#core);
    const wait = scope.addWait(run, key);
    if (!wait) return noDecision;
    if (this.#routes.hasDrops) for (const { order } of wait.end?.uses ?? []) scope.addEvent(order);
    const commands: Command[] = [{ kind: "confirm", id }];
    if (wait.dropped !== undefined) {
      this.#addEventsFor(scope, { partition: partitionIn(wait), run: wait.run }, this.#routes.stepOf(wait.step));
      commands.push(sweepAll);
    }
    return this.#apply(scope, commands);
  }

  /** Deletes the events that waits which are over have discarded, once no other wait has used them. */
  sweep(): void {
    for (const { run, key } of this.#core.sql.allDroppingWaits.all()) {
      const scope = new Scope(this.#core);
      const wait = scope.addWait(run, key);
      if (!wait?.isConfirmed) continue;
      this.#addEventsFor(scope, { partition: partitionIn(wait), run: wait.run }, this.#routes.stepOf(wait.step));
      this.#apply(scope, [sweepAll]);
    }
  }

  /** A wait was cut off: the events that it has used are for others. */
  cancel(run: number, key: string): Decision {
    const scope = new Scope(this.#core);
    const wait = scope.addWait(run, key);
    if (!wait) return noDecision;
    scope.addUsedEvents(wait);
    const command = { kind: "cancelWait", id: runName(run, key), at: this.#core.now() } as const;
    return this.#apply(scope, [command], { releases: true });
  }

  /** Cancels all waits of a run, with the answers that it has not received, but keeps the events that started it. */
  cancelAll(run: number): Decision {
    const { sql } = this.#core;
    const open = sql.waitsOfRun.all(run).filter((row) => !waitIn(row).isConfirmed);
    const decision = joined(open.map(({ key }) => this.cancel(run, key)));
    for (const { key } of open) sql.forgetResult.run(run, key);
    return { ...decision, answers: decision.answers.filter((answer) => answer.run !== run) };
  }

  /** A run, or a subflow in it, has ended. */
  leave(run: number, inbox: string): Decision {
    const name = runName(run, inbox);
    const scope = new Scope(this.#core);
    scope.addRun(name);
    scope.addWaitsOfRun(run, inbox);
    for (const wait of scope.waits) scope.addUsedEvents(wait);
    scope.addEventsIn(partitionOfRun(name));
    return this.#apply(scope, [{ kind: "leave", run: name, at: this.#core.now() }], { releases: true });
  }

  /** A run has ended, with all subflows in it. */
  leaveAll(run: number): Decision {
    const inboxes = this.#core.sql.subscriptions.all(run).map(({ inbox }) => inbox);
    return joined(inboxes.map((inbox) => this.leave(run, inbox)));
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
    const scope = new Scope(this.#core);
    scope.addEvent(order);
    const stored = scope.partition().events[0];
    if (!stored) return noDecision;
    putEvent(this.#core, this.#routes, stored, { ...stored, isFree: false, runs: [], collectedBy: [] }, true);
    return this.#settleAround(stored);
  }

  /** Assigns partitions to events that an earlier form, or another program, has left without any. */
  route(): void {
    const scope = new Scope(this.#core);
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
    return (
      this.#routes.stepsFor(event).some(({ step }) => isOf(step, workflow)) ||
      this.#routes.startsFor(event).some((start) => start.workflow === workflow.id)
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
    const { strangers, cluster } = this.#core;
    return [...strangers, ...(cluster?.elsewhere ?? [])];
  }

  /** Whether there are waits that events of any partition may fulfill: most programs have none. */
  #hasWaitsInAnyPartition(): boolean {
    if (this.#core.cluster) return true;
    this.#isAnyPartitionUsed ??= this.#core.sql.someWaitIn.get(anyPartition) !== undefined;
    return this.#isAnyPartitionUsed;
  }

  #isKnown(event: CloudEvent): boolean {
    const routes = this.#routes;
    return routes.stepsFor(event as JsonObject).length > 0 || routes.startsFor(event as JsonObject).length > 0;
  }

  /** What a decision about an event needs: the waits that it concerns, and the events that these also depend on. */
  #around(event: JsonObject): Scope {
    const routes = this.#routes;
    const scope = new Scope(this.#core);
    const partitions = new Set(routes.partitionsOf(event));
    if (this.#hasWaitsInAnyPartition()) partitions.add(anyPartition);
    for (const { step: each } of routes.stepsFor(event))
      for (const partition of partitions) scope.addWaitsIn(partition, each);
    for (const wait of [...scope.waits]) {
      const route = routes.stepOf(wait.step);
      if (route?.isCombining && this.#dependsOnOthers(event, wait, route))
        this.#addEventsFor(scope, { partition: partitionIn(wait), run: wait.run }, route);
    }
    if (routes.hasDrops) scope.addDroppingWaits(partitions);
    for (const { workflow, complete } of routes.startsFor(event))
      if (complete) scope.addEventsIn(partitionOfStart(workflow));
    return scope;
  }

  /** Whether a wait that an event concerns depends on others: not if some group of each alternative has none. */
  #dependsOnOthers(event: JsonObject, { data, run }: StoredWait, { rule }: StepRoute): boolean {
    const { partition } = data as { readonly partition: string };
    const hasEvents = (patterns: readonly EventPattern[]): boolean => {
      const types = patterns.map(({ event: { type, foldCase } }) => (foldCase ? undefined : type));
      if (partition === anyPartition || types.includes(undefined)) return true;
      const text = JSON.stringify(types);
      return [partition, partitionOfRun(run)].some((each) => this.#core.sql.someKept.get(each, text) !== undefined);
    };
    return rule.alternatives.some(
      ({ all, none }) =>
        none.length > 0 ||
        (all.length > 1 &&
          all.every((group) => group.some((pattern) => hasAttributes(event, pattern.event)) || hasEvents(group))),
    );
  }

  /** Adds the events that a wait may use. */
  #addEventsFor(
    scope: Scope,
    { partition, run }: { readonly partition: string; readonly run: string },
    route: StepRoute | undefined,
  ): void {
    scope.addEventsIn(partition, route?.types);
    scope.addEventsIn(partitionOfRun(run));
  }

  /** Matches the waits that an event concerns, which may have become free. */
  #settleAround(stored: StoredEvent): Decision {
    const scope = this.#around(stored.event);
    scope.addEvent(stored.order);
    return this.#apply(scope, [{ kind: "settle", at: this.#core.now(), isForced: true }]);
  }

  #apply(
    scope: Scope,
    commands: readonly Command[],
    { isMissed = false, releases = false, seqs }: ApplyOptions = {},
  ): Decision {
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
    if (after === before) return noDecision;
    const started = this.#start(effects);
    after = renamed(after, started);
    this.#write(before, after, { isMissed, used: scope.used });
    const answers = effects.flatMap((effect) =>
      effect.kind === "wake" ? [recordAnswer(this.#core, effect, after, seqs?.get(effect.wait.id))] : [],
    );
    const decision = { answers, started: [...started.values()].map(({ ref }) => ref) };
    const uses = effects.flatMap((effect) => (effect.kind === "wake" ? (effect.wait.end?.uses ?? []) : []));
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
    const { sql } = this.#core;
    const { put, deleted } = changesBetween(before, after);
    const stored = before.events.filter(({ order }) => !used.has(order));
    const known = new Map(stored.map((event) => [event.order, event]));
    const waits = new Set(before.waits.map(({ id }) => id));
    for (const entry of put) {
      if (entry.kind === "wait") putWait(this.#core, entry.wait, !waits.has(entry.id));
      else if (entry.kind === "event")
        putEvent(this.#core, this.#routes, entry.event, known.get(entry.event.order), isMissed);
      else if (entry.kind === "run") this.#putRecord(entry.id, entry.run, Object.hasOwn(before.runs, entry.id));
    }
    for (const { kind, id } of deleted) {
      if (kind === "event") removeEvent(this.#core, Number(id));
      else if (kind === "wait") sql.removeWait.run(...partsOf(id));
      else if (kind === "run") sql.unsubscribe.run(...partsOf(id));
    }
  }

  #putRecord(name: string, { after, value, bound }: RunRecord, isKnown: boolean): void {
    const { sql } = this.#core;
    const [run, inbox] = partsOf(name);
    const text = value === undefined ? null : JSON.stringify(value);
    if (!isKnown) sql.subscribe.run(run, inbox, sql.run.get(run)!.workflow, after ?? null, text);
    else sql.setRecord.run(after ?? null, text, bound === undefined ? null : JSON.stringify(bound), run, inbox);
  }
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

const partitionIn = ({ data }: StoredWait): string => (data as { readonly partition: string }).partition;

const isOf = (each: string, { id, version }: AnyWorkflow): boolean =>
  each.startsWith(JSON.stringify([id, version]).slice(0, -1));

const joined = (decisions: readonly Decision[]): Decision => ({
  answers: decisions.flatMap(({ answers }) => answers),
  started: decisions.flatMap(({ started }) => started),
});
