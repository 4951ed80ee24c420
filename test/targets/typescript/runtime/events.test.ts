import { expect, test } from "vitest";
import type { CloudEvent, EventDefinition, Wait } from "../../../../targets/typescript/runtime/events.ts";
import type { Flow } from "../../../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../../../targets/typescript/runtime/json.ts";
import type { AnyWorkflow, Workflow } from "../../../../targets/typescript/runtime/workflow.ts";
import { type Arrival, allInVirtualTime } from "./virtual.ts";

type Body = (flow: Flow, input: Json) => Promise<Json>;

const workflow = (run: Body, more: Partial<Workflow<never, Json>> = {}): Workflow<never, Json> => ({
  id: "w",
  version: "1",
  name: "w",
  anyInput: true,
  events,
  waits,
  ...more,
  run: (flow, _, input) => run(flow, input),
});

const events: { readonly [name: string]: EventDefinition } = {
  go: { type: "go" },
  mine: { type: "mine", correlation: (event) => event["who"], correlationKey: "who", correlationAttribute: "who" },
};

const waits: { readonly [name: string]: Wait } = {
  go: { alternatives: [{ all: [["go"]], within: 60 }] },
  brief: { alternatives: [{ all: [["go"]], within: 2 }] },
  mine: { alternatives: [{ all: [["mine"]], within: 60 }] },
  above: {
    alternatives: [
      { all: [[{ event: "go", when: ({ data }, { limit }) => Number(data) > Number(limit) }]], within: 60 },
    ],
  },
  failing: {
    alternatives: [
      {
        all: [
          [
            {
              event: "go",
              when() {
                throw Object.assign(new Error("It fails."), { name: "EvaluationError", value: null });
              },
            },
          ],
        ],
      },
    ],
  },
};

const came = (at: number, id: string, type: string, more: { readonly [name: string]: Json } = {}): Arrival => ({
  at,
  event: { specversion: "1.0", id, source: "test", type, ...more },
});

/** The id of the event that a wait receives, or null. */
const received = async (flow: Flow, wait: string, options?: Parameters<Flow["receive"]>[1]): Promise<Json> =>
  (await flow.receive(wait, options)).events[0]?.event.id ?? null;

/** Runs workflows that share events; each with an input, or started by events. Returns their outputs or error names. */
async function outputs(
  runs: readonly { readonly workflow: Workflow<never, Json>; readonly input?: Json }[],
  arrivals: readonly Arrival[],
) {
  const { outcomes, emitted } = await allInVirtualTime(runs, arrivals);
  const results = outcomes.map((outcome) => ("output" in outcome ? outcome.output : outcome.error.name));
  return { results, emitted };
}

test("an event is for the older of two runs that wait for it, and the next one for the other", async () => {
  const both = workflow((flow) => received(flow, "go"));
  const arrivals = [came(1, "1", "go"), came(2, "2", "go")];
  const { results } = await outputs(
    [
      { workflow: both, input: null },
      { workflow: both, input: null },
    ],
    arrivals,
  );
  expect(results).toEqual(["1", "2"]);
});

test("a duplicate by source and id is one event", async () => {
  const twice = workflow(async (flow) => [await received(flow, "go"), await received(flow, "go")]);
  const { results } = await outputs([{ workflow: twice, input: null }], [came(1, "1", "go"), came(2, "1", "go")]);
  expect(results).toEqual([["1", null]]);
});

test("conditions receive the variables of their wait", async () => {
  const limited = workflow((flow, limit) => received(flow, "above", { variables: { limit } }));
  const arrivals = [came(1, "1", "go", { data: 5 }), came(2, "2", "go", { data: 15 })];
  const { results } = await outputs(
    [
      { workflow: limited, input: 10 },
      { workflow: limited, input: 1 },
    ],
    arrivals,
  );
  expect(results).toEqual(["2", "1"]);
});

test("the error of a condition fails its run alone", async () => {
  const failing = workflow((flow) => received(flow, "failing"), { errors: { expression: "Bad", timeout: "Late" } });
  const other = workflow((flow) => received(flow, "go"), { id: "other" });
  const runs = [
    { workflow: failing, input: null },
    { workflow: other, input: null },
  ];
  expect((await outputs(runs, [came(1, "1", "go")])).results).toEqual(["Bad", "1"]);
});

