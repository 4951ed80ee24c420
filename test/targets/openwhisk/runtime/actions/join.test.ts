import { expect, test } from "vitest";
import { defaultSettings } from "../../../../../targets/openwhisk/runtime/actions/action.ts";
import { caller, continuationOf, createStand, operations, type Stand } from "./stand.ts";

const { continueRun, delay, janitor, join, operate } = operations;

const suspended = { $waybill: "suspended" };
const ended = { ended: { "app/orders": "orders-ended" } };
const stalled = (stand: Stand) => stand.call(operate, {});
const long = defaultSettings.stalledMs + 1;

/** Continues a run in a separate invocation; the parameters are those of the next component. */
const continuing = (stand: Stand, more = {}) =>
  stand.call(continueRun, { $waybill: { ...caller(more), params: { error: "kept" }, isInspected: true } });

/** Ends the n-th started branch or item, like the conductor. */
const ending = (stand: Stand, n: number, end: object) => {
  const { join: own, began } = continuationOf(stand.started[n]!);
  return stand.call(join, { ...end, $waybill: { flow: "/guest/app/orders", run: "run1", began, join: own } });
};

test("a run goes on with a fresh budget, exactly where it was", async () => {
  const stand = createStand();
  expect(await continuing(stand)).toEqual(suspended);
  expect(continuationOf(stand.started[0]!)).toMatchObject({
    state: "next",
    stack: caller().stack,
    params: { error: "kept" },
    isInspected: true,
    join: { id: "run", thread: "run1", fence: "a1!" },
  });
});

test("a branch that is waited for inside an action does not go on elsewhere", async () => {
  const stand = createStand();
  await expect(continuing(stand, { position: [0] })).rejects.toThrow("cannot continue in another one");
  expect(await stand.store.keys("")).toEqual([]);
});

test("the outcome of a run is stored and told, once", async () => {
  const stand = createStand(ended);
  await continuing(stand);
  await ending(stand, 0, { result: { sum: 3 } });
  await ending(stand, 0, { error: "again" });
  const outcome = { run: "run1", status: "succeeded", output: { sum: 3 }, ended: 1000 };
  expect(stand.fired).toEqual([{ trigger: "orders-ended", params: outcome }]);
  expect((await stand.store.get("done:run1"))?.value).toMatchObject({ value: { outcome, isTold: true } });
  expect(await stalled(stand)).toEqual({ stalled: [], waiting: [] });
});

test("a run that failed is told with its error", async () => {
  const stand = createStand(ended);
  await continuing(stand);
  await ending(stand, 0, { error: { name: "Lost" } });
  expect(stand.fired[0]?.params).toMatchObject({ status: "failed", error: { name: "Lost" } });
});

test("a run of which nothing is heard is listed, and can be resumed; what still runs of it has no say then", async () => {
  const stand = createStand(ended);
  await continuing(stand);
  stand.now += long;
  const found = { thread: "run1", flow: "/guest/app/orders", run: "run1", state: "next", activation: "activation-1" };
  expect(await stalled(stand)).toMatchObject({ stalled: [found] });
  expect(await stand.call(operate, { resume: "run1" })).toEqual({ resumed: true });
  expect(continuationOf(stand.started[1]!)).toMatchObject({ params: { error: "kept" }, isInspected: true });
  expect(await stalled(stand)).toEqual({ stalled: [], waiting: [] });
  expect(await continuing(stand, { join: continuationOf(stand.started[0]!).join })).toEqual(suspended);
  const slept = await stand.call(delay, {
    ms: 99_999,
    $waybill: caller({ join: continuationOf(stand.started[0]!).join }),
  });
  expect(slept).toEqual(suspended);
  await ending(stand, 0, { result: { outdated: true } });
  expect(stand.started).toHaveLength(2);
  expect(stand.fired).toEqual([]);
  await ending(stand, 1, { result: {} });
  expect(stand.fired).toHaveLength(1);
});

test("what waits is not resumed by hand, and what is not there neither", async () => {
  const stand = createStand();
  await stand.call(delay, { ms: 99_999, $waybill: caller() });
  const listed = { thread: "run1", flow: "/guest/app/orders", run: "run1", state: "next", waitsFor: "time" };
  const times = { since: "1970-01-01T00:00:01.000Z", due: "1970-01-01T00:01:40.999Z" };
  expect(await stalled(stand)).toEqual({ stalled: [], waiting: [{ ...listed, ...times }] });
  for (const resume of ["run1", "run2", "a1.0"])
    expect(await stand.call(operate, { resume })).toEqual({ resumed: false });
  expect(stand.started).toEqual([]);
});

test("the sweeper rings alarms that have not rung", async () => {
  const stand = createStand({ timers: "sweeper" });
  await stand.call(delay, { ms: 99_999, $waybill: caller() });
  expect(stand.alarms.size).toBe(0);
  await stand.call(janitor, {});
  expect(stand.started).toEqual([]);
  stand.now += 99_999;
  await stand.call(janitor, {});
  await stand.call(janitor, {});
  expect(stand.resumptions()).toEqual(["next"]);
});
