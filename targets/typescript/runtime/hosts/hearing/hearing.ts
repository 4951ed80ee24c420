import type { CloudEvent } from "../../events.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { RunInbox, type Used } from "./inbox.ts";
import type { Heard, Message, Said } from "./messages.ts";

/** What a run needs to hear of events. */
export interface Listening {
  /** Tells the book something. */
  say(said: Said): void;
  /** Whether what the run says has been told: it is executed again. */
  readonly isReplaying: boolean;
}

/** A claim that is not answered. */
interface Claiming {
  readonly inbox: string;
  readonly answer: (isGranted: boolean) => void;
}

/** How a run hears of events, some of which others may use too: what it uses of these it claims, and has when that is granted. */
export class Hearing {
  readonly run: string;
  readonly inboxes = new Map<string, RunInbox>();
  /** The wait that looks at events now. */
  looking: string | undefined;
  readonly #listening: Listening;
  readonly #claiming = new Map<number, Claiming>();
  #claims = 0;
  #heard: Omit<Heard, "run">[] = [];

  constructor(run: string, listening: Listening) {
    this.run = run;
    this.#listening = listening;
  }

  /** Opens an inbox: of the run under `""`, of a subflow under its own key. */
  open(key: string, workflow: AnyWorkflow, first: readonly CloudEvent[]): RunInbox {
    const isRun = key === "";
    const inbox = new RunInbox(this, key, workflow, first, isRun && workflow.events ? "?" : "");
    this.inboxes.set(key, inbox);
    const { id, version } = workflow;
    if (!isRun && workflow.events)
      this.say({ method: "join", what: { run: this.run, inbox: key, workflow: id, version, token: "" } });
    inbox.begin();
    return inbox;
  }

  /** Tells the book something, but for what it has been told already. */
  say(said: Said): void {
    if (!this.#listening.isReplaying) this.#listening.say(said);
  }

  /** Lets a wait look at events. */
  look<T>(key: string, waiting: () => T): T {
    const outer = this.looking;
    this.looking = key;
    try {
      return waiting();
    } finally {
      this.looking = outer;
    }
  }

  /** What a wait has used that others may use too. */
  usedBy(key: string): Used | undefined {
    return [...this.inboxes.values()].flatMap((inbox) => inbox.used.get(key) ?? [])[0];
  }

  /** What a wait comes to with events that the run may have; undefined where nobody asks any more. */
  async granted<T>(
    key: string,
    first: Promise<T> | T,
    waiting: () => Promise<T> | T,
    isAsked: () => boolean,
  ): Promise<T | undefined> {
    for (let outcome = first; ; outcome = this.look(key, waiting)) {
      const found = await outcome;
      const used = this.usedBy(key);
      used?.inbox.used.delete(key);
      if (!used) return found;
      const isGranted = await this.claim(used.inbox.key, used.numbers);
      if (isGranted && isAsked()) return found;
      used.inbox.restore(used, isGranted);
      if (!isAsked()) return undefined;
    }
  }

  /** Takes events that others may use too; tells whether it has them. */
  claim(inbox: string, numbers: readonly number[]): Promise<boolean> {
    const claim = ++this.#claims;
    this.say({ method: "claim", what: { run: this.run, inbox, claim, numbers } });
    return new Promise((answer) => this.#claiming.set(claim, { inbox, answer }));
  }

  /** A subflow listens no more: the book does not answer what it has claimed. */
  leave(inbox: string): void {
    for (const [claim, claiming] of this.#claiming) if (claiming.inbox === inbox) this.#claiming.delete(claim);
    this.say({ method: "leave", what: { run: this.run, inbox } });
  }

  /** The run is told something. */
  take(message: Message): void {
    if (message.kind === "event") {
      if (message.isShared) this.#heard.push({ inbox: message.inbox, number: message.number });
      this.inboxes.get(message.inbox)?.arrive(message);
    } else if (message.kind === "lost") this.inboxes.get(message.inbox)?.lose(message.number);
    else if (message.kind === "claimed") {
      this.#claiming.get(message.claim)?.answer(message.isGranted);
      this.#claiming.delete(message.claim);
    }
  }

  /** Others may use what the run has heard of and does not use: that is known when it is told of all that it claims. */
  pass(): void {
    if (this.#claiming.size > 0) return;
    for (const heard of this.#heard.splice(0))
      this.#listening.say({ method: "heard", what: { run: this.run, ...heard } });
  }

  /** Forgets what it has claimed and where it listens, as the run goes on from before. */
  again(): void {
    this.#claims = 0;
    this.#claiming.clear();
    this.inboxes.clear();
  }
}
