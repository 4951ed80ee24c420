import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, waybill } from "./command.ts";

const charging = `id: pay
name: Pay
version: '1.0'
functions:
- { name: charge, resource: charge }
states:
- name: Charge
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: charge, parameters: { amount: $.amount } } }]
  end: { kind: default }
`;

const configuration = "functions:\n  charge: { typescript: { module: ./functions/pay.ts#charge } }\n";

/** Notes each call in a file beside it, and refuses what costs nothing. */
const pay = `import { appendFileSync } from "node:fs";
export const charge = async ({ amount }: { amount: number }, { key }: { key: string }) => {
  appendFileSync(new URL("./calls.txt", import.meta.url), key + "\\n");
  if (amount === 0) throw Object.assign(new Error("nothing to pay"), { name: "Refused" });
  return { receipt: amount };
};
`;

const shop = () => folderWith({ "pay.yaml": charging, "waybill.config.yaml": configuration, "functions/pay.ts": pay });

describe("run", { timeout: 30_000 }, () => {
  test("compiles a workflow, runs it with its functions and prints its output", async () => {
    const answer = await waybill(shop(), ["run", "pay.yaml", "--input", '{"amount": 5}']);
    expect(answer).toEqual({ status: 0, out: '{\n  "amount": 5,\n  "receipt": 5\n}\n', err: "" });
  });

  test("the input can be a file, or standard input", async () => {
    const folder = shop();
    expect(await waybill(folder, ["run", "pay.yaml", "--input", "-"], '{"amount": 6}')).toMatchObject({
      status: 0,
      err: "",
    });
    expect(await waybill(folder, ["run", "pay.yaml", "--input", "@none.json"])).toMatchObject({ status: 1, out: "" });
    expect((await waybill(folder, ["run", "pay.yaml", "--input", "{"])).err).toMatch(/^--input is not JSON: /);
  });

  test("a run that fails is told of", async () => {
    const answer = await waybill(shop(), ["run", "pay.yaml", "--input", '{"amount": 0}']);
    expect(answer).toEqual({ status: 1, out: "", err: "The run has failed: Refused: nothing to pay\n" });
  });

  test("with a store, what is recorded is not done again", async () => {
    const folder = shop();
    const args = ["run", "pay.yaml", "--input", '{"amount": 7}', "--store", "runs.db"];
    const first = await waybill(folder, args);
    expect(await waybill(folder, args)).toEqual(first);
    expect(first).toMatchObject({ status: 0, err: "" });
    expect(readFileSync(join(folder, "functions/calls.txt"), "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("a function that nothing is said of fails, with a warning before", async () => {
    const { status, err } = await waybill(folderWith({ "pay.yaml": charging }), ["run", "pay.yaml"]);
    expect(status).toBe(1);
    expect(err).toMatch(
      /warning WB5301: [\s\S]*The run has failed: NotImplemented: The function charge is not implemented\./,
    );
  });

  test("a workflow that is not there, and a store that is none", async () => {
    const folder = shop();
    expect((await waybill(folder, ["run", "pay.yaml", "--workflow", "ship"])).err).toBe(
      "There is no workflow `ship`; there is `pay`.\n",
    );
    const answer = await waybill(folder, ["run", "pay.yaml", "--store", "pay.yaml"]);
    expect({ ...answer, err: answer.err.replaceAll(folder, "") }).toEqual({
      status: 1,
      out: "",
      err: "The file /pay.yaml is not a store.\n",
    });
  });
});
