import { describe, expect, test } from "vitest";
import { literal } from "../../src/expressions/index.ts";
import { mapScopes, stepsOf } from "../../src/ir/walk.ts";
import type { Step } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";
import { createComputer } from "../../src/scenario/computer.ts";
import { differences } from "./compare.ts";
import { checkCase, type ObservedRun, type Occurrence, onReference } from "./observe.ts";
import {
  alternativesOnAsl,
  alternativesOnOpenWhisk,
  type ProgramScenario,
  significantOnAsl,
  significantOnOpenWhisk,
} from "./unspecified.ts";

/** A scenario with one branch per function, and the responses of `f`. */
function caseOf(answers: Json, names: readonly string[] = ["f", "g"]): ProgramScenario {
  const call = (refName: string) => ({ functionRef: { refName } });
  const definition = {
    id: "main",
    name: "main",
    version: "1",
    functions: names.map((name) => ({ name, resource: name })),
    states: [
      {
        name: "Both",
        type: "parallel",
        branches: names.map((name) => ({
          name,
          states: [{ name, type: "operation", actions: [call(name)], end: { kind: "default" } }],
        })),
        end: { kind: "default" },
      },
    ],
  };
  const { program, scenarios, diagnostics } = checkCase({
    language: "serverless-workflow",
    definitions: [definition],
    options: {},
    scenarios: [{ functions: { f: answers } }],
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return { program: program!, scenario: scenarios[0]! };
}

/** The same, with `f` called without waiting. */
function detachedCase(answers: Json): ProgramScenario {
  const { program, scenario } = caseOf(answers);
  const apart = (step: Step): Step =>
    step.kind === "call" && step.function.name === "f" ? { ...step, wait: false } : step;
  const workflows = program.workflows.map((workflow) =>
    mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(apart) })),
  );
  return { program: programOf(workflows), scenario };
}

const calls = (...all: readonly (readonly [at: number, name: string])[]): readonly Occurrence[] =>
  all.map(([at, name]) => ({ at, name, value: null }));

const run = (rest: Partial<ObservedRun> = {}): ObservedRun => ({
  id: "run",
  outcome: { status: "succeeded", output: {} },
  calls: [],
  emitted: [],
  elapsed: 5,
  ended: 5,
  cutOffs: [],
  failures: [],
  ...rest,
});

const failed = (rest: Partial<ObservedRun>): ObservedRun =>
  run({ outcome: { status: "failed", error: { name: "E", message: "m", origin: "function" } }, ...rest });

const same = [{ returns: 1 }];
const varied = [{ returns: 1 }, { returns: 2 }];

