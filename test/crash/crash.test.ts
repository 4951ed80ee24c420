import { expect, test } from "vitest";
import { crash } from "./crash.ts";
import { crashServer } from "./http/campaign.ts";

/** A seeded generator. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

test("runs of a process that is killed at random repeat no completed step, lose nothing and end correctly", async () => {
  const { killed, wrong } = await crash(10, seeded(12345));
  expect(wrong).toEqual([]);
  expect(killed).toBeGreaterThanOrEqual(10);
}, 60_000);

test("runs of an emitted program over HTTP survive kills, thrown values, damaged rows and a full disk", async () => {
  const { kills, wrong } = await crashServer(8, seeded(54321));
  expect(wrong).toEqual([]);
  expect(kills).toBe(8);
}, 120_000);
