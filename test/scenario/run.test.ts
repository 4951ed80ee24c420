import { describe, expect, test } from "vitest";
import type { Program } from "../../src/ir/workflow.ts";
import type { Language } from "../../src/language.ts";
import { interpret, type ReferenceRun } from "../../src/reference/index.ts";
import { createComputer } from "../../src/scenario/computer.ts";
import { onReference, openScenarios, type Result, type Runner, runScenarios } from "../../src/scenario/run.ts";
import type { Target } from "../../src/target/contract.ts";
import type { Outcome } from "../../src/target/simulator.ts";
import { languagesWith } from "../ir/changed-language.ts";
import { languages } from "../languages.ts";
import { printDiagnostic, readScenarios } from "./reading.ts";

const head =
  "id: order\nname: Order\nversion: '1.0'\nfunctions:\n- { name: charge, resource: charge }\n- { name: ship, resource: ship }\nstates:\n";
const charging = `${head}- name: Charge
  type: operation
  start: { kind: default }
  actions:
  - { functionRef: { refName: charge, parameters: { id: $.id } }, timeout: PT10S }
  end: { kind: default }
`;

/** A target that rejects every program. */
const refusing: Target = {
  name: "asl",
  summary: "refuses",
  generate: ({ workflows }, _, report) =>
    void report({ code: "WB5199", severity: "error", message: "No.", span: workflows[0]!.span, notes: [] }),
  emit: () => [],
};

type RunProgram = (request: ReferenceRun) => Promise<Outcome>;

/** A target that accepts every program and runs it with `run`. */
function running(run: RunProgram): Runner {
  let made: Program | undefined;
  const target: Target = { name: "asl", summary: "runs", generate: (program) => (made = program), emit: () => [] };
  const executor = {
    run: (_: unknown, { workflow, ...request }: Parameters<NonNullable<Runner["executor"]>["run"]>[1]) =>
      run({ ...request, program: made!, workflow: made!.byId.get(workflow)! }),
    close() {},
  };
  return { name: "asl", target, executor };
}

/** Runs scenarios on definitions, the main workflow first. */
async function run(
  scenarios: string,
  definitions: readonly string[] = [charging],
  runner = onReference,
  from: readonly Language[] = languages,
): Promise<readonly Result[]> {
  const { file, findings } = readScenarios(`workflow: ./order.yaml\n${scenarios}`);
  if (!file) throw new Error(findings.join("\n"));
  return runScenarios(
    file,
    { sources: definitions.map((text, i) => ({ path: i === 0 ? "order.yaml" : `sub${i}.yaml`, text })) },
    runner,
    from,
  );
}
const brief = (results: readonly Result[]) =>
  results.map(({ outcome, differences }) => [outcome, ...differences.map(({ what }) => what)].join(" "));

test("scenarios pass or fail one by one", async () => {
  const results = await run(`scenarios:
- { name: as it should be, input: { id: 7 }, functions: { charge: { returns: { ok: true } } }, expect: { status: succeeded, output: { id: 7, ok: true }, calls: [charge: { id: 7 }], elapsed: PT0S } }
- { name: not as it should be, input: { id: 7 }, expect: { status: succeeded, output: {}, calls: [ship: {}], elapsed: PT1S } }
- { name: it fails, functions: { charge: { throws: { name: Declined } } }, expect: { status: failed, error: { name: Declined, message: "" } } }
`);
  expect(brief(results)).toEqual(["passed", "failed output calls[0] elapsed", "passed"]);
  expect(results[1]).toMatchObject({
    file: "scenarios.yaml",
    scenario: "not as it should be",
    target: "reference",
    path: ["Charge", "Charge/merge", "Charge/end"],
    isFailure: true,
  });
});

