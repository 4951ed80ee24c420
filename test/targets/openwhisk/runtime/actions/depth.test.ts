import { expect, test } from "vitest";
import type { JsonObject } from "../../../../../src/json.ts";
import type { Caller } from "../../../../../targets/openwhisk/runtime/actions/caller.ts";
import type { Thread } from "../../../../../targets/openwhisk/runtime/actions/threads.ts";
import type { Store } from "../../../../../targets/openwhisk/runtime/store/store.ts";
import { caller, continuationOf, createStand, event, operations, type Stand } from "./stand.ts";

const { arrive, continueRun, fork, join, suspend } = operations;

const flow = "/guest/app/orders";
const suspended = { $waybill: "suspended" };
const bell = { id: "wait", alternatives: [{ all: [[{ event: "bell" }]] }] };
const program = { flows: [{ flow, definitions: { bell: { type: "bell" } } }] };

/** Forks into branches and returns the callers of their first requests. */
async function forking(stand: Stand, $waybill: Caller, count: number, more: JsonObject = {}): Promise<Caller[]> {
  const before = stand.started.length;
  const branches = Array.from({ length: count }, () => ({ state: "body" }));
  await stand.call(fork, { branches, mode: "joined", ...more, $waybill });
  return stand.started.slice(before).map((started) => ({ ...continuationOf(started), flow }));
}

/** The caller below some forks with one branch each, like subflows that wait for each other. */
async function descend(stand: Stand, from: Caller, depth: number): Promise<Caller> {
  let deepest = from;
  for (let i = 0; i < depth; i++) [deepest] = (await forking(stand, deepest, 1)) as [Caller];
  return deepest;
}

test("the reads of a checkpoint do not depend on the depth of subflows", async () => {
  let reads = 0;
  const counting = (store: Store): Store => ({
    ...store,
    get(key) {
      reads += 1;
      return store.get(key);
    },
  });
  const readsAt = async (depth: number): Promise<number> => {
    const stand = createStand({}, counting, program);
    const deepest = await descend(stand, caller(), depth);
    reads = 0;
    await stand.call(suspend, { wait: bell, $waybill: deepest });
    return reads;
  };
  expect(await readsAt(100)).toBe(await readsAt(2));
});

const ofOthers: [string, number, JsonObject, JsonObject][] = [
  ["another branch fails", 2, {}, { error: { name: "Lost" } }],
  ["another branch is enough", 2, { count: 1 }, { result: {} }],
];

test.each(ofOthers)("subflows below a fork go no further once %s", async (_, count, plan, end) => {
  const stand = createStand({}, undefined, program);
  const [outer, other] = (await forking(stand, await descend(stand, caller(), 3), count, plan)) as [Caller, Caller];
  const deepest = await descend(stand, outer, 5);
  await stand.call(join, { ...end, $waybill: other });
  const before = stand.started.length;
  expect(await stand.call(continueRun, { $waybill: deepest })).toEqual(suspended);
  await stand.call(suspend, { wait: bell, $waybill: deepest });
  await stand.call(arrive, event("1", "bell"));
  expect(stand.started).toHaveLength(before);
});

test("subflows below a fork go no further once its time has passed", async () => {
  const stand = createStand({}, undefined, program);
  const [outer] = (await forking(stand, caller(), 1, { timeoutMs: 50 })) as [Caller];
  const deepest = await descend(stand, outer, 5);
  const [alarm] = [...stand.alarms.values()];
  stand.now += 50;
  await stand.call(operations.timeout, alarm!.params);
  const before = stand.started.length;
  await stand.call(continueRun, { $waybill: deepest });
  expect(stand.started).toHaveLength(before);
});

test("documents of earlier versions are followed from fork to fork", async () => {
  const stand = createStand({}, undefined, program);
  const [outer, other] = (await forking(stand, caller(), 2)) as [Caller, Caller];
  const deepest = await descend(stand, outer, 5);
  for (const key of await stand.store.keys("thread:")) {
    const { value, revision } = (await stand.store.get(key))!;
    const stored = value as unknown as { readonly mark: string; readonly value: Thread };
    const { enclosing: _, ...earlier } = stored.value.join;
    await stand.store.put(
      key,
      JSON.parse(JSON.stringify({ ...stored, value: { ...stored.value, join: earlier } })),
      revision,
    );
  }
  await stand.call(join, { error: { name: "Lost" }, $waybill: other });
  const before = stand.started.length;
  await stand.call(continueRun, { $waybill: deepest });
  expect(stand.started).toHaveLength(before);
});

test("an alive subflow at any depth continues", async () => {
  const stand = createStand({}, undefined, program);
  const [outer] = (await forking(stand, await descend(stand, caller(), 3), 2)) as [Caller];
  const deepest = await descend(stand, outer, 5);
  const before = stand.started.length;
  await stand.call(continueRun, { $waybill: deepest });
  expect(stand.started).toHaveLength(before + 1);
});