describe("on OpenWhisk", () => {
  const significant = (expected: ObservedRun, actual: Partial<ObservedRun>, of = caseOf(same)) =>
    significantOnOpenWhisk(differences([expected], [{ ...expected, ...actual }]), of, [expected]).map(
      ({ aspect }) => aspect,
    );

  test("the order at one instant is unspecified; other orders and missing calls are significant", () => {
    const expected = run({ calls: calls([0, "f"], [0, "g"]) });
    expect(significant(expected, { calls: calls([0, "g"], [0, "f"]) })).toEqual([]);
    expect(significant(expected, { calls: calls([0, "f"], [1, "g"]) })).toEqual(["calls"]);
    expect(significant(expected, { calls: calls([0, "f"]) })).toEqual(["calls"]);
  });

  test("abandoned branches may do more after the join, and more or less at its instant; before it everything is significant", () => {
    const expected = run({ calls: calls([0, "f"], [2, "g"], [3, "f"]), cutOffs: [2] });
    expect(significant(expected, { calls: calls([0, "f"], [2, "g"], [3, "f"], [4, "h"]) })).toEqual([]);
    expect(significant(expected, { calls: calls([0, "f"], [3, "f"]) })).toEqual([]);
    expect(significant(expected, { calls: calls([0, "f"], [2, "g"]) })).toEqual(["calls"]);
    expect(significant(expected, { calls: calls([0, "f"], [1, "h"], [2, "g"], [3, "f"]) })).toEqual(["calls"]);
    expect(significant(expected, { calls: calls([2, "g"], [3, "f"]) })).toEqual(["calls"]);
  });

  test("abandoned branches change the responses of others only if these vary", () => {
    const expected = run({ calls: calls([0, "f"]), cutOffs: [1] });
    const actual = { calls: calls([0, "f"], [2, "f"]), outcome: { status: "succeeded", output: 2 } } as const;
    expect(significant(expected, actual)).toEqual(["output"]);
    expect(significant(expected, actual, caseOf(varied))).toEqual([]);
  });

  test("two calls at the instant of an emitted event may swap varying responses", () => {
    const expected = run({ calls: calls([0, "f"], [0, "f"]), emitted: calls([0, "Paid"]) });
    const actual = { outcome: { status: "succeeded", output: 2 } } as const;
    expect(significant(expected, actual)).toEqual(["output"]);
    expect(significant(expected, actual, caseOf(varied))).toEqual([]);
    expect(significant({ ...expected, calls: calls([0, "f"], [1, "f"]) }, actual, caseOf(varied))).toEqual(["output"]);
  });

  test("two runs that call a function at one instant may swap varying responses", () => {
    const [expected, other] = [run({ calls: calls([3, "f"]) }), run({ id: "other", calls: calls([3, "f"]) })];
    const found = (of: ProgramScenario, second = other) => {
      const actual = { ...second, outcome: { status: "succeeded", output: 2 } } as const;
      return significantOnOpenWhisk(differences([expected, second], [expected, actual]), of, [expected, second]).map(
        ({ aspect }) => aspect,
      );
    };
    expect(found(caseOf(same))).toEqual(["other: output"]);
    expect(found(caseOf(varied))).toEqual([]);
    expect(found(caseOf(varied), { ...other, calls: calls([4, "f"]) })).toEqual(["other: output"]);
    expect(found(caseOf(varied), { ...other, calls: calls([3, "g"]) })).toEqual(["other: output"]);
  });

  test("at the instant of a failure, either side may do only a part", () => {
    const expected = failed({ calls: calls([0, "f"], [5, "g"]) });
    expect(significant(expected, { calls: calls([0, "f"]) })).toEqual([]);
    expect(significant(expected, { calls: calls([0, "f"], [5, "h"]) })).toEqual(["calls"]);
    expect(significant(expected, { calls: calls([5, "g"]) })).toEqual(["calls"]);
  });

  test("at the instant of a failed join, either side may do only a part; after it everything is significant", () => {
    const expected = run({ calls: calls([0, "f"], [2, "g"], [3, "f"]), failures: [2] });
    expect(significant(expected, { calls: calls([0, "f"], [3, "f"]) })).toEqual([]);
    expect(significant(expected, { calls: calls([0, "f"], [2, "h"], [3, "f"]) })).toEqual(["calls"]);
    expect(significant(expected, { calls: calls([0, "f"], [2, "g"], [3, "f"], [4, "h"]) })).toEqual(["calls"]);
    expect(significant(expected, { calls: calls([2, "g"], [3, "f"]) })).toEqual(["calls"]);
  });

  test("each branch may be the first, and all may be reversed", () => {
    const { program, scenario } = caseOf(same, ["f", "g", "h"]);
    const orders = alternativesOnOpenWhisk({ program, scenario }).map(({ program: { workflows } }) =>
      workflows.flatMap(stepsOf).flatMap((step) => (step.kind === "fork" ? step.branches.map(({ name }) => name) : [])),
    );
    expect(orders).toEqual([
      ["g", "h", "f"],
      ["h", "f", "g"],
      ["h", "g", "f"],
    ]);
  });

  test("iterations may be reversed", () => {
    const { program, scenario } = caseOf(same);
    const iterating = program.workflows.map((workflow) =>
      mapScopes(workflow, (scope) => ({
        ...scope,
        steps: scope.steps.map((step): Step => {
          if (step.kind !== "fork") return step;
          const { id, origin, span, retries, handlers, next } = step;
          const { scope: iteration } = step.branches[0]!;
          const common = { id, origin, span, retries, handlers, next };
          return { ...common, kind: "foreach", items: literal([1, 2]), element: "element", scope: iteration };
        }),
      })),
    );
    const items = alternativesOnOpenWhisk({ program: programOf(iterating), scenario }).map((other) =>
      other.program.workflows.flatMap(stepsOf).flatMap((step) => (step.kind === "foreach" ? [step.items.kind] : [])),
    );
    expect(items).toEqual([["call"]]);
  });

  test("events that branches emit may come last at their instant", () => {
    const { program, scenario } = caseOf(same);
    const emitting = (step: Step): Step => {
      if (step.kind !== "call" || step.function.name !== "g") return step;
      const { id, origin, span, next } = step;
      return { kind: "emit", id, origin, span, next, event: { name: "Paid", span }, data: step.argument };
    };
    const workflows = program.workflows.map((workflow) =>
      mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(emitting) })),
    );
    const kinds = alternativesOnOpenWhisk({ program: programOf(workflows), scenario }).map((other) =>
      other.program.workflows.flatMap(stepsOf).map(({ kind }) => kind),
    );
    expect(kinds.map((each) => each.filter((kind) => kind === "delay").length)).toEqual([0, 1, 1]);
    expect(kinds[1]!.indexOf("delay")).toBe(kinds[1]!.indexOf("emit") - 1);
  });

  test("a run that started later fails at its own instant", () => {
    const expected = failed({ calls: calls([6, "f"], [9, "g"]), elapsed: 3, ended: 9 });
    expect(significant(expected, { calls: calls([9, "g"]) })).toEqual(["calls"]);
    expect(significant(expected, { calls: calls([6, "f"]) })).toEqual([]);
  });
});

