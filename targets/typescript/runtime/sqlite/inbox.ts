import type { CloudEvent } from "../events.ts";
import { listenersByPosition } from "../flow/context.ts";
import { definitionOf, matches } from "../flow/matching.ts";
import type { Demand, Inbox } from "../host.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Core } from "./core.ts";
import type { LiveRun } from "./live.ts";
import { tokenText } from "./values.ts";

/** The events of a run, or of a subflow in it: as they are in the store, without those that were taken. */
export class RunInbox implements Inbox {
  readonly #run: LiveRun;
  readonly #key: string;
  readonly #workflow: AnyWorkflow;
  readonly #places = new Map<CloudEvent, number>();
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
    this.#isStored = isStored || correlated(workflow).length === 0;
    if (!run.isReplaying) this.goLive();
  }

  get waiting(): readonly CloudEvent[] {
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

  /** An event comes, and whoever listens hears of it. */
  arrive(seq: number, event: CloudEvent): void {
    this.#places.set(event, seq);
    this.#waiting = [...this.#waiting, event];
    this.#listeners.tell();
  }

  replace(events: readonly CloudEvent[]): void {
    const kept = new Set(events);
    for (const event of this.#waiting) if (!kept.has(event)) this.#take(event);
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
    for (const demand of this.#demands) this.#ask(demand);
    if (!this.#isStored) {
      this.#isStored = true;
      const { core, ref } = this.#run;
      const workflow = core.refOf(this.#workflow);
      this.#run.write(() => addInterests(core, ref, this.#key, workflow, this.#workflow, this.#token));
      this.#isTokenStored = true;
    } else if (!this.#isTokenStored) this.#storeToken();
  }

  close(): void {
    const run = this.#run;
    run.inboxes.delete(this.#key);
    this.#listeners.clear();
    if (this.#isStored && this.#key !== "" && this.#workflow.events)
      run.write(() => run.core.sql.endInterest.run(run.ref, this.#key));
  }

  /** Asks for an event that is for anybody, unless one is there: for the first that has come since the run began and that nobody has, or else the next. */
  #ask({ name, isConditional }: Demand): void {
    const { core, ref, created } = this.#run;
    const workflow = this.#workflow;
    if (!isConditional && this.#waiting.some((event) => matches(name, event, workflow, undefined))) return;
    const refOfWorkflow = core.refOf(workflow);
    let found: readonly { readonly seq: number; readonly event: CloudEvent }[] = [];
    const store = () => {
      const open = core.sql.open.all(workflow.id, name, created).slice(0, isConditional ? undefined : 1);
      found = open.map(({ event, text }) => {
        const seq = this.#run.seq++;
        core.sql.endOpen.run(event);
        core.sql.putEvent.run(ref, seq, this.#key, event);
        return { seq, event: JSON.parse(text) as CloudEvent };
      });
      if (isConditional || found.length === 0)
        core.sql.addInterest.run(refOfWorkflow, name, isConditional ? "" : "one", ref, this.#key);
    };
    this.#run.write(store, () => {
      for (const { seq, event } of found) this.#run.push({ seq, give: () => this.#receive(seq, event) });
    });
  }

  #receive(seq: number, event: CloudEvent): boolean {
    this.arrive(seq, event);
    return true;
  }

  /** A wait is over: another one here that asks for the same goes on to, and what none here asks for any more is for others. */
  #withdraw(demand: Demand): void {
    const place = this.#demands.indexOf(demand);
    if (place < 0) return;
    this.#demands.splice(place, 1);
    const other = this.#demands.find(({ name }) => name === demand.name);
    if (!other) this.#endDemand(demand.name);
    else if (!this.#run.isReplaying) this.#ask(other);
  }

  #endDemand(name: string): void {
    const { core, ref } = this.#run;
    const workflow = core.refOf(this.#workflow);
    const kept = this.#waiting.filter((event) => matches(name, event, this.#workflow, undefined));
    const places = kept.flatMap((event) => {
      const seq = this.#places.get(event);
      return seq === undefined ? [] : [{ seq, demands: openFor(core, event) }];
    });
    this.#waiting = this.#waiting.filter((event) => !kept.includes(event));
    this.#run.write(() => {
      core.sql.endDemand.run(workflow, name, ref, this.#key);
      for (const { seq, demands } of places) {
        for (const demand of demands) core.sql.giveBack.run(demand.workflow, demand.name, core.now(), ref, seq);
        core.sql.forgetArrival.run(ref, seq);
      }
    });
  }

  #take(event: CloudEvent): void {
    const run = this.#run;
    const [at, seq] = [run.seq, this.#places.get(event)];
    this.#places.delete(event);
    if (seq !== undefined) run.write(() => run.core.sql.take.run(at, run.ref, seq));
  }

  #storeToken(): void {
    if (this.#isTokenStored) return;
    this.#isTokenStored = true;
    const run = this.#run;
    const workflow = run.core.refOf(this.#workflow);
    const token = tokenText(this.#token);
    run.write(() => {
      for (const name of correlated(this.#workflow))
        run.core.sql.setToken.run(token, workflow, name, run.ref, this.#key);
    });
  }
}

/** Whether events of a definition are for anybody: nothing says to which run they belong. */
export const isOpen = (name: string, workflow: AnyWorkflow): boolean => !definitionOf(name, workflow).correlation;

/** The definitions of the program by which an event is for anybody. */
const openFor = (core: Core, event: CloudEvent): readonly { readonly workflow: string; readonly name: string }[] =>
  [...core.workflows.values()].flatMap((workflow) =>
    Object.keys(workflow.events ?? {})
      .filter((name) => isOpen(name, workflow) && matches(name, event, workflow, undefined))
      .map((name) => ({ workflow: workflow.id, name })),
  );

/** Stores what an inbox listens to with its correlation value from its beginning on. */
export function addInterests(
  core: Core,
  run: number,
  inbox: string,
  ref: number,
  workflow: AnyWorkflow,
  token: Json | undefined,
): void {
  for (const name of correlated(workflow)) core.sql.addInterest.run(ref, name, tokenText(token), run, inbox);
}

const correlated = (workflow: AnyWorkflow): readonly string[] =>
  Object.keys(workflow.events ?? {}).filter((name) => !isOpen(name, workflow));
