import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../../src/json.ts";
import type { ForkRequest } from "../../../../../targets/openwhisk/runtime/actions/fork.ts";
import { caller, continuationOf, createStand, operations, type Stand } from "./stand.ts";

const { fork, join, timeout } = operations;

const suspended = { $waybill: "suspended" };
const branches = (count: number) => Array.from({ length: count }, (_, i) => ({ state: "body", params: { i } }));
const forking = (stand: Stand, more: Partial<ForkRequest>) =>
  stand.call(fork, {
    branches: branches(3),
    mode: "joined",
    $waybill: caller({ position: [4], join: ofRun }),
    ...more,
  });
const joinOfSubflow = {
  ...{ id: "a1", index: 0, parent: "run1", thread: "a1.0", inbox: "a1.0", age: [4, 0], rootBegan: 1000 },
};
const ofRun = { id: "run", index: 0, thread: "run1", inbox: "run1" };

/** Ends the n-th started branch, like the conductor. */
const ending = (stand: Stand, n: number, end: { readonly result: JsonObject } | { readonly error: Json }) => {
  const { join: own, run, began } = continuationOf(stand.started[n]!);
  return stand.call(join, { ...end, $waybill: { flow: "/guest/app/orders", run, began, join: own } });
};
const indexes = (stand: Stand) => stand.started.map((each) => continuationOf(each).position);

test("a subflow is told of the run that it is a part of, and begins at its beginning", async () => {
  const stand = createStand();
  const input = { n: 1, $waybill: { root: "run0", state: "last", params: {} } };
  await forking(stand, { branches: [{ flow: "/_/app/child", input }] });
  const join = { ...joinOfSubflow, enclosing: null };
  const $waybill = { root: "run0", run: "run1", position: [4, 0], join, key: "run1/0.0" };
  expect(stand.started[0]!.params).toEqual({ n: 1, $waybill });
});

test("branches are activations of the flow in its middle, with the variables around them; the last one resumes the run", async () => {
  const stand = createStand();
  expect(await forking(stand, {})).toEqual(suspended);
  expect(stand.started[1]).toEqual({
    action: "/guest/app/orders",
    params: {
      $waybill: {
        run: "run1",
        began: 1000,
        position: [4, 1],
        join: {
          id: "a1",
          index: 1,
          parent: "run1",
          thread: "a1.1",
          inbox: "run1",
          enclosing: { thread: "run1", id: "a1" },
        },
        key: "run1/0.1",
        state: "body",
        stack: [{ let: { x: 1 } }],
        params: { i: 1 },
        isInspected: true,
      },
    },
  });
  for (const n of [2, 0, 1]) {
    expect(stand.started).toHaveLength(3);
    await ending(stand, n, { result: { of: n } });
  }
  const last = continuationOf(stand.started[3]!);
  expect(last).toMatchObject({ state: "next", position: [4], stack: caller().stack, join: { fence: "a1!" } });
  expect(last.params).toEqual({ results: [0, 1, 2].map((index) => ({ index, result: { of: index } })) });
});

test("a subflow begins with its input and has its own events", async () => {
  const stand = createStand();
  await forking(stand, { branches: [{ flow: "/_/app/child", input: { n: 1 } }] });
  const join = { ...joinOfSubflow, enclosing: null };
  expect(stand.started).toEqual([
    { action: "/_/app/child", params: { n: 1, $waybill: { run: "run1", position: [4, 0], join, key: "run1/0.0" } } },
  ]);
});

test("an end that is told twice, or too late, counts once", async () => {
  const stand = createStand();
  await forking(stand, { count: 2 });
  await ending(stand, 0, { result: { first: true } });
  await ending(stand, 0, { result: { second: true } });
  expect(stand.started).toHaveLength(3);
  await ending(stand, 2, { result: {} });
  await ending(stand, 1, { error: "late" });
  expect(stand.started).toHaveLength(4);
  const { params } = continuationOf(stand.started[3]!);
  expect(params).toEqual({
    results: [
      { index: 0, result: { first: true } },
      { index: 2, result: {} },
    ],
  });
});

test("a failure ends a fork at once, or when too few branches are left", async () => {
  const fatal = createStand();
  await forking(fatal, {});
  await ending(fatal, 1, { error: { name: "Lost" } });
  expect(continuationOf(fatal.started[3]!).params).toEqual({ error: { name: "Lost" } });
  const spare = createStand();
  await forking(spare, { failure: "spare", count: 1 });
  await ending(spare, 1, { error: "one" });
  await ending(spare, 0, { error: "two" });
  expect(spare.started).toHaveLength(3);
  await ending(spare, 2, { error: "three" });
  expect(continuationOf(spare.started[3]!).params["error"]).toMatchObject({ message: "three" });
});

