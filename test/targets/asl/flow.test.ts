import { describe, expect, test } from "vitest";
import { called, calling, ends, starts, statesOf } from "./compiled.ts";

const any = expect.any(String);
const merged = (member: string): string => expect.stringContaining(`$merge([$states.input, {${member}}])`);
const goesTo = (next: string): string => `transition: { nextState: ${next} }`;

describe("a switch", () => {
  const conditions = `[{ path: $.kind, operator: equals, value: x, ${goesTo("B")} }, { path: $.kind, operator: exists, ${goesTo("C")} }]`;

  test("is a Choice that performs the assignments after it", async () => {
    const states = await statesOf(
      `- { name: A, type: switch, ${starts}, dataConditions: ${conditions}, default: { nextState: D } }
- { name: B, type: inject, data: { b: 1 }, ${goesTo("D")} }
- { name: C, type: inject, data: { c: 1 }, ${goesTo("D")} }
- { name: D, type: delay, timeDelay: PT1S, ${ends} }`,
    );
    expect(states).toEqual({
      A: {
        Type: "Choice",
        Choices: [
          {
            Condition: '{% $states.input.kind = "x" %}',
            Output: merged('"b": 1'),
            Next: "D",
          },
          {
            Condition: "{% $exists($states.input.kind) %}",
            Output: merged('"c": 1'),
            Next: "D",
          },
        ],
        Default: "D",
      },
      D: { Type: "Wait", Seconds: 1, End: true },
    });
  });

  test("uses a last rule if Default needs other data", async () => {
    const states = await statesOf(
      `- { name: A, type: switch, ${starts}, dataConditions: ${conditions}, default: { nextState: D } }
- { name: B, type: delay, timeDelay: PT1S, ${goesTo("C")} }
- { name: C, type: delay, timeDelay: PT2S, ${ends} }
- { name: D, type: inject, data: { d: 1 }, ${goesTo("C")} }`,
    );
    expect(states["A"]).toEqual({
      Type: "Choice",
      Choices: [
        { Condition: any, Next: "B" },
        { Condition: any, Next: "C" },
        { Condition: "{% true %}", Output: merged('"d": 1'), Next: "C" },
      ],
    });
  });

  test("without a default fails if nothing matches", async () => {
    const states = await statesOf(
      `- { name: A, type: switch, ${starts}, dataConditions: [{ path: $.kind, operator: exists, ${goesTo("B")} }] }
- { name: B, type: delay, timeDelay: PT1S, ${ends} }`,
    );
    expect(states["A"]).toEqual({
      Type: "Choice",
      Choices: [{ Condition: any, Next: "B" }],
      Default: "A: no-match",
    });
    expect(states["A: no-match"]).toEqual({
      Type: "Fail",
      Comment: "switch state A",
      Error: "NoChoiceMatched",
      Cause: any,
    });
  });

  test("that only another's default leads to is merged into that", async () => {
    const asking = (name: string, kind: string, next: string, rest: string): string =>
      `- { name: ${name}, type: switch, ${rest}dataConditions: [{ path: $.kind, operator: equals, value: ${kind}, ${goesTo(next)} }], default: `;
    const states = await statesOf(
      `${asking("A", "a", "D", `${starts}, `)}{ nextState: B } }
${asking("B", "b", "E", "")}{ nextState: C } }
${asking("C", "c", "D", "")}{ nextState: E } }
- { name: D, type: delay, timeDelay: PT1S, ${goesTo("E")} }
- { name: E, type: delay, timeDelay: PT2S, ${ends} }`,
    );
    expect(Object.keys(states)).toEqual(["A", "D", "E"]);
    expect(states["A"]).toMatchObject({ Choices: [{ Next: "D" }, { Next: "E" }, { Next: "D" }], Default: "E" });
  });

  test("with other predecessors stays, also in a cycle", async () => {
    const states = await statesOf(
      `- { name: A, type: switch, ${starts}, dataConditions: [{ path: $.kind, operator: exists, ${goesTo("D")} }], default: { nextState: B } }
- { name: B, type: switch, dataConditions: [{ path: $.other, operator: exists, ${goesTo("E")} }], default: { nextState: D } }
- { name: D, type: delay, timeDelay: PT1S, ${goesTo("B")} }
- { name: E, type: delay, timeDelay: PT2S, ${ends} }`,
    );
    expect(Object.keys(states)).toEqual(["A", "B", "D", "E"]);
  });

  test("whose cases all lead to the same step needs no state", async () => {
    const states = await statesOf(
      `- { name: A, type: switch, ${starts}, dataConditions: [{ path: $.kind, operator: exists, ${goesTo("B")} }], default: { nextState: B } }
- { name: B, type: delay, timeDelay: PT1S, ${ends} }`,
    );
    expect(Object.keys(states)).toEqual(["B"]);
  });
});