test("what a canceled wait does not use is for other waits", async () => {
  const first = workflow(async (flow) => {
    const values = await flow.fork(
      "Race",
      { wait: (inner) => received(inner, "go"), nap: (inner) => inner.sleep("Nap", 1).then(() => "napped") },
      { join: 1 },
    );
    return [values.nap ?? null, await received(flow, "go")];
  });
  expect((await outputs([{ workflow: first, input: null }], [came(2, "1", "go")])).results).toEqual([["napped", "1"]]);
});

test("a wait's own correlation value comes before the run's; null, objects and arrays do not count", async () => {
  const own = workflow(async (flow, value) => received(flow, "mine", { correlation: { who: value } }), {
    correlation: () => "run",
  });
  const arrivals = [
    came(1, "a", "mine", { who: "ann" }),
    came(2, "7", "mine", { who: 7 }),
    came(3, "r", "mine", { who: "run" }),
  ];
  for (const [value, expected] of [
    ["ann", "a"],
    ["7", "7"],
    [null, "r"],
    [{}, "r"],
    [["ann"], "r"],
  ] as const)
    expect((await outputs([{ workflow: own, input: value as Json }], arrivals)).results).toEqual([expected]);
});

test("the last correlated event that a run receives sets its value", async () => {
  const next = workflow(
    async (flow) => {
      const ids = [await received(flow, "mine", { correlation: { who: "bob" } }), await received(flow, "mine")];
      await flow.emit("Tell", "mine", null);
      await flow.emit("Tell", "mine", null, { correlation: "cid" });
      await flow.emit("Tell", "mine", null, { correlation: { not: "a scalar" } });
      return ids;
    },
    { correlation: () => "ann" },
  );
  const arrivals = [
    came(1, "a", "mine", { who: "ann" }),
    came(2, "b", "mine", { who: "bob" }),
    came(3, "c", "mine", { who: "bob" }),
  ];
  const { results, emitted } = await outputs([{ workflow: next, input: null }], arrivals);
  expect(results).toEqual([["b", "c"]]);
  expect(emitted.map((event: CloudEvent) => event["who"])).toEqual(["bob", "cid", "bob"]);
});

test("an emitted event reaches a later wait of its own run, and starts another workflow", async () => {
  const emits = workflow(async (flow) => {
    await flow.emit("Tell", "go", 1);
    return (await flow.receive("go")).events[0]?.event.data ?? null;
  });
  const started = workflow(async (flow) => (await flow.receive("first")).events[0]?.event.data ?? null, {
    id: "started",
    events: { first: { type: "first" } },
    waits: { first: { alternatives: [{ all: [["first"]] }] } },
    start: { on: [{ all: [["first"]] }] },
  });
  const starts = workflow(async (flow) => flow.emit("Tell", "first", 2).then(() => null), {
    id: "starts",
    events: { first: { type: "first" } },
    waits: {},
  });
  expect((await outputs([{ workflow: emits, input: null }], [])).results).toEqual([1]);
  expect((await outputs([{ workflow: started }, { workflow: starts, input: null }], [])).results).toEqual([2, null]);
});

test("a run that events start receives them, and those of its correlation value", async () => {
  const started = workflow(async (flow) => [await received(flow, "mine"), await received(flow, "mine")], {
    start: { on: [{ all: [["mine"]] }] },
  });
  const arrivals = [
    came(1, "a", "mine", { who: "ann" }),
    came(2, "b", "mine", { who: "bob" }),
    came(3, "c", "mine", { who: "ann" }),
  ];
  expect((await outputs([{ workflow: started }], arrivals)).results).toEqual([["a", "c"]]);
});

test("a wait that the workflow does not declare is an error", async () => {
  const unknown = workflow((flow) => received(flow, "nothing"));
  await expect(outputs([{ workflow: unknown, input: null }], [])).rejects.toThrow("has no wait nothing");
});

test("a subflow has waits of its own", async () => {
  const child = workflow((flow) => received(flow, "go"), { id: "child" });
  const parent = workflow(
    async (flow) => [await flow.invoke("Sub", child as unknown as AnyWorkflow, null), await received(flow, "brief")],
    { id: "parent" },
  );
  const arrivals = [came(1, "1", "go"), came(2, "2", "go")];
  expect((await outputs([{ workflow: parent, input: null }], arrivals)).results).toEqual([["1", "2"]]);
});
