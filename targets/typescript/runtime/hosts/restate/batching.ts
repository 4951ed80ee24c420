/** The maximum number and size of the items of one request. */
interface BatchLimits {
  readonly count: number;
  readonly size: number;
}

interface BatchItem<T, R> {
  readonly what: T;
  readonly size: number;
  readonly resolve: (answer: R) => void;
  readonly reject: (reason: unknown) => void;
}

/** Collects items while a request is in progress into the next one. `ask` returns results in the order of the items. */
export function batched<T, R>(
  ask: (all: readonly T[]) => Promise<readonly R[]>,
  most: BatchLimits,
): (what: T) => Promise<R> {
  const waiting: BatchItem<T, R>[] = [];
  let isAsking = false;
  const next = (): readonly BatchItem<T, R>[] => {
    let size = 0;
    const end = waiting.findIndex((each, i) => {
      size += each.size;
      return i > 0 && (i >= most.count || size > most.size);
    });
    return waiting.splice(0, end < 0 ? waiting.length : end);
  };
  const go = async () => {
    isAsking = true;
    while (waiting.length > 0) {
      const all = next();
      try {
        const answers = await ask(all.map(({ what }) => what));
        for (const [i, { resolve }] of all.entries()) resolve(answers[i]!);
      } catch (reason) {
        for (const { reject } of all) reject(reason);
      }
    }
    isAsking = false;
  };
  return (what) =>
    new Promise((resolve, reject) => {
      waiting.push({ what, size: JSON.stringify(what).length, resolve, reject });
      if (!isAsking) void go();
    });
}