test("on OpenWhisk, a run and a subflow that it does not wait for begin to wait in either order", () => {
  const wait = {
    name: "Wait",
    type: "event",
    eventsActions: [{ eventRefs: ["Paid"], actions: [] }],
    end: { kind: "default" },
  };
  const lateWaits = (waitForCompletion: boolean): readonly string[] => {
    const launch = {
      name: "Launch",
      type: "subflow",
      start: { kind: "default" },
      workflowId: "other",
      waitForCompletion,
    };
    const definition = (id: string, states: Json) => ({
      ...{ id, name: id, version: "1", states },
      events: [{ name: "Paid", type: "paid" }],
    });
    const { program, scenarios } = checkCase({
      language: "serverless-workflow",
      definitions: [
        definition("main", [{ ...launch, transition: { nextState: "Wait" } }, wait]),
        definition("other", [{ ...wait, start: { kind: "default" } }]),
      ],
      options: {},
      scenarios: [{ events: [{ at: "PT1S", event: { type: "paid" } }] }],
    });
    const isLate = (step: Step): boolean => step.kind === "receive" && step.id.endsWith("/late");
    return alternativesOnOpenWhisk({ program: program!, scenario: scenarios[0]! }).flatMap((other) =>
      other.program.workflows.flatMap((workflow) => (stepsOf(workflow).some(isLate) ? workflow.id : [])),
    );
  };
  expect(lateWaits(false)).toEqual(["other", "main"]);
  expect(lateWaits(true)).toEqual([]);
});

/** Turns a function call into a workflow call. */
function invoking(step: Step): Step {
  if (step.kind !== "call") return step;
  const { id, origin, span, next, argument: input } = step;
  return {
    kind: "invoke",
    id,
    origin,
    span,
    next,
    workflow: { name: "W", span },
    input,
    wait: true,
    terminates: false,
    retries: [],
    handlers: [],
  };
}

