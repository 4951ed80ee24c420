import { expect, test } from "vitest";
import { folderWith, waybill } from "./command.ts";

/** A template with two machines, each with its own result. */
const template = (refund: string): string => `Resources:
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition: { StartAt: Take, States: { Take: { Type: Pass, Result: taken, End: true } } }
  Refund:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition: { StartAt: Repay, States: { Repay: { Type: Pass, Result: ${refund}, End: true } } }
`;

/** Picks no machine. */
const scenarios = `workflow: template.yaml
scenarios:
- { name: repaid, expect: { status: succeeded, output: repaid } }
`;

const files = { "template.yaml": template("repaid"), "refund.scenarios.yaml": scenarios };

test("diff runs scenarios that pick none with the picked definition of both sides", async () => {
  const cwd = folderWith({ ...files, "new.yaml": template("kept") });
  const sides = ["template.yaml", "new.yaml"];
  const { status, out } = await waybill(cwd, ["diff", ...sides, "--pick", "Refund", "--scenarios"]);
  expect(status).toBe(1);
  expect(out).toMatch(/~ repaid[^\n]*\n +output: repaid → kept/);
});

test("compile --stats measures scenarios that pick none with the picked definition", async () => {
  const args = ["compile", "template.yaml", "--pick", "Refund", "--target", "asl", "--out", "out", "--stats"];
  const { status, err } = await waybill(folderWith(files), args);
  expect(status).toBe(0);
  expect(err).toMatch(/^ +scenario +transitions .*\n +repaid +1 /m);
});

test("graph marks the path of a scenario that picks none in the picked definition", async () => {
  const { status, err } = await waybill(folderWith(files), [
    ...["graph", "template.yaml", "--pick", "Refund", "--format", "dot", "--scenario", "repaid"],
  ]);
  expect({ status, err }).toEqual({ status: 0, err: "1 scenario covers 3 of 3 nodes, 2 of 2 transitions.\n" });
});
