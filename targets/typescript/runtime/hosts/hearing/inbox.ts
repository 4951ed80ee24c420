import type { CloudEvent } from "../../events.ts";
import type { Demand, Inbox } from "../../host.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { parts } from "../parts.ts";
import type { Hearing } from "./hearing.ts";
import type { Message } from "./messages.ts";

/** What a look at events has used, some of which others may use too. */
export interface Used {
  readonly inbox: RunInbox;
  /** Those that others may use. */
  readonly numbers: readonly number[];
  readonly taken: ReadonlySet<CloudEvent>;
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
  /** What others have used. */
  readonly #gone = new WeakSet<CloudEvent>();
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

  /** The book hears of the value of an event that others may use too when that is granted. */
  set token(token: Json | undefined) {
    if (token === undefined) return;
    this.#token = token;
    const { looking } = this.#hearing;
    if (this.#isLooked && (looking === undefined || !this.used.has(looking))) this.tellToken();
  }

  /** The book is told that it listens, and which correlation value it has. */
  begin(): void {
    this.#isLooked = true;
    const { id, version } = this.#workflow;
    if (this.key !== "" && this.#workflow.events) {
      const what = { run: this.#hearing.run, inbox: this.key, workflow: id, version, token: "" };
      this.#hearing.say({ method: "join", what });
    }
    this.tellToken();
  }

  tellToken(): void {
    const known = this.#token === undefined ? this.#known : parts.tokenKey(this.#token);
    if (known === this.#known || !this.#workflow.events) return;
    this.#known = known;
    this.#hearing.say({ method: "token", what: { run: this.#hearing.run, inbox: this.key, token: known } });
  }

  /** The book is told again, as the run goes on from before, what it may not know; what the run has used since is its own. */
  resume(own: ReadonlySet<number>): void {
    for (const [event, number] of this.#shared) if (own.has(number)) this.#shared.delete(event);
    this.#known = this.key === "" ? "?" : "";
    this.begin();
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
      this.#gone.add(event);
      this.#waiting = this.#waiting.filter((other) => other !== event);
    }
  }

  replace(events: readonly CloudEvent[]): void {
    const kept = new Set(events);
    const taken = new Set(this.#waiting.filter((event) => !kept.has(event)));
    const numbers = [...taken].flatMap((event) => this.#shared.get(event) ?? []);
    const { looking } = this.#hearing;
    if (numbers.length > 0) {
      if (looking === undefined) this.#hearing.take(this.key, numbers);
      else this.used.set(looking, { inbox: this, numbers, taken, before: this.#waiting, token: this.#token });
    }
    this.#waiting = [...events];
  }

  /** What was used is there again, as far as nobody else has used it. */
  restore({ before, taken, token }: Used): void {
    const there = new Set(this.#waiting);
    const isThere = (event: CloudEvent) => (taken.has(event) ? !this.#gone.has(event) : there.has(event));
    this.#waiting = [...before.filter(isThere), ...this.#waiting.filter((event) => !before.includes(event))];
    this.#token = token;
  }

  /** Those who wait look at what is there. */
  tell(): void {
    this.#listeners.tell();
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