test("of many branches only some run at once, and starts are apart", async () => {
  const stand = createStand();
  await forking(stand, { branches: branches(4), width: 2, gapMs: 100 });
  expect(indexes(stand)).toEqual([[4, 0]]);
  const [first] = [...stand.alarms.values()];
  expect(first).toMatchObject({ at: 1100, params: { thread: "run1", at: "a1" } });
  stand.now = 1100;
  await stand.call(timeout, first!.params);
  await stand.call(timeout, first!.params);
  expect(indexes(stand)).toEqual([
    [4, 0],
    [4, 1],
  ]);
  await ending(stand, 1, { result: {} });
  expect(indexes(stand)).toHaveLength(2);
  stand.now = 1200;
  await stand.call(timeout, first!.params);
  expect(indexes(stand)).toHaveLength(3);
});

test("a fork that is given no more time is a timeout, and what its branches do then is dropped", async () => {
  const stand = createStand();
  await forking(stand, { timeoutMs: 50 });
  const [alarm] = [...stand.alarms.values()];
  stand.now = 1050;
  await stand.call(timeout, alarm!.params);
  for (const n of [0, 1, 2]) await ending(stand, n, { result: {} });
  expect(stand.started).toHaveLength(4);
  expect(continuationOf(stand.started[3]!).params).toEqual({ error: { $waybill: "timeout" } });
});

test.each(["joined", "blocking"] as const)("a fork of nothing is joined at once: %s", async (mode) => {
  const stand = createStand();
  expect(await forking(stand, { branches: [], mode })).toEqual({ results: [] });
  expect(await stand.store.keys("")).toEqual([]);
});

/** Responses of branches that take several turns. */
const taking = (stand: Stand, answers: readonly (readonly [turns: number, answer: JsonObject])[]) => {
  const running = { now: 0, most: 0, begun: [] as number[] };
  stand.answers.set("/guest/app/orders", async (params) => {
    const { position } = continuationOf({ params });
    const index = position!.at(-1)!;
    const [turns, answer] = answers[index]!;
    running.begun.push(index);
    running.now += 1;
    running.most = Math.max(running.most, running.now);
    for (let i = 0; i < turns; i++) await Promise.resolve();
    running.now -= 1;
    return answer;
  });
  return running;
};

test("branches that are short are waited for inside the action, and nothing is stored", async () => {
  const stand = createStand();
  const running = taking(stand, [
    [30, { of: 0 }],
    [10, { of: 1 }],
    [20, { of: 2 }],
  ]);
  const results = [0, 1, 2].map((index) => ({ index, result: { of: index } }));
  expect(await forking(stand, { mode: "blocking", width: 2 })).toEqual({ results });
  expect(running).toMatchObject({ most: 2, begun: [0, 1, 2] });
  expect(await stand.store.keys("")).toEqual([]);
});

test("inside an action too the first failure is fatal, and the first that complete count", async () => {
  const stand = createStand();
  const running = taking(stand, [
    [10, { error: { name: "Lost" } }],
    [50, {}],
    [5, {}],
  ]);
  expect(await forking(stand, { mode: "blocking", width: 1 })).toEqual({ error: { name: "Lost" } });
  expect(running.begun).toEqual([0]);
  const spare = await forking(stand, { mode: "blocking", failure: "spare", count: 1 });
  expect(spare).toEqual({ results: [{ index: 2, result: {} }] });
});

test.each(["joined", "blocking"] as const)("what a composition of Composer fails with is a text: %s", async (mode) => {
  const stand = createStand();
  const text = "An error has occurred: TypeError: x";
  stand.answers.set("/_/app/booking", () => ({ error: text }));
  const errorOf = async (isComposition?: true) => {
    const begun = stand.started.length;
    const answer = await forking(stand, { mode, isComposition, branches: [{ flow: "/_/app/booking" }] });
    if (mode === "blocking") return answer["error"];
    await ending(stand, begun, { error: text });
    return continuationOf(stand.started.at(-1)!).params["error"];
  };
  expect(await errorOf(true)).toEqual({ $waybill: "function", name: "ApplicationError", message: text });
  if (mode === "blocking") expect(await errorOf()).toEqual({ $waybill: "function", name: "TypeError", message: "x" });
});

test("inside an action starts are apart, and the time that the workflow gives is kept", async () => {
  const stand = createStand();
  taking(stand, [
    [1, {}],
    [1, {}],
    [1, {}],
  ]);
  await forking(stand, { mode: "blocking", gapMs: 100 });
  expect(stand.now).toBe(1200);
  stand.answers.set("/guest/app/orders", () => new Promise(() => undefined));
  expect(await forking(stand, { mode: "blocking", timeoutMs: 70 })).toEqual({ error: { $waybill: "timeout" } });
  expect(stand.now).toBe(1270);
});
