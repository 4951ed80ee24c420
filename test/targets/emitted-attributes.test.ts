import { describe, expect, test } from "vitest";
import { call as builtin, conditional, firstOr, literal, member, object } from "../../src/expressions/core/build.ts";
import type { Expression } from "../../src/expressions/index.ts";
import { allOf, data, emit, end, event, receive, scope, workflow } from "../reference/build.ts";
import { compareTargets, refusalsOf } from "./all-targets.ts";

// Attributes of emitted events that a run computes.

const part = (name: string): Expression => firstOr(member(data, name), literal(null));

const emitting = (attributes: { readonly [name: string]: string | Expression }, value: Expression = data) =>
  workflow(scope(["data"], emit("Emit", "told", value, "End", attributes), end("End", data)), {
    events: [{ ...event("told"), source: "/definition", subject: "of the definition" }],
  });

test("attributes replace those of the definition and the generated ones", async () => {
  const attributes = {
    type: part("kind"),
    source: part("from"),
    subject: part("subject"),
    id: part("id"),
    time: part("time"),
    dataschema: "https://example.com/schema",
    size: part("size"),
  };
  const input = {
    kind: "shipped",
    from: "/orders",
    subject: "o1",
    id: "own-1",
    time: "2020-02-02T00:00:00Z",
    size: 12.5,
  };
  const { emitted } = await compareTargets(emitting(attributes), { input });
  expect(emitted).toEqual([
    {
      specversion: "1.0",
      id: "own-1",
      source: "/orders",
      type: "shipped",
      subject: "o1",
      time: "2020-02-02T00:00:00Z",
      datacontenttype: "application/json",
      dataschema: "https://example.com/schema",
      size: 12.5,
      data: input,
    },
  ]);
});

test("extension attributes are scalars, those of CloudEvents are strings", async () => {
  const attributes = {
    type: part("yes"),
    subject: part("no"),
    a: part("no"),
    b: part("list"),
    c: part("yes"),
    d: "d",
    e: literal(1),
    time: literal(1),
  };
  const { emitted } = await compareTargets(emitting(attributes), { input: { list: [1, "x"], yes: true } });
  expect(emitted).toMatchObject([
    { type: "told", source: "/definition", subject: "of the definition", c: true, d: "d", e: 1 },
  ]);
  expect(emitted[0]).toMatchObject({ time: "2026-01-01T00:00:00.000Z" });
  for (const name of ["a", "b"]) expect(emitted[0]).not.toHaveProperty(name);
});

test("types and sources that EventBridge does not accept", async () => {
  const long = "t".repeat(200);
  for (const input of [
    { kind: long, from: "aws.mine" },
    { kind: "", from: "" },
  ])
    await compareTargets(emitting({ type: part("kind"), source: part("from") }), { input });
});

test("attributes with names of JavaScript", async () => {
  await compareTargets(emitting({ constructor: part("a"), tostring: part("a") }), { input: { a: "x" } });
});

test("the data is computed first", async () => {
  const fails = builtin(
    "error",
    object([
      ["name", literal("Bad")],
      ["message", literal("no data")],
    ]),
  );
  const bad = conditional(part("bad"), fails, data);
  const { outcome } = await compareTargets(emitting({ type: part("kind") }, bad), { input: { bad: true, kind: "x" } });
  expect(outcome).toMatchObject({ status: "failed", error: { name: "Bad" } });
});

describe("an event with a computed type", () => {
  const waiting = workflow(
    scope(
      ["data", "seen"],
      emit("Emit", "told", data, "Wait", { type: part("kind") }),
      receive("Wait", [{ ...allOf("shipped"), within: 5 }], "seen", "End"),
      end("End", firstOr(member(data, "kind"), literal(null))),
    ),
    { events: [event("told"), { ...event("shipped"), type: "order.shipped" }] },
  );

  test("ends a wait of the same run", async () => {
    const { elapsed } = await compareTargets(waiting, { input: { kind: "order.shipped" } });
    expect(elapsed).toBe(0);
  });

  test("is not received under another type", async () => {
    const { elapsed } = await compareTargets(waiting, { input: { kind: "order.lost" } });
    expect(elapsed).toBe(5);
  });
});

test("every target accepts computed attributes", async () => {
  for (const target of ["asl", "openwhisk", "typescript"] as const)
    expect(await refusalsOf(emitting({ type: part("kind") }), target)).toEqual([]);
});
