/** A promise that an aborted signal rejects with its reason; `begin` starts the work and returns how to call it off. */
export function abortable<T = void>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal!.reason);
    };
    const done = () => signal?.removeEventListener("abort", stop);
    const cancel = begin(
      (value) => (done(), resolve(value)),
      (reason) => (done(), reject(reason)),
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
}