test("responses are used in order, the last one repeatedly; unmentioned functions return null", async () => {
  const looped = charging
    .replace("timeout: PT10S", "name: money")
    .replace("  end:", "  retry: [{ expression: { body: name eq 'Busy' }, interval: PT5S, maxAttempts: 9 }]\n  end:");
  const results = await run(
    `scenarios:
- { name: a list, functions: { charge: [{ throws: { name: Busy } }, { throws: { name: Busy }, takes: PT2S }, { returns: 3 }] }, expect: { status: succeeded, output: { money: 3 }, elapsed: PT12S } }
- { name: for ever, functions: { charge: [{ throws: { name: Busy } }] }, expect: { status: failed, elapsed: PT45S } }
- { name: none, functions: { charge: [] }, expect: { status: succeeded, output: {} } }
- { name: nobody, input: { id: null }, expect: { status: succeeded, output: { id: null }, calls: [charge: { id: null }] } }
`,
    [looped],
  );
  expect(brief(results)).toEqual(["passed", "passed", "passed", "passed"]);
});

test("a computed response is jq over the argument and may throw", async () => {
  const results = await run(`scenarios:
- { name: a value, input: { id: 7 }, functions: { charge: { computes: "{ double: (.id * 2) } # twice" } }, expect: { status: succeeded, output: { id: 7, double: 14 } } }
- { name: thrown, functions: { charge: { computes: 'error({ name: "Bad", message: "m" })' } }, expect: { status: failed, error: { name: Bad, message: m } } }
- { name: thrown text, functions: { charge: { computes: 'error("m")' } }, expect: { status: failed, error: { name: Error, message: m } } }
- { name: no value, functions: { charge: { computes: empty } }, expect: { status: failed, error: { name: ComputesFailed, message: The \`computes\` gives no value. } } }
- { name: of several the first, functions: { charge: { computes: "{ a: 1 }, { a: 2 }" } }, expect: { status: succeeded, output: { a: 1 } } }
`);
  expect(brief(results)).toEqual(["passed", "passed", "passed", "passed", "passed"]);
});

test("an invalid `computes` is reported before anything runs", async () => {
  const { findings } = readScenarios(`workflow: a
scenarios:
- name: x
  functions:
    a: { computes: ".a | " }
    b: [{ computes: ".a" }, { computes: "nosuch(1)" }, { computes: "keyz" }]
  expect: { status: waiting }
`);
  expect(findings).toEqual([
    "5:26-0 WB4010 An expression is missing before the end of the expression.",
    "6:42-6 WB4011 Unknown function `nosuch`.",
    "6:69-4 WB4011 Unknown function `keyz`. [Did you mean `keys`?]",
  ]);
});

test("a computed response sees its input and nothing else", async () => {
  const computer = createComputer();
  const dot = { kind: "identity" } as const;
  for (const input of [null, "text", "", 0, false, [], { a: [null] }])
    expect(await computer.compute(dot, input)).toEqual({ value: input });
  await computer.close();
});

test("options belong to the file or the scenario", async () => {
  const late = "functions: { charge: { returns: 1, takes: PT1M } }";
  const results = await run(`options: { timeout: fail }
scenarios:
- { name: fails, ${late}, expect: { status: failed, error: { name: Timeout }, elapsed: PT10S } }
- { name: proceeds, options: { timeout: proceed }, ${late}, expect: { status: succeeded, output: {}, elapsed: PT10S } }
`);
  expect(brief(results)).toEqual(["passed", "passed"]);
});

const parent = `${head}- name: Sub
  type: subflow
  start: { kind: default }
  workflowId: child
  waitForCompletion: true
  end: { kind: default }
`;
const child = charging.replace("id: order", "id: child");

test("subflows are the definitions next to the workflow, or respond by their id", async () => {
  const own = await run(
    `scenarios:\n- { name: x, functions: { charge: { returns: { a: 1 } } }, expect: { status: succeeded, output: { a: 1 }, calls: [charge: { id: null }] } }\n`,
    [parent, child],
  );
  expect(brief(own)).toEqual(["passed"]);
  const elsewhere = await run(
    `scenarios:\n- { name: x, functions: { child: { returns: { a: 1 } } }, expect: { status: succeeded, output: { a: 1 }, calls: [child: {}] } }\n`,
    [parent],
  );
  expect(brief(elsewhere)).toEqual(["passed"]);
  expect(elsewhere[0]!.diagnostics).toEqual([]);
});

test("a response for an unknown function is a warning", async () => {
  const [result] = await run(
    `scenarios:\n- name: x\n  functions: { chrge: { returns: 1 }, charge: { returns: 1 } }\n  expect: { status: succeeded }\n`,
  );
  expect(result!.outcome).toBe("passed");
  expect(result!.diagnostics.map(printDiagnostic)).toEqual([
    "4:16-5 WB6008 The workflow has no function `chrge`. [Did you mean `charge`?]",
  ]);
});

