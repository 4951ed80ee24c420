import { expect, test } from "vitest";
import { findFaults, killsFor, runKilled } from "./kill-run.ts";

// A sample of kills; `npm run kills` tries hundreds of points.

const whole = await runKilled([]);

test("a run without kills does everything once, without manual resumption", () => {
  expect(findFaults(whole)).toEqual([]);
  expect(whole).toMatchObject({ manualResumptions: 0, calls: { length: 8 } });
});

test.each(["connection", "helper", "activation"] as const)(
  "a run continues after a %s is killed at any point",
  async (what) => {
    for (let point = 1; point <= whole.points; point += 7) {
      for (const isAfter of [false, true]) {
        const seen = await runKilled([{ point, what, isAfter }]);
        expect(findFaults(seen), `${point} ${isAfter ? "behind" : "before"}`).toEqual([]);
      }
    }
  },
);

test("a run continues after several kills at random points", async () => {
  for (let seed = 1; seed <= 20; seed++)
    expect(findFaults(await runKilled(killsFor(seed, whole.points))), `seed ${seed}`).toEqual([]);
});

test("faults are detected", () => {
  expect(findFaults({ ...whole, outcomes: [...whole.outcomes, ...whole.outcomes] })).toEqual([
    "The end of the run was reported 2 times.",
  ]);
  expect(findFaults({ ...whole, calls: whole.calls.slice(1) })).toEqual(["order was not called."]);
  expect(findFaults({ ...whole, calls: [...whole.calls, "order"] })).toHaveLength(1);
  expect(findFaults({ ...whole, keys: ["a run/1", "a run/2"] })).toHaveLength(1);
  expect(findFaults({ ...whole, resumptions: ["a by b", "a by b"] })).toEqual(["a by b was resumed twice."]);
});
