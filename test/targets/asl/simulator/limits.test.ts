import { describe, expect, test } from "vitest";
import { binary, literal, variable } from "../../../../src/expressions/core/build.ts";
import { limitError } from "../../../../targets/asl/jsonata/errors.ts";
import { createEvaluator } from "../../../../targets/asl/simulator/evaluator.ts";
import {
  allOf,
  assign,
  call,
  choose,
  data,
  delay,
  emit,
  end,
  event,
  handler,
  receive,
  scope,
  workflow,
  yes,
} from "../../../reference/build.ts";
import { outcomeOf, returns } from "../../../reference/interpreting.ts";
import { runOnAsl, x } from "../reference-comparison.ts";
import { executed, machineOf } from "./raw.ts";

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

test.each([
  ["x", 262_136, { output: "over" }],
  ["x", 262_137, { error: "ValidationException" }],
  ["ä", 140_000, { error: "InvalidExecutionInput" }],
])("an execution starts with at most 256 KiB: %s %d times", async (letter, count, expected) => {
  const only = workflow(scope(["data"], end("End", literal("over"))));
  const input = { a: letter.repeat(count) };
  expect(Buffer.byteLength(JSON.stringify(input)) <= 262_144).toBe("output" in expected);
  expect(outcomeOf(await runOnAsl(only, { input }))).toMatchObject(expected);
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

test("a scenario's report names the limit that events exceed together", async () => {
  const body = scope(
    ["data", "x"],
    emit("A", "a", data, "B"),
    emit("B", "b", data, "Receive"),
    receive("Receive", [allOf("a", "b")], "x", "End"),
    end("End", literal("over")),
  );
  const received = workflow(body, { events: [event("a"), event("b")] });
  const fitting = await runOnAsl(received, { input: { a: "x".repeat(100_000) } });
  expect([outcomeOf(fitting), [...fitting.recording.limits]]).toEqual([{ output: "over" }, []]);
  const seen = await runOnAsl(received, { input: { a: "x".repeat(200_000) } });
  expect(outcomeOf(seen)).toMatchObject({ error: "States.DataLimitExceeded" });
  expect([...seen.recording.limits]).toEqual([
    "The events that `Receive` receives have more than 262,144 bytes, which Step Functions rejects.",
  ]);
});

describe("an execution reports the limit that it reaches", () => {
  const over = { Type: "Pass", End: true } as const;
  const large = text(262_145);
  const lambda = "arn:aws:states:::lambda:invoke";
  const exceeding = (owner: string, what: string) => ({
    error: "States.DataLimitExceeded",
    cause: `The state/task '${owner}' ${what} with a size exceeding the maximum number of bytes service limit.`,
  });
  const rejected = (kind: string, owner: string) => [
    `The ${kind} of \`${owner}\` has more than 262,144 bytes, which Step Functions rejects.`,
  ];

  test("the result of a Task, whose error names the service", async () => {
    const Call = { Type: "Task", Resource: lambda, Output: "small", End: true };
    expect(await executed(machineOf({ Call }), {}, () => large)).toEqual({
      ...exceeding("lambda", "returned a result"),
      limits: rejected("output", "lambda"),
    });
  });

  test("the output of a state", async () => {
    const Pass = { ...over, Output: "{% $states.input & 'x' %}" };
    expect(await executed(machineOf({ Pass }), text(262_144), () => null)).toEqual({
      ...exceeding("Pass", "returned a result"),
      limits: rejected("output", "Pass"),
    });
  });

  test.each([
    ["Task", { Type: "Task", Resource: lambda, Arguments: "{% $states.input & 'x' %}", End: true }],
    [
      "Parallel",
      {
        Type: "Parallel",
        Arguments: "{% $states.input & 'x' %}",
        Branches: [machineOf({ Over: { ...over, Output: 1 } })],
        Output: 1,
        End: true,
      },
    ],
    [
      "Map",
      {
        Type: "Map",
        Items: [1],
        ItemSelector: "{% $states.input & 'x' %}",
        ItemProcessor: machineOf({ Over: { ...over, Output: 1 } }),
        Output: 1,
        End: true,
      },
    ],
  ])("the input of a %s", async (_, state) => {
    const machine = machineOf({ State: state as never });
    expect(await executed(machine, text(262_144), () => null)).toEqual({
      ...exceeding("State", "has an input"),
      limits: rejected("input", "State"),
    });
  });

  test("the variables that a state assigns together", async () => {
    const half = "{% $states.input %}";
    const Assign = { ...over, Assign: { a: half, b: half }, Output: 1 };
    expect(await executed(machineOf({ Assign }), text(131_064), () => null)).toEqual({ output: 1 });
    expect(await executed(machineOf({ Assign }), text(131_072), () => null)).toEqual({
      ...exceeding("Assign", "has an assignment"),
      limits: rejected("assignment", "Assign"),
    });
  });

  /** Each state assigns a variable of 250,000 bytes, and its name of three. */
  const assigning = (count: number, last: object) =>
    machineOf({
      ...Object.fromEntries(
        Array.from({ length: count }, (_, i) => {
          const Next = i + 1 < count ? `S${i + 1}` : "Last";
          return [`S${i}`, { Type: "Pass", Assign: { [`v${i + 10}`]: "{% $states.input %}" }, Next }];
        }),
      ),
      Last: { ...over, Output: 1, ...last },
    });
  const variables = text(249_997);

  test("all variables, 10 MiB", async () => {
    const fits = await executed(assigning(41, { Assign: { rest: text(235_756) } }), variables, () => null);
    expect(fits).toEqual({ output: 1 });
    const seen = await executed(assigning(41, { Assign: { rest: text(235_757) } }), variables, () => null);
    expect(seen).toEqual({
      ...exceeding("Last", "assigns variables"),
      limits: ["With `Last`, the variables have more than 10 MiB, which Step Functions rejects."],
    });
  });

  test("variables of iterations that have ended do not count, and a new value replaces the old one", async () => {
    const ItemProcessor = machineOf({ Keep: { ...over, Assign: { kept: variables }, Output: 1 } });
    const Items = Array.from({ length: 60 }, (_, i) => i);
    const Each = { Type: "Map", Items, MaxConcurrency: 1, ItemProcessor, Output: 1, Next: "Again" };
    const Again = {
      Type: "Map",
      Items,
      MaxConcurrency: 1,
      ItemProcessor: machineOf({
        Keep: { Type: "Pass", Assign: { kept: variables }, Next: "Last" },
        Last: { ...over, Assign: { kept: variables } },
      }),
      Output: 1,
      End: true,
    };
    expect(await executed(machineOf({ Each, Again } as never), {}, () => null)).toEqual({ output: 1 });
  });

  test("40 iterations at once", async () => {
    const Items = Array.from({ length: 41 }, (_, i) => i);
    const Each = { Type: "Map", Items, ItemProcessor: machineOf({ Over: over }), Output: 1, End: true };
    const limits = ["Map `Each` runs 40 of its 41 iterations at once."];
    expect(await executed(machineOf({ Each } as never), {}, () => null)).toEqual({ output: 1, limits });
    const one = { ...Each, MaxConcurrency: 1 };
    expect(await executed(machineOf({ Each: one } as never), {}, () => null)).toEqual({ output: 1 });
  });

  test("25,000 events of history", async () => {
    const Again = {
      Type: "Choice",
      Choices: [{ Condition: "{% $states.input < 0 %}", Next: "Again" }],
      Default: "More",
    };
    const More = { Type: "Pass", Output: "{% $states.input + 1 %}", Next: "Again" };
    expect(await executed(machineOf({ Again, More } as never), 1, () => null)).toEqual({
      error: "States.Runtime",
      cause: "The execution reached the maximum number of history events (25000).",
      limits: ["An execution of `machine` ends after 25,000 events of history."],
    });
  });

  test("what the JSONata of an expression cannot compute", async () => {
    const Output = `{% ${limitError("A number is too large.")} %}`;
    expect(await executed(machineOf({ Count: { ...over, Output } }), {}, () => null)).toMatchObject({
      error: "States.QueryEvaluationError",
      limits: ["An expression of `Count` fails: A number is too large."],
    });
  });

  test("the depth of an expression", async () => {
    const deep = `{% ${"(".repeat(120)}1${")".repeat(120)} %}`;
    expect(await executed(machineOf({ Deep: { ...over, Output: deep } }), {}, () => null)).toMatchObject({
      error: "States.QueryEvaluationError",
      limits: ["An expression of `Deep` is nested deeper than Step Functions allows."],
    });
  });

  test.each([
    [{ Error: "e".repeat(256), Cause: "c".repeat(32_768) }, undefined],
    [{ Error: "e".repeat(257) }, ["The error of `Fail` is longer than Step Functions allows."]],
    [{ Cause: "c".repeat(32_769) }, ["The error of `Fail` is longer than Step Functions allows."]],
  ])("the name and the cause of an error", async (error, limits) => {
    const { limits: seen } = await executed(machineOf({ Fail: { Type: "Fail", ...error } }), {}, () => null);
    expect(seen).toEqual(limits);
  });
});
