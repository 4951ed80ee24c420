import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/json.ts";
import { called, calling, ends, starts, statesOf, throttling } from "./compiled.ts";

/** The states of an operation `A` that calls `f` with the given error handling; `B`, `C` and `D` are targets. */
const protectedBy = (errors: string, options = {}, action = calling("f")) =>
  statesOf(
    `- { name: A, type: operation, ${starts}, ${action}, ${errors}, transition: { nextState: B } }
- { name: B, type: delay, timeDelay: PT1S, transition: { nextState: C } }
- { name: C, type: delay, timeDelay: PT2S, transition: { nextState: D } }
- { name: D, type: delay, timeDelay: PT3S, ${ends} }`,
    options,
  );

const retry = (...entries: readonly string[]): string => `retry: [${entries.join(", ")}]`;
const when = (body: string, rest = ""): string => `{ expression: { body: "${body}" }${rest} }`;
const handled = (...entries: readonly (readonly [string, string])[]): string =>
  `onError: [${entries.map(([body, next]) => when(body, `, transition: { nextState: ${next} }`)).join(", ")}]`;

describe("Retry", () => {
  const cases: readonly (readonly [string, string, readonly JsonObject[]])[] = [
    [
      "has the interval and the number of retries",
      retry(when("name eq 'Busy'", ", interval: PT2S, maxAttempts: 3")),
      [{ ErrorEquals: ["Busy"], IntervalSeconds: 2, MaxAttempts: 3, BackoffRate: 1 }],
    ],
    [
      "has a factor that multiplies",
      retry(when("name eq 'Busy'", ", interval: PT1M, multiplier: 2, maxAttempts: 4")),
      [{ ErrorEquals: ["Busy"], IntervalSeconds: 60, MaxAttempts: 4 }],
    ],
    [
      "allows one by default, or as many as the interval repeats",
      retry(when("name eq 'Busy'", ", interval: PT2S"), when("name eq 'Full'", ", interval: R5/PT2S")),
      [
        { ErrorEquals: ["Busy"], IntervalSeconds: 2, MaxAttempts: 1, BackoffRate: 1 },
        { ErrorEquals: ["Full"], IntervalSeconds: 2, MaxAttempts: 5, BackoffRate: 1 },
      ],
    ],
    [
      "excludes errors before all others; a timeout has both its names",
      retry(
        when("name eq 'Timeout' or name eq 'Fatal'", ", maxAttempts: 0"),
        when("name ne null", ", interval: PT2S, maxAttempts: 2"),
      ),
      [
        { ErrorEquals: ["States.Timeout", "Timeout", "Fatal"], MaxAttempts: 0 },
        { ErrorEquals: ["States.ALL"], IntervalSeconds: 2, MaxAttempts: 2, BackoffRate: 1 },
      ],
    ],
    [
      "approximates up to three linear intervals by a factor and a maximum",
      retry(
        when("name eq 'Busy'", ", interval: PT10S, multiplier: PT5S, maxAttempts: 3"),
        when("name eq 'Full'", ", interval: PT10S, multiplier: PT20S, maxAttempts: 2"),
        when("name eq 'Shut'", ", interval: PT7S, multiplier: PT1S"),
      ),
      [
        { ErrorEquals: ["Busy"], IntervalSeconds: 10, MaxAttempts: 3, BackoffRate: 1.5, MaxDelaySeconds: 20 },
        { ErrorEquals: ["Full"], IntervalSeconds: 10, MaxAttempts: 2, BackoffRate: 3 },
        { ErrorEquals: ["Shut"], IntervalSeconds: 7, MaxAttempts: 1, BackoffRate: 1 },
      ],
    ],
    [
      "expresses `ne` by an exclusion",
      retry(when("name ne 'Fatal'", ", interval: PT2S, maxAttempts: 2")),
      [
        { ErrorEquals: ["Fatal"], MaxAttempts: 0 },
        { ErrorEquals: ["States.ALL"], IntervalSeconds: 2, MaxAttempts: 2, BackoffRate: 1 },
      ],
    ],
  ];

  test.each(cases)("%s", async (_, errors, expected) => {
    const states = await protectedBy(errors);
    expect(Object.keys(states)).toEqual(["A", "B", "C", "D"]);
    expect(states["A"]).toEqual({
      Type: "Task",
      ...called("f"),
      Retry: [throttling, ...expected],
      Output: expect.any(String),
      Next: "B",
    });
  });

  test("is omitted for retries that never happen", async () => {
    expect(await protectedBy(retry(when("name eq 'Busy'", ", maxAttempts: 0")))).toEqual(
      await protectedBy("metadata: {}"),
    );
  });
});

/**
 * A first state that is retried for its result, with its input; no later state has such a retry, whatever `later` says.
 */
const againWithInput = (later: string) =>
  statesOf(
    `- { name: A, type: operation, ${starts}, ${calling("f")}, ${retry(when("$.a == 1"))}, transition: { nextState: B } }
- { name: B, type: operation, actions: [], ${later}, ${ends} }`,
  );

test("the input of a machine is not read from a variable that no state assigns", async () => {
  const states = await againWithInput(retry(when("$.b gt 1", ", maxAttempts: 0")));
  expect(states).toEqual(await againWithInput("metadata: {}"));
  expect(JSON.stringify(states)).toContain('"Output":"{% $states.context.Execution.Input %}"');
});

/** The retry counter of a first state, which nothing has assigned when the machine starts. */
const retries = "($exists($A_retries_1) ? $A_retries_1 : 0)";

