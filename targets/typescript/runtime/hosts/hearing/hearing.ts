import type { CloudEvent } from "../../events.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { RunInbox, type Used } from "./inbox.ts";
import type { Heard, Message, Said } from "./messages.ts";

/** What a run needs to hear of events. */
export interface Listening {
  /** Tells the book something. */
  say(said: Said): void;
  /** Has `pass` called when the run has come to rest. */
  passSoon(): void;
  /** Whether what the run says has been told: it is executed again. */
  readonly isReplaying: boolean;
}

/** A claim that is not answered. */
interface Claiming {
  readonly inbox: string;
  readonly numbers: readonly number[];
  readonly answer: (granted: Grant | undefined) => void;
}

/** What is granted: by a claim, or as the run has used it before. */
interface Grant {
  readonly claim?: number;
}

/** What is known of claims where a run that has failed goes on: how many there were, and the events that it has used since. */
export interface Resumption {
  readonly claims: number;
  readonly own: readonly number[];
}

/**
 * How a run hears of events, some of which others may use too: what it uses of these it claims, and has when that is granted. The book keeps what it has
 * granted from all others, and is told whether the run has used it: it has not where the wait, or the subflow, was cut off meanwhile.
 */
export class Hearing {
  readonly run: string;
  readonly inboxes = new Map<string, RunInbox>();
  /** The wait that looks at events now. */
  looking: string | undefined;
  readonly #listening: Listening;
  readonly #claiming = new Map<number, Claiming>();
  #claims = 0;
  /** What was granted and used, by the numbers of the claims. */
  readonly #used = new Map<number, readonly number[]>();
  /** What the run has for itself, though others might have used it. */
  readonly #own = new Set<number>();
  /** What it says when it has come to rest. */
  #later: Said[] = [];
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
    for (let outcome = first; ; ) {
      const found = await outcome;
      const used = this.usedBy(key);
      used?.inbox.used.delete(key);
      if (!used) return found;
      const granted = await this.claim(used.inbox.key, used.numbers);
      const isWanted = isAsked();
      if (granted && isWanted) {
        this.#use(granted, used.numbers);
        used.inbox.tellToken();
        return found;
      }
      if (granted) this.#leaveUnused(granted);
      used.inbox.restore(used);
      if (isWanted) outcome = this.look(key, waiting);
      used.inbox.tell();
      if (!isWanted) return undefined;
    }
  }

  /** Takes events that others may use too, whatever waits. */
  take(inbox: string, numbers: readonly number[]): void {
    this.claim(inbox, numbers).then((granted) => granted && this.#use(granted, numbers));
  }

  /** Claims events that others may use too; what it gives, where it does, is kept from them. */
  claim(inbox: string, numbers: readonly number[]): Promise<Grant | undefined> {
    return new Promise((answer) => this.#claim({ inbox, numbers, answer }));
  }

  #claim(claiming: Claiming): void {
    const { inbox, numbers } = claiming;
    const claim = ++this.#claims;
    this.#claiming.set(claim, claiming);
    this.say({ method: "claim", what: { run: this.run, inbox, claim, numbers } });
  }

  #use({ claim }: Grant, numbers: readonly number[]): void {
    if (claim === undefined) return;
    this.#used.set(claim, numbers);
    this.say({ method: "used", what: { run: this.run, claim } });
  }

  #leaveUnused({ claim }: Grant): void {
    if (claim !== undefined) this.#sayLater({ method: "unused", what: { run: this.run, claim } });
  }

  /** A subflow listens no more: the book does not answer what it has claimed. */
  leave(inbox: string): void {
    for (const [claim, claiming] of this.#claiming) if (claiming.inbox === inbox) this.#claiming.delete(claim);
    this.#sayLater({ method: "leave", what: { run: this.run, inbox } });
  }

  /** Says something behind what follows from what the run was told: so a wait that begins then claims an event before it is for others. */
  #sayLater(said: Said): void {
    if (this.#listening.isReplaying) return;
    this.#later.push(said);
    this.#listening.passSoon();
  }

  /** The run is told something. */
  hear(message: Message): void {
    if (message.kind === "event") {
      const { inbox, number } = message;
      if (message.isShared) this.#heard.push({ inbox, number });
      this.inboxes.get(inbox)?.arrive({ ...message, isShared: message.isShared && !this.#own.has(number) });
    } else if (message.kind === "lost") this.inboxes.get(message.inbox)?.lose(message.number);
    else if (message.kind === "claimed") this.#answer(message);
  }

  #answer({ claim, isGranted, gone = [] }: Message & { readonly kind: "claimed" }): void {
    const claiming = this.#claiming.get(claim);
    this.#claiming.delete(claim);
    if (!claiming) {
      if (isGranted) this.#leaveUnused({ claim });
      return;
    }
    const { inbox, numbers, answer } = claiming;
    for (const number of gone) this.inboxes.get(inbox)?.lose(number);
    if (!isGranted) for (const number of numbers) if (!gone.includes(number)) this.#heard.push({ inbox, number });
    answer(isGranted ? { claim } : undefined);
  }

  /** Others may use what the run has heard of and does not use: that is known when it is told of all that it claims. */
  pass(): void {
    for (const said of this.#later.splice(0)) this.say(said);
    if (this.#claiming.size > 0) return;
    for (const heard of this.#heard.splice(0)) this.say({ method: "heard", what: { run: this.run, ...heard } });
  }

  /** The run has failed: its subflows listen on, as it may go on from where it failed. */
  stay(): void {
    this.#later = this.#later.filter(({ method }) => method !== "leave");
    this.pass();
  }

  /** The run says nothing any more. */
  end(): void {
    this.#later = [];
    this.#heard = [];
  }

  /** What it has to know where a run goes on from before some of its claims were answered. */
  resumption(forgotten: readonly number[], own: readonly number[]): Resumption {
    const used = forgotten.flatMap((claim) => this.#used.get(claim) ?? []);
    return { claims: this.#claims, own: [...own, ...used] };
  }

  /** Forgets what it has claimed and where it listens, as the run goes through what it was told before. */
  again(): void {
    this.#claims = 0;
    this.#claiming.clear();
    this.#used.clear();
    this.#own.clear();
    this.inboxes.clear();
    this.end();
  }

  /** The run goes on from here: what the book knows of it since is said again, and what it has used since it uses where it comes to that again. */
  resume({ claims, own }: Resumption): void {
    this.#claims = claims;
    for (const number of own) this.#own.add(number);
    for (const inbox of this.inboxes.values()) inbox.resume(this.#own);
    const claiming = [...this.#claiming.values()];
    this.#claiming.clear();
    for (const each of claiming) {
      const numbers = each.numbers.filter((number) => !this.#own.has(number));
      if (numbers.length > 0) this.#claim({ ...each, numbers });
      else each.answer({});
    }
  }
}
