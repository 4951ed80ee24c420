import { expect, test } from "vitest";
import { binary, collect, comma, literal, member, variable } from "../../src/expressions/core/build.ts";
import type { EventCombination, Receive } from "../../src/ir/workflow.ts";
import {
  allOf,
  call,
  data,
  delay,
  emit,
  end,
  event,
  invoke,
  pattern,
  receive,
  scope,
  span,
  workflow,
} from "./build.ts";
import { interpretWorkflow, outcomeOf, returns } from "./interpreting.ts";
import { arrives, boundEvents, correlated, definitions, got, waitingWorkflow } from "./waiting.ts";

test("a wait binds the alternative and its events, named by their definitions", async () => {
  const seen = await interpretWorkflow(waitingWorkflow([allOf("a")]), {
    events: [
      [5, arrives("b")],
      [9, arrives("a", { data: { n: 1 } })],
    ],
  });
  const used = [{ name: "a", event: { type: "a", data: { n: 1 } } }];
  expect(outcomeOf(seen)).toEqual({ output: { alternative: 0, events: used, groups: used } });
  expect(seen.elapsed).toBe(9);
});

test("an alternative needs one event of each group; events are bound in order of arrival", async () => {
  const alternatives = [allOf("a", ["b", "c"])];
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow(alternatives), {
        events: [
          [1, arrives("c")],
          [2, arrives("a")],
        ],
      }),
    ),
  ).toEqual([0, "c", "a"]);
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow(alternatives), {
        events: [
          [1, arrives("c")],
          [2, arrives("b")],
        ],
      }),
    ),
  ).toBe("waiting");
});

test("the earliest matching event is used, possibly for several groups", async () => {
  const alternatives = [allOf("a", ["a", "b"], "c")];
  const events = [
    [1, arrives("a", { n: 1 })],
    [2, arrives("a", { n: 2 })],
    [3, arrives("b")],
    [4, arrives("c")],
  ] as const;
  const seen = await interpretWorkflow(waitingWorkflow(alternatives), { events });
  expect(await boundEvents(Promise.resolve(seen))).toEqual([0, "a1", "c"]);
  expect(seen).toMatchObject({
    outcome: { output: { groups: [{ event: { n: 1 } }, { event: { n: 1 } }, { name: "c" }] } },
  });
});

test("an event that matches two definitions is named as in each group", async () => {
  const events = [event("any", { type: undefined }), event("c")];
  const seen = await interpretWorkflow(waitingWorkflow([allOf("c", "any")], { events }), {
    events: [[1, arrives("c")]],
  });
  expect(seen).toMatchObject({
    outcome: { output: { events: [{ name: "c" }], groups: [{ name: "c" }, { name: "any" }] } },
  });
});

test("the first complete alternative is taken; in a tie, the first in the list", async () => {
  const alternatives = [allOf("a", "b"), allOf("b"), allOf("a", "c")];
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow(alternatives), {
        events: [
          [1, arrives("a")],
          [2, arrives("b")],
        ],
      }),
    ),
  ).toEqual([0, "a", "b"]);
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow(alternatives), {
        events: [
          [1, arrives("b")],
          [2, arrives("a")],
        ],
      }),
    ),
  ).toEqual([1, "b"]);
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow(alternatives), {
        events: [
          [1, arrives("a")],
          [2, arrives("c")],
        ],
      }),
    ),
  ).toEqual([2, "a", "c"]);
});

test("an alternative expires after its time; the wait ends when all have expired", async () => {
  const alternatives = [
    { ...allOf("a"), within: 5 },
    { ...allOf("b"), within: 10 },
  ];
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow(alternatives), {
        events: [
          [7, arrives("a")],
          [8, arrives("b")],
        ],
      }),
    ),
  ).toEqual([1, "b"]);
  expect(await interpretWorkflow(waitingWorkflow(alternatives), { events: [[11, arrives("b")]] })).toMatchObject({
    outcome: { output: { alternative: null, events: [] } },
    elapsed: 10,
  });
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow([alternatives[0]!, allOf("b")]), { events: [[100, arrives("b")]] }),
    ),
  ).toEqual([1, "b"]);
});

