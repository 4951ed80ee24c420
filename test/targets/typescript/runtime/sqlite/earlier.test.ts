import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Flow } from "../../../../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../../../../targets/typescript/runtime/json.ts";
import { event, type Place, place, workflowOf } from "./place.ts";

// A store written by an earlier program, with three waiting runs, one of them behind branches whose steps had other
// keys.

let here: Place;
beforeEach(() => {
  here = place();
  const before = new DatabaseSync(here.store);
  for (const file of ["form-1.sql", "form-1-waiting.sql"])
    before.exec(readFileSync(new URL(file, import.meta.url), "utf8"));
  before.close();
});
afterEach(() => here.leave());

const called: string[] = [];
const call = (name: string) => () => {
  called.push(name);
  return null;
};
const more = {
  events: {
    approved: {
      type: "order.approved",
      correlation: (event: { readonly [name: string]: unknown }) => event["order"] as Json,
    },
  },
  waits: { Approval: { alternatives: [{ all: [["approved"]] }] } },
};

const waited = async (flow: Flow) => {
  const { events } = await flow.receive("Approval");
  return events[0]?.event.data ?? null;
};

const orderOf = (version: string) =>
  workflowOf(
    async (flow) => {
      await flow.step("Reserve", call("Reserve"));
      await flow.fork("Check", {
        stock: (inner) => inner.forEach("Each item", [1, 2], (one) => one.step("Count", call("Count"))),
        risk: (inner) => inner.step("Score", call("Score")),
      });
      return waited(flow);
    },
    { ...more, id: "order", version },
  );

const plainOf = (version: string) =>
  workflowOf(
    async (flow) => {
      const reserved = await flow.step("Reserve", call("Reserve"));
      return { reserved, approved: await waited(flow) };
    },
    { ...more, id: "plain", version },
  );

const nap = workflowOf(
  async (flow) => {
    await flow.sleep("Sleep", 3_000_000);
    return "slept";
  },
  { id: "nap", version: "1" },
);

test("runs that wait in a store of an earlier program go on where the program has their version", async () => {
  called.length = 0;
  const engine = here.open([plainOf("1"), nap], {}, { now: () => 1_798_470_543_000 });
  await engine.deliver(event("1", "order.approved", { order: "42", data: "yes" }));
  expect((await engine.ended("plain-1")).output).toEqual({ reserved: { place: 7 }, approved: "yes" });
  expect(await engine.show("nap-1")).toMatchObject({
    status: "waiting",
    waitingFor: { until: "2026-12-28T15:09:03.865Z" },
  });
  expect(called).toEqual([]);
});

test("without their version they are stranded and nothing of them is lost: they go on when it is there again", async () => {
  called.length = 0;
  const later = here.open([plainOf("2"), orderOf("2"), nap], {});
  expect((await later.list({ status: "stranded" })).runs.map(({ id }) => id).toSorted()).toEqual([
    "order-1",
    "plain-1",
  ]);
  await later.deliver(event("1", "order.approved", { order: 42, data: "yes" }));
  expect((await later.versions()).filter(({ code }) => code === "missing")).toEqual([
    { workflow: "order", version: "9f2c", runs: 1, code: "missing" },
    { workflow: "plain", version: "1", runs: 1, code: "missing" },
  ]);
  await later.close();
  const engine = here.open([plainOf("2"), plainOf("1"), nap], {});
  expect((await engine.ended("plain-1")).output).toEqual({ reserved: { place: 7 }, approved: "yes" });
  expect(called).toEqual([]);
});

test("a run whose steps had other keys then is stranded by the same version, says why, and calls nothing again", async () => {
  called.length = 0;
  const engine = here.open([orderOf("9f2c")], {});
  await engine.deliver(event("1", "order.approved", { order: "A-1" }));
  const { status, reason } = await engine.ended("order-1");
  expect(status).toBe("stranded");
  expect(reason).toContain("Check#stock/Each item#[0]/Count");
  expect(reason).toContain("Check/stock/Each item[0]/Count");
  expect(called).toEqual([]);
  expect(await engine.show("order-1")).toMatchObject({ input: { order: "A-1", items: [1, 2] } });
});
