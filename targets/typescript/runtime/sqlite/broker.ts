import { step } from "../../../../src/events/broker.ts";
import { changesBetween } from "../../../../src/events/changes.ts";
import type { Command, Effect, NewWait } from "../../../../src/events/commands.ts";
import type { Partition, StoredEvent, StoredWait } from "../../../../src/events/partition.ts";
import type { Rules, WaitRule } from "../../../../src/events/rules.ts";
import { type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { DeliveryOptions } from "../engine.ts";
import type { CloudEvent, ReceivedEvent } from "../events.ts";
import { rulesOf, waitStep } from "../rules.ts";
import { traceOfEvents } from "../trace.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { recordAnswer, type StoredAnswer } from "./answers.ts";
import { addConcerned, addEventsFor, type ConcernedWaits, WaitsInOrder } from "./concerned.ts";
import type { Core } from "./core.ts";
import { type Decision, noDecision, type SubscriptionBeginning, type WaitBeginning } from "./decisions.ts";
import { anyPartition, partitionOfRun, Routes } from "./routes.ts";
import { partsOf, putEvent, removeEvent, renamed, runName } from "./rows.ts";
import { Scope } from "./scope.ts";
import { correlationOfNew, insertRun } from "./starting.ts";
import type { Task } from "./store.ts";
import { WaitStore } from "./wait-store.ts";

/** Keeps the broker's events and waits as rows. All methods are called within a transaction of the store. */
export class StoreBroker {
  /** The stored waits, and the records of runs. */
  readonly waits: WaitStore;
  readonly #core: Core;
  #isAnyPartitionUsed: boolean | undefined;
  /** The ids of the runs that the arriving event may start, by workflow, and those among them that exist. */
  #ids: { readonly [workflow: string]: string } = {};
  #existing: ReadonlySet<string> = new Set();
  #trace: string | undefined;
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
   * An event arrives; undefined if it has arrived before. The runs that it starts have the ids of the options, by
   * workflow; of a workflow whose id exists it starts none.
   */
  *arrive(event: CloudEvent, { runs: ids = {}, trace }: DeliveryOptions = {}): Task<Decision | undefined> {
    const { sql, now } = this.#core;
    const at = now();
    const added = yield* sql.addEvent.change(event.source, event.id, at);
    if (added.changes === 0) return undefined;
    const order = added.lastInsertRowid;
    const missing = this.#missing();
    for (const workflow of missing) sql.addMissed.run(workflow, order);
    if (!this.#isKnown(event) && missing.length === 0) return noDecision;
    const concerned = yield* this.#concernedBy(event as JsonObject);
    const existing = new Set<string>();
    for (const id of Object.values(ids)) if ((yield* sql.runById.get(id)) !== undefined) existing.add(id);
    [this.#ids, this.#existing, this.#trace] = [ids, existing, trace];
    try {
      const command: Command = { kind: "arrive", at, event: event as JsonObject, order };
      return yield* this.#match(concerned, order, command, { isMissed: missing.length > 0 });
    } finally {
      [this.#ids, this.#existing, this.#trace] = [{}, new Set(), undefined];
    }
  }

  /** A run emits an event: it arrives unless nothing in the program receives such events. */
  *emit(event: CloudEvent): Task<Decision> {
    if (!this.#isKnown(event) && this.#missing().length === 0) return noDecision;
    return (yield* this.arrive(event)) ?? noDecision;
  }

  /** A run, or a subflow in it, begins. By default, all events that have arrived are not for it. */
  *join({ after, value, ...rest }: SubscriptionBeginning): Task<void> {
    const last = after ?? (yield* this.#core.sql.lastEvent.get())!.number;
    yield* this.waits.join({ ...rest, after: last, value: value as Json | undefined });
  }

  *wait(beginning: WaitBeginning): Task<Decision> {
    const { run, key, inbox, workflow, wait: step, created, position, at, variables, values, seq } = beginning;
    const scope = this.#scope();
    const name = runName(run, inbox);
    const record = yield* scope.addRun(name);
    const route = this.#routes.stepOf(waitStep(workflow, step))!;
    const partition = this.#routes.partitionOf(route.step, values, record?.value);
    if (partition === anyPartition) this.#isAnyPartitionUsed = true;
    const wait: NewWait = {
      id: runName(run, key),
      run: name,
      step: route.step,
      age: yield* this.waits.ageOf(run, inbox),
      position,
      since: created,
      at,
      variables,
      ...(values && { values }),
      data: { partition },
    };
    yield* scope.addWait(run, key);
    yield* addEventsFor(scope, wait, route);
    if (this.#routes.hasDrops) yield* scope.addDroppingWaits([partition]);
    return yield* this.#apply(scope, [{ kind: "wait", wait }], { seqs: new Map([[wait.id, seq]]) });
  }

  /** The time of a wait has passed. */
  *expire(run: number, key: string, at: number): Task<Decision> {
    const scope = this.#scope();
    const wait = yield* scope.addWait(run, key);
    if (!wait) return noDecision;
    const route = this.#routes.stepOf(wait.step);
    if (route?.rule.unused === "drop") yield* addEventsFor(scope, wait, route);
    return yield* this.#apply(scope, [{ kind: "expire", id: runName(run, key), at }]);
  }

  /** The run has received the answer of a wait. */
  *confirm(run: number, key: string): Task<Decision> {
    const id = runName(run, key);
    const scope = this.#scope();
    const wait = yield* scope.addWait(run, key);
    if (!wait) return noDecision;
    if (this.#routes.hasDrops) for (const { order } of wait.end?.uses ?? []) yield* scope.addEvent(order);
    const commands: Command[] = [{ kind: "confirm", id }];
    if (wait.dropped !== undefined) {
      yield* addEventsFor(scope, wait, this.#routes.stepOf(wait.step));
      commands.push(sweepAll);
    }
    return yield* this.#apply(scope, commands);
  }

  /** Deletes the events that waits which are over have discarded, once no other wait has used them. */
  *sweep(): Task<void> {
    for (const { run, key } of yield* this.#core.sql.allDroppingWaits.all()) {
      const scope = this.#scope();
      const wait = yield* scope.addWait(run, key);
      if (!wait?.isConfirmed) continue;
      yield* addEventsFor(scope, wait, this.#routes.stepOf(wait.step));
      yield* this.#apply(scope, [sweepAll]);
    }
  }

  /** A wait was cut off: the events that it has used are for others. */
  *cancel(run: number, key: string): Task<Decision> {
    const scope = this.#scope();
    const wait = yield* scope.addWait(run, key);
    if (!wait) return noDecision;
    yield* scope.addUsedEvents(wait);
    const command = { kind: "cancelWait", id: runName(run, key), at: this.#core.now() } as const;
    return yield* this.#apply(scope, [command], { releases: true });
  }

  /** Cancels all waits of a run, with the answers that it has not received, but keeps the events that started it. */
  *cancelAll(run: number): Task<Decision> {
    const open = (yield* this.waits.waitsOf(run)).filter(({ isConfirmed }) => !isConfirmed);
    const keys = open.map(({ id }) => partsOf(id)[1]);
    const decision = yield* joinedTasks(keys.map((key) => this.cancel(run, key)));
    for (const key of keys) this.#core.sql.forgetResult.run(run, key);
    return { ...decision, answers: decision.answers.filter((answer) => answer.run !== run) };
  }

  /** A run, or a subflow in it, has ended. */
  *leave(run: number, inbox: string): Task<Decision> {
    const name = runName(run, inbox);
    const scope = this.#scope();
    yield* scope.addRun(name);
    yield* scope.addWaitsOfRun(run, inbox);
    for (const wait of scope.waits) yield* scope.addUsedEvents(wait);
    yield* scope.addEventsIn(partitionOfRun(name));
    return yield* this.#apply(scope, [{ kind: "leave", run: name, at: this.#core.now() }], { releases: true });
  }

  /** A run has ended, with all subflows in it. */
  *leaveAll(run: number): Task<Decision> {
    return yield* joinedTasks((yield* this.waits.inboxesOf(run)).map((inbox) => this.leave(run, inbox)));
  }

  /** Gives a run events that it has used, as if it had been started by them. */
  *restore(
    run: number,
    inbox: string,
    events: readonly { readonly order: number; readonly event: JsonObject }[],
  ): Task<void> {
    const { sql } = this.#core;
    for (const { order, event } of events) {
      const stored = { order, at: 0, event, isFree: false, runs: [runName(run, inbox)] };
      if ((yield* sql.event.get(order)) === undefined) putEvent(this.#core, this.#routes, stored, undefined, false);
    }
  }

  /** Matches waits whose rules were missing with events that arrived meanwhile. */
  *settle(order: number): Task<Decision> {
    const row = yield* this.#core.sql.event.get(order);
    if (!row) return noDecision;
    const scope = this.#scope();
    yield* scope.addEvent(order);
    const stored = (yield* scope.partition()).events[0];
    if (!stored) return noDecision;
    putEvent(this.#core, this.#routes, stored, { ...stored, isFree: false, runs: [], collectedBy: [] }, true);
    return yield* this.#settleAround(stored);
  }

  /** Assigns partitions to events that an earlier form, or another program, has left without any. */
  *route(): Task<void> {
    const scope = this.#scope();
    for (const { ref } of yield* this.#core.sql.unrouted.all()) yield* scope.addEvent(ref);
    for (const stored of (yield* scope.partition()).events)
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
    const others = [...new Set(workflows.values())].filter((workflow) => !all.includes(workflow));
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
  *#hasWaitsInAnyPartition(): Task<boolean> {
    if (!this.#core.processes.isAlone) return true;
    this.#isAnyPartitionUsed ??= (yield* this.#core.sql.someOpenWait.get(anyPartition)) !== undefined;
    return this.#isAnyPartitionUsed;
  }

  #isKnown(event: CloudEvent): boolean {
    const { steps, starts } = this.#routes.routeOf(event as JsonObject);
    return steps.length > 0 || starts.length > 0;
  }

  #scope(): Scope {
    return new Scope(this.#core, this.waits);
  }

  *#concernedBy(event: JsonObject): Task<ConcernedWaits> {
    const partitions = new Set(this.#routes.routeOf(event).partitions);
    if (yield* this.#hasWaitsInAnyPartition()) partitions.add(anyPartition);
    const concerned = { event, scope: this.#scope(), partitions };
    yield* addConcerned(concerned, this.#core, this.#routes);
    return concerned;
  }

  /** Matches the waits that an event concerns, which may have become free. */
  *#settleAround({ event, order, isFree }: StoredEvent): Task<Decision> {
    const concerned = yield* this.#concernedBy(event);
    yield* concerned.scope.addEvent(order);
    const command: Command = { kind: "settle", at: this.#core.now(), isForced: true };
    return isFree ? yield* this.#match(concerned, order, command) : yield* this.#apply(concerned.scope, [command]);
  }

  /**
   * Applies a command that matches an event with waits, oldest run first: to more and more waits until one uses the
   * event. Waits that it alone does not fulfill need not be kept in the scope, as the event changes nothing for them.
   */
  *#match(concerned: ConcernedWaits, order: number, command: Command, options?: ApplyOptions): Task<Decision> {
    const { scope } = concerned;
    const waits = new WaitsInOrder(concerned, this.waits, this.#routes);
    for (let size = firstWaits; ; size *= 4) {
      const added: StoredWait[] = [];
      while (added.length < size) {
        const next = yield* waits.next();
        if (!next) break;
        scope.add(next);
        added.push(next.wait);
      }
      const outcome = yield* this.#step(scope, [command]);
      if (added.length < size || isUsedIn(outcome, order)) return yield* this.#store(scope, outcome, options);
      const left = new Set(outcome.after.waits);
      for (const wait of added) if (left.has(wait)) scope.delete(wait);
    }
  }

  *#apply(scope: Scope, commands: readonly Command[], options?: ApplyOptions): Task<Decision> {
    return yield* this.#store(scope, yield* this.#step(scope, commands), options);
  }

  *#step(scope: Scope, commands: readonly Command[]): Task<Outcome> {
    const before = yield* scope.partition();
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
  *#store(
    { used }: Scope,
    { before, after: stepped, effects }: Outcome,
    { isMissed = false, releases = false, seqs }: ApplyOptions = {},
  ): Task<Decision> {
    if (stepped === before) return noDecision;
    const started = yield* this.#start(effects);
    const after = renamed(stepped, started);
    yield* this.#write(before, after, { isMissed, used });
    const wakes = effects.filter((effect) => effect.kind === "wake");
    const answers: StoredAnswer[] = [];
    for (const effect of wakes) answers.push(yield* recordAnswer(this.#core, effect, after, seqs?.get(effect.wait.id)));
    const decision = { answers, started: [...started.values()].map(({ ref }) => ref) };
    if (!releases && !this.#routes.hasExclusions) return decision;
    const uses = wakes.flatMap(({ wait }) => wait.end?.uses ?? []);
    const isFreed = ({ order, isFree }: StoredEvent) =>
      (releases && isFree && !before.events.find((event) => event.order === order)?.isFree) ||
      (this.#routes.hasExclusions && !isFree && uses.some((use) => use.order === order));
    const freed = after.events.filter(isFreed).map((event) => this.#settleAround(event));
    return joined([decision, yield* joinedTasks(freed)]);
  }

  /** Creates the runs that events start, by the names that the broker knows them by so far. */
  *#start(effects: readonly Effect[]): Task<ReadonlyMap<string, StartedRun>> {
    const started = new Map<string, StartedRun>();
    for (const effect of effects) {
      if (effect.kind !== "start") continue;
      const { ref, workflow } = this.#core.newest.get(effect.workflow)!;
      const id = own(this.#ids, effect.workflow) ?? crypto.randomUUID();
      const events = effect.events as readonly unknown[] as readonly ReceivedEvent[];
      const value = correlationOfNew(workflow, id, {}, events) as Json | undefined;
      const trace = traceOfEvents(events) ?? this.#trace;
      started.set(effect.run, { ref: yield* insertRun(this.#core, { id, ref, input: {}, trace }, value), value });
    }
    return started;
  }

  #mayStart(workflow: string): boolean {
    const id = own(this.#ids, workflow);
    return this.#core.newest.has(workflow) && (id === undefined || !this.#existing.has(id));
  }

  *#write(
    before: Partition,
    after: Partition,
    { isMissed, used }: { readonly isMissed: boolean; readonly used: ReadonlySet<number> },
  ): Task<void> {
    const { put, deleted } = changesBetween(before, after);
    const stored = before.events.filter(({ order }) => !used.has(order));
    const known = new Map(stored.map((event) => [event.order, event]));
    const waits = new Set(before.waits.map(({ id }) => id));
    for (const entry of put) {
      if (entry.kind === "wait") this.waits.put(entry.wait, !waits.has(entry.id));
      else if (entry.kind === "event")
        putEvent(this.#core, this.#routes, entry.event, known.get(entry.event.order), isMissed);
      else if (entry.kind === "run")
        yield* this.waits.putRecord(entry.id, entry.run, Object.hasOwn(before.runs, entry.id));
    }
    for (const { kind, id } of deleted) {
      if (kind === "event") removeEvent(this.#core, Number(id));
      else if (kind === "wait") this.waits.remove(id);
      else if (kind === "run") this.waits.removeRecord(id);
    }
  }
}

/** A run that an event has started, and its correlation value. */
interface StartedRun {
  readonly ref: number;
  readonly value: Json | undefined;
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

function* joinedTasks(tasks: readonly Task<Decision>[]): Task<Decision> {
  const decisions: Decision[] = [];
  for (const task of tasks) decisions.push(yield* task);
  return joined(decisions);
}