test("events start a run or are delivered to it, with a default id", async () => {
  const waits = `${head.replace("functions:", "events:\n- { name: Paid, type: paid, source: /s }\nfunctions:")}- name: Wait
  type: event
  start: { kind: default }
  eventsActions: [{ eventRefs: [Paid], actions: [] }]
  end: { kind: default }
`;
  const results = await run(
    `scenarios:
- { name: started, events: [{ at: PT5S, event: { type: paid, source: /s, data: { sum: 3 } } }], expect: { status: succeeded, output: { sum: 3 }, elapsed: PT0S } }
- { name: called, input: { a: 1 }, events: [{ at: PT5S, event: { type: paid, source: /s, data: { sum: 3 } } }], expect: { status: succeeded, output: { a: 1, sum: 3 }, elapsed: PT5S } }
- { name: called with what is no object, input: null, expect: { status: failed, error: { name: InvalidInput }, calls: [], elapsed: PT0S } }
- { name: never, events: [{ event: { type: other, source: /s } }], expect: { status: not-started } }
`,
    [waits],
  );
  expect(brief(results)).toEqual(["passed", "passed", "passed", "passed"]);
});

test("a thrown error shows only the fields of the language, under its names", async () => {
  const throwing = (error: string) =>
    `scenarios:\n- { name: x, functions: { charge: { throws: ${error} } }, expect: { status: failed, error: { name: Busy, code: 5 } } }\n`;
  const [result] = await run(throwing("{ name: Busy, message: m, code: 5, trace: t }"));
  expect(result!.differences).toEqual([
    { what: "error", expected: { name: "Busy", code: 5 }, got: { name: "Busy", message: "m", trace: "t" } },
  ]);
});

test("further runs are concurrent with the scenario's own and share its responses", async () => {
  const results = await run(`scenarios:
- name: both
  input: { id: 1 }
  functions: { charge: [{ returns: { n: 1 }, takes: PT5S }, { returns: { n: 2 } }] }
  expect: { status: succeeded, output: { id: 1, n: 1 }, calls: [charge: { id: 1 }], elapsed: PT5S }
  runs:
  - { id: b, input: { id: 2 }, at: PT2S, expect: { status: succeeded, output: { id: 2, n: 2 }, elapsed: PT0S } }
- name: not as expected
  expect: { status: succeeded }
  runs: [{ id: b, expect: { status: waiting } }]
`);
  expect(brief(results)).toEqual(["passed", "failed b: status"]);
});

test("a timer that fires creates a run at its time", async () => {
  const every = { kind: "every", seconds: 3600, span: { source: { path: "", text: "" }, start: 0, end: 0 } } as const;
  const timed = languagesWith((workflow) => ({ ...workflow, start: { ...workflow.start, timers: [every] } }));
  const scenarios = `scenarios:
- name: once
  fires: [{ at: PT1H }]
  functions: { charge: { returns: { n: 1 }, takes: PT5S } }
  expect: { status: succeeded, output: { n: 1 }, calls: [charge: { id: null }], elapsed: PT5S }
- name: thrice
  fires: [{ at: PT1H }, { at: PT2H }, { at: PT3H }]
  functions: { charge: [{ returns: { n: 1 } }, { returns: { n: 2 } }, { returns: { n: 3 } }] }
  expect: { status: succeeded, output: { n: 1 }, calls: [charge: { id: null }, charge: { id: null }] }
  runs: [{ id: last, firing: 2, expect: { status: succeeded, output: { n: 3 }, calls: [charge: { id: null }] } }]
- { name: no such timer, fires: [{ at: PT1H, timer: 1 }], expect: { status: succeeded } }
`;
  const results = await run(scenarios, undefined, undefined, timed);
  expect(brief(results)).toEqual(["passed", "passed", "failed"]);
  expect(results[2]!.diagnostics.map(printDiagnostic)).toEqual([
    "12:53-1 WB6015 `order` has 1 timer, so timer 1 cannot fire. [The first timer is 0, the last one 0.]",
  ]);
});

