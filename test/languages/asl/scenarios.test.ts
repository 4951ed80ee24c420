import { expect, test } from "vitest";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { onReference, openScenarios } from "../../../src/scenario/run.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

const template = `Resources:
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: Charge
        States:
          Charge: { Type: Task, Resource: !GetAtt F.Arn, Retry: [{ ErrorEquals: [Busy] }], ResultPath: $.stage, Next: Both }
          Both:
            Type: Parallel
            Branches:
              - { StartAt: A, States: { A: { Type: Wait, Seconds: 2, End: true } } }
              - { StartAt: B, States: { B: { Type: Pass, Result: "\${Stage}", End: true } } }
            Next: Failed
          Failed: { Type: Fail, Error: Bad, Cause: why }
  Refund: { Type: AWS::Serverless::StateMachine, Properties: { DefinitionUri: s3://bucket/key } }
`;

async function run(expectation: string) {
  const text = `workflow: template.yaml
pick: Order
placeholders: { Stage: prod }
scenarios:
  - name: charged
    functions: { Charge: [{ throws: { error: Busy, cause: later } }, { returns: 1 }] }
    expect: { status: failed, ${expectation} }
`;
  const known = { languages, targets: targets.map(({ name }) => name) };
  const file = readScenarioFile({ path: "order.scenarios.yaml", text }, known, () => undefined)!;
  const session = openScenarios(file, { sources: [{ path: "template.yaml", text: template }] }, languages);
  try {
    return { results: await session.run(onReference), coverage: await session.coverage() };
  } finally {
    await session.close();
  }
}

test("the trace of a run is the states that it enters, a retried one once", async () => {
  const { results } = await run("trace: [Charge, Both, A, B, Failed]");
  expect(results.map(({ outcome }) => outcome)).toEqual(["passed"]);
});

test("a trace in any order has the same states", async () => {
  const { results } = await run("ordered: false, trace: [Failed, A, B, Both, Charge]");
  expect(results.map(({ outcome }) => outcome)).toEqual(["passed"]);
});

test("another trace is a difference", async () => {
  const { results } = await run("trace: [Charge, Both, B, A, Failed]");
  expect(results[0]!.differences).toEqual([
    { what: "trace", expected: ["Charge", "Both", "B", "A", "Failed"], got: ["Charge", "Both", "A", "B", "Failed"] },
  ]);
});

test("`error` and `cause` are compared as the name and message of the error", async () => {
  expect((await run("error: { error: Bad, cause: why }")).results[0]!.outcome).toBe("passed");
  expect((await run("error: { error: Bad, cause: other }")).results[0]!.outcome).toBe("failed");
});

test("only the picked machine is compiled and covered, although the file has others that cannot be read", async () => {
  const { coverage } = await run("error: { error: Bad }");
  expect(coverage.flat().map(({ workflow }) => workflow)).toEqual(["Order"]);
});