test("an event at the deadline is in time", async () => {
  const within = [{ ...allOf("a"), within: 5 }];
  expect(await boundEvents(interpretWorkflow(waitingWorkflow(within), { events: [[5, arrives("a")]] }))).toEqual([
    0,
    "a",
  ]);
});

test("an alternative is taken unless an excluded event arrived first", async () => {
  const alternatives = [{ ...allOf("a"), none: [pattern("b")] }, allOf("c")];
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow(alternatives), {
        events: [
          [1, arrives("a")],
          [2, arrives("b")],
        ],
      }),
    ),
  ).toEqual([0, "a"]);
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow(alternatives), {
        events: [
          [1, arrives("b")],
          [2, arrives("a")],
          [3, arrives("c")],
        ],
      }),
    ),
  ).toEqual([1, "c"]);
});

test("a pattern's condition sees the event and the variables", async () => {
  const same = binary("==", member(variable("event"), "data"), member(data, "n"));
  const alternatives: readonly EventCombination[] = [{ all: [[pattern("a", same)]], none: [], span }];
  const seen = interpretWorkflow(waitingWorkflow(alternatives), {
    input: { n: 2 },
    events: [
      [1, arrives("a", { n: 1, data: 1 })],
      [2, arrives("a", { n: 2, data: 2 })],
    ],
  });
  expect(await boundEvents(seen)).toEqual([0, "a2"]);
});

test("an event matches a definition if all attributes match, with or without case", async () => {
  const events = [event("a", { source: "/s", subject: "x" }), event("b", { type: "B", foldCase: true })];
  const coming = [
    [1, arrives("a", { source: "/s" })],
    [2, arrives("A", { source: "/s", subject: "x" })],
    [3, arrives("b")],
  ] as const;
  expect(
    await boundEvents(interpretWorkflow(waitingWorkflow([allOf("a"), allOf("b")], { events }), { events: coming })),
  ).toEqual([1, "b"]);
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow([allOf("a")], { events }), {
        events: [[1, arrives("a", { source: "/s", subject: "x" })]],
      }),
    ),
  ).toEqual([0, "a"]);
});

test("an event that arrives early is kept until the run waits", async () => {
  const body = scope(
    ["data", "got"],
    call("Ask", "ask", data, "Wait"),
    receive("Wait", [allOf("a")], "got", "End"),
    end("End", got),
  );
  const seen = await interpretWorkflow(workflow(body, { events: definitions }), {
    events: [[1, arrives("a")]],
    functions: { ask: [returns(null, 5)] },
  });
  expect(seen).toMatchObject({ outcome: { output: { alternative: 0 } }, elapsed: 5 });
});

/** Waits for an `a`, then for a `b` or a second `a` within a second. */
const twice = (unused: Receive["unused"], first: EventCombination = allOf("a")) => {
  const [one, two] = [variable("one"), variable("two")];
  const later = [allOf("b"), allOf("a")].map((alternative) => ({ ...alternative, within: 1 }));
  const body = scope(
    ["data", "one", "two"],
    receive("First", [first], "one", "Second", unused),
    receive("Second", later, "two", "End"),
    end("End", collect(comma(member(one, "alternative"), member(two, "alternative")))),
  );
  return workflow(body, { events: definitions });
};

test("events that a wait did not use are kept for the next one or discarded", async () => {
  const events = [
    [1, arrives("b")],
    [2, arrives("a")],
  ] as const;
  expect(outcomeOf(await interpretWorkflow(twice("keep"), { events }))).toEqual({ output: [0, 0] });
  expect(outcomeOf(await interpretWorkflow(twice("drop"), { events }))).toEqual({ output: [0, null] });
});

test("so are events that arrived before a wait expired", async () => {
  const first = { ...allOf("a", "c"), within: 5 };
  const events = [[1, arrives("a")]] as const;
  expect(outcomeOf(await interpretWorkflow(twice("keep", first), { events }))).toEqual({ output: [null, 1] });
  expect(outcomeOf(await interpretWorkflow(twice("drop", first), { events }))).toEqual({ output: [null, null] });
});

