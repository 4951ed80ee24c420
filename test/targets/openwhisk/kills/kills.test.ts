import { expect, test } from "vitest";
import { findFaults, killsFor, runKilled } from "./kill-run.ts";

// A run with waits, forks, delays and continuations, in which connections to the store, helpers and activations are killed. `npm run kills` does it at hundreds of points.

const whole = await runKilled([]);

test("a run in which nothing is killed does all once, and nobody has to resume it", () => {
  expect(findFaults(whole)).toEqual([]);
  expect(whole).toMatchObject({ manualResumptions: 0, calls: { length: 8 } });
});

test.each(["connection", "helper", "activation"] as const)(
  "a run goes on when a %s is killed anywhere",
  async (what) => {
    for (let point = 1; point <= whole.points; point += 7) {
      for (const isAfter of [false, true]) {
        const seen = await runKilled([{ point, what, isAfter }]);
        expect(findFaults(seen), `${point} ${isAfter ? "behind" : "before"}`).toEqual([]);
      }
    }
  },
);

test("a run goes on when several things are killed at random points", async () => {
  for (let seed = 1; seed <= 20; seed++)
    expect(findFaults(await runKilled(killsFor(seed, whole.points))), `seed ${seed}`).toEqual([]);
});

test("faults are found", () => {
  expect(findFaults({ ...whole, outcomes: [...whole.outcomes, ...whole.outcomes] })).toEqual([
    "It was told 2 times how the run ended.",
  ]);
  expect(findFaults({ ...whole, calls: whole.calls.slice(1) })).toEqual(["order was not called."]);
  expect(findFaults({ ...whole, calls: [...whole.calls, "order"] })).toHaveLength(1);
  expect(findFaults({ ...whole, resumptions: ["a by b", "a by b"] })).toEqual(["a by b was resumed twice."]);
});