describe("pure work", () => {
  test("is folded into the state before it, or at the start into the one after it", async () => {
    const states = await statesOf(
      `- { name: A, type: inject, ${starts}, data: { a: 1 }, ${goesTo("B")} }
- { name: B, type: delay, timeDelay: PT1S, ${goesTo("C")} }
- { name: C, type: inject, data: { c: 1 }, ${goesTo("D")} }
- { name: D, type: inject, data: { d: 1 }, ${ends} }`,
    );
    expect(states).toEqual({
      B: {
        Type: "Wait",
        Seconds: 1,
        Output: merged('"a": 1, "c": 1, "d": 1'),
        End: true,
      },
    });
  });

  test("at the start is folded into a call that fails likewise", async () => {
    const states = await statesOf(
      `- { name: A, type: inject, ${starts}, data: { a: 1 }, ${goesTo("B")} }
- { name: B, type: operation, actions: [{ functionRef: { refName: f } }], ${ends} }`,
    );
    expect(states).toEqual({
      B: {
        Type: "Task",
        ...called("f"),
        Arguments: merged('"a": 1'),
        Output: any,
        End: true,
      },
    });
  });

  test("alone is one Succeed", async () => {
    const states = await statesOf(
      `- { name: A, type: inject, ${starts}, data: { a: 1 }, ${goesTo("B")} }\n- { name: B, type: inject, data: { b: 1 }, ${ends} }`,
    );
    expect(states).toEqual({ B: { Type: "Succeed", Output: any } });
  });

  const joining = (data: string): string =>
    `- { name: A, type: switch, ${starts}, dataConditions: [{ path: $.a, operator: exists, ${goesTo("B")} }], default: { nextState: C } }
- { name: B, type: delay, timeDelay: PT1S, ${goesTo("C")} }
- { name: C, type: inject, data: ${data}, ${goesTo("D")} }
- { name: D, type: operation, ${calling("f")}, ${goesTo("E")} }
- { name: E, type: switch, dataConditions: [{ path: $.again, operator: exists, ${goesTo("D")} }], default: { nextState: F } }
- { name: F, type: delay, timeDelay: PT2S, ${ends} }`;

  test("with several predecessors is duplicated if it is small", async () => {
    const { A, B, C } = await statesOf(joining("{ c: 1 }"));
    expect(C).toBeUndefined();
    expect(A!["Choices"]).toMatchObject([{ Next: "B" }, { Output: merged('"c": 1'), Next: "D" }]);
    expect(B).toMatchObject({ Output: merged('"c": 1'), Next: "D" });
  });

  test("with several predecessors is a state if it is large", async () => {
    const names = Array.from({ length: 30 }, (_, i) => `c${i}`);
    const { B, C } = await statesOf(joining(`{ ${names.map((name) => `${name}: 1`).join(", ")} }`));
    const all = names.map((name) => `"${name}": 1`).join(", ");
    expect(B).toMatchObject({ Next: "C" });
    expect(C).toEqual({ Type: "Pass", Output: merged(all), Next: "D" });
  });
});

