/** What tells that something is cut off: as much of an `AbortSignal` as is asked of it here. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: Listener): void;
  removeEventListener(type: "abort", listener: Listener): void;
}

/** Who is told that something is cut off. */
export type Listener = (() => void) | Hearer;

/** Who stands in the list of a signal itself, between those before and behind it: to come and to go takes as little as can be. */
export interface Hearer {
  before: Hearer | undefined;
  behind: Hearer | undefined;
  handleEvent(): void;
}

/** The signal of what nothing can cut off. */
export const neverAborted: AbortSignal = new AbortController().signal;

/**
 * A signal of which many may hear, in the order in which they began to: one of the system goes through all its listeners for each that comes or goes, and
 * costs much where nobody asks for it.
 */
export class Cut implements Signal {
  aborted = false;
  reason: unknown;
  #first: Hearer | undefined;
  #last: Hearer | undefined;
  /** Where functions stand in the list. */
  readonly #standing = new Map<() => void, Hearer>();

  addEventListener(_type: "abort", listener: Listener): void {
    if (this.aborted) return;
    if (typeof listener !== "function") this.#add(listener);
    else if (!this.#standing.has(listener)) {
      const hearer: Hearer = { before: undefined, behind: undefined, handleEvent: listener };
      this.#standing.set(listener, hearer);
      this.#add(hearer);
    }
  }

  removeEventListener(_type: "abort", listener: Listener): void {
    if (typeof listener !== "function") {
      this.#remove(listener);
      return;
    }
    const hearer = this.#standing.get(listener);
    if (!hearer) return;
    this.#standing.delete(listener);
    this.#remove(hearer);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (let hearer = this.#first; hearer; hearer = this.#first) {
      this.#remove(hearer);
      hearer.handleEvent();
    }
    this.#standing.clear();
  }

  #add(hearer: Hearer): void {
    hearer.before = this.#last;
    if (this.#last) this.#last.behind = hearer;
    else this.#first = hearer;
    this.#last = hearer;
  }

  /** Takes one out of the list, where it is in it. */
  #remove(hearer: Hearer): void {
    const { before, behind } = hearer;
    if (before) before.behind = behind;
    else if (this.#first === hearer) this.#first = behind;
    else return;
    if (behind) behind.before = before;
    else this.#last = before;
    hearer.before = hearer.behind = undefined;
  }
}

/** A signal that is aborted with another, or by itself. */
export function stoppable(outer: Signal): { readonly signal: Signal; stop(): void } {
  const signal = new Cut();
  const stop = () => signal.abort(new Error("This was cut off."));
  if (outer === neverAborted) return { signal, stop };
  const follow = () => signal.abort(outer.reason);
  if (outer.aborted) follow();
  outer.addEventListener("abort", follow);
  const stopAlone = () => {
    outer.removeEventListener("abort", follow);
    stop();
  };
  return { signal, stop: stopAlone };
}

/** A signal of the system that is aborted with another, until it is let go; it is made when it is asked for. */
export class Following {
  readonly #outer: Signal;
  #controller: AbortController | undefined;
  #follow: (() => void) | undefined;

  constructor(outer: Signal) {
    this.#outer = outer;
  }

  get signal(): AbortSignal {
    if (this.#outer instanceof AbortSignal) return this.#outer;
    this.#controller ??= this.#begun();
    return this.#controller.signal;
  }

  #begun(): AbortController {
    const controller = new AbortController();
    const follow = () => controller.abort(this.#outer.reason);
    if (this.#outer.aborted) follow();
    this.#outer.addEventListener("abort", follow);
    this.#follow = follow;
    return controller;
  }

  letGo(): void {
    if (this.#follow) this.#outer.removeEventListener("abort", this.#follow);
  }
}
