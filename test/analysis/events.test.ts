import { describe, expect, test } from "vitest";
import { literal, member, variable } from "../../src/expressions/core/build.ts";
import type { EventCombination, EventDefinition, Step, Workflow } from "../../src/ir/workflow.ts";
import {
  allOf,
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  delay,
  emit,
  end,
  event,
  fork,
  invoke,
  pattern,
  receive,
  scope,
  workflow,
  yes,
} from "../reference/build.ts";
import { findings } from "./findings.ts";

describe("events that nothing distinguishes", () => {
  const correlated = { correlation: member(variable("event"), "order") };
  const waiting = (alternatives: readonly EventCombination[], events: readonly EventDefinition[]): Workflow =>
    workflow(scope(["data", "got"], receive("Wait", alternatives, "got", "End"), end("End", data)), { events });
  const same = (name: string, rest: Partial<EventDefinition> = {}) => event(name, { type: "t", source: "/s", ...rest });
  const twins = [same("a"), same("b")];
  const hidden = [
    "warning WB3008: State `Wait` never receives `b`: `a` has the same attributes and matches instead.",
    "  Give the two events different types or sources, or remove one of them.",
  ];
  const found = (...given: Parameters<typeof waiting>) =>
    findings(waiting(...given))
      .slice(0, 2)
      .map((line) => line.replace(/ at \S+:/, ":"));

  test.each<[string, readonly EventCombination[], readonly EventDefinition[]]>([
    ["in two alternatives", [allOf("a"), allOf("b")], twins],
    ["in one group", [allOf(["a", "b"])], twins],
    ["in one combination", [allOf("a", "b")], twins],
    ["with another event", [allOf("a"), allOf("b", "c")], [...twins, same("c", { type: "u" })]],
    [
      "in another case",
      [allOf("a"), allOf("b")],
      [same("a", { foldCase: true }), same("b", { type: "T", foldCase: true })],
    ],
    ["with the same correlation", [allOf("a"), allOf("b")], [same("a", correlated), same("b", correlated)]],
    ["without correlation in the first", [allOf("a"), allOf("b")], [same("a"), same("b", correlated)]],
    [
      "with equal conditions",
      [
        { ...allOf(), all: [[pattern("a", yes)]] },
        { ...allOf(), all: [[pattern("b", yes)]] },
      ],
      twins,
    ],
    ["with a shorter timeout", [allOf("a"), { ...allOf("b"), within: 5 }], twins],
  ])("%s", (_, alternatives, events) => {
    expect(found(alternatives, events)).toEqual(hidden);
  });

  test.each<[string, readonly EventCombination[], readonly EventDefinition[]]>([
    ["another type", [allOf("a"), allOf("b")], [same("a"), same("b", { type: "u" })]],
    ["another subject", [allOf("a"), allOf("b")], [same("a"), same("b", { subject: "x" })]],
    ["a correlation of the first only", [allOf("a"), allOf("b")], [same("a", correlated), same("b")]],
    ["a condition of the first", [{ ...allOf(), all: [[pattern("a", data)]] }, allOf("b")], twins],
    ["a longer timeout", [{ ...allOf("a"), within: 5 }, allOf("b")], twins],
    ["a further event in the first", [allOf("a", "c"), allOf("b")], [...twins, same("c", { type: "u" })]],
    [
      "an excluded event in the first",
      [{ ...allOf("a"), none: [pattern("c")] }, allOf("b")],
      [...twins, same("c", { type: "u" })],
    ],
  ])("%s distinguishes them", (_, alternatives, events) => {
    expect(found(alternatives, events)).toEqual([]);
  });
});