describe("a parallel state", () => {
  test("is a Parallel whose Output combines the branches", async () => {
    const states = await statesOf(
      `- name: A
  type: parallel
  ${starts}
  branches:
  - { name: L, states: [{ name: X, ${starts}, type: delay, timeDelay: PT1S, ${ends} }] }
  - { name: R, states: [{ name: Y, ${starts}, type: operation, ${calling("f")}, ${ends} }] }
  ${ends}`,
    );
    expect(states).toEqual({
      A: {
        Type: "Parallel",
        Branches: [
          { StartAt: "X", States: { X: { Type: "Wait", Seconds: 1, End: true } } },
          {
            StartAt: "Y",
            States: { Y: { Type: "Task", ...called("f"), Output: any, End: true } },
          },
        ],
        Output: expect.stringMatching(/\$blend\(\$states\.input, \$newIn\(\$states\.result\[1\], \$states\.input\)\)/),
        End: true,
      },
    });
  });
});

describe("a foreach state", () => {
  const each = (rest: string): string =>
    `- name: A
  type: foreach
  ${starts}
  inputCollection: $.list
  inputParameter: $.it
  ${rest}
  states: [{ name: X, ${starts}, type: delay, timeDelay: PT1S, ${ends} }]
  ${ends}`;

  test("is a Map over the iterations' data", async () => {
    expect(await statesOf(each("outputCollection: $.out"))).toEqual({
      A: {
        Type: "Map",
        Items: expect.stringContaining("$states.input.list"),
        ItemSelector: { data: expect.stringContaining('{"it": $states.context.Map.Item.Value}') },
        ItemProcessor: {
          ProcessorConfig: { Mode: "INLINE" },
          StartAt: "X",
          States: { X: { Type: "Wait", Seconds: 1, Output: any, End: true } },
        },
        Output: expect.stringContaining('{"out": $states.result}'),
        End: true,
      },
    });
  });

  test("has MaxConcurrency if concurrency is limited, and drops unread results", async () => {
    const { A } = await statesOf(each("max: 3"));
    expect(A).toEqual({
      Type: "Map",
      Items: any,
      ItemSelector: { data: any },
      MaxConcurrency: 3,
      ItemProcessor: expect.anything(),
      Output: "{% $states.input %}",
      End: true,
    });
  });

  test("makes iterations wait for their start time", async () => {
    const { A } = await statesOf(each("timeDelay: PT4S"));
    expect(A!["ItemProcessor"]).toEqual({
      ProcessorConfig: { Mode: "INLINE" },
      StartAt: "A: turn",
      States: {
        "A: turn": {
          Type: "Wait",
          Comment: "foreach state A",
          Timestamp: "{% $states.input.turn %}",
          Output: "{% $states.input.data %}",
          Next: "X",
        },
        X: { Type: "Wait", Seconds: 1, End: true },
      },
    });
  });
});

describe("ends", () => {
  test("of a run by `terminate` are ends", async () => {
    const { A } = await statesOf(`- { name: A, type: delay, ${starts}, timeDelay: PT1S, end: { kind: terminate } }`);
    expect(A).toEqual({ Type: "Wait", Seconds: 1, End: true });
  });

  test("by an error are Fail states", async () => {
    const states = await statesOf(
      `- { name: A, type: delay, ${starts}, timeDelay: PT1S, transition: { nextState: B, expression: $.a == 1 } }
- { name: B, type: delay, timeDelay: PT1S, ${ends} }`,
    );
    expect(states["A: transition"]).toMatchObject({ Type: "Choice", Choices: [{ Next: "B" }], Default: "A: denied" });
    expect(states["A: denied"]).toEqual({
      Type: "Fail",
      Comment: "delay state A",
      Error: "TransitionDenied",
      Cause: "The transition from A to B was denied: $.a == 1 does not hold.",
    });
  });
});
