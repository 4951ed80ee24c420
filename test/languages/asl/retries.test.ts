import { expect, test } from "vitest";
import { compileWith } from "../../../src/compile.ts";
import { onReference, onTarget, runScenarios } from "../../../src/scenario/run.ts";
import { asl } from "../../../targets/asl/index.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";
import { readScenarios } from "../../scenario/reading.ts";

const retry = "Retry: [{ ErrorEquals: [Busy], MaxAttempts: 2, IntervalSeconds: 3 }]";
const branch = `{ StartAt: A, States: { A: { Type: Task, Resource: "\${A}", End: true } } }`;
const idle = "{ StartAt: B, States: { B: { Type: Pass, End: true } } }";

/** Runs a machine whose task `A` fails once, on the reference and on all targets. */
async function run(machine: string, calls: string): Promise<readonly string[]> {
  const scenarios = `workflow: machine.yaml
scenarios:
  - name: retried
    input: [7]
    functions: { A: [{ throws: { error: Busy, cause: later } }, { returns: "x,y" }] }
    expect: { status: succeeded, calls: ${calls} }
`;
  const { file, findings } = readScenarios(
    scenarios,
    "machine.scenarios.yaml",
    targets.map(({ name }) => name),
  );
  expect(findings).toEqual([]);
  const runners = [onReference, ...(await Promise.all(targets.map(onTarget)))];
  try {
    const sources = [{ path: "machine.yaml", text: machine }];
    const results = await Promise.all(runners.map((runner) => runScenarios(file!, { sources }, runner, languages)));
    return results.flat().map(({ outcome, differences }) => `${outcome}${JSON.stringify(differences)}`);
  } finally {
    for (const { executor } of runners) executor?.close();
  }
}

async function compiled(text: string): Promise<string> {
  const { files, diagnostics } = await compileWith(
    { sources: [{ path: "machine.yaml", text }], options: {} },
    languages,
    asl,
  );
  expect(diagnostics).toEqual([]);
  return files.find(({ path }) => path.endsWith(".asl.json"))!.text;
}

const passed = Array.from({ length: 1 + targets.length }, () => "passed[]");

test("a Task counts its retries on all targets", { timeout: 60_000 }, async () => {
  const task = `{ Type: Task, Resource: "\${A}", Parameters: { n.$: $$.State.RetryCount }, ${retry}, End: true }`;
  expect(await run(`{ StartAt: A, States: { A: ${task} } }`, "[{ A: { n: 0 } }, { A: { n: 1 } }]")).toEqual(passed);
});

test("a Map counts its retries on all targets", { timeout: 60_000 }, async () => {
  const map = `{ Type: Map, ItemSelector: { n.$: $$.State.RetryCount }, ItemProcessor: ${branch}, ${retry}, End: true }`;
  expect(await run(`{ StartAt: M, States: { M: ${map} } }`, "[{ A: { n: 0 } }, { A: { n: 1 } }]")).toEqual(passed);
});

test("a Parallel records the time and random values of each attempt", { timeout: 60_000 }, async () => {
  const known = "{% $length($uuid()) + $random() * 0 %}";
  const given = `{ at: "{% $now() %}", n: "{% $states.context.State.RetryCount %}", known: "${known}" }`;
  const state = `{ Type: Parallel, Arguments: ${given}, Branches: [${branch}, ${idle}], ${retry}, End: true }`;
  const first = "{ at: 2026-01-01T00:00:00.000Z, n: 0, known: 36 }";
  const calls = `[{ A: ${first} }, { A: { at: 2026-01-01T00:00:03.000Z, n: 1, known: 36 } }]`;
  expect(await run(`{ QueryLanguage: JSONata, StartAt: P, States: { P: ${state} } }`, calls)).toEqual(passed);
});

test("delays stay random where retries become steps", { timeout: 60_000 }, async () => {
  const random = "Retry: [{ ErrorEquals: [Busy], JitterStrategy: FULL }]";
  const counted = `{ Type: Task, Resource: "\${A}", Parameters: { n.$: $$.State.RetryCount }, ${random}, End: true }`;
  const text = await compiled(`{ StartAt: A, States: { A: ${counted} } }`);
  expect(text).toContain("$random()");
  expect(text).not.toContain("JitterStrategy");
});

