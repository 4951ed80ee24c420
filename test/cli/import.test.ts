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

test("waybill import names a definition that is missing", async () => {
  const cwd = folderWith({ "config.json": config });
  const { status, err } = await waybill(cwd, ["import", "--mock-config", "config.json"]);
  expect(status).toBe(2);
  expect(err).toContain("The definition of `order` is not at `order.asl.json`. Name it with `--machine order=FILE`.");
});