test("a firing at an instant at which the timer does not fire is a warning", async () => {
  const span = { source: { path: "", text: "" }, start: 0, end: 0 };
  const timers = [
    { kind: "cron", expression: "0 6 * * *", until: "2026-01-02T12:00:00Z", span },
    { kind: "every", seconds: 3600, from: "2026-01-01T00:30:00Z", times: 2, span },
    { kind: "every", seconds: 3600, span },
  ] as const;
  const timed = languagesWith((workflow) => ({ ...workflow, start: { ...workflow.start, timers } }));
  const scenarios = `scenarios:
- name: times
  functions: { charge: { returns: {} } }
  fires:
  - { at: PT6H }
  - { at: PT6H1S }
  - { at: P3D }
  - { at: PT1H30M, timer: 1 }
  - { at: PT20M, timer: 1 }
  - { at: PT2H30M, timer: 1 }
  - { at: PT1S, timer: 2 }
  expect: { status: succeeded }
`;
  const [result] = await run(scenarios, undefined, undefined, timed);
  expect(brief([result!])).toEqual(["passed"]);
  expect(result!.diagnostics.map(printDiagnostic)).toEqual([
    '7:5-14 WB6016 The timer (at "0 6 * * *" until 2026-01-02T12:00:00Z) does not fire at 2026-01-01T06:00:01Z. [The next time is 2026-01-02T06:00:00Z.]',
    '8:5-11 WB6016 The timer (at "0 6 * * *" until 2026-01-02T12:00:00Z) does not fire at 2026-01-04T00:00:00Z. [It does not fire after that.]',
    "10:25-1 WB6016 The timer (every 3600 s from 2026-01-01T00:30:00Z, 2 times) does not fire at 2026-01-01T00:20:00Z. [The next time is 2026-01-01T00:30:00Z.]",
    "11:27-1 WB6016 The timer (every 3600 s from 2026-01-01T00:30:00Z, 2 times) does not fire at 2026-01-01T02:30:00Z. [It does not fire after that.]",
  ]);
});

test("a definition with errors is rejected with diagnostics", async () => {
  const [result] = await run("scenarios:\n- { name: x, expect: { status: succeeded } }\n", [
    charging.replace("refName: charge", "refName: chrge"),
  ]);
  expect(result).toMatchObject({ outcome: "refused", isFailure: true });
  expect(result!.diagnostics.map(({ code }) => code)).toEqual(["WB2002"]);
});

test("a target's rejection fails only if the scenario names the target", async () => {
  const scenarios = `scenarios:\n- { name: x, expect: { status: succeeded } }\n- { name: y, targets: [typescript], expect: { status: succeeded } }\n`;
  const results = await run(scenarios, [charging], { ...running(interpret), target: refusing });
  expect(
    results.map(({ outcome, isFailure, diagnostics }) => [outcome, isFailure, diagnostics.map(({ code }) => code)]),
  ).toEqual([
    ["refused", true, ["WB5199"]],
    ["refused", false, ["WB5199"]],
  ]);
});

test("a target is compared with the reference where the scenario expects nothing", async () => {
  const scenarios =
    "scenarios:\n- { name: x, functions: { charge: { returns: { ok: true } } }, expect: { status: succeeded } }\n";
  const [same] = await run(scenarios, [charging], running(interpret));
  expect(same).toMatchObject({ outcome: "passed", isFailure: false });
  const idle: RunProgram = async ({ environment }) => {
    environment.started();
    await environment.sleep(5);
    return { status: "succeeded", output: {} };
  };
  const [other] = await run(scenarios, [charging], running(idle));
  expect(other).toMatchObject({ outcome: "failed", isFailure: true });
  expect(other!.differences).toEqual([
    { what: "output", expected: { ok: true }, got: {}, against: "reference" },
    { what: "calls[0]", expected: { charge: { id: null } }, against: "reference" },
    { what: "elapsed", expected: 0, got: 5, against: "reference" },
  ]);
});

