import type { CloudEvent } from "../../events.ts";
import type { Demand, Inbox } from "../../host.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { parts } from "../parts.ts";
import type { Hearing } from "./hearing.ts";
import type { Message } from "./messages.ts";

/** What a look at events has used of those that others may use too. */
export interface Used {
  readonly inbox: RunInbox;
  readonly numbers: readonly number[];
  readonly used: readonly CloudEvent[];
  readonly before: readonly CloudEvent[];
  readonly token: Json | undefined;
}

/** The events of a run, or of a subflow in it. */
export class RunInbox implements Inbox {
  readonly key: string;
  readonly #hearing: Hearing;
  readonly #workflow: AnyWorkflow;
  readonly #listeners = parts.listenersByPosition();
  readonly #shared = new Map<CloudEvent, number>();
  /** What was used, by the keys of the waits. */
  readonly used = new Map<string, Used>();
  #waiting: readonly CloudEvent[];
  #token: Json | undefined;
  #known: string;
  #isLooked = false;

  constructor(hearing: Hearing, key: string, workflow: AnyWorkflow, first: readonly CloudEvent[], known: string) {
    this.#hearing = hearing;
    this.key = key;
    this.#workflow = workflow;
    this.#waiting = first;
    this.#known = known;
  }

  get waiting(): readonly CloudEvent[] {
    return this.#waiting;
  }

  get token(): Json | undefined {
    return this.#token;
  }

  set token(token: Json | undefined) {
    if (token === undefined) return;
    this.#token = token;
    if (!this.#isLooked) return;
    this.#tellToken();
  }

  /** The book is told which correlation value it has. */
  begin(): void {
    this.#isLooked = true;
    if (this.#token !== undefined) this.#tellToken();
  }

  #tellToken(): void {
    const known = parts.tokenKey(this.#token);
    if (known === this.#known || !this.#workflow.events) return;
    this.#known = known;
    this.#hearing.say({ method: "token", what: { run: this.#hearing.run, inbox: this.key, token: known } });
  }

  arrive({ event, number, isShared }: Message & { readonly kind: "event" }): void {
    if (isShared) this.#shared.set(event, number);
    this.#waiting = [...this.#waiting, event];
    this.#listeners.tell();
  }

  lose(number: number): void {
    for (const [event, own] of this.#shared) {
      if (own !== number) continue;
      this.#shared.delete(event);
      this.#waiting = this.#waiting.filter((other) => other !== event);
    }
  }

  replace(events: readonly CloudEvent[]): void {
    const kept = new Set(events);
    const used = this.#waiting.filter((event) => !kept.has(event) && this.#shared.has(event));
    const numbers = used.map((event) => this.#shared.get(event)!);
    const { looking } = this.#hearing;
    if (numbers.length > 0) {
      if (looking === undefined) void this.#hearing.claim(this.key, numbers);
      else this.used.set(looking, { inbox: this, numbers, used, before: this.#waiting, token: this.#token });
    }
    this.#waiting = [...events];
  }

  /** What was used is there again: where it was not granted, as far as nobody else has it; where it was, for this run alone. */
  restore({ before, used, token }: Used, isGranted: boolean): void {
    const since = this.#waiting.filter((event) => !before.includes(event));
    this.#waiting = [...before.filter((event) => !used.includes(event) || this.#shared.has(event)), ...since];
    this.#token = token;
    if (isGranted) for (const event of used) this.#shared.delete(event);
  }

  listen(listener: () => void, position: readonly number[], _demands: readonly Demand[]): () => void {
    const { looking } = this.#hearing;
    const look = () => {
      const outer = this.#hearing.looking;
      this.#hearing.looking = looking;
      try {
        listener();
      } finally {
        this.#hearing.looking = outer;
      }
    };
    return this.#listeners.add(look, position);
  }

  close(): void {
    this.#hearing.inboxes.delete(this.key);
    this.#listeners.clear();
    if (this.key !== "" && this.#workflow.events) this.#hearing.leave(this.key);
  }
}