describe("on Step Functions", () => {
  const significant = (expected: ObservedRun, actual: Partial<ObservedRun>, of: ProgramScenario) =>
    significantOnAsl(differences([expected], [{ ...expected, ...actual }]), of, [expected]).map(({ aspect }) => aspect);

  test("the order of calls is significant, with and without waiting", () => {
    const expected = run({ calls: calls([0, "f"], [0, "g"]) });
    const other = { calls: calls([0, "g"], [0, "f"]) };
    expect(significant(expected, other, caseOf(same))).toEqual(["calls"]);
    expect(significant(expected, other, detachedCase(same))).toEqual(["calls"]);
  });

  test("an overflow within an expression ends a run", () => {
    const limit = (message: string): ObservedRun["outcome"] => ({
      status: "failed",
      error: { origin: "limit", name: "LimitError", message },
    });
    const overflow = limit("A number is larger than any that JSONata can calculate with.");
    expect(significant(run({}), { outcome: overflow }, caseOf(same))).toEqual([]);
    expect(significant(run({}), { outcome: limit("The history is too long.") }, caseOf(same))).toEqual(["status"]);
  });

  test("of branches that fail at the last instant of a fork that waits for the first, the last one counts", async () => {
    const branch = (name: string, takes: string) => ({
      ...{ name, takes },
      states: [{ name, type: "operation", actions: [{ functionRef: { refName: name } }], end: { kind: "default" } }],
    });
    const errorWith = async (completionType: string, times: readonly string[]) => {
      const branches = times.map((takes, i) => branch(`f${i}`, takes));
      const functions = branches.map(({ name }) => ({ name, resource: name }));
      const { program, scenarios } = checkCase({
        language: "serverless-workflow",
        definitions: [
          {
            ...{ id: "main", name: "main", version: "1", functions },
            states: [
              {
                ...{ name: "First", type: "parallel", start: { kind: "default" }, completionType },
                branches: branches.map(({ name, states }) => ({ name, states })),
                end: { kind: "default" },
              },
            ],
          },
        ],
        options: {},
        scenarios: [
          {
            functions: Object.fromEntries(
              branches.map(({ name, takes }) => [name, { throws: { name, message: "" }, takes }]),
            ),
          },
        ],
      });
      const computer = createComputer();
      try {
        const seen = await Promise.all(
          alternativesOnAsl({ program: program!, scenario: scenarios[0]! }).map((other) =>
            onReference(other.program, other.scenario, computer),
          ),
        );
        return seen.map((each) => {
          const { outcome } = (each as readonly ObservedRun[])[0]!;
          return outcome.status === "failed" && outcome.error.name;
        });
      } finally {
        await computer.close();
      }
    };
    expect(await errorWith("xor", ["PT1S", "PT2S", "PT2S", "PT1S"])).toEqual(["f2"]);
    expect(await errorWith("xor", ["PT2S", "PT1S"])).toEqual(["f0"]);
    expect(await errorWith("and", ["PT1S", "PT1S"])).toEqual([]);
  });

  test("an event may arrive just before or just after a subflow that starts at its instant", () => {
    const { program, scenario } = caseOf(same);
    const events = [{ at: 1, event: { type: "paid" } }];
    const calling = programOf(
      program.workflows.map((workflow) =>
        mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(invoking) })),
      ),
    );
    expect(alternativesOnAsl({ program, scenario: { ...scenario, events } })).toEqual([]);
    const [other, early] = alternativesOnAsl({ program: calling, scenario: { ...scenario, events } });
    const [{ at }] = other!.scenario.events as [(typeof events)[0]];
    expect(Date.parse("2026-01-01") + at * 1000).toBeGreaterThan(Date.parse("2026-01-01") + 1000);
    expect(Math.round(at * 1e6)).toBe(1e6);
    expect(early!.scenario.events).toEqual(events);
    const kinds = early!.program.workflows.flatMap(stepsOf).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "delay")).toHaveLength(kinds.filter((kind) => kind === "invoke").length);
  });

  test("a subflow may or may not have an event that is emitted in the millisecond in which it begins", () => {
    const emitting = (awaited: string): ProgramScenario => {
      const events = ["Paid", "Other"].map((name) => ({ name, type: name, source: "/s" }));
      const produceEvent = { eventRef: "Paid", data: {} };
      const { program, scenarios, diagnostics } = checkCase({
        language: "serverless-workflow",
        definitions: [
          {
            ...{ id: "main", name: "main", version: "1", events },
            states: [
              {
                ...{ name: "Emit", type: "inject", start: { kind: "default" }, data: {} },
                transition: { nextState: "Launch", produceEvent },
              },
              {
                name: "Launch",
                type: "subflow",
                workflowId: "other",
                waitForCompletion: true,
                end: { kind: "default" },
              },
            ],
          },
          {
            ...{ id: "other", name: "other", version: "1", events },
            states: [
              {
                ...{ name: "Wait", type: "event", start: { kind: "default" } },
                ...{ eventsActions: [{ eventRefs: [awaited], actions: [] }], end: { kind: "default" } },
              },
            ],
          },
        ],
        options: {},
        scenarios: [{}],
      });
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      return { program: program!, scenario: scenarios[0]! };
    };
    const emitted = calls([0, "Paid"]);
    expect(significant(run({ emitted }), { elapsed: 9 }, emitting("Paid"))).toEqual([]);
    expect(significant(run({ emitted }), { elapsed: 9 }, emitting("Other"))).toEqual(["elapsed"]);
    expect(significant(run(), { elapsed: 9 }, emitting("Paid"))).toEqual(["elapsed"]);
  });

  test("a run that exceeds a limit fails with the platform's error", () => {
    const error = (name: string) => ({ status: "failed", error: { name, message: "m", origin: "limit" } }) as const;
    const actual = { outcome: error("States.Runtime") };
    expect(significant(run({ outcome: error("LimitError") }), actual, caseOf(same))).toEqual([]);
    expect(significant(run({ outcome: error("E") }), actual, caseOf(same))).toEqual(["error"]);
    expect(significant(run(), actual, caseOf(same))).toEqual(["status"]);
  });
});