test("correlated events must carry the run's value, or any value while it is unset", async () => {
  const correlation = member(data, "key");
  const events = [
    [1, arrives("a")],
    [2, arrives("a", { n: 2, key: "other" })],
    [3, arrives("a", { n: 3, key: "mine" })],
  ] as const;
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow([allOf("a")], { events: correlated, correlation }), {
        input: { key: "mine" },
        events,
      }),
    ),
  ).toEqual([0, "a3"]);
  expect(
    await boundEvents(
      interpretWorkflow(waitingWorkflow([allOf("a")], { events: correlated, correlation }), { events }),
    ),
  ).toEqual([0, "a2"]);
});

test("the first correlated event sets the run's value; events of one alternative share it", async () => {
  const events = [
    [1, arrives("a", { n: 1, key: 1 })],
    [2, arrives("b", { key: 2 })],
    [3, arrives("b", { n: 3, key: 1 })],
  ] as const;
  expect(
    await boundEvents(interpretWorkflow(waitingWorkflow([allOf("a", "b")], { events: correlated }), { events })),
  ).toEqual([0, "a1", "b3"]);
  const body = scope(
    ["data", "one", "got"],
    receive("One", [allOf("a")], "one", "Two"),
    receive("Two", [allOf("b")], "got", "End"),
    end("End", got),
  );
  expect(await boundEvents(interpretWorkflow(workflow(body, { events: correlated }), { events }))).toEqual([0, "b3"]);
});

test("an event without a correlation matches any run", async () => {
  const waits = waitingWorkflow([allOf("c")], { events: correlated, correlation: literal("mine") });
  expect(await boundEvents(interpretWorkflow(waits, { events: [[1, arrives("c", { key: "other" })]] }))).toEqual([
    0,
    "c",
  ]);
});

test("an emitted event is a CloudEvent with the run's correlation value in the defined attribute", async () => {
  const events = [
    event("Sent", { type: "t.sent", source: "/s", subject: "x", correlationAttribute: "key" }),
    event("Plain", { type: undefined }),
  ];
  const body = scope(
    ["data"],
    delay("Wait", literal(1), "One"),
    emit("One", "Sent", member(data, "n"), "Two"),
    emit("Two", "Plain", data, "End", { source: "/own" }),
    end("End", data),
  );
  const seen = await interpretWorkflow(workflow(body, { events, correlation: member(variable("run"), "id") }), {
    input: { n: 1 },
  });
  const common = { specversion: "1.0", time: "2026-01-01T00:00:01.000Z", datacontenttype: "application/json" };
  expect(seen.emitted).toEqual([
    { ...common, id: "run-1", type: "t.sent", source: "/s", subject: "x", key: "run", data: 1 },
    { ...common, id: "run-2", type: "Plain", source: "/own", data: { n: 1 } },
  ]);
});

test("events that subflows emit have their own ids and belong to the run", async () => {
  const events = [event("a")];
  const child = workflow(scope(["data"], emit("C", "a", literal("child"), "CE"), end("CE", data)), {
    id: "child",
    events,
  });
  const body = scope(
    ["data"],
    emit("P", "a", literal("parent"), "Sub"),
    invoke("Sub", "child", data, "End"),
    end("End", data),
  );
  const seen = await interpretWorkflow(workflow(body, { events }), { others: [child] });
  expect(seen.emitted.map(({ id, data: carried, source }) => [id, carried, source])).toEqual([
    ["run-1", "parent", "/waybill/main"],
    ["run-2", "child", "/waybill/child"],
  ]);
});

test("a run receives the events that it emits", async () => {
  const body = scope(
    ["data", "got"],
    emit("Send", "a", data, "Wait"),
    receive("Wait", [{ ...allOf("a"), within: 1 }], "got", "End"),
    end("End", got),
  );
  expect(await boundEvents(interpretWorkflow(workflow(body, { events: definitions })))).toEqual([0, "a"]);
});
