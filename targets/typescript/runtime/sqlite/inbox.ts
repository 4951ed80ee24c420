import type { CloudEvent } from "../events.ts";
import { listenersByPosition } from "../flow/context.ts";
import { isOf } from "../flow/matching.ts";
import type { Demand, Inbox } from "../host.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { UsedElsewhere } from "./cluster.ts";
import type { Core } from "./core.ts";
import type { LiveRun } from "./live.ts";
import { storedEvent } from "./reading.ts";
import {
  type ArrivalPlace,
  type Arrived,
  claim,
  isClaimed,
  isForAnybody,
  isOpen,
  leave,
  leaveAll,
  tellAll,
} from "./sharing.ts";
import { tokenKey } from "./values.ts";

/** The events of a run, or of a subflow in it: as they are in the store, without those that were taken. */
export class RunInbox implements Inbox {
  readonly #run: LiveRun;
  readonly #key: string;
  readonly #workflow: AnyWorkflow;
  readonly #places = new Map<CloudEvent, ArrivalPlace>();
  readonly #listeners = listenersByPosition();
  /** What waits wait for of what is for anybody, once for each wait. */
  readonly #demands: Demand[] = [];
  #waiting: readonly CloudEvent[] = [];
  #token: Json | undefined;
  /** The store knows that it listens. */
  #isStored: boolean;
  #isTokenStored = true;

  constructor(run: LiveRun, key: string, workflow: AnyWorkflow, isStored: boolean) {
    this.#run = run;
    this.#key = key;
    this.#workflow = workflow;
    this.#isStored = isStored || !workflow.events;
    if (!run.isReplaying) this.goLive();
  }

