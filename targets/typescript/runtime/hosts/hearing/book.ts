import type { Delivery, EngineOptions } from "../../engine.ts";
import type { CloudEvent, Taken } from "../../events.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { parts } from "../parts.ts";
import type { Begin, Claim, Granted, Heard, Joining, Kept, Message, NewRun } from "./messages.ts";
import type { Claimed, Holder, Member, Open, Page } from "./page.ts";

/** A run that was to be started: whether it was, or was there before. */
export interface Started {
  readonly isNew: boolean;
  readonly kept: Kept;
}

/** Where the book keeps runs, and how it reaches them. */
export interface Keeping {
  /** The run with an id, where there is one. */
  run(id: string): Promise<Kept | null>;
  keep(id: string, run: Kept): void;
  /** An id that no run has. */
  freshId(): string;
  /** Starts a run; resolves to what it is reached by. */
  launch(begin: Begin): Promise<string>;
  /** Tells a run its `n`-th message. */
  tell(to: { readonly run: string; readonly invocation: string }, n: number, message: Message): void;
}

/** What the book knows from the start. */
export type Known = Pick<EngineOptions, "workflows" | "log">;

/** All runs and what they are told: one thing after the other. */
export class Book {
  readonly #keeping: Keeping;
  readonly #known: Known;
  readonly #page: Page;
  /** The runs that have left it. */
  readonly left: string[] = [];

  constructor(keeping: Keeping, known: Known, page: Page) {
    this.#keeping = keeping;
    this.#known = known;
    this.#page = page;
  }

  /** When it is told something: no sooner than what it was told before. */
  get at(): number {
    return this.#page.clock;
  }

  /** Starts a run, where there is none with its id. */
  async start(run: NewRun, taken: readonly Taken[] = []): Promise<Started> {
    const [started] = await this.startAll([run], taken);
    return started!;
  }