test("a distributed Map stays one where its retries become steps", { timeout: 60_000 }, async () => {
  const processor = branch.replace("{", "{ ProcessorConfig: { Mode: DISTRIBUTED, ExecutionType: STANDARD },");
  const retriers = "Retry: [{ ErrorEquals: [States.TaskFailed] }, { ErrorEquals: [Busy] }]";
  const map = `{ Type: Map, ToleratedFailureCount: 1, ItemProcessor: ${processor}, ${retriers}, End: true }`;
  const text = await compiled(`{ StartAt: M, States: { M: ${map} } }`);
  expect(text).toContain('"ToleratedFailureCount": 1');
  expect(text).toContain("DISTRIBUTED");
});

const retriers = `Retry:
  - { ErrorEquals: [Named, States.Timeout], IntervalSeconds: 2, MaxAttempts: 1, BackoffRate: 1.5 }
  - { ErrorEquals: [States.TaskFailed], MaxAttempts: 2, BackoffRate: 1.5 }`;

const charging = (fields: string): string => `StartAt: A
States:
  A:
    Type: Task
    Resource: arn:aws:lambda:eu-west-1:123456789012:function:charge
    Parameters: { n.$: $.n }
    TimeoutSeconds: 5
    ${retriers.replaceAll("\n", "\n    ")}
    ${fields}
    End: true
`;

test("retries with wildcards and fractional delays are those of Step Functions", async () => {
  const text = `workflow: machine.yaml
scenarios:
  - name: retried by both
    input: { n: 1 }
    functions: { A: [{ throws: { error: Named } }, { throws: { error: Other } }, { throws: { error: Other } }, { returns: 1 }] }
    expect: { status: succeeded, output: 1, elapsed: PT4.5S }
  - name: a timeout is not a failed task
    input: { n: 1 }
    functions: { A: [{ returns: 1, takes: PT9S }, { returns: 1, takes: PT9S }] }
    expect: { status: failed, error: { name: States.Timeout }, elapsed: PT12S }
  - name: a broken path is not retried
    input: {}
    functions: { A: { returns: 1 } }
    expect: { status: failed, error: { name: States.Runtime }, elapsed: PT0S }
`;
  const { file } = readScenarios(text, "machine.scenarios.yaml", ["asl"]);
  const sources = [{ path: "machine.yaml", text: charging("") }];
  for (const runner of [onReference, await onTarget(asl)]) {
    const results = await runScenarios(file!, { sources }, runner, languages);
    expect(results.map(({ outcome, differences }) => [outcome, differences])).toEqual([
      ["passed", []],
      ["passed", []],
      ["passed", []],
    ]);
  }
});

const task = (fields: string): string =>
  `{ Type: Task, Resource: "\${A}", ${fields}, Retry: [{ ErrorEquals: [States.ALL] }], End: true }`;

test.each([
  ["JSONPath", task("ResultPath: $.a.b")],
  ["JSONata", task(`Output: "{% $states.result + 1 %}"`)],
  ["JSONata", task(`Arguments: "{% $states.input.a + 1 %}", Output: 1`)],
])("an error in the data flow of a task is retried as its wildcard says, in %s: %s", async (language, state) => {
  const text = `workflow: machine.yaml
scenarios:
  - name: retried
    input: { a: x }
    functions: { A: { returns: x } }
    expect: { status: failed, elapsed: PT7S }
`;
  const { file } = readScenarios(text, "machine.scenarios.yaml", ["asl"]);
  const sources = [
    { path: "machine.yaml", text: `{ QueryLanguage: ${language}, StartAt: A, States: { A: ${state} } }` },
  ];
  for (const runner of [onReference, await onTarget(asl)]) {
    const results = await runScenarios(file!, { sources }, runner, languages);
    expect(results.map(({ outcome, differences }) => [outcome, differences])).toEqual([["passed", []]]);
  }
});

test("a machine whose converted retries would wait for parts of seconds is printed as it is", async () => {
  const input = { sources: [{ path: "machine.yaml", text: charging("ResultPath: $.paid") }], options: {} };
  const { files, diagnostics } = await compileWith(input, languages, asl);
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["WB5139", "info"]]);
  expect(JSON.parse(files[0]!.text)).toMatchObject({ States: { A: { ResultPath: "$.paid" } } });
});

test("a catcher sees the cause of a Lambda function as it is", async () => {
  const { files } = await compileWith(
    {
      sources: [
        {
          path: "machine.yaml",
          text: `StartAt: A
States:
  A: { Type: Task, Resource: "\${A}", Catch: [{ ErrorEquals: [Busy], Next: B }], End: true }
  B: { Type: Pass, InputPath: $.Cause, End: true }
`,
        },
      ],
      options: {},
    },
    languages,
    asl,
  );
  expect(files.find(({ path }) => path.endsWith(".asl.json"))!.text).not.toContain("errorMessage");
});