  get waiting(): readonly CloudEvent[] {
    if (this.#run.core.claims.size > 0 && this.#waiting.some((event) => this.#isClaimed(event)))
      this.#waiting = this.#waiting.filter((event) => !this.#isClaimed(event));
    return this.#waiting;
  }

  get token(): Json | undefined {
    return this.#token;
  }

  set token(token: Json | undefined) {
    if (token === this.#token || token === undefined) return;
    this.#token = token;
    this.#isTokenStored = false;
    if (!this.#run.isReplaying) this.#storeToken();
  }

  /** Has a correlation value, and the store knows it. */
  begin(token: Json | undefined): void {
    this.#token = token;
  }

  /** An event comes, and whoever listens hears of it; when nobody waits for it any more it is for others. */
  arrive(place: ArrivalPlace, event: CloudEvent): void {
    this.#places.set(event, place);
    this.#waiting = [...this.#waiting, event];
    this.#listeners.tell();
    if (!this.#run.isReplaying) this.#leave(this.#unwanted([event]));
  }

  /** Another run has used what came in a place; false where it has not come yet. */
  lose(seq: number): boolean {
    const [event] = [...this.#places].find(([, place]) => place.seq === seq) ?? [];
    if (!event) return false;
    this.#places.delete(event);
    this.#waiting = this.#waiting.filter((other) => other !== event);
    return true;
  }

  replace(events: readonly CloudEvent[]): void {
    const kept = new Set(events);
    for (const event of this.waiting) if (!kept.has(event)) this.#take(event);
    this.#waiting = [...events];
  }

  listen(listener: () => void, position: readonly number[], demands: readonly Demand[]): () => void {
    const forget = this.#listeners.add(listener, position);
    const open = demands.filter(({ name }) => isOpen(name, this.#workflow)).map((demand) => ({ ...demand }));
    this.#demands.push(...open);
    if (!this.#run.isReplaying) for (const demand of open) this.#ask(demand);
    return () => {
      forget();
      for (const demand of open) this.#withdraw(demand);
    };
  }

  /** What was not stored yet is stored: the run does not merely repeat itself any more. */
  goLive(): void {
    for (const name of this.#run.listening.get(this.#key) ?? []) {
      if (isOpen(name, this.#workflow) && !this.#demands.some((demand) => demand.name === name)) this.#endDemand(name);
    }
    this.#leave(this.#unwanted(this.waiting));
    if (!this.#isStored) this.#store();
    else if (!this.#isTokenStored) this.#storeToken();
    for (const demand of this.#demands) this.#ask(demand);
  }

  #store(): void {
    this.#isStored = true;
    this.#isTokenStored = true;
    const { core, ref } = this.#run;
    const workflow = core.refOf(this.#workflow);
    this.#run.write(() => {
      const since = core.sql.lastEvent.get()!.number;
      addInterests(core, { run: ref, inbox: this.#key, ref: workflow, workflow: this.#workflow, since }, this.#token);
    });
  }

  close(): void {
    const run = this.#run;
    run.inboxes.delete(this.#key);
    this.#listeners.clear();
    if (!this.#isStored || this.#key === "" || !this.#workflow.events) return;
    let given: ReturnType<typeof leaveAll> = [];
    const store = () => {
      given = leaveAll(run.core, run.ref, this.#key);
    };
    run.write(store, () => tellAll(run.core, given));
  }

  /**
   * Asks for events that are for anybody: for those that have come since the run began and that nobody has used, and the next ones; for one where that is
   * sure to be used.
   */
  #ask({ name, isSure }: Demand): void {
    const { core, ref } = this.#run;
    const workflow = this.#workflow;
    if (isSure && this.#hasOfItsOwn(name)) return;
    const refOfWorkflow = core.refOf(workflow);
    let found: readonly { readonly arrived: Arrived; readonly event: CloudEvent }[] = [];
    const store = () => {
      found = this.#open(name, isSure ? 1 : Number.POSITIVE_INFINITY).map(({ number, event }) => {
        const place = { seq: this.#run.seq++, number, isShared: true };
        core.sql.putEvent.run(ref, place.seq, this.#key, number);
        return { arrived: { run: ref, inbox: this.#key, place }, event };
      });
      core.sql.addInterest.run(refOfWorkflow, name, isSure ? "one" : "", ref, this.#key);
    };
    this.#run.write(store, () => tellAll(core, found));
  }

  /** So many at most of the events of a definition that have come since the run began and that nobody has used. */
  #open(name: string, most: number): readonly { readonly number: number; readonly event: CloudEvent }[] {
    const { core, ref } = this.#run;
    const open: { readonly number: number; readonly event: CloudEvent }[] = [];
    for (const { event: number, text } of core.sql.open.all(this.#workflow.id, name, ref, this.#key)) {
      if (open.length >= most) break;
      const event = storedEvent(core, number, text);
      if (event) open.push({ number, event });
    }
    return open;
  }

  /** Whether an event of a definition is there that nobody else can take. */
  #hasOfItsOwn(name: string): boolean {
    return this.waiting.some((event) => !this.#places.get(event)?.isShared && isOf(name, event, this.#workflow));
  }

  /** A wait is over: another one here that asks for the same goes on to, and what none here asks for any more is for others. */
  #withdraw(demand: Demand): void {
    const place = this.#demands.indexOf(demand);
    if (place < 0) return;
    this.#demands.splice(place, 1);
    const others = this.#demands.filter(({ name }) => name === demand.name);
    const other = others.find(({ isSure }) => isSure) ?? others[0];
    if (!other) this.#endDemand(demand.name);
    else if (!this.#run.isReplaying) this.#askInstead(other);
  }

  /** The run is no longer sure to use an event where the wait that goes on is not. */
  #askInstead(demand: Demand): void {
    const { core, ref } = this.#run;
    const workflow = core.refOf(this.#workflow);
    if (!demand.isSure) this.#run.write(() => core.sql.meetDemand.run(workflow, demand.name, ref, this.#key));
    this.#ask(demand);
  }

  #endDemand(name: string): void {
    const { core, ref } = this.#run;
    const workflow = core.refOf(this.#workflow);
    this.#run.write(() => core.sql.endDemand.run(workflow, name, ref, this.#key));
    this.#leave(this.#unwanted(this.waiting));
  }

  /** The events that are for anybody and that nothing here waits for; not those that the run was started by, or has a correlation value for. */
  #unwanted(events: readonly CloudEvent[]): readonly Came[] {
    const workflow = this.#workflow;
    return events.flatMap((event) => {
      const place = this.#places.get(event);
      if (!place || place.seq < 0 || !isForAnybody(event, workflow)) return [];
      const isWanted = [...this.#demands.map(({ name }) => name), ...correlated(workflow)].some((name) =>
        isOf(name, event, workflow),
      );
      return isWanted ? [] : [{ event, place }];
    });
  }

  #leave(events: readonly Came[]): void {
    for (const { place } of events) this.lose(place.seq);
    leave(this.#run, events);
  }

  #take(event: CloudEvent): void {
    const run = this.#run;
    const [at, place] = [run.seq, this.#places.get(event)];
    this.#places.delete(event);
    if (!place) return;
    run.write(() => {
      const taken = run.core.sql.take.run(at, run.ref, place.seq);
      if (run.core.cluster && place.isShared && taken.changes === 0) throw new UsedElsewhere();
    });
    if (place.isShared) claim(run, { workflow: this.#workflow, place, event });
  }

  #isClaimed(event: CloudEvent): boolean {
    const place = this.#places.get(event);
    return place?.isShared === true && isClaimed(this.#run, { workflow: this.#workflow, place, event });
  }

  #storeToken(): void {
    if (this.#isTokenStored) return;
    this.#isTokenStored = true;
    const run = this.#run;
    const workflow = run.core.refOf(this.#workflow);
    const token = tokenKey(this.#token);
    run.write(() => {
      for (const name of correlated(this.#workflow))
        run.core.sql.setToken.run(token, workflow, name, run.ref, this.#key);
    });
  }
}

/** An event that has come to an inbox, and its place. */
interface Came {
  readonly place: ArrivalPlace;
  readonly event: CloudEvent;
}

/** An inbox that begins: the number of its workflow, and of the last event before it. */
export interface Beginning {
  readonly run: number;
  readonly inbox: string;
  readonly ref: number;
  readonly workflow: AnyWorkflow;
  readonly since: number;
}

/** Stores from when on an inbox is there, and what it listens to with its correlation value. */
export function addInterests({ sql }: Core, beginning: Beginning, token: Json | undefined): void {
  const { run, inbox, ref, workflow, since } = beginning;
  if (workflow.events) sql.addInterest.run(ref, "", `${since}`.padStart(16, "0"), run, inbox);
  for (const name of correlated(workflow)) sql.addInterest.run(ref, name, tokenKey(token), run, inbox);
}

const correlated = (workflow: AnyWorkflow): readonly string[] =>
  Object.keys(workflow.events ?? {}).filter((name) => !isOpen(name, workflow));