describe("workflows that start each other by events", () => {
  const received = member(variable("got"), "alternative");
  const startedBy = (id: string, starts: readonly string[], emits: string, ...between: readonly Step[]): Workflow =>
    workflow(
      scope(
        ["data", "got"],
        receive(`${id}:wait`, [allOf([...starts])], "got", between[0]?.id ?? `${id}:emit`),
        ...between,
        emit(`${id}:emit`, emits, data, `${id}:end`),
        end(`${id}:end`, data),
      ),
      { id, events: [event("x"), event("y"), event("z")], start: { on: [allOf([...starts])], create: "first" } },
    );
  const endless = (...workflows: readonly Workflow[]) =>
    findings(...workflows).filter((line) => line.includes("WB3009"));

  test("a cycle of one or two", () => {
    expect(findings(startedBy("a", ["x"], "x"))).toEqual([
      "warning WB3009 at a:emit.event: Each run of workflow `a` emits an event that starts another run of it.",
      "  Add a condition, a delay or a wait with a timeout to the cycle.",
    ]);
    expect(findings(startedBy("a", ["x"], "y"), startedBy("b", ["y"], "x"))).toMatchInlineSnapshot(`
      [
        "warning WB3009 at a:emit.event: These workflows start each other by events in an endless cycle: \`a\` → \`b\` → \`a\`.",
        "  Add a condition, a delay or a wait with a timeout to the cycle.",
        "  at b:emit.event: \`b\` starts \`a\` here.",
      ]
    `);
  });

  const noCycle: readonly string[] = [];
  const next = "a:emit";
  test.each<[string, readonly Step[], boolean]>([
    ["a function call", [call("Ask", "ask", data, next)], true],
    ["a choice by the event", [choose("Which", [[received, next]], next)], true],
    ["a wait without a timeout", [receive("More", [allOf("z")], "got", next)], true],
    ["a delay", [delay("Sleep", literal(5), next)], false],
    ["a condition", [choose("Enough", [[member(data, "left"), next]], "a:end")], false],
    ["a wait with a timeout", [receive("More", [{ ...allOf("z"), within: 5 }], "got", next)], false],
    [
      "a delay in an attempt",
      [attempt("Try", scope([], delay("Sleep", literal(5), "Slept"), end("Slept", data)), next)],
      false,
    ],
    [
      "a delay in one of two awaited branches",
      [
        fork(
          "Both",
          [
            branch("one", scope([], delay("Sleep", literal(5), "Slept"), end("Slept", data))),
            branch("two", scope([], end("Other", data))),
          ],
          next,
        ),
      ],
      false,
    ],
  ])("%s: endless is $2", (_, between, isEndless) => {
    expect(endless(startedBy("a", ["x"], "x", ...between)).length).toBe(isEndless ? 1 : 0);
  });

  test("a cycle through a subflow", () => {
    const child = (...steps: readonly Step[]): Workflow => ({
      ...workflow(scope(["data"], ...steps, emit("Tell", "x", data, "Told"), end("Told", data)), {
        id: "child",
        events: [event("x")],
      }),
    });
    const parent = startedBy("a", ["x"], "y", invoke("Sub", "child", data, next));
    expect(endless(parent, child())).toHaveLength(1);
    expect(endless(parent, child(delay("Sleep", literal(5), "Tell")))).toEqual(noCycle);
    const slow = workflow(scope(["data"], delay("Sleep", literal(5), "Slept"), end("Slept", data)), { id: "child" });
    expect(endless(startedBy("a", ["x"], "x", invoke("Sub", "child", data, next)), slow)).toEqual(noCycle);
  });

  test("starts that need more than the event", () => {
    const both = startedBy("a", ["x"], "x");
    const on = [allOf("x", "z")];
    expect(endless({ ...both, start: { ...both.start, on, create: "complete" } })).toEqual(noCycle);
    const conditional = [{ ...allOf(), all: [[pattern("x", data)]] }];
    expect(endless({ ...both, start: { ...both.start, on: conditional } })).toEqual(noCycle);
  });

  test("events of another source", () => {
    const other = startedBy("a", ["x"], "x");
    const events = [event("x", { source: "/elsewhere" }), event("y", { type: "x", source: "/here" })];
    const emitting = { ...other, events, body: scope(["data", "got"], ...other.body.steps.map(emitsY)) };
    expect(endless(emitting)).toEqual(noCycle);
  });

  const emitsY = (step: Step): Step => (step.kind === "emit" ? { ...step, event: { ...step.event, name: "y" } } : step);

  test("unreachable emits", () => {
    const lost = startedBy("a", ["x"], "x", assign("Skip", { data }, "a:end"));
    expect(endless(lost)).toEqual(noCycle);
  });
});
