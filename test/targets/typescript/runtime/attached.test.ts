import { afterEach, beforeEach, expect, test } from "vitest";
import type { Flow } from "../../../../targets/typescript/runtime/flow.ts";
import type { AnyWorkflow } from "../../../../targets/typescript/runtime/workflow.ts";
import { type Place, place, until, workflowOf } from "./sqlite/place.ts";

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

/** Each look is counted in `looks`; the watching never ends. */
function program(looks: string[]): readonly [order: AnyWorkflow, watch: AnyWorkflow] {
  const watch = workflowOf(
    async (flow: Flow) => {
      let data = {};
      for (;;) {
        data = await flow.round("round", data);
        await flow.step("look", ({ key }) => {
          looks.push(key);
          return null;
        });
        await flow.sleep("rest", 0.02);
      }
    },
    { id: "watch" },
  );
  const order = workflowOf(
    async (flow: Flow) => {
      await flow.launch("watching", watch, {}, { attached: true });
      await flow.receive("paid");
      return "done";
    },
    {
      id: "order",
      events: { paid: { type: "paid" } },
      waits: { paid: { alternatives: [{ all: [["paid"]] }] } },
    },
  );
  return [order, watch];
}

test("an attached workflow is part of its run: it continues after a restart, and stops with the run", async () => {
  const looks: string[] = [];
  const first = here.open(program(looks), {});
  await first.start("order", {}, { id: "o" });
  await until(() => looks.length >= 3);
  await first.close();
  const before = looks.length;
  const second = here.open(program(looks), {});
  await until(() => looks.length >= before + 3);
  expect((await second.list()).runs.map(({ id }) => id)).toEqual(["o"]);
  await second.deliver({ specversion: "1.0", id: "1", source: "bank", type: "paid" });
  expect(await second.ended("o")).toMatchObject({ status: "succeeded", output: "done" });
  const after = looks.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(looks.length).toBe(after);
  expect(new Set(looks).size).toBeGreaterThanOrEqual(looks.length - 1);
});

test("a canceled run stops what is attached to it", async () => {
  const looks: string[] = [];
  const engine = here.open(program(looks), {});
  await engine.start("order", {}, { id: "o" });
  await until(() => looks.length >= 2);
  await engine.cancel("o");
  const after = looks.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(looks.length).toBeLessThanOrEqual(after + 1);
});
