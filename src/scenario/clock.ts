/** What happens first at one instant: events arrive, then functions answer, then timers ring. */
export const rank = { arrival: 0, answer: 1, timer: 2 } as const;

/** Something that will happen. */
interface Happening {
  readonly at: number;
  readonly rank: number;
  readonly order: number;
  readonly fire: () => void;
  cancelled: boolean;
}

/** Virtual time: things happen when they are due, one after the other, and no time passes between. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Plans something for an instant (at the earliest, now); returns how to call it off. */
  plan(at: number, kind: keyof typeof rank, fire: () => void): () => void;
  /** Lets the next thing happen; false when there is none. */
  advance(): boolean;
}

/** A clock that stands at an instant. */
export function createClock(start: number): Clock {
  const heap: Happening[] = [];
  let now = start;
  let order = 0;
  return {
    now: () => now,
    plan(at, kind, fire) {
      const happening: Happening = { at: Math.max(at, now), rank: rank[kind], order: order++, fire, cancelled: false };
      push(heap, happening);
      return () => {
        happening.cancelled = true;
      };
    },
    advance() {
      for (let next = pop(heap); next; next = pop(heap)) {
        if (next.cancelled) continue;
        now = Math.max(now, next.at);
        next.fire();
        return true;
      }
      return false;
    },
  };
}

const before = (a: Happening, b: Happening): boolean =>
  a.at !== b.at ? a.at < b.at : a.rank !== b.rank ? a.rank < b.rank : a.order < b.order;

function push(heap: Happening[], item: Happening): void {
  let i = heap.push(item) - 1;
  for (let up = (i - 1) >> 1; i > 0 && before(item, heap[up]!); up = (i - 1) >> 1) {
    heap[i] = heap[up]!;
    i = up;
  }
  heap[i] = item;
}

function pop(heap: Happening[]): Happening | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (!top || !last || heap.length === 0) return top;
  let i = 0;
  for (let child = 1; child < heap.length; child = 2 * i + 1) {
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
    if (!before(heap[child]!, last)) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = last;
  return top;
}

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
