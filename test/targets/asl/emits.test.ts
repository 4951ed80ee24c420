import { describe, expect, test } from "vitest";
import { literal, object, variable } from "../../../src/expressions/core/build.ts";
import type { Expression } from "../../../src/expressions/index.ts";
import type { EventDefinition, Step } from "../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../src/json.ts";
import { allOf, assign, data, emit, end, event, receive, scope, workflow } from "../../reference/build.ts";
import { compareWithReference, generateMachine } from "./reference-comparison.ts";

// Consecutive events share a request if they surely fit.

/** Emits events with these data in sequence. */
const emitting = (values: readonly Expression[]) =>
  workflow(
    scope(
      ["data", "x"],
      ...values.map((value, i) => emit(`E${i}`, "told", value, i === values.length - 1 ? "End" : `E${i + 1}`)),
      end("End", data),
    ),
    { events: [event("told")] },
  );

/** The number of events in each request. */
async function requests(values: readonly Expression[]): Promise<readonly number[]> {
  const { states } = await generateMachine(emitting(values));
  const given = Object.values(states).flatMap(({ Arguments: each }) => (each ? [each as JsonObject] : []));
  return given.map(({ Entries: entries }) => (entries as readonly JsonObject[]).length);
}

const constants = (count: number, value = ""): readonly Expression[] =>
  Array.from({ length: count }, (_, i) => literal({ n: i, value }));

test("constant events share a request, at most ten", async () => {
  expect(await requests(constants(3))).toEqual([3]);
  expect(await requests(constants(23))).toEqual([10, 10, 3]);
  const seen = await compareWithReference(emitting(constants(12)), { input: {} });
  expect(seen.emitted.map(({ data: told }) => (told as JsonObject)["n"])).toEqual(constants(12).map((_, i) => i));
});

test("events that may exceed the size of a request use several", async () => {
  expect(await requests(constants(4, "x".repeat(100_000)))).toEqual([2, 2]);
  expect(await requests(constants(2, "ä".repeat(100_000)))).toEqual([1, 1]);
  expect(await requests([literal(1), data, literal(2), literal(3)])).toEqual([1, 1, 2]);
  expect(await requests([literal(1), variable("x"), literal(2)])).toEqual([3]);
});

test("two events of one definition are not repeated deliveries of one", async () => {
  const body = scope(
    ["data", "first", "second"],
    emit("E1", "told", literal(1), "E2"),
    emit("E2", "told", literal(2), "R1"),
    receive("R1", [allOf("told")], "first", "R2"),
    receive("R2", [allOf("told")], "second", "End"),
    end(
      "End",
      object([
        ["first", variable("first")],
        ["second", variable("second")],
      ]),
    ),
  );
  const seen = await compareWithReference(workflow(body, { events: [event("told")] }), { input: {} });
  expect(seen.outcome).toMatchObject({
    output: { first: { events: [{ event: { data: 1 } }] }, second: { events: [{ event: { data: 2 } }] } },
  });
});

test("a bound event costs one transition more, in which its id and time are generated once", async () => {
  const bound = { ...emit("E", "told", data, "End"), bind: "x" } as Step;
  const emitting = workflow(scope(["data", "x"], bound, end("End", variable("x"))), { events: [event("told")] });
  const { states } = await generateMachine(emitting);
  expect(Object.values(states).map(({ Type: type }) => type)).toEqual(["Pass", "Task"]);
  expect(JSON.stringify(Object.values(states)[0]).match(/\$uuid\(\)|\$millis\(\)/g)).toEqual(["$uuid()", "$millis()"]);
});

test("a bound event that is not read costs no transition more", async () => {
  const bound = { ...emit("E", "told", data, "Set"), bind: "data" } as Step;
  const emitting = workflow(scope(["data"], bound, assign("Set", { data: literal(1) }, "End"), end("End", data)), {
    events: [event("told")],
  });
  const { states } = await generateMachine(emitting);
  expect(Object.values(states).map(({ Type: type }) => type)).toEqual(["Task"]);
  await compareWithReference(emitting, { input: {} });
});

describe("an event that EventBridge does not accept is an error", () => {
  const messagesOf = async (told: Partial<EventDefinition>, isReceived = false) => {
    const body = isReceived
      ? scope(["data", "x"], receive("R", [allOf("told")], "x", "End"), end("End", data))
      : scope(["data"], emit("E", "told", literal(1), "End"), end("End", data));
    const { diagnostics } = await generateMachine(workflow(body, { events: [{ ...event("told"), ...told }] }));
    return diagnostics.flatMap(({ severity, message, hint }) => (severity === "error" ? [`${message} ${hint}`] : []));
  };
  const inexact = "Amazon States Language has no exact form for";

  test("a type of more than 128 characters", async () => {
    expect(await messagesOf({ type: "t".repeat(128) })).toEqual([]);
    expect(await messagesOf({ type: "t".repeat(129) })).toEqual([
      `${inexact} an event whose type has 129 characters. EventBridge accepts 128 at most.`,
    ]);
  });

  test("an empty source, and one of AWS", async () => {
    expect(await messagesOf({ source: "" })).toEqual([
      `${inexact} an event whose type or source is empty. EventBridge requires both.`,
    ]);
    expect(await messagesOf({ source: "aws.mine" })).toEqual([
      `${inexact} an event with the source \`aws.mine\`. On EventBridge, only services of AWS may use sources that begin with \`aws.\`.`,
    ]);
  });

  test("a pattern of more than 2,048 characters", async () => {
    const subject = (length: number) => messagesOf({ type: "t", subject: "s".repeat(length) }, true);
    expect(await subject(1900)).toEqual([]);
    expect(await subject(2100)).toEqual([
      expect.stringMatching(
        /has no exact form for the event `told`, whose pattern for EventBridge has 21\d\d characters/,
      ),
    ]);
  });
});
