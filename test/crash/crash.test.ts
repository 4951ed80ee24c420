import { expect, test } from "vitest";
import { crash } from "./crash.ts";

test("runs of a process that is killed at any moment repeat no completed step, lose nothing and end right", async () => {
  let seed = 12345;
  const random = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x80000000;
  };
  const { killed, wrong } = await crash(10, random);
  expect(wrong).toEqual([]);
  expect(killed).toBeGreaterThanOrEqual(10);
}, 60_000);
