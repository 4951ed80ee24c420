import { createHealthProbe, type HealthTimes } from "./health.ts";
import { type ProcessRequest, type ProcessUnderTest, startProcess } from "./process.ts";

/** Faults, and what they did to the runs. */
export interface KillReport {
  /** The number of faults by kind. */
  readonly disturbances: { readonly [kind: string]: number };
  readonly runs: number;
  /** Runs with a wrong result or none, events that were lost or consumed twice, and records that exist twice. */
  readonly faults: readonly string[];
  /** The calls that were repeated because their results were not recorded. */
  readonly repeated: number;
  readonly health: HealthTimes;
}

/** Processes that share a store, and what can happen to them. */
export interface Campaign<Kind extends string> {
  readonly processes: number;
  /** The number of faults, and their kinds. */
  readonly moments: number;
  readonly kinds: readonly Kind[];
  readonly random: () => number;
  /** What a process does, by its place. */
  readonly request: (place: number) => Omit<ProcessRequest, "first" | "count">;
  readonly disturb: (kind: Kind, process: ProcessUnderTest, place: number) => Promise<void>;
}

/** The orders of a campaign. */
export interface Orders {
  readonly count: number;
  /** The orders whose event the store has acknowledged. */
  readonly paid: ReadonlySet<number>;
}

/** How many orders a process starts. */
const batch = 4;

/**
 * Starts orders in processes, which are disturbed at random moments and replaced if they have ended. `faultsOf` examines
 * the store when all have started their orders.
 */
export async function runCampaign<Kind extends string>(
  { processes, moments, kinds, random, request, disturb }: Campaign<Kind>,
  faultsOf: (orders: Orders) => Promise<readonly string[]>,
): Promise<Omit<KillReport, "repeated">> {
  const probe = createHealthProbe();
  const all: ProcessUnderTest[] = [];
  let first = 0;
  const begin = async (place: number): Promise<ProcessUnderTest> => {
    const own = first;
    first += batch;
    const process = await startProcess({ ...request(place), first: own, count: batch });
    all.push(process);
    void probe.watch(process);
    return process;
  };
  const disturbances: { [kind: string]: number } = {};
  try {
    const current = await Promise.all(Array.from({ length: processes }, (_, place) => begin(place)));
    for (let moment = 0; moment < moments; moment++) {
      await sleep(400 * random() ** 2);
      const place = Math.floor(random() * current.length);
      const kind = kinds[Math.floor(random() * kinds.length)]!;
      disturbances[kind] = (disturbances[kind] ?? 0) + 1;
      await disturb(kind, current[place]!, place);
      for (const [i, process] of current.entries()) if (process.isEnded) current[i] = await begin(i);
    }
    await Promise.all(current.map(({ begun }) => begun.catch(() => undefined)));
    const paid = new Set(all.flatMap((process) => [...process.paid]));
    const faults = await faultsOf({ count: first, paid });
    return { disturbances, runs: first, faults, health: probe.times() };
  } finally {
    await Promise.all(all.map((process) => process.kill()));
  }
}

/** Polls until a search for faults finds none, for some seconds: runs may be active, or in takeover. */
export async function settled(seconds: number, find: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const faults = await find();
    if (faults.length === 0 || performance.now() > end) return faults;
    await sleep(200);
  }
}

/** Waits in real time. */
export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
