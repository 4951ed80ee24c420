import { expect, test } from "vitest";
import { binary, literal, variable } from "../../../../src/expressions/core/build.ts";
import { createEvaluator } from "../../../../targets/asl/simulator/evaluator.ts";
import { assign, call, choose, data, delay, end, handler, scope, workflow, yes } from "../../../reference/build.ts";
import { outcomeOf, returns } from "../../../reference/interpreting.ts";
import { runOnAsl, x } from "../reference-comparison.ts";

// The simulator enforces Step Functions' limits.

const quoted = 2;
const text = (bytes: number): string => "x".repeat(bytes - quoted);

test.each([
  [6_990_256, 6_990_254],
  [6_990_257, "gave a value of more than 6990256 bytes."],
])("an expression may give 6,990,256 bytes: %d", async (bytes, expected) => {
  const given = createEvaluator({ now: () => 0 } as never)
    .field("Output", "{% $states.input & 'x' %}", {
      states: { input: text(bytes - 1) },
      variables: { own: new Map(), outer: undefined },
      state: "S",
    })
    .then(
      (value) => (value as string).length,
      (error: Error) => error.message.slice(error.message.indexOf("gave")),
    );
  expect(await given).toBe(expected);
});

const calling = (handlers: Parameters<typeof call>[4] = {}) =>
  workflow(
    scope(["data", "x"], call("Call", "f", literal(1), "End", { bind: "x", ...handlers }), end("End", literal("over"))),
  );

test.each([
  [262_144, { output: "over" }],
  [262_145, { error: "States.DataLimitExceeded" }],
])("a Task may give 256 KiB: %d", async (bytes, expected) => {
  const seen = await runOnAsl(calling(), { input: {}, functions: { f: [returns(text(bytes))] } });
  expect(outcomeOf(seen)).toMatchObject(expected);
});

test("limits count bytes, not characters", async () => {
  const seen = await runOnAsl(calling(), { input: {}, functions: { f: [returns("ä".repeat(140_000))] } });
  expect(outcomeOf(seen)).toMatchObject({ error: "States.DataLimitExceeded" });
});

test("a Catch of all errors matches exceeded limits", async () => {
  const caught = calling({ handlers: [handler(yes, "End")] });
  const seen = await runOnAsl(caught, { input: {}, functions: { f: [returns(text(300_000))] } });
  expect(outcomeOf(seen)).toEqual({ output: "over" });
});

test.each([
  [6_245, { output: 6_245 }],
  [6_250, { error: "States.Runtime", message: "The execution reached the maximum number of history events (25000)." }],
])("an execution has 25,000 events of history: a loop of %d rounds", async (rounds, expected) => {
  const loop = workflow(
    scope(
      ["data", ["x", literal(0)]],
      delay("Rest", literal(1), "Count"),
      assign("Count", { x: binary("+", x, literal(1)) }, "Ask"),
      choose("Ask", [[binary("<", x, literal(rounds)), "Rest"]], "End"),
      end("End", variable("x")),
    ),
  );
  expect(outcomeOf(await runOnAsl(loop, { input: { data: data.kind } }))).toEqual(expected);
});
