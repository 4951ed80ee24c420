/** How long a reader works before others have their turn, in milliseconds. */
const sliceMs = 5;

/** Lets other work have its turn during a long read. */
export function cooperate(): { next(): Promise<void> | undefined } {
  let end = performance.now() + sliceMs;
  return {
    next() {
      if (performance.now() <= end) return undefined;
      return new Promise((resolve) => {
        setImmediate(() => {
          end = performance.now() + sliceMs;
          resolve();
        });
      });
    },
  };
}