test("more linear intervals are a loop: a counter, a Choice and a Wait", async () => {
  const states = await protectedBy(retry(when("name eq 'Busy'", ", interval: PT2S, multiplier: PT3S, maxAttempts: 4")));
  const { B: _, C: __, D: ___, ...loop } = states;
  const Comment = "operation state A";
  expect(loop).toEqual({
    A: {
      Type: "Task",
      ...called("f"),
      Catch: [
        {
          ErrorEquals: ["Busy"],
          Assign: {
            errorValue: { name: "{% $states.errorOutput.Error %}", cause: '{% "" & $states.errorOutput.Cause %}' },
          },
          Output: "{% $states.input %}",
          Next: "A: failed",
        },
      ],
      Output: expect.any(String),
      Next: "B",
    },
    "A: failed": {
      Type: "Choice",
      Comment,
      Choices: [
        { Condition: `{% ${retries} < 4 %}`, Assign: { A_retries_1: `{% ${retries} + 1 %}` }, Next: "A: wait 1" },
      ],
      Default: "A: unhandled",
    },
    "A: wait 1": { Type: "Wait", Comment, Seconds: `{% 2 + (${retries} - 1) * 3 %}`, Next: "A" },
    "A: unhandled": {
      Type: "Fail",
      Comment,
      Error: "{% $errorValue.name %}",
      Cause: "{% $errorValue.cause %}",
    },
  });
});

test("an immediate retry is the same loop without a Wait", async () => {
  const states = await protectedBy(retry(when("name eq 'Busy'", ", maxAttempts: 2")));
  expect(states["A: failed"]!["Choices"]).toEqual([
    { Condition: `{% ${retries} < 2 %}`, Assign: { A_retries_1: `{% ${retries} + 1 %}` }, Next: "A" },
  ]);
});

test("a retry of two actions restores the data", async () => {
  const states = await protectedBy(
    retry(when("name eq 'Busy'", ", interval: PT2S, maxAttempts: 3")),
    {},
    "actionMode: sequential, actions: [{ functionRef: { refName: f } }, { functionRef: { refName: g } }]",
  );
  expect(states["A: failed"]!["Choices"]).toEqual([
    {
      Condition: `{% ${retries} < 3 %}`,
      Assign: { A_retries_1: `{% ${retries} + 1 %}` },
      Output: "{% $states.context.Execution.Input %}",
      Next: "A: wait 1",
    },
  ]);
});

describe("Catch", () => {
  const catchersOf = async (errors: string) => {
    const states = await protectedBy(errors);
    expect(Object.keys(states)).toEqual(["A", "B", "C", "D"]);
    return states["A"]!["Catch"];
  };

  test("keeps the order of handlers, by error name", async () => {
    const catchers = await catchersOf(
      handled(
        ["name eq 'Busy'", "C"],
        ["name eq 'Timeout' or name eq 'Full'", "D"],
        ["$.error ne null", "B"],
        ["name eq 'Late'", "C"],
      ),
    );
    const Output = expect.stringContaining("$states.errorOutput");
    expect(catchers).toEqual([
      { ErrorEquals: ["Busy"], Output, Next: "C" },
      { ErrorEquals: ["States.Timeout", "Timeout", "Full"], Output, Next: "D" },
      { ErrorEquals: ["States.ALL"], Output, Next: "B" },
    ]);
  });

  test("uses a Choice if the condition needs more than the name", async () => {
    const states = await protectedBy(handled(["name ne 'Fatal'", "C"]));
    expect(states["A"]!["Catch"]).toEqual([
      {
        ErrorEquals: ["States.ALL"],
        Assign: { errorValue: expect.any(String) },
        Output: "{% $states.input %}",
        Next: "A: errors",
      },
    ]);
    expect(states["A: errors"]).toEqual({
      Type: "Choice",
      Comment: "operation state A",
      Choices: [
        {
          Condition: '{% $not($errorValue.name = "Fatal") %}',
          Output: expect.stringContaining("$errorValue.message"),
          Next: "C",
        },
      ],
      Default: "A: unhandled",
    });
    expect(states["A: unhandled"]).toMatchObject({ Type: "Fail", Error: "{% $errorValue.name %}" });
  });

  test("is combined with Retry, which comes first", async () => {
    const { A } = await protectedBy(
      `${retry(when("name eq 'Busy'", ", interval: PT2S, maxAttempts: 3"))}, ${handled(["name eq 'Busy'", "C"])}`,
    );
    const order = Object.keys(A!);
    expect(order.slice(order.indexOf("Retry"))).toEqual(["Retry", "Catch", "Output", "Next"]);
  });

  test("handles an ignored timeout, and continues with the unchanged data", async () => {
    const { A } = await protectedBy("metadata: {}", {}, calling("f").replace("} } }]", "} }, timeout: PT5S }]"));
    expect(A!["Catch"]).toEqual([{ ErrorEquals: ["States.Timeout"], Output: "{% $states.input %}", Next: "B" }]);
  });
});

test("an error of the start of a subflow has no trace", async () => {
  const { A } = await statesOf(
    `- { name: A, type: subflow, ${starts}, workflowId: other, waitForCompletion: false, ${handled(["name eq 'Busy'", "B"])}, transition: { nextState: C } }
- { name: B, type: delay, timeDelay: PT1S, transition: { nextState: C } }
- { name: C, type: delay, timeDelay: PT2S, ${ends} }`,
  );
  const [{ Output: output }] = A!["Catch"] as unknown as readonly [{ readonly Output: string }];
  const states = { input: { a: 1 }, errorOutput: { Error: "Busy", Cause: "m" } };
  const error = { name: "Busy", message: "m" };
  expect(await jsonata(output.slice(2, -2)).evaluate(undefined, { states })).toEqual({ a: 1, error });
});
