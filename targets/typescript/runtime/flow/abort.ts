/** The signal of what nothing can cut off. */
export const neverAborted: AbortSignal = new AbortController().signal;

/** A signal that is aborted with another, or by itself. */
export function stoppable(outer: AbortSignal): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error("This was cut off."));
  if (outer === neverAborted) return { signal: controller.signal, stop };
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  outer.addEventListener("abort", follow);
  const stopAlone = () => {
    outer.removeEventListener("abort", follow);
    stop();
  };
  return { signal: controller.signal, stop: stopAlone };
}

/** Signals of many that are aborted with another one, or all at once by themselves. Each has few listeners, however many signals there are. */
export function stoppableEach(outer: AbortSignal): {
  readonly signal: AbortSignal;
  /** A signal of one of the many, until that is over. */
  one(): { readonly signal: AbortSignal; over(): void };
  stop(): void;
} {
  const { signal, stop } = stoppable(outer);
  const going = new Set<AbortController>();
  signal.addEventListener("abort", () => {
    for (const controller of going) controller.abort(signal.reason);
  });
  const one = () => {
    const controller = new AbortController();
    if (signal.aborted) controller.abort(signal.reason);
    else going.add(controller);
    return { signal: controller.signal, over: () => void going.delete(controller) };
  };
  return { signal, one, stop };
}

/** Rejects with the signal's reason as soon as it is aborted; what the work comes to is then nobody's. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal === neverAborted) return work;
  return new Promise((resolve, reject) => {
    const cutOff = () => reject(signal.reason);
    if (signal.aborted) cutOff();
    signal.addEventListener("abort", cutOff);
    const over = () => signal.removeEventListener("abort", cutOff);
    work.then(
      (value) => {
        over();
        resolve(value);
      },
      (error: unknown) => {
        over();
        reject(error);
      },
    );
  });
}
