import { expect, test } from "vitest";
import type { Step } from "../../../../targets/typescript/runtime/flow.ts";
import { limited } from "../../../../targets/typescript/runtime/functions/limited.ts";

const step = (signal = new AbortController().signal): Step => ({ key: "k", attempt: 1, signal, position: [] });

/** A function that counts its concurrent calls until they are released. */
function counting() {
  const began: number[] = [];
  const releases: (() => void)[] = [];
  let [going, most] = [0, 0];
  return {
    began,
    most: () => most,
    release: () => releases.shift()?.(),
    async call(argument: number, _: Step): Promise<number> {
      began.push(argument);
      most = Math.max(most, ++going);
      await new Promise<void>((resolve) => releases.push(resolve));
      going -= 1;
      if (argument === 13) throw new Error("Unlucky.");
      return argument * 2;
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("concurrent calls are limited and start in order, even if some fail", async () => {
  const { began, most, release, call } = counting();
  const slow = limited(call, { concurrency: 2 });
  const all = Promise.allSettled([1, 13, 2, 3].map((argument) => slow(argument, step())));
  for (let i = 0; i < 4; i++) {
    await settled();
    expect(began).toHaveLength(Math.min(4, i + 2));
    release();
  }
  expect((await all).map((each) => (each.status === "fulfilled" ? each.value : each.reason.message))).toEqual([
    2,
    "Unlucky.",
    4,
    6,
  ]);
  expect([began, most()]).toEqual([[1, 13, 2, 3], 2]);
});

test("a call that is aborted while it waits is not made", async () => {
  const { began, release, call } = counting();
  const slow = limited(call, { concurrency: 1 });
  const controller = new AbortController();
  const first = slow(1, step());
  const second = slow(2, step(controller.signal));
  const third = slow(3, step());
  controller.abort(new Error("Too late."));
  await expect(second).rejects.toThrow("Too late.");
  await expect(slow(4, step(controller.signal))).rejects.toThrow("Too late.");
  await settled();
  release();
  expect(await first).toBe(2);
  await settled();
  release();
  expect(await third).toBe(6);
  expect(began).toEqual([1, 3]);
});

test("calls per second are limited", async () => {
  const times: number[] = [];
  const quick = limited(async (_argument: number, _: Step) => void times.push(performance.now()), { rate: 20 });
  await Promise.all([1, 2, 3, 4].map((argument) => quick(argument, step())));
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  expect(Math.min(...gaps)).toBeGreaterThan(45);
});

test("a call that is aborted while it waits leaves no timer", async () => {
  const rare = limited(async (argument: number, _: Step) => argument, { rate: 0.1 });
  await rare(1, step());
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const abort = new AbortController();
  const given = rare(2, step(abort.signal));
  expect(timers()).toBe(before + 1);
  abort.abort(new Error("Given up."));
  await expect(given).rejects.toThrow("Given up.");
  expect(timers()).toBe(before);
});

test("calls that are due during shutdown are not started and consume no slot", async () => {
  const { began, release, call } = counting();
  const slow = limited(call, { concurrency: 1, rate: 0.1 });
  let isStopping = false;
  const stopping = { ...step() };
  Object.defineProperty(stopping, "isStopping", { get: () => isStopping });
  const first = slow(1, step());
  const others = [2, 3].map((argument) => slow(argument, stopping).catch((error: Error) => error.name));
  isStopping = true;
  await settled();
  release();
  expect(await first).toBe(1 * 2);
  expect(await Promise.all(others)).toEqual(["NotBegun", "NotBegun"]);
  expect(began).toEqual([1]);
});
