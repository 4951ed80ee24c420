import { describe, expect, test } from "vitest";
import { programOf } from "../../src/ir/program.ts";
import { mapScopes, stepsOf } from "../../src/ir/walk.ts";
import type { Step } from "../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { differences } from "./compare.ts";
import { checked, type Happened, type Run } from "./observe.ts";
import { type Asked, othersOnAsl, othersOnOpenWhisk, toldOnAsl, toldOnOpenWhisk } from "./untold.ts";

/** A scenario with one branch per function, and the responses of `f`. */
function asked(answers: Json, names: readonly string[] = ["f", "g"]): Asked {
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
  const { program, scenarios, diagnostics } = checked({
    language: "serverless-workflow",
    definitions: [definition],
    options: {},
    scenarios: [{ functions: { f: answers } }],
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return { program: program!, scenario: scenarios[0]! };
}

/** The same, with `f` called without waiting. */
function askedApart(answers: Json): Asked {
  const { program, scenario } = asked(answers);
  const apart = (step: Step): Step =>
    step.kind === "call" && step.function.name === "f" ? { ...step, wait: false } : step;
  const workflows = program.workflows.map((workflow) =>
    mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(apart) })),
  );
  return { program: programOf(workflows), scenario };
}

const calls = (...all: readonly (readonly [at: number, what: string])[]): readonly Happened[] =>
  all.map(([at, what]) => ({ at, what, value: null }));

