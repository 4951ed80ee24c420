import type { Store } from "../../../../../targets/openwhisk/runtime/store/store.ts";

/** An access to a store, described by the keys that it reads or writes. */
interface Access {
  readonly key: string;
  readonly kind: "read" | "write" | "list";
  go(): void;
}

/** Two activities on a store, and a check of the result. */
export interface Scene {
  readonly store: Store;
  readonly activities: readonly [(store: Store) => Promise<unknown>, (store: Store) => Promise<unknown>];
  check(order: string): Promise<void> | void;
}

/** The activity chosen at a point where both were possible, and whether the other remains to be tried. */
interface Choice {
  readonly who: number;
  readonly hasOther: boolean;
}

/**
 * Plays a scene in every order of both activities' store accesses, each time from the start; returns the number of
 * orders. Of orders that differ only by independent accesses (other keys, or two reads), one is played: an activity
 * that was not chosen sleeps until the other makes a dependent access.
 */
export async function everyOrder(begin: () => Promise<Scene>): Promise<number> {
  let count = 0;
  let turns: readonly number[] | undefined = [];
  while (turns) {
    const scene = await begin();
    const { choices, isWhole } = await play(scene, turns);
    if (isWhole) {
      count += 1;
      await scene.check(choices.map(({ who }) => who).join(""));
    }
    const last = choices.findLastIndex(({ hasOther }) => hasOther);
    turns = last < 0 ? undefined : [...choices.slice(0, last).map(({ who }) => who), 1];
  }
  return count;
}

/** Plays a scene with the given choices, then in the default order. Stops early if the rest was played before. */
async function play(
  { store, activities }: Scene,
  turns: readonly number[],
): Promise<{ readonly choices: readonly Choice[]; readonly isWhole: boolean }> {
  const pending: (Access | undefined)[] = [undefined, undefined];
  const asleep = new Set<number>();
  const choices: Choice[] = [];
  let running: number = activities.length;
  let failure: { readonly error: unknown } | undefined;
  for (const [who, activity] of activities.entries())
    activity(paused(store, (access) => (pending[who] = access)))
      .catch((error: unknown) => (failure ??= { error }))
      .finally(() => (running -= 1));
  for (;;) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (failure) throw failure.error;
    if (running === 0) return { choices, isWhole: true };
    const ready = [0, 1].filter((who) => pending[who] !== undefined);
    if (ready.length < running) continue;
    const awake = ready.filter((who) => !asleep.has(who));
    if (awake.length === 0) return { choices, isWhole: false };
    const who = ready.length === 1 ? awake[0]! : (turns[choices.length] ?? awake[0]!);
    if (ready.length > 1) choices.push({ who, hasOther: who === 0 && awake.includes(1) });
    if (who === 1 && ready.length > 1) asleep.add(0);
    const access = pending[who]!;
    pending[who] = undefined;
    const other = pending[1 - who];
    if (other && mayMeet(access, other)) asleep.delete(1 - who);
    access.go();
  }
}

/** A store whose accesses wait until they are released. */
function paused(store: Store, wait: (access: Access) => void): Store {
  const turn = (key: string, kind: Access["kind"]) => new Promise<void>((go) => wait({ key, kind, go }));
  return {
    get: (key) => turn(key, "read").then(() => store.get(key)),
    put: (key, ...rest) => turn(key, "write").then(() => store.put(key, ...rest)),
    remove: (key, revision) => turn(key, "write").then(() => store.remove(key, revision)),
    keys: (prefix) => turn(prefix, "list").then(() => store.keys(prefix)),
    close: async () => undefined,
  };
}

/** Whether two accesses depend on each other. */
function mayMeet(a: Access, b: Access): boolean {
  if (a.kind !== "write" && b.kind !== "write") return false;
  const isListed = (list: Access, other: Access) => list.kind === "list" && other.key.startsWith(list.key);
  return a.key === b.key || isListed(a, b) || isListed(b, a);
}
