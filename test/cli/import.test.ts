import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, waybill } from "./command.ts";

const machine = JSON.stringify({
  StartAt: "Charge",
  States: { Charge: { Type: "Task", Resource: "arn:aws:states:::lambda:invoke", OutputPath: "$.Payload", End: true } },
});
const config = JSON.stringify({
  StateMachines: { order: { TestCases: { charged: { Charge: "charged" } } } },
  MockedResponses: { charged: { "0": { Return: { Payload: "R1" } } } },
});

test("waybill import writes scenario files, and records what they do", async () => {
  const cwd = folderWith({ "order.asl.json": machine, "mocks/config.json": config });
  const args = [
    "import",
    "--mock-config",
    "mocks/config.json",
    "--machine",
    "order=order.asl.json",
    "--out",
    "new/scenarios",
    "--record",
  ];
  const { status, err } = await waybill(cwd, args);
  expect(err).toBe("Wrote new/scenarios/order.scenarios.yaml.\n");
  expect(status).toBe(0);
  const text = readFileSync(join(cwd, "new/scenarios/order.scenarios.yaml"), "utf8");
  expect(text).toContain("workflow: ../../order.asl.json\n");
  expect(text).toContain("expect: { status: succeeded, output: R1, calls: [{ Charge: {} }] }\n");
  expect((await waybill(cwd, ["test", "new"])).status).toBe(0);
  expect((await waybill(cwd, args)).err).toContain(
    "`new/scenarios/order.scenarios.yaml` exists. Overwrite it with --force.",
  );
});

test("mocks of callbacks are callbacks, also without a name of the error", async () => {
  const approve = {
    Type: "Task",
    Resource: "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
    Parameters: { "Token.$": "$$.Task.Token" },
    HeartbeatSeconds: 5,
  };
  const caught = { ...approve, Catch: [{ ErrorEquals: ["States.ALL"], Next: "No" }], End: true };
  const definition = { StartAt: "Approve", States: { Approve: caught, No: { Type: "Pass", End: true } } };
  const mocks = {
    StateMachines: { order: { TestCases: { yes: { Approve: "yes" }, no: { Approve: "no" } } } },
    MockedResponses: { yes: { "0": { Return: "approved" } }, no: { "0": { Throw: {} } } },
  };
  const cwd = folderWith({ "order.asl.json": JSON.stringify(definition), "mocks.json": JSON.stringify(mocks) });
  const args = [
    "import",
    "--mock-config",
    "mocks.json",
    "--machine",
    "order=order.asl.json",
    "--out",
    "out",
    "--record",
  ];
  expect((await waybill(cwd, args)).status).toBe(0);
  const text = readFileSync(join(cwd, "out/order.scenarios.yaml"), "utf8");
  expect(text).toContain("output: approved, calls: [{ Approve: { Token: token:Approve:1 } }]");
  expect(text).toContain("output: { Error: null, Cause: null }");
  expect((await waybill(cwd, ["test", "out", "--on", "asl"])).status).toBe(0);
});

test("waybill import names a definition that is missing", async () => {
  const cwd = folderWith({ "config.json": config });
  const { status, err } = await waybill(cwd, ["import", "--mock-config", "config.json"]);
  expect(status).toBe(2);
  expect(err).toContain("The definition of `order` is not at `order.asl.json`. Name it with `--machine order=FILE`.");
});

/** A template with two machines. */
const template = JSON.stringify({
  Resources: Object.fromEntries(
    ["Order", "Refund"].map((name) => [
      name,
      {
        Type: "AWS::StepFunctions::StateMachine",
        Properties: { StateMachineName: name.toLowerCase(), Definition: JSON.parse(machine) },
      },
    ]),
  ),
});

const failing = JSON.stringify({
  StateMachines: {
    Order: { TestCases: { busy: { Charge: "busy" } } },
    refund: { TestCases: { busy: { Charge: "busy" } } },
  },
  MockedResponses: { busy: { "0": { Throw: { Error: "Busy" } } } },
});

test("machines of one template have scenario files of their own, by id or name", async () => {
  const cwd = folderWith({ "template.json": template, "config.json": failing });
  const machines = ["Order", "refund"].flatMap((name) => ["--machine", `${name}=template.json`]);
  const { status, out } = await waybill(cwd, ["import", "--mock-config", "config.json", ...machines, "--record"]);
  expect(status).toBe(0);
  // Nothing was expected, so nothing differs.
  expect(out).not.toContain("✗");
  expect(out).toContain("✓ busy");
  const picks = ["Order", "refund"].map(
    (name) => /pick: (\w+)/.exec(readFileSync(join(cwd, `${name}.scenarios.yaml`), "utf8"))?.[1],
  );
  expect(picks).toEqual(["Order", "Refund"]);
  expect((await waybill(cwd, ["test", "."])).status).toBe(0);
});

test("names that differ only in characters that files do not have do not overwrite each other", async () => {
  const cases = { TestCases: { charged: { Charge: "charged" } } };
  const config = JSON.stringify({
    StateMachines: { "a b": cases, "A-B": cases },
    MockedResponses: { charged: { "0": { Return: 1 } } },
  });
  const cwd = folderWith({ "a.asl.json": machine, "config.json": config });
  const machines = ["a b", "A-B"].flatMap((name) => ["--machine", `${name}=a.asl.json`]);
  const { err } = await waybill(cwd, ["import", "--mock-config", "config.json", ...machines]);
  expect(err).toBe("Wrote a-b.scenarios.yaml.\nWrote A-B-2.scenarios.yaml.\n");
});

test("a machine that a template does not have is reported with those that it has", async () => {
  const cwd = folderWith({ "template.json": template, "config.json": config });
  const { status, err } = await waybill(cwd, [
    "import",
    "--mock-config",
    "config.json",
    "--machine",
    "order=template.json",
  ]);
  expect([status, err]).toEqual([0, "Wrote order.scenarios.yaml.\n"]);
  const other = JSON.stringify({ StateMachines: { ship: { TestCases: {} } }, MockedResponses: {} });
  const again = folderWith({ "template.json": template, "config.json": other });
  const missing = await waybill(again, ["import", "--mock-config", "config.json", "--machine", "ship=template.json"]);
  expect(missing.status).toBe(2);
  expect(missing.err).toContain("`template.json` has several machines: `Order`, `Refund`.");
});

test.each([[[]], [["--update"]]])("waybill test --pick selects a machine: %s", async (mode) => {
  const scenarios = {
    workflow: "./template.json",
    scenarios: [
      {
        name: "charged",
        input: {},
        functions: { Charge: { returns: { Payload: 1 } } },
        expect: { status: "succeeded", output: 1 },
      },
    ],
  };
  const cwd = folderWith({ "template.json": template, "a.scenarios.json": JSON.stringify(scenarios) });
  const run = (...flags: string[]) => waybill(cwd, ["test", "a.scenarios.json", ...mode, ...flags]);
  expect((await run()).status).toBe(1);
  // Names that the file does not have are for other files.
  const one = await run("--pick", "Other", "--pick", "Refund");
  expect([one.status, one.err]).toEqual([0, ""]);
  const both = await run("--pick", "Order", "--pick", "Refund");
  expect([both.status, both.err + both.out]).toEqual([1, expect.stringContaining("WB0105")]);
});
