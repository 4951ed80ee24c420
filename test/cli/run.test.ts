import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { folderWith, waybill } from "./command.ts";

const waiting = `id: wait
name: Wait
version: '1.0'
events:
- { name: Paid, type: order.paid, source: /shop }
functions:
- { name: nothing, resource: nothing }
states:
- name: Begin
  type: inject
  data: {}
  start: { kind: default }
  transition: { nextState: Wait }
- name: Wait
  type: event
  eventsActions:
  - eventRefs: [Paid]
    actions: []
  end: { kind: default }
`;

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

/** An event starts it. */
const shipping = `id: ship
name: Ship
version: '1.0'
events:
- { name: Paid, type: order.paid, source: /shop, correlationToken: order }
- { name: Packed, type: order.packed, source: /shop, correlationToken: order }
functions:
- { name: charge, resource: charge }
states:
- name: Pay
  type: event
  start: { kind: default }
  eventsActions:
  - eventRefs: [Paid]
    actions: [{ functionRef: { refName: charge, parameters: { amount: $.amount } } }]
  transition: { nextState: Pack }
- name: Pack
  type: event
  timeout: PT2S
  eventsActions: [{ eventRefs: [Packed], actions: [] }]
  end: { kind: default }
`;

/** The same start in another language, without the second wait. */
const ringing = `trigger-defs:
  Rung: { source: /door, type: door.rung, correlation-token: $.data.house }
states:
  Wait: { type: EVENT, start: true, events: [{ event-expression: Rung, InputPath: $.data, next-state: Open }] }
  Open: { type: OPERATION, actions: [{ function: charge }], next-state: Done }
  Done: { type: END }
`;

/** Queries an unreachable database with a driver from a package. */
const counting = `yawl: "0.1"
start: count
steps:
  count:
    databaseQuery:
      dsn: postgres://127.0.0.1:1/none
      query: select 1
      catch: [{ errorList: [ALL], output: '\\({ why: .error })', next: done }]
  done: { success: {} }
`;

const configuration = "functions:\n  charge: { typescript: { module: ./functions/pay.ts#charge } }\n";

/** Appends each call to a file, and rejects free orders. */
const pay = `import { appendFileSync } from "node:fs";
export const charge = async ({ amount }: { amount: number }, { key }: { key: string }) => {
  appendFileSync(new URL("./calls.txt", import.meta.url), key + "\\n");
  if (amount === 0) throw Object.assign(new Error("nothing to pay"), { name: "Refused" });
  return { receipt: amount };
};
`;

const shopFiles = { "pay.yaml": charging, "waybill.config.yaml": configuration, "functions/pay.ts": pay };

const shop = () => folderWith(shopFiles);

/** A workflow that emits an event and then loops for a long time. */
const looping = `id: loop
name: Loop
version: '1.0'
events: [{ name: Round, type: goes.round, source: here }]
states:
- { name: A, type: inject, start: { kind: default }, data: { a: 1 }, transition: { nextState: B, produceEvent: { eventRef: Round, data: $ } } }
- name: B
  type: switch
  dataConditions:
  - { path: $.a, value: 1, operator: equals, transition: { nextState: C } }
  default: { nextState: D }
- { name: C, type: inject, data: { b: 2 }, transition: { nextState: B } }
- { name: D, type: inject, data: {}, end: { kind: default } }
`;

/** Creates a folder for temporary files; returns a function that lists it. */
function temporary(): () => Promise<readonly string[]> {
  const folder = folderWith({});
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => readdir(folder);
}

