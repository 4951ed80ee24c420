import { describe, expect, test } from "vitest";
import { call, conditional, firstOr, literal, member, object, variable } from "../../src/expressions/core/build.ts";
import type { Expression } from "../../src/expressions/index.ts";
import type { Emit, Scope, Step } from "../../src/ir/workflow.ts";
import {
  allOf,
  attempt,
  branch,
  data,
  emit,
  end,
  event,
  forEach,
  fork,
  handler,
  receive,
  scope,
  to,
  workflow,
} from "../reference/build.ts";
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
  const fails = call(
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

describe("attributes that may fail", () => {
  const failing = call(
    "error",
    object([
      ["name", literal("Bad")],
      ["message", literal("no type")],
    ]),
  );
  const type = conditional(part("bad"), failing, part("kind"));

  test("are computed after the data, before the event is emitted", async () => {
    const value = conditional(part("worse"), call("error", object([["name", literal("Worse")]])), data);
    const emitted = emitting(
      { type, size: conditional(part("sized"), literal(1), call("error", literal({ name: "Unsized" }))) },
      value,
    );
    for (const input of [
      { kind: "a", sized: true },
      { bad: true, sized: true },
      { bad: true, worse: true },
      { kind: "b" },
    ])
      await compareTargets(emitted, { input });
  });

  test("are errors of the attempt around the step", async () => {
    const body = scope([], emit("Emit", "told", data, "Done", { type }), end("Done", data));
    const steps = [
      attempt("Try", body, "End", { handlers: [handler(literal(true), "Caught", "x")] }),
      end("End", literal("emitted")),
      end("Caught", firstOr(member(variable("x"), "name"), literal(null))),
    ];
    const trying = workflow(scope(["data", "x"], ...steps), { events: [event("told")] });
    const { outcome, emitted } = await compareTargets(trying, { input: { bad: true } });
    expect([outcome, emitted]).toEqual([{ status: "succeeded", output: "Bad" }, []]);
    await compareTargets(trying, { input: { kind: "x" } });
  });
});

describe("a bound event", () => {
  const binding = (rest: { readonly [name: string]: Expression }): Step => ({
    ...(emit("Emit", "told", part("told"), "End", rest) as Emit),
    bind: "event",
  });
  const bound = (rest: { readonly [name: string]: Expression } = {}) =>
    workflow(scope(["data", "event"], binding(rest), end("End", variable("event"))), {
      events: [{ ...event("told"), source: "/shop", subject: "orders" }],
    });

  test("has the generated attributes", async () => {
    const { outcome, emitted } = await compareTargets(bound({ kind: part("kind"), none: part("none") }), {
      input: { told: { n: 1 }, kind: "k" },
    });
    const common = {
      specversion: "1.0",
      type: "told",
      source: "/shop",
      subject: "orders",
      time: "2026-01-01T00:00:00.000Z",
      datacontenttype: "application/json",
      data: { n: 1 },
      kind: "k",
    };
    const id = "00000000-0000-4000-8000-000000000000";
    expect(outcome).toEqual({ status: "succeeded", output: { ...common, id } });
    expect(emitted).toEqual([{ ...common, id: expect.stringContaining(id) }]);
  });

  test("has the given attributes", async () => {
    const given = {
      id: part("id"),
      time: literal("2020-02-02T00:00:00Z"),
      type: part("kind"),
      source: literal("/own"),
    };
    const { outcome, emitted } = await compareTargets(bound(given), { input: { id: "own-1", kind: "k" } });
    expect(outcome).toMatchObject({ output: { id: "own-1", type: "k", source: "/own", data: null } });
    expect(emitted).toMatchObject([{ id: "own-1", time: "2020-02-02T00:00:00Z" }]);
  });

  test("is bound in an attempt, a branch and an iteration", async () => {
    const inner = scope(["event"], binding({}), end("End", firstOr(member(variable("event"), "type"), literal(null))));
    const steps = [
      attempt(
        "Try",
        scope([], { ...(binding({}) as Emit), id: "Emit 0", next: to("Done") }, end("Done", data)),
        "Both",
      ),
      fork("Both", [branch("one", renamedIn(inner, 1)), branch("two", renamedIn(inner, 2))], "Each", { bind: "both" }),
      forEach("Each", literal([1, 2]), renamedIn(inner, 3), "End", { bind: "each" }),
      end(
        "End",
        object([
          ["both", variable("both")],
          ["each", variable("each")],
          ["event", variable("event")],
        ]),
      ),
    ];
    const all = workflow(scope(["data", "event", "both", "each"], ...steps), { events: [event("told")] });
    const { emitted, outcome } = await compareTargets(all, { input: { told: 1 } });
    expect(emitted).toHaveLength(5);
    expect(new Set(emitted.map(({ id }) => id)).size).toBe(5);
    expect(outcome).toMatchObject({ output: { both: { one: "told", two: "told" }, each: ["told", "told"] } });
  });

  const renamedIn = (inner: Scope, n: number): Scope => ({
    ...inner,
    entry: to(`Emit ${n}`),
    steps: inner.steps.map((step) => ({
      ...step,
      id: `${step.id} ${n}`,
      ...("next" in step ? { next: to(`${step.next.name} ${n}`) } : {}),
    })) as readonly Step[],
  });
});

test("every target accepts computed attributes", async () => {
  for (const target of ["asl", "openwhisk", "typescript"] as const)
    expect(await refusalsOf(emitting({ type: part("kind") }), target)).toEqual([]);
});
