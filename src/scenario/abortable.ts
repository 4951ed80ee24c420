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
    const settled =
      <Args extends readonly unknown[]>(settle: (...args: Args) => void) =>
      (...args: Args) => {
        signal?.removeEventListener("abort", stop);
        settle(...args);
      };
    const cancel = begin(settled(resolve), settled(reject));
    signal?.addEventListener("abort", stop, { once: true });
  });
}
