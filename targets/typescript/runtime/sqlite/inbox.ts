import type { CloudEvent } from "../events.ts";
import { listenersByPosition } from "../flow/context.ts";
import { definitionOf } from "../flow/matching.ts";
import type { Inbox } from "../host.ts";
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
  #waiting: readonly CloudEvent[] = [];
  #token: Json | undefined;
  /** The store knows that it listens. */
  #isStored: boolean;
  #isTokenStored = true;

  constructor(run: LiveRun, key: string, workflow: AnyWorkflow, isStored: boolean) {
    this.#run = run;
    this.#key = key;
    this.#workflow = workflow;
    this.#isStored = isStored || Object.keys(workflow.events ?? {}).length === 0;
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

  listen(listener: () => void, position: readonly number[]): () => void {
    return this.#listeners.add(listener, position);
  }

  /** What was not stored yet is stored: the run does not merely repeat itself any more. */
  goLive(): void {
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

/** Stores what an inbox listens to: with its correlation value where that counts. */
export function addInterests(
  core: Core,
  run: number,
  inbox: string,
  ref: number,
  workflow: AnyWorkflow,
  token: Json | undefined,
): void {
  for (const name of Object.keys(workflow.events ?? {})) {
    core.sql.addInterest.run(ref, name, definitionOf(name, workflow).correlation ? tokenText(token) : "", run, inbox);
  }
}

const correlated = (workflow: AnyWorkflow): readonly string[] =>
  Object.keys(workflow.events ?? {}).filter((name) => definitionOf(name, workflow).correlation);
