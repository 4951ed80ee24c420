import { describe, expect, test } from "vitest";
import { targets } from "../../targets/index.ts";
import { folderWith, waybill } from "./command.ts";

const flow = `id: order
name: Order
version: '1.0'
functions:
- { name: charge }
- { name: ship }
states:
- name: Both
  type: parallel
  start: { kind: default }
  branches:
  - name: money
    states:
    - name: Charge
      type: operation
      start: { kind: default }
      actions: [{ functionRef: { refName: charge } }]
      retry: [{ expression: { body: name eq 'Busy' }, interval: PT1M, maxAttempts: 2 }]
      end: { kind: default }
  - name: goods
    states:
    - name: Ship
      type: operation
      start: { kind: default }
      actions: [{ functionRef: { refName: ship } }]
      end: { kind: default }
  end: { kind: default }
`;

/** Runs \`waybill compile\` on the flow. */
const compile = (...args: readonly string[]) =>
  waybill(folderWith({ "order.yaml": flow }), ["compile", "order.yaml", ...args]);

describe("--emit ir --after", () => {
  test("prints the program after a pass of the target", async () => {
    const before = await compile("--emit", "ir");
    const first = await compile("--emit", "ir", "--after", "simplify-branches", "--target", "openwhisk");
    const { status, out, err } = await compile("--emit", "ir", "--after", "plain-recovery", "--target", "openwhisk");
    expect({ status, err: err.includes("error") }).toEqual({ status: 0, err: false });
    expect(first.out).toBe(before.out);
    expect(out).toMatchInlineSnapshot(`
      "workflow order "Order" "1.0" from serverless-workflow
        input data
        function charge
        function ship
        var data
        var results
        Both: fork joining all -> results   # parallel state "Both"
          branch money
            var data = $data
            var result
            var error
            var "Both/money/Charge retries 1"
            Both/money/Charge: "Both/money/Charge retries 1" := 0   # operation state "Charge"
            Both/money/Charge/try: attempt restoring data
              Both/money/Charge/charge: call charge($data) -> result
              Both/money/Charge/merge: data := assignResult($data, $result, "charge")
              Both/money/Charge/done: end with $data
              on error when true -> error then Both/money/Charge/failed
              then Both/money/Charge/end
            Both/money/Charge/failed: choose
              when compareInCondition($error.name, "==", "Busy") and $Both/money/Charge retries 1 < 2 then "Both/money/Charge/again 1"
              else Both/money/Charge/errors
            "Both/money/Charge/again 1": "Both/money/Charge retries 1" := $Both/money/Charge retries 1 + 1
            "Both/money/Charge/wait 1": wait for 60 s
              then Both/money/Charge/try
            Both/money/Charge/errors: assign
            Both/money/Charge/errors/unhandled: fail with $error
            Both/money/Charge/end: end with $data
          branch goods
            var data = $data
            var result
            Both/goods/Ship: call ship($data) -> result   # operation state "Ship"
            Both/goods/Ship/merge: data := assignResult($data, $result, "ship")
            Both/goods/Ship/end: end with $data
        Both/join: data := mergeResult(mergeResult($data, difference($results.money, $data), "money"), difference($results.goods, $data), "goods")
        Both/end: end with $data
      "
    `);
  });

  test.each(targets)("each pass of $name can be named", async ({ name, loadPasses }) => {
    const passes = (await loadPasses?.()) ?? [];
    expect(new Set(passes).size).toBe(passes.length);
    for (const pass of passes) {
      const { status, out } = await compile("--emit", "ir", "--target", name, "--after", pass, "--verify-each");
      expect({ pass, status }).toEqual({ pass, status: 0 });
      expect(out, pass).toMatch(/^workflow order /);
    }
  });

  test("an unknown pass is an error that lists the passes of the target", async () => {
    const { status, out, err } = await compile("--emit", "ir", "--target", "typescript", "--after", "dead-store");
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toBe(
      "--after must be one of simplify-branches, separate-errors, dead-stores, not `dead-store`. Did you mean `dead-stores`?\n",
    );
  });

  test("requires a target and --emit", async () => {
    expect((await compile("--emit", "ir", "--after", "dead-stores")).err).toContain("--after requires --target");
    expect((await compile("--target", "asl", "--after", "dead-stores")).err).toContain("--after requires --emit ir");
  });
});

describe("--stats", () => {
  test.each(targets)("shows the milliseconds of each pass of $name, in order", async ({ name, loadPasses }) => {
    const passes = (await loadPasses?.()) ?? [];
    const { err } = await compile("--target", name, "--stats");
    const table = err.slice(err.indexOf("\n  pass ") + 1);
    expect(table.match(/^ {2}[\w-]+ +\d+\.\d\d$/gm)?.map((line) => line.trim().split(" ")[0])).toEqual(passes);
  });

  test("in JSON, the times of passes follow the metrics", async () => {
    const { err } = await compile("--target", "openwhisk", "--stats", "--format", "json");
    const metrics = JSON.parse(err.slice(err.lastIndexOf("\n[") + 1)) as {
      pass?: string;
      name: string;
      value: number;
    }[];
    const times = metrics.filter(({ pass }) => pass !== undefined);
    expect(times[0]).toEqual({ pass: "simplify-branches", name: "milliseconds", value: expect.any(Number) });
  });
});