describe("run", { timeout: 30_000 }, () => {
  test("compiles a workflow, runs it with its functions and prints its output", async () => {
    const result = await waybill(shop(), ["run", "pay.yaml", "--input", '{"amount": 5}']);
    expect(result).toEqual({ status: 0, out: '{\n  "amount": 5,\n  "receipt": 5\n}\n', err: "" });
  });

  test("the input may be a file or standard input", async () => {
    const folder = shop();
    expect(await waybill(folder, ["run", "pay.yaml", "--input", "-"], '{"amount": 6}')).toMatchObject({
      status: 0,
      err: "",
    });
    expect(await waybill(folder, ["run", "pay.yaml", "--input", "@none.json"])).toMatchObject({ status: 1, out: "" });
  });

  test.each([
    ["{", 2, ["--input:1:2: error WB0004: ", "--input is not valid JSON."]],
    ['{"amount":1,"amount":6}', 2, ["--input:1:13: error WB0006: ", "--input is not valid JSON."]],
    ['{"amount":1e400}', 2, ["--input:1:11: error WB0012: ", "--input is not valid JSON."]],
    ['{"amount":9007199254740993}', 0, ["--input:1:11: warning WB0013: "]],
  ])("the input %s is read like a file", async (input, status, messages) => {
    const result = await waybill(shop(), ["run", "pay.yaml", "--input", input]);
    expect(result.status).toBe(status);
    for (const message of messages) expect(result.err).toContain(message);
  });

  test("a failed run prints its error", async () => {
    const result = await waybill(shop(), ["run", "pay.yaml", "--input", '{"amount": 0}']);
    expect(result).toEqual({ status: 1, out: "", err: "The run failed: Refused: nothing to pay\n" });
  });

  test("with a store, recorded steps do not repeat", async () => {
    const folder = shop();
    const args = ["run", "pay.yaml", "--input", '{"amount": 7}', "--store", "runs.db"];
    const first = await waybill(folder, args);
    expect(await waybill(folder, args)).toEqual(first);
    expect(first).toMatchObject({ status: 0, err: "" });
    expect(readFileSync(join(folder, "functions/calls.txt"), "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("with a store, a known id resumes its run, and another input is rejected", async () => {
    const folder = shop();
    const pay = (...more: string[]) => waybill(folder, ["run", "pay.yaml", "--store", "runs.db", "--id", "r", ...more]);
    const first = await pay("--input", '{"amount": 7}');
    expect(first.status).toBe(0);
    expect((await pay()).out).toBe(first.out);
    const other = await pay("--input", '{"amount": 8}');
    expect(other).toMatchObject({ status: 1, out: "" });
    expect(other.err).toContain("Run r already exists with another workflow or input.");
  });

  test("stops after the timeout and prints how to resume the run", async () => {
    const folder = folderWith({ "wait.yaml": waiting });
    const { status, err } = await waybill(folder, ["run", "wait.yaml", "--store", "runs.db", "--timeout", "1"]);
    expect(status).toBe(130);
    expect(err).toMatch(/Stopped\. Run the same command to resume run run-[0-9a-f]+\.\n$/);
    const event = JSON.stringify({ type: "order.paid", source: "/shop" });
    expect((await waybill(folder, ["run", "wait.yaml", "--store", "runs.db", "--event", event])).status).toBe(0);
    for (const timeout of ["soon", "0", "-1", "1e9"])
      expect(await waybill(folder, ["run", "wait.yaml", "--timeout", timeout])).toMatchObject({
        status: 2,
        err: expect.stringMatching(`^--timeout must be a positive number of seconds up to 2073600, not \`${timeout}\``),
      });
  });

  test("a waiting run receives the events of the command line", async () => {
    const folder = folderWith({ "wait.yaml": waiting });
    const paid = '{"type":"order.paid","source":"/shop","data":{"amount":5}}';
    const { status, out } = await waybill(folder, ["run", "wait.yaml", "--event", paid]);
    expect([status, JSON.parse(out)]).toEqual([0, { amount: 5 }]);
    for (const [text, said] of [
      ["{", "--event is not valid JSON."],
      ['{"type":"order.paid","type":"x"}', "--event:1:22: error WB0006: "],
      ["{}", "--event must be a JSON object with a string `type`."],
    ] as const)
      expect(await waybill(folder, ["run", "wait.yaml", "--event", text])).toMatchObject({
        status: 2,
        err: expect.stringContaining(said),
      });
  });

  describe("of a workflow that events start", () => {
    const folder = () => folderWith({ ...shopFiles, "ship.yaml": shipping, "ring.yaml": ringing });
    const calls = (root: string) => readFileSync(join(root, "functions/calls.txt"), "utf8").trim().split("\n").length;
    const event = (type: string, order: string, amount: number) =>
      JSON.stringify({ type: `order.${type}`, source: "/shop", order, data: { amount } });
    const paid = event("paid", "o1", 5);
    const packed = ["--event", event("packed", "o1", 8)];
    const shipped = { order: "o1", amount: 8, receipt: 5 };

    test.each<[string, readonly string[]]>([
      ["in memory", []],
      ["with an id", ["--id", "r"]],
      ["with a store", ["--store", "runs.db"]],
      ["with a store and an id", ["--store", "runs.db", "--id", "r"]],
    ])("the run that the event starts is that of the command, %s", async (_, flags) => {
      const root = folder();
      const args = ["run", "ship.yaml", "--event", paid, ...packed, ...flags];
      const { status, out } = await waybill(root, args);
      expect([status, JSON.parse(out)]).toEqual([0, shipped]);
      expect(calls(root)).toBe(1);
      if (!flags.includes("--store")) return;
      expect(await waybill(root, args)).toMatchObject({ status: 0, out });
      expect(calls(root)).toBe(1);
    });

    test("the first of two events starts the run, and the second starts no other", async () => {
      const root = folder();
      const more = ["--event", event("paid", "o1", 6), "--event", event("paid", "o2", 7)];
      const { status, out } = await waybill(root, ["run", "ship.yaml", "--event", paid, ...more, ...packed]);
      expect([status, JSON.parse(out)]).toEqual([0, shipped]);
      expect(calls(root)).toBe(1);
    });

    test("with --input, the workflow is called and waits for the event", async () => {
      const root = folder();
      const args = ["run", "ship.yaml", "--input", '{ "order": "o1", "called": true }', "--event", paid, ...packed];
      const { status, out } = await waybill(root, args);
      expect([status, JSON.parse(out)]).toEqual([0, { ...shipped, called: true }]);
      expect(calls(root)).toBe(1);
    });

    test.each<[string, readonly string[]]>([
      ["no event", []],
      ["another event", ["--event", event("packed", "o1", 1)]],
    ])("with %s, nothing runs", async (_, events) => {
      expect(await waybill(folder(), ["run", "ship.yaml", ...events])).toMatchObject({
        status: 1,
        out: "",
        err: expect.stringMatching(
          /^No event has started a run of ship\. Pass one with --event, or --input to call the workflow without\.$/m,
        ),
      });
    });

    test("an interrupted run is resumed by the same command with a further event", async () => {
      const root = folder();
      const args = ["run", "ship.yaml", "--store", "runs.db", "--event", paid];
      expect((await waybill(root, [...args, "--timeout", "1"])).status).toBe(130);
      const { status, out } = await waybill(root, [...args, "--event", event("packed", "o1", 9)]);
      expect([status, JSON.parse(out)]).toEqual([0, { ...shipped, amount: 9 }]);
      expect(calls(root)).toBe(1);
    });

    test("in Function Workflow", async () => {
      const root = folder();
      const rung = JSON.stringify({ type: "door.rung", source: "/door", data: { house: 7, amount: 1 } });
      const { status, out } = await waybill(root, ["run", "ring.yaml", "--event", rung]);
      expect([status, JSON.parse(out)]).toEqual([0, { receipt: 1 }]);
      expect(calls(root)).toBe(1);
    });
  });

  test("an unbound function fails, after a warning", async () => {
    const { status, err } = await waybill(folderWith({ "pay.yaml": charging }), ["run", "pay.yaml"]);
    expect(status).toBe(1);
    expect(err).toMatch(
      /warning WB5301: [\s\S]*The run failed: NotImplemented: The function charge is not implemented\./,
    );
  });

  test.each<[what: string, module: string | undefined, said: string]>([
    ["that is not there", undefined, "WB5311: Cannot load module `functions/pay.ts`: no such file or folder."],
    ["that is broken", "export const = 1;", "WB5311: Cannot load module `functions/pay.ts`: Unexpected token `=`"],
    ["that throws", "throw new Error('boom');", "WB5311: Cannot load module `functions/pay.ts`: boom."],
    [
      "that needs what is not there",
      "import 'nowhere-1';",
      "Cannot load module `functions/pay.ts`: Cannot find package 'nowhere-1'.",
    ],
    [
      "that exports something else",
      "export const charges = () => 1;",
      "WB5309: `functions/pay.ts` does not export `charge`.",
    ],
    [
      "that exports a value",
      "export const charge = 5;",
      "WB5310: The export `charge` of `functions/pay.ts` is a value",
    ],
  ])("a module %s is reported where the configuration names it", async (_, module, said) => {
    const { "functions/pay.ts": _none, ...files } = { ...shopFiles };
    const folder = folderWith(module === undefined ? files : { ...files, "functions/pay.ts": module });
    const listTemporary = temporary();
    const { status, out, err } = await waybill(folder, ["run", "pay.yaml", "--input", '{"amount": 5}']);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toMatch(/^waybill\.config\.yaml:2:35: error /);
    expect(err).toContain(said);
    expect(await listTemporary()).toEqual([]);
  });

  test("packages are found from the definition, or else from Waybill", async () => {
    const folder = folderWith({
      "shop/pay.yaml": charging,
      "shop/waybill.config.yaml": "functions:\n  charge: { typescript: { module: '@shop/pay#charge' } }\n",
      "shop/node_modules/@shop/pay/package.json": '{ "name": "@shop/pay", "main": "pay.js" }\n',
      "shop/node_modules/@shop/pay/pay.js": "exports.charge = async ({ amount }) => ({ receipt: amount + 1 });\n",
      "count.yaml": counting,
    });
    const listTemporary = temporary();
    const paid = await waybill(folder, ["run", "shop/pay.yaml", "--input", '{"amount": 5}']);
    expect(paid).toEqual({ status: 0, out: '{\n  "amount": 5,\n  "receipt": 6\n}\n', err: "" });
    const counted = await waybill(folder, ["run", "count.yaml", "--input", "{}"]);
    expect(counted).toEqual({ status: 0, out: '{\n  "why": "DATABASE_QUERY_CONNECTION_FAILED"\n}\n', err: "" });
    expect(await listTemporary()).toEqual([]);
  });

  test("a missing package is reported, and no temporary files remain", async () => {
    const configuration = "functions: { charge: { typescript: { module: 'nowhere-2#charge' } } }\n";
    const folder = folderWith({ ...shopFiles, "waybill.config.yaml": configuration });
    const listTemporary = temporary();
    expect(await waybill(folder, ["run", "pay.yaml", "--input", '{"amount": 5}'])).toMatchObject({
      status: 1,
      err: expect.stringMatching(
        /^The functions need the package nowhere-2, which is not installed\. Run `npm install nowhere-2` in/,
      ),
    });
    expect(await listTemporary()).toEqual([]);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("stops on %s, even in a loop that only computes", async (signal) => {
    const folder = folderWith({ "loop.yaml": looping });
    const bin = join(import.meta.dirname, "../../src/cli/bin.ts");
    const child = spawn(process.execPath, [bin, "run", "loop.yaml", "--input", "{}"], { cwd: folder });
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
      if (!child.killed && err.includes("goes.round")) child.kill(signal);
    });
    const [status] = (await once(child, "close")) as [number];
    expect({ status, err }).toEqual({
      status: 130,
      err: expect.stringMatching(/Stopped\. The run is lost, because it has no --store\.\n$/),
    });
  });

  test("an unknown workflow, and an invalid store", async () => {
    const folder = shop();
    expect((await waybill(folder, ["run", "pay.yaml", "--workflow", "ship"])).err).toBe(
      "Unknown workflow `ship`. The workflows are `pay`.\n",
    );
    const result = await waybill(folder, ["run", "pay.yaml", "--store", "pay.yaml"]);
    expect({ ...result, err: result.err.replaceAll(folder, "") }).toEqual({
      status: 1,
      out: "",
      err: "The file /pay.yaml is not a store.\n",
    });
  });
});
