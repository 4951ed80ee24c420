import { describe, expect, test } from "vitest";
import { literal, member, variable } from "../../src/expressions/core/build.ts";
import { evaluateOne } from "../../src/expressions/index.ts";
import { partitionKeyOf, partitionObstacle, runId, scalarOr } from "../../src/ir/correlation.ts";
import type { EventDefinition, Workflow } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";
import { allOf, data, end, event, receive, scope, workflow } from "../reference/build.ts";

const byInput = scalarOr(member(data, "order"), runId);
const correlation = member(variable("event"), "order");
const keyed = (name: string, key = "order", rest: Partial<EventDefinition> = {}): EventDefinition =>
  event(name, { correlation, correlationKey: key, ...rest });

const waiting = (events: readonly EventDefinition[], rest: Partial<Workflow> = {}): Workflow =>
  workflow(
    scope(
      ["data", "got"],
      receive(
        "Wait",
        [allOf(...events.filter(({ name }) => !name.startsWith("start")).map(({ name }) => name))],
        "got",
        "End",
      ),
      end("End", data),
    ),
    { correlation: byInput, events, ...rest },
  );

/** A run waits for an event that a condition selects. */
const conditional = (name: string): Workflow => {
  const patterns = [[{ ...allOf(name).all[0]![0]!, when: literal(true) }]];
  const wait = receive("Wait", [{ ...allOf(name), all: patterns }], "got", "End");
  return workflow(scope(["data", "got"], wait, end("End", data)), { events: [event(name)] });
};

describe("the key of partitions", () => {
  test.each<[string, readonly Workflow[], string | undefined]>([
    ["one key", [waiting([keyed("paid"), keyed("sent")])], "order"],
    ["a key without a name", [waiting([event("paid", { correlation })])], ""],
    ["two keys", [waiting([keyed("paid"), keyed("sent", "parcel")])], undefined],
    ["two keys in two workflows", [waiting([keyed("paid")]), waiting([keyed("paid", "parcel")])], undefined],
    ["an event without correlation", [waiting([keyed("paid"), event("sent")])], undefined],
    ["no value at the start", [waiting([keyed("paid")], { correlation: undefined })], undefined],
    ["a value that may be null", [waiting([keyed("paid")], { correlation: member(data, "order") })], undefined],
    ["a constant value", [waiting([keyed("paid")], { correlation: literal("x") })], "order"],
    ["a value that may be an object", [waiting([keyed("paid")], { correlation: literal({}) })], undefined],
    ["a start without correlation", [waiting([keyed("paid"), event("start")], started("start"))], "order"],
    [
      "a start without correlation that matches an awaited event",
      [waiting([keyed("paid"), event("start", { type: undefined })], started("start"))],
      undefined,
    ],
    [
      "a start that needs an event with and one without correlation",
      [waiting([keyed("paid"), event("start")], { start: { ...started("start", "paid").start, create: "complete" } })],
      undefined,
    ],
    [
      "only starts with a key",
      [workflow(scope(["data"], end("End", data)), { events: [keyed("start")], ...started("start") })],
      "order",
    ],
    ["nothing", [], undefined],
  ])("%s", (_, workflows, key) => {
    expect(partitionKeyOf(workflows)).toBe(key);
    if (key !== undefined) expect(partitionObstacle(workflows)).toBeUndefined();
  });

  test("what prevents partitions", () => {
    const kindOf = (one: Workflow) => partitionObstacle([one])?.kind;
    expect(kindOf(waiting([keyed("paid"), keyed("sent", "parcel")]))).toBe("keys");
    expect(kindOf(waiting([event("paid")]))).toBe("uncorrelated");
    expect(kindOf(conditional("paid"))).toBe("conditional");
    expect(kindOf({ ...conditional("paid"), start: started("paid").start })).toBe("uncorrelated");
    expect(kindOf(waiting([keyed("paid")], { correlation: undefined }))).toBe("unset");
  });
});

test.each<[Json, Json]>([
  ["x", "x"],
  [0, 0],
  [false, false],
  [null, "run"],
  [{}, "run"],
  [[], "run"],
])("the value %j or the run's id", (order, expected) => {
  const variables = new Map<string, Json>([
    ["data", { order }],
    ["run", { id: "run" }],
  ]);
  expect(evaluateOne(byInput, { input: null, variables })).toEqual(expected);
});

function started(...names: readonly string[]): Pick<Workflow, "start"> {
  return { start: { on: [allOf(...names)], create: "first", span: data.span! } };
}
