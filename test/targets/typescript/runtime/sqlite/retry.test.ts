import { afterEach, beforeEach, expect, test } from "vitest";
import type { Flow } from "../../../../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../../../../targets/typescript/runtime/json.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

// A failed run continues where it failed: recorded steps are not repeated, and later steps run once.

let here: Place;
let isBroken: boolean;
const calls: string[] = [];
beforeEach(() => {
  here = place();
  isBroken = true;
  calls.length = 0;
});
afterEach(() => here.leave());

const call = (flow: Flow, name: string): Promise<Json> =>
  flow.step(name, () => {
    calls.push(name);
    if (name === "Bad" && isBroken) throw new Error("broken");
    return name;
  });

const inSequence = async (flow: Flow): Promise<Json> => {
  await call(flow, "A");
  await call(flow, "Bad");
  return call(flow, "C");
};

const sub = workflowOf(inSequence, { id: "sub" });

/** A fork whose last active branch fails, and the following steps. */
const inBranch = async (flow: Flow): Promise<Json> => {
  await flow.fork("Both", {
    one: (inner) => call(inner, "A"),
    two: async (inner) => {
      await inner.sleep("Nap", 0.02);
      return call(inner, "Bad");
    },
    three: async (inner) => {
      await inner.sleep("Long", 0.3);
      return call(inner, "Late");
    },
  });
  return call(flow, "C");
};

const places: { readonly [place: string]: readonly [run: (flow: Flow) => Promise<Json>, again: readonly string[]] } = {
  "in a sequence": [inSequence, ["Bad", "C"]],
  "in a branch": [inBranch, ["Bad", "Late", "C"]],
  "in an iteration": [
    async (flow) => {
      await flow.forEach("Each", ["A", "Bad", "B"], (inner, name) => call(inner, name), { width: 1 });
      return call(flow, "C");
    },
    ["Bad", "B", "C"],
  ],
  "after an event": [
    async (flow) => {
      await call(flow, "A");
      await flow.receive("Wait");
      return inSequence(flow);
    },
    ["Bad", "C"],
  ],
  "in a round of a loop": [
    async (flow) => {
      let data = { left: 2 };
      for (;;) {
        data = await flow.round("Loop", data);
        if (data.left === 0) return call(flow, "C");
        await call(flow, data.left === 2 ? "A" : "B");
        if (data.left === 1) await call(flow, "Bad");
        data = { left: data.left - 1 };
      }
    },
    ["Bad", "C"],
  ],
  "in a subflow": [
    async (flow) => {
      await flow.invoke("Sub", sub, null);
      return call(flow, "D");
    },
    ["Bad", "C", "D"],
  ],
  "in the last attempt at several steps": [
    (flow) => flow.attempt("All", inSequence, { retries: [{ limit: 1 }] }),
    ["Bad", "C"],
  ],
};

test.each(Object.keys(places))("that is so %s", async (name) => {
  const [run, again] = places[name]!;
  const workflow = workflowOf(run, {
    events: { go: { type: "go" } },
    waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
  });
  const engine = here.open([workflow, sub], {});
  await engine.start("W", null, { id: "a" });
  if (name === "after an event") {
    await until(async () => (await engine.show("a"))?.status === "waiting");
    await engine.deliver(event("1", "go"));
  }
  expect(await engine.ended("a")).toMatchObject({ status: "failed", error: { message: "broken" } });
  isBroken = false;
  calls.length = 0;
  await engine.close();
  const second = here.open([workflow, sub], {});
  expect(await second.retry("a")).toBe(true);
  expect((await second.ended("a")).status).toBe("succeeded");
  expect(calls).toEqual(again);
});
