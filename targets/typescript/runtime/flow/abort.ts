/** What tells that something is cut off: as much of an `AbortSignal` as is asked of it here. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The signal of what nothing can cut off. */
export const neverAborted: AbortSignal = new AbortController().signal;

/** A signal of which many may hear: one of the system goes through all its listeners for each that comes or goes, and costs much where nobody asks for it. */
export class Cut implements Signal {
  aborted = false;
  reason: unknown;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.aborted) this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
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
