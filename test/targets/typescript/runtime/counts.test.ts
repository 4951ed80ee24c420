import { expect, test } from "vitest";
import { Counts } from "../../../../targets/typescript/runtime/flow/counts.ts";

/** The counts of a flow that entered steps and made calls. */
function counted(entered: readonly string[], called: readonly string[]): Counts {
  const counts = new Counts();
  for (const name of entered) counts.enter(name);
  for (const name of called) counts.call(name);
  return counts;
}

test("entries and calls are counted by themselves for each step", () => {
  const counts = counted(["A", "B", "A", "A"], ["B", "B", "A"]);
  expect([counts.enter("A"), counts.enter("B"), counts.enter("C")]).toEqual([4, 2, 1]);
  expect([counts.call("A"), counts.call("B"), counts.call("C")]).toEqual([2, 3, 1]);
});

test("counts are recorded in the form that stores have, and counted on from", () => {
  const counts = counted(["A", "Ask##call", "A", "A#retry", "__proto__"], ["A", "Ask##call", "Ask##call"]);
  const record = { A: 2, "A#call": 1, "A#retry": 1, "Ask##call": 1, "Ask##call#call": 2, ["__proto__"]: 1 };
  expect(counts.toRecord()).toEqual(record);
  const restored = new Counts();
  restored.restore(JSON.parse(JSON.stringify(record)) as typeof record);
  expect(restored.toRecord()).toEqual(record);
  expect(["Ask##call", "__proto__"].map((name) => restored.enter(name))).toEqual([2, 2]);
  expect(["Ask##call", "A"].map((name) => restored.call(name))).toEqual([3, 2]);
});

test("a further attempt counts calls from where it began, and entries on", () => {
  const counts = counted(["A", "B"], ["A"]);
  const again = counts.saveCalls();
  for (const name of ["A", "B", "C"]) {
    counts.enter(name);
    counts.call(name);
  }
  again();
  expect(counts.toRecord()).toEqual({ A: 2, "A#call": 1, B: 2, C: 1 });
});