  /** Starts several: all that has to be waited for is asked for at once, and waited for in that order. */
  async startAll(runs: readonly NewRun[], taken: readonly Taken[] = []): Promise<readonly Started[]> {
    const there = await inOrder(runs.map(({ id }) => this.#keeping.run(id)));
    const isFirst = ({ id }: NewRun, i: number) => runs.findIndex((each) => each.id === id) === i;
    const fresh = runs.filter((run, i) => there[i] === null && isFirst(run, i));
    const begins = fresh.map((run) => ({ order: ++this.#page.order, begin: this.#beginOf(run, taken) }));
    const invocations = await inOrder(begins.map(({ begin }) => this.#keeping.launch(begin)));
    const kept = new Map(
      begins.map(({ order, begin }, i) => [begin.id, this.#enter(order, begin, invocations[i]!)] as const),
    );
    return runs.map((run, i) => ({ isNew: fresh.includes(run), kept: there[i] ?? kept.get(run.id)! }));
  }

  #beginOf({ id, workflow: name, version, input }: NewRun, taken: readonly Taken[]): Begin {
    const workflow = this.#workflows().find(
      (each) => each.id === name && (version === undefined || each.version === version),
    );
    const hears = workflow === undefined || workflow.events !== undefined;
    return { id, workflow: name, version: workflow?.version ?? version ?? "", input, at: this.at, taken, hears };
  }

  /** A run that is launched is kept, and hears of events. */
  #enter(
    order: number,
    { id: run, workflow: name, version, at, input, taken, hears }: Begin,
    invocation: string,
  ): Kept {
    const kept: Kept = { order, workflow: name, version, at, input, invocation };
    this.#keeping.keep(run, kept);
    if (!hears) return kept;
    const workflow = this.#workflows().find((each) => each.id === name && each.version === version);
    const token = workflow ? tokenOfNew(workflow, run, input, taken) : "";
    this.#page.members.push({ order, run, inbox: "", workflow: name, version, root: name, invocation, token });
    return kept;
  }

  /** A subflow of a run listens as well; it may say so again. */
  async join({ run, inbox, workflow, version, token }: Joining): Promise<void> {
    const kept = await this.#keeping.run(run);
    if (!kept || this.#page.members.some((each) => each.run === run && each.inbox === inbox)) return;
    const { order, invocation, workflow: root } = kept;
    this.#page.members.push({ order, run, inbox, workflow, version, root, invocation, token });
  }

  setToken(run: string, inbox: string, token: string): void {
    for (const member of this.#page.members) if (member.run === run && member.inbox === inbox) member.token = token;
  }

  /** The run that is reached by something, where it listens. */
  reachedBy(invocation: string): string | undefined {
    return this.#page.members.find((member) => member.invocation === invocation)?.run;
  }

  /** A run, or a subflow in it, listens no more. What was granted to it and not used is for the others, who have it still. */
  leave(run: string, inbox: string | undefined): void {
    const isIt = (each: { readonly run: string; readonly inbox: string }) =>
      each.run === run && (inbox === undefined || each.inbox === inbox);
    this.#page.members = this.#page.members.filter((each) => !isIt(each));
    for (const open of this.#page.open) open.holders = open.holders.filter((each) => !isIt(each));
    this.#page.claims = this.#page.claims.filter((each) => !isIt(each));
    if (inbox !== undefined) return;
    delete this.#page.sent[run];
    this.left.push(run);
  }

  heard({ run, inbox, number }: Heard): void {
    for (const open of this.#page.open)
      for (const holder of open.holders)
        if (open.number === number && holder.run === run && holder.inbox === inbox) holder.isHeard = true;
  }

  claim(claim: Claim): void {
    const order = this.#page.members.find(({ run }) => run === claim.run)?.order;
    if (order === undefined) return;
    this.#page.claims.push({ ...claim, order });
    for (const number of claim.numbers) this.heard({ ...claim, number });
  }

  /** A run has used what it was granted: nobody else has it any more. */
  used(granted: Granted): void {
    const claim = this.#endGranted(granted);
    for (const { open, own } of claim ? this.#usesOf(claim) : []) if (open && own) this.#use(open, own);
  }

  /** A run does not use what it was granted: it is as if it had not claimed it. */
  unused(granted: Granted): void {
    this.#endGranted(granted);
  }

  #endGranted({ run, claim }: Granted): Claimed | undefined {
    const isIt = (each: Claimed) => each.run === run && each.claim === claim && each.isGranted === true;
    const found = this.#page.claims.find(isIt);
    this.#page.claims = this.#page.claims.filter((each) => each !== found);
    return found;
  }

  /** Takes an event in: it goes to those that may use it, and starts runs. */
  async deliver(event: CloudEvent): Promise<Delivery> {
    const number = ++this.#page.number;
    const holders = this.#page.members.flatMap((member) => this.#holding(member, event));
    const starting = this.#newest().filter((workflow) => this.#mayStart(workflow, event));
    const started: string[] = [];
    const undecided: string[] = [];
    for (const workflow of starting) {
      if (holders.some(({ workflow: own, root }) => own === workflow.id || root === workflow.id))
        undecided.push(workflow.id);
      else started.push(...(await this.#startWith(workflow, event, this.at)));
    }
    const isShared = holders.length > 1 || undecided.length > 0;
    for (const { run, inbox } of holders)
      this.#send(run, { kind: "event", at: this.at, inbox, number, isShared, event });
    if (isShared) this.#page.open.push({ number, event, at: this.at, holders, undecided });
    return { status: "accepted", started, delivered: [...new Set(holders.map(({ run }) => run))] };
  }

  /** Decides what can be decided: the oldest run that uses an event has it; one that nobody uses may start a run. */
  async settle(): Promise<void> {
    for (;;) {
      const claim = [...this.#page.claims].sort((a, b) => a.order - b.order).find((each) => this.#isRipe(each));
      if (claim) this.#decide(claim);
      else if (!(await this.#startUndecided())) break;
    }
    this.#page.open = this.#page.open.filter(({ holders, undecided }) => holders.length > 0 || undecided.length > 0);
  }

  #isRipe(claim: Claimed): boolean {
    if (claim.isGranted) return false;
    const isGranted = (number: number) =>
      this.#page.claims.some((each) => each.isGranted && each.numbers.includes(number));
    return this.#usesOf(claim).every(
      ({ number, open, own }) =>
        !own || (!isGranted(number) && open!.holders.every(({ order, isHeard }) => order >= claim.order || isHeard)),
    );
  }

  /** Who is denied a claim looks again at what it has of that: younger runs wait until it has. */
  #decide(claim: Claimed): void {
    const uses = this.#usesOf(claim);
    const gone = uses.flatMap(({ number, own }) => (own ? [] : [number]));
    const answer = { kind: "claimed", at: this.at, claim: claim.claim } as const;
    if (gone.length === 0) {
      claim.isGranted = true;
      this.#send(claim.run, { ...answer, isGranted: true });
      return;
    }
    this.#page.claims = this.#page.claims.filter((each) => each !== claim);
    for (const { own } of uses) if (own) own.isHeard = false;
    this.#send(claim.run, { ...answer, isGranted: false, gone });
  }

  /** The events of a claim, with what the inbox that claims them has of each. */
  #usesOf({ run, inbox, numbers }: Claim) {
    return numbers.map((number) => {
      const open = this.#page.open.find((each) => each.number === number);
      return { number, open, own: open?.holders.find((each) => each.run === run && each.inbox === inbox) };
    });
  }

  /** What is for anybody is taken from all, the rest from the runs of the same workflow. */
  #use(open: Open, own: Holder): void {
    const isTaken = (other: Holder) =>
      other !== own && (own.isOpen ? other.isOpen || other.workflow === own.workflow : sameWorkflow(other, own));
    for (const { run, inbox } of open.holders.filter(isTaken))
      this.#send(run, { kind: "lost", at: this.at, inbox, number: open.number });
    open.holders = open.holders.filter((other) => other !== own && !isTaken(other));
    open.undecided = own.isOpen ? [] : open.undecided.filter((id) => id !== own.workflow && id !== own.root);
  }

  async #startUndecided(): Promise<boolean> {
    for (const open of this.#page.open) {
      for (const id of open.undecided) {
        const isOf = (holder: Holder) => holder.workflow === id || holder.root === id;
        const holders = open.holders.filter(isOf);
        const isClaimed = this.#page.claims.some(({ numbers }) => numbers.includes(open.number));
        if (isClaimed || holders.some(({ isHeard }) => !isHeard)) continue;
        open.undecided = open.undecided.filter((other) => other !== id);
        const workflow = this.#newest().find((each) => each.id === id);
        const started = workflow ? await this.#startWith(workflow, open.event, open.at) : [];
        if (started.length > 0) {
          for (const { run, inbox } of holders)
            this.#send(run, { kind: "lost", at: this.at, inbox, number: open.number });
          open.holders = open.holders.filter((holder) => !holders.includes(holder));
        }
        return true;
      }
    }
    return false;
  }

  async #startWith(workflow: AnyWorkflow, event: CloudEvent, at: number): Promise<readonly string[]> {
    const { collected, taken } = parts.startedBy(
      workflow,
      parts.own(this.#page.collected, workflow.id) ?? [],
      event,
      at,
    );
    if (collected.length > 0) parts.setOwn(this.#page.collected, workflow.id, collected);
    else delete this.#page.collected[workflow.id];
    if (!taken) return [];
    const id = this.#keeping.freshId();
    await this.start({ id, workflow: workflow.id, input: {} }, taken);
    return [id];
  }

  /** An event of which a workflow cannot tell whether it starts runs starts none. */
  #mayStart(workflow: AnyWorkflow, event: CloudEvent): boolean {
    try {
      return mayStart(workflow, event, this.at);
    } catch (reason) {
      const message = `An event starts nothing: ${String(reason)}`;
      this.#known.log({ level: "error", message, workflow: workflow.id });
      return false;
    }
  }

  #holding({ order, run, inbox, workflow: id, version, root, token }: Member, event: CloudEvent): readonly Holder[] {
    const workflow = this.#known.workflows.find((each) => each.id === id && each.version === version);
    if (!workflow) return [{ order, run, inbox, workflow: id, root, isOpen: true, isHeard: true }];
    let [isHeld, isOpen] = [false, false];
    for (const name of Object.keys(workflow.events ?? {})) {
      const found = matchOf(workflow, name, event);
      if (found === undefined) continue;
      if (found.isOpen) [isHeld, isOpen] = [true, true];
      else if (token === "" || found.token === token) isHeld = true;
    }
    return isHeld ? [{ order, run, inbox, workflow: id, root, isOpen, isHeard: false }] : [];
  }

  #send(run: string, message: Message): void {
    const member = this.#page.members.find((each) => each.run === run);
    if (member) this.#keeping.tell({ run, invocation: member.invocation }, this.#nextTo(run), message);
  }

  /** Tells a failed run to go on. */
  async retry(run: string): Promise<boolean> {
    const kept = await this.#keeping.run(run);
    if (!kept) return false;
    this.#keeping.tell({ run, invocation: kept.invocation }, this.#nextTo(run), { kind: "retry", at: this.at });
    return true;
  }

  /** A run has been ended from outside, and cannot say so itself. */
  async cancelled(run: string): Promise<void> {
    const kept = await this.#keeping.run(run);
    if (!kept) return;
    this.#keeping.keep(run, { ...kept, cancelled: this.at });
    this.leave(run, undefined);
  }

  /** The number of the next message to a run. */
  #nextTo(run: string): number {
    const { sent } = this.#page;
    const n = (parts.own(sent, run) ?? 0) + 1;
    parts.setOwn(sent, run, n);
    return n;
  }

  #workflows(): readonly AnyWorkflow[] {
    return this.#known.workflows;
  }

  /** Those that new runs begin with: the first of each id. */
  #newest(): readonly AnyWorkflow[] {
    return this.#workflows().filter((each, i, all) => all.findIndex(({ id }) => id === each.id) === i);
  }
}

/** Waits for one after the other: where an execution is gone through again what follows is the same then. */
export async function inOrder<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  const results: T[] = [];
  for (const promise of promises) results.push(await promise);
  return results;
}

const sameWorkflow = (a: Holder, b: Holder): boolean =>
  [a.workflow, a.root].some((id) => id === b.workflow || id === b.root);

/** When a workflow cannot tell, the run fails by that as it begins. */
function tokenOfNew(workflow: AnyWorkflow, id: string, input: Json, taken: readonly Taken[]): string {
  try {
    return parts.tokenKey(parts.firstToken(workflow, id, input, taken));
  } catch {
    return "";
  }
}

function matchOf(
  workflow: AnyWorkflow,
  name: string,
  event: CloudEvent,
): { readonly isOpen: boolean; readonly token: string } | undefined {
  try {
    if (!parts.isOf(name, event, workflow)) return undefined;
    const definition = parts.definitionOf(name, workflow);
    return { isOpen: !definition.correlation, token: parts.tokenKey(parts.tokenOf(definition, event)) };
  } catch {
    return undefined;
  }
}

function mayStart(workflow: AnyWorkflow, event: CloudEvent, at: number): boolean {
  if (!workflow.start?.on?.length) return false;
  const { taken, collected } = parts.startedBy(workflow, [], event, at);
  return taken !== undefined || collected.length > 0;
}