describe("behavior after a decided join or failure is unspecified", () => {
  const step = (name: string, rest: string) =>
    `{ name: ${name}, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: ${rest} } }], end: { kind: default } }`;
  const pause = (name: string, time: string) =>
    `{ name: ${name}, type: delay, start: { kind: default }, timeDelay: ${time}, end: { kind: default } }`;
  const racing = `${head}- name: Race
  type: parallel
  start: { kind: default }
  completionType: xor
  branches:
  - { name: fast, startsAt: F, states: [${pause("F", "PT1S")}] }
  - { name: slow, startsAt: S, states: [${pause("S", "PT2S")}] }
  end: { kind: default }
`;
  const each = `${head}- name: Each
  type: foreach
  start: { kind: default }
  inputCollection: $.all
  inputParameter: $.one
  startsAt: Ship
  states: [${step("Ship", "charge")}]
  end: { kind: default }
`;
  const failing =
    "input: { all: [1, 2] }, functions: { charge: [{ throws: { name: Bad } }, { returns: 1, takes: PT9S }] }, ";
  const twice = "[charge: { all: [1, 2], one: 1 }, charge: { all: [1, 2], one: 2 }]";

  /** Runs on the reference, then makes one more call. */
  const more: RunProgram = async (request) => {
    const outcome = await interpret(request);
    request.environment.call("ship", {}, { position: [] }).catch(() => undefined);
    return outcome;
  };
  test.each([
    ["a race", racing, "expect: { status: succeeded, elapsed: PT1S }", "passed"],
    ["a race with optional calls", racing, "expect: { status: succeeded, calls: [], maybe: [ship: {}] }", "passed"],
    ["a race without calls", racing, "expect: { status: succeeded, calls: [] }", "failed calls[0]"],
    [
      "a race of equals",
      racing.replace("completionType: xor", "completionType: and"),
      "expect: { status: succeeded }",
      "failed calls[0]",
    ],
    ["a loop that fails", each, `${failing}expect: { status: failed }`, "passed"],
    [
      "a loop that fails, with its calls",
      each,
      `${failing}expect: { status: failed, calls: ${twice} }`,
      "failed calls[2]",
    ],
    ["a loop", each, "input: { all: [] }, expect: { status: succeeded }", "failed calls[0]"],
  ])("%s", async (_, definition, scenario, outcome) => {
    const results = await run(`scenarios:\n- { name: x, ${scenario} }\n`, [definition], running(more));
    expect(brief(results)).toEqual([outcome]);
  });
});

test("a called function without a result is reported by the first runner, and fails a strict session", async () => {
  const text = "scenarios:\n- { name: x, input: { order: A1 }, expect: { status: succeeded } }\n";
  const warning = "The scenario calls `charge`, for which it has no result: null is returned.";
  const { file } = readScenarios(`workflow: ./order.yaml\n${text}`);
  for (const isStrict of [false, true]) {
    const definitions = { sources: [{ path: "order.yaml", text: charging }] };
    const session = openScenarios(file!, definitions, languages, { isStrict });
    const results = [await session.run(onReference), await session.run(running(interpret))].flat();
    await session.close();
    expect(results.map(({ diagnostics }) => diagnostics.map(({ message }) => message))).toEqual([[warning], []]);
    expect(results.map(({ outcome }) => outcome)).toEqual([isStrict ? "failed" : "passed", "passed"]);
  }
});

test("a scenario is skipped on targets that it does not list", async () => {
  const text = "scenarios:\n- { name: x, targets: [typescript], expect: { status: failed } }\n";
  const never = running(() => Promise.reject(new Error("It ran.")));
  const [result] = await run(text, [charging], never);
  expect(result).toMatchObject({ outcome: "skipped", differences: [], isFailure: false });
});

test("a target that cannot run scenarios is unavailable and not a failure", async () => {
  const [result] = await run("scenarios:\n- { name: x, expect: { status: succeeded } }\n", [charging], {
    name: "asl",
    target: { ...refusing, generate: () => [] },
  });
  expect(result).toMatchObject({ outcome: "unavailable", isFailure: false });
});

test("an aborted run is a failure with the reason", async () => {
  const broken = running(() => Promise.reject(new Error("It broke.")));
  const [result] = await run("scenarios:\n- { name: x, expect: { status: succeeded } }\n", [charging], broken);
  expect(result).toMatchObject({
    outcome: "failed",
    differences: [{ what: "run", got: "It broke." }],
    isFailure: true,
  });
});
