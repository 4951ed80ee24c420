/** The part of `AbortSignal` that the runtime uses. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: Listener): void;
  removeEventListener(type: "abort", listener: Listener): void;
}

/** A listener of a signal: a function, or a node of its list. */
export type Listener = (() => void) | ListenerNode;

/** A listener that is itself the node of the signal's list, so that adding and removing it allocates nothing. */
export interface ListenerNode {
  previousListener: ListenerNode | undefined;
  nextListener: ListenerNode | undefined;
  handleEvent(): void;
}

/** A signal that is never aborted. */
export const neverAborted: AbortSignal = new AbortController().signal;

/**
 * A signal with its own `abort`. Adding and removing a listener takes constant time; those of Node.js go through all
 * listeners, and are expensive to create.
 */
export class AbortSource implements Signal {
  aborted = false;
  reason: unknown;
  #first: ListenerNode | undefined;
  #last: ListenerNode | undefined;
  readonly #nodes = new Map<() => void, ListenerNode>();

  addEventListener(_type: "abort", listener: Listener): void {
    if (this.aborted) return;
    if (typeof listener !== "function") this.#add(listener);
    else if (!this.#nodes.has(listener)) {
      const node: ListenerNode = { previousListener: undefined, nextListener: undefined, handleEvent: listener };
      this.#nodes.set(listener, node);
      this.#add(node);
    }
  }

  removeEventListener(_type: "abort", listener: Listener): void {
    if (typeof listener !== "function") {
      this.#remove(listener);
      return;
    }
    const node = this.#nodes.get(listener);
    if (!node) return;
    this.#nodes.delete(listener);
    this.#remove(node);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (let node = this.#first; node; node = this.#first) {
      this.#remove(node);
      node.handleEvent();
    }
    this.#nodes.clear();
  }

  #add(node: ListenerNode): void {
    node.previousListener = this.#last;
    if (this.#last) this.#last.nextListener = node;
    else this.#first = node;
    this.#last = node;
  }

  /** Removes a node if it is in the list. */
  #remove(node: ListenerNode): void {
    const { previousListener: previous, nextListener: next } = node;
    if (previous) previous.nextListener = next;
    else if (this.#first === node) this.#first = next;
    else return;
    if (next) next.previousListener = previous;
    else this.#last = previous;
    node.previousListener = node.nextListener = undefined;
  }
}

/** Creates a signal that is aborted with another one, or by `stop`. */
export function stoppable(outer: Signal): { readonly signal: Signal; stop(): void } {
  const signal = new AbortSource();
  const stop = () => signal.abort(new Error("This was canceled."));
  if (outer === neverAborted) return { signal, stop };
  const follow = () => signal.abort(outer.reason);
  if (outer.aborted) follow();
  outer.addEventListener("abort", follow);
  const stopAndLeave = () => {
    outer.removeEventListener("abort", follow);
    stop();
  };
  return { signal, stop: stopAndLeave };
}

/** An `AbortSignal` that follows another signal until it is released. It is created on first access. */
export class FollowingSignal {
  readonly #outer: Signal;
  #controller: AbortController | undefined;
  #follow: (() => void) | undefined;

  constructor(outer: Signal) {
    this.#outer = outer;
  }

  get signal(): AbortSignal {
    if (this.#outer instanceof AbortSignal) return this.#outer;
    this.#controller ??= this.#create();
    return this.#controller.signal;
  }

  #create(): AbortController {
    const controller = new AbortController();
    const follow = () => controller.abort(this.#outer.reason);
    if (this.#outer.aborted) follow();
    this.#outer.addEventListener("abort", follow);
    this.#follow = follow;
    return controller;
  }

  release(): void {
    if (this.#follow) this.#outer.removeEventListener("abort", this.#follow);
  }
}