const run = (rest: Partial<Run> = {}): Run => ({
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

const failed = (rest: Partial<Run>): Run =>
  run({ outcome: { status: "failed", error: { name: "E", message: "m", origin: "function" } }, ...rest });

const same = [{ returns: 1 }];
const varied = [{ returns: 1 }, { returns: 2 }];

describe("on OpenWhisk", () => {
  const told = (meant: Run, got: Partial<Run>, of = asked(same)) =>
    toldOnOpenWhisk(differences([meant], [{ ...meant, ...got }]), of, [meant]).map(({ what }) => what);

  test("the order at one instant is not told, at two it is, and so is what is missing", () => {
    const meant = run({ calls: calls([0, "f"], [0, "g"]) });
    expect(told(meant, { calls: calls([0, "g"], [0, "f"]) })).toEqual([]);
    expect(told(meant, { calls: calls([0, "f"], [1, "g"]) })).toEqual(["calls"]);
    expect(told(meant, { calls: calls([0, "f"]) })).toEqual(["calls"]);
  });

  test("branches left behind do more behind the join, and at its instant more or less; before it all is told", () => {
    const meant = run({ calls: calls([0, "f"], [2, "g"], [3, "f"]), cutOffs: [2] });
    expect(told(meant, { calls: calls([0, "f"], [2, "g"], [3, "f"], [4, "h"]) })).toEqual([]);
    expect(told(meant, { calls: calls([0, "f"], [3, "f"]) })).toEqual([]);
    expect(told(meant, { calls: calls([0, "f"], [2, "g"]) })).toEqual(["calls"]);
    expect(told(meant, { calls: calls([0, "f"], [1, "h"], [2, "g"], [3, "f"]) })).toEqual(["calls"]);
    expect(told(meant, { calls: calls([2, "g"], [3, "f"]) })).toEqual(["calls"]);
  });

  test("what is left behind takes answers from others only where a function has several", () => {
    const meant = run({ calls: calls([0, "f"]), cutOffs: [1] });
    const got = { calls: calls([0, "f"], [2, "f"]), outcome: { status: "succeeded", output: 2 } } as const;
    expect(told(meant, got)).toEqual(["output"]);
    expect(told(meant, got, asked(varied))).toEqual([]);
  });

  test("a function that is called twice as an event is emitted may answer the other way round where it has several answers", () => {
    const meant = run({ calls: calls([0, "f"], [0, "f"]), emitted: calls([0, "Told"]) });
    const got = { outcome: { status: "succeeded", output: 2 } } as const;
    expect(told(meant, got)).toEqual(["output"]);
    expect(told(meant, got, asked(varied))).toEqual([]);
    expect(told({ ...meant, calls: calls([0, "f"], [1, "f"]) }, got, asked(varied))).toEqual(["output"]);
  });

  test("two runs that call a function at one instant may get each other's answers where it has several", () => {
    const [meant, other] = [run({ calls: calls([3, "f"]) }), run({ id: "other", calls: calls([3, "f"]) })];
    const found = (of: Asked, second = other) => {
      const got = { ...second, outcome: { status: "succeeded", output: 2 } } as const;
      return toldOnOpenWhisk(differences([meant, second], [meant, got]), of, [meant, second]).map(({ what }) => what);
    };
    expect(found(asked(same))).toEqual(["other: output"]);
    expect(found(asked(varied))).toEqual([]);
    expect(found(asked(varied), { ...other, calls: calls([4, "f"]) })).toEqual(["other: output"]);
    expect(found(asked(varied), { ...other, calls: calls([3, "g"]) })).toEqual(["other: output"]);
  });

  test("at the instant at which a run fails one side does a part of what the other does", () => {
    const meant = failed({ calls: calls([0, "f"], [5, "g"]) });
    expect(told(meant, { calls: calls([0, "f"]) })).toEqual([]);
    expect(told(meant, { calls: calls([0, "f"], [5, "h"]) })).toEqual(["calls"]);
    expect(told(meant, { calls: calls([5, "g"]) })).toEqual(["calls"]);
  });

  test("at the instant of a join that fails one side does a part of what the other does; behind it all is told", () => {
    const meant = run({ calls: calls([0, "f"], [2, "g"], [3, "f"]), failures: [2] });
    expect(told(meant, { calls: calls([0, "f"], [3, "f"]) })).toEqual([]);
    expect(told(meant, { calls: calls([0, "f"], [2, "h"], [3, "f"]) })).toEqual(["calls"]);
    expect(told(meant, { calls: calls([0, "f"], [2, "g"], [3, "f"], [4, "h"]) })).toEqual(["calls"]);
    expect(told(meant, { calls: calls([2, "g"], [3, "f"]) })).toEqual(["calls"]);
  });

  test("each branch may be the first, and all may come the other way round", () => {
    const { program, scenario } = asked(same, ["f", "g", "h"]);
    const orders = othersOnOpenWhisk({ program, scenario }).map(({ program: { workflows } }) =>
      workflows.flatMap(stepsOf).flatMap((step) => (step.kind === "fork" ? step.branches.map(({ name }) => name) : [])),
    );
    expect(orders).toEqual([
      ["g", "h", "f"],
      ["h", "f", "g"],
      ["h", "g", "f"],
    ]);
  });

  test("what is emitted beside branches may come behind all else that is at its instant", () => {
    const { program, scenario } = asked(same);
    const emitting = (step: Step): Step => {
      if (step.kind !== "call" || step.function.name !== "g") return step;
      const { id, origin, span, next } = step;
      return { kind: "emit", id, origin, span, next, event: { name: "Told", span }, data: step.argument };
    };
    const workflows = program.workflows.map((workflow) =>
      mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(emitting) })),
    );
    const kinds = othersOnOpenWhisk({ program: programOf(workflows), scenario }).map((other) =>
      other.program.workflows.flatMap(stepsOf).map(({ kind }) => kind),
    );
    expect(kinds.map((each) => each.filter((kind) => kind === "delay").length)).toEqual([0, 1, 1]);
    expect(kinds[1]!.indexOf("delay")).toBe(kinds[1]!.indexOf("emit") - 1);
  });

  test("a run that began later fails at its own instant", () => {
    const meant = failed({ calls: calls([6, "f"], [9, "g"]), elapsed: 3, ended: 9 });
    expect(told(meant, { calls: calls([9, "g"]) })).toEqual(["calls"]);
    expect(told(meant, { calls: calls([6, "f"]) })).toEqual([]);
  });
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
  const told = (meant: Run, got: Partial<Run>, of: Asked) =>
    toldOnAsl(differences([meant], [{ ...meant, ...got }]), of, [meant]).map(({ what }) => what);

  test("a call that nobody waits for may come behind others of its instant; what is waited for may not", () => {
    const meant = run({ calls: calls([0, "f"], [0, "g"]) });
    const other = { calls: calls([0, "g"], [0, "f"]) };
    expect(told(meant, other, asked(same))).toEqual(["calls"]);
    expect(told(meant, other, askedApart(same))).toEqual([]);
  });

  test("an event may come just before or just after a subflow has begun at its instant, where there is one", () => {
    const { program, scenario } = asked(same);
    const events = [{ at: 1, event: { type: "told" } }];
    const calling = programOf(
      program.workflows.map((workflow) =>
        mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(invoking) })),
      ),
    );
    expect(othersOnAsl({ program, scenario: { ...scenario, events } })).toEqual([]);
    const [other, early] = othersOnAsl({ program: calling, scenario: { ...scenario, events } });
    const [{ at }] = other!.scenario.events as [(typeof events)[0]];
    expect(Date.parse("2026-01-01") + at * 1000).toBeGreaterThan(Date.parse("2026-01-01") + 1000);
    expect(Math.round(at * 1e6)).toBe(1e6);
    expect(early!.scenario.events).toEqual(events);
    const kinds = early!.program.workflows.flatMap(stepsOf).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "delay")).toHaveLength(kinds.filter((kind) => kind === "invoke").length);
  });

  test("a run that is started with another may have the event that both could use", () => {
    const waiting = (id: string, ...more: readonly JsonObject[]) => ({
      id,
      name: id,
      version: "1",
      events: [{ name: "Told", type: "told" }],
      states: [
        {
          name: "Begin",
          start: { kind: "default" },
          type: "inject",
          transition: { nextState: more.length > 0 ? "Launch" : "Wait" },
        },
        ...more,
        {
          name: "Wait",
          type: "event",
          eventsActions: [{ eventRefs: ["Told"], actions: [] }],
          end: { kind: "default" },
        },
      ],
    });
    const of = (waitForCompletion: boolean): Asked => {
      const launch = { name: "Launch", type: "subflow", workflowId: "other", waitForCompletion };
      const { program, scenarios, diagnostics } = checked({
        language: "serverless-workflow",
        definitions: [waiting("main", { ...launch, transition: { nextState: "Wait" } }), waiting("other")],
        options: {},
        scenarios: [{ events: [{ at: "PT1S", event: { type: "told" } }] }],
      });
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      return { program: program!, scenario: scenarios[0]! };
    };
    expect(told(run(), { elapsed: 9 }, of(false))).toEqual([]);
    expect(told(run(), { elapsed: 9 }, of(true))).toEqual(["elapsed"]);
  });

  test("a run that does too much fails there as the platform has it", () => {
    const error = (name: string) => ({ status: "failed", error: { name, message: "m", origin: "limit" } }) as const;
    const got = { outcome: error("States.Runtime") };
    expect(told(run({ outcome: error("LimitError") }), got, asked(same))).toEqual([]);
    expect(told(run({ outcome: error("E") }), got, asked(same))).toEqual(["error"]);
    expect(told(run(), got, asked(same))).toEqual(["status"]);
  });

  test("a run that does too much may end there before what nobody waits for comes", () => {
    const error = (name: string) => ({ status: "failed", error: { name, message: "m", origin: "limit" } }) as const;
    const meant = (name: string) => run({ outcome: error(name), calls: calls([0, "f"]) });
    expect(told(meant("LimitError"), { calls: [] }, askedApart(same))).toEqual([]);
    expect(told(meant("LimitError"), { calls: calls([0, "g"]) }, askedApart(same))).toEqual(["calls"]);
    expect(told(meant("LimitError"), { calls: [] }, asked(same))).toEqual(["calls"]);
    expect(told(meant("E"), { calls: [] }, askedApart(same))).toEqual(["calls"]);
  });

  test("it may get another answer of its function, where that has several", () => {
    const meant = run({ calls: calls([0, "f"], [0, "f"], [0, "g"], [0, "g"]) });
    const got = { outcome: { status: "succeeded", output: 2 } } as const;
    expect(told(meant, got, askedApart(varied))).toEqual([]);
    expect(told(meant, got, askedApart(same))).toEqual(["output"]);
    expect(told(meant, got, asked(varied))).toEqual(["output"]);
  });
});
