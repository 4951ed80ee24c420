import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesIn, folderWith, greeting, waybill } from "./command.ts";

const slips = `# Orders   as they come
id: order
name: Order
version: 1.0
functions:
- { name: ship, resource: ship }
states:
- name: Wait
  type: delay
  start: { kind: default } # begins here
  timeDelay: 5m
  transition: Choose # then
- name: Choose
  type: switch
  dataConditions:
  - { path: stock.count, operator: ">=", value: 1, transition: { nextstate: Ship } }
  default: { nextState: Nowhere }
- name: Ship
  type: operation
  actions:
  - functionRef: { refName: ship, parameters: { item: '\${ .order.item }' } }
  end: { type: default }
`;

const fixedSlips = `# Orders   as they come
id: order
name: Order
version: "1.0"
functions:
- { name: ship, resource: ship }
states:
- name: Wait
  type: delay
  start: { kind: default } # begins here
  timeDelay: PT5M
  transition: { nextState: Choose } # then
- name: Choose
  type: switch
  dataConditions:
  - { path: stock.count, operator: "greaterthanorequals", value: 1, transition: { nextState: Ship } }
  default: { nextState: Nowhere }
- name: Ship
  type: operation
  actions:
  - functionRef: { refName: ship, parameters: { item: '$.order.item' } }
  end: { kind: default }
`;

test("certain fixes are applied, nothing else changes, and the remaining diagnostics are printed", async () => {
  const folder = folderWith({ "order.yaml": slips });
  const { status, err } = await waybill(folder, ["check", "order.yaml", "--fix"]);
  expect(readFileSync(join(folder, "order.yaml"), "utf8")).toBe(fixedSlips);
  expect(err).toContain("order.yaml:12:15: fixed WB1004: ");
  expect(err).toContain("Now `{ nextState: Choose }`.");
  expect(err).toContain("7 problems fixed.\n");
  expect(err).toContain("order.yaml:17:25: error WB2001: Unknown state `Nowhere`.");
  expect(status).toBe(1);
});

test("JSON stays JSON, and a second run fixes nothing", async () => {
  const states = [{ name: "A", type: "inject", start: true, end: { type: "terminate" } }];
  const folder = folderWith({ "a.json": JSON.stringify({ id: "a", name: "A", version: 2, states }, undefined, 1) });
  expect((await waybill(folder, ["check", "a.json", "--fix"])).status).toBe(0);
  const text = readFileSync(join(folder, "a.json"), "utf8");
  const [state] = JSON.parse(text).states;
  expect([state.start, state.end, JSON.parse(text).version]).toEqual([{ kind: "default" }, { kind: "terminate" }, "2"]);
  expect(text).toContain('"start": { "kind": "default" },');
  const { err } = await waybill(folder, ["check", "a.json", "--fix"]);
  expect(err).toBe("No problems fixed.\n");
  expect(readFileSync(join(folder, "a.json"), "utf8")).toBe(text);
});

test("the configuration of a file applies after it is fixed", async () => {
  const timed = slips
    .replace("  actions:\n", "  actions:\n  - { functionRef: ship, timeout: 5m }\n")
    .replace("Nowhere", "Ship");
  const files = { "flows/order.yaml": timed, "flows/waybill.config.yaml": "options: { timeout: fail }\n" };
  const { status, err } = await waybill(folderWith(files), ["check", "flows", "--fix"]);
  expect(err).toContain("9 problems fixed.\n");
  expect(err).not.toContain("WB3108");
  expect(status).toBe(0);
  const without = await waybill(folderWith({ "flows/order.yaml": timed }), ["check", "flows", "--fix"]);
  expect(without.err).toContain("info WB3108: ");
});

test("a dry run prints a diff and writes nothing", async () => {
  const folder = folderWith({ "order.yaml": slips });
  const { out, err } = await waybill(folder, ["check", "order.yaml", "--fix", "--dry-run"]);
  expect(readFileSync(join(folder, "order.yaml"), "utf8")).toBe(slips);
  expect(out.split("\n").slice(0, 8)).toEqual([
    "--- order.yaml",
    "+++ order.yaml",
    "@@ -4 +4 @@",
    "-version: 1.0",
    '+version: "1.0"',
    "@@ -11 +11 @@",
    "-  timeDelay: 5m",
    "+  timeDelay: PT5M",
  ]);
  expect(err).toContain("7 problems can be fixed; no files were changed.\n");
});

test("look-alike characters that break YAML are fixed", async () => {
  const text = `id: a\nname\uff1a A\nversion:\u00a0'1'\nstates:\n- name: A\n  type:inject\n  start: { kind: default }\n  end: { kind: default }\n`;
  const folder = folderWith({ "a.yaml": text });
  expect((await waybill(folder, ["check", "a.yaml", "--fix"])).status).toBe(0);
  expect(readFileSync(join(folder, "a.yaml"), "utf8")).toBe(
    text.replace("\uff1a", ":").replace("\u00a0", " ").replace("type:i", "type: i"),
  );
});

test("--dry-run prints a diff and nothing else, and --quiet lists no fixes", async () => {
  const folder = folderWith({ "a.yaml": slips });
  expect(await waybill(folder, ["check", "a.yaml", "--fix", "--dry-run", "--format", "json"])).toEqual({
    status: 2,
    out: "",
    err: "--dry-run requires --format text: it prints a diff.\n",
  });
  const { out, err } = await waybill(folder, ["check", "a.yaml", "--fix", "--quiet", "--format", "json"]);
  expect(JSON.parse(out)).toEqual(expect.any(Array));
  expect(err).toBe("");
});

test("standard input cannot be fixed, and --dry-run requires --fix", async () => {
  expect((await waybill(folderWith({}), ["check", "-", "--fix"], slips)).status).toBe(2);
  expect((await waybill(folderWith({ "a.yaml": slips }), ["check", "a.yaml", "--dry-run"])).status).toBe(2);
});

describe("in a project", () => {
  const misspelled = greeting().replace("type: inject", "type: injct").replace("version:", "versoin:");
  const files = {
    "waybill.config.yaml": "sources: [flows]\noutputs: [{ target: asl, out: a }, { target: typescript, out: t }]\n",
    "flows/greet.yaml": misspelled,
    "flows/other.yaml": greeting("other"),
  };

  test("all definitions are fixed", async () => {
    const folder = folderWith(files);
    const { status, err } = await waybill(folder, ["check", "--fix"]);
    expect(err).toContain("fixed WB1003: Unknown type `injct`");
    expect(err).toContain("2 problems fixed.\n");
    expect(status).toBe(0);
    expect(filesIn(folder)["flows/greet.yaml"]).toBe(greeting());
  });

  test("with --dry-run, the changes are printed", async () => {
    const folder = folderWith(files);
    const { out, err } = await waybill(join(folder, "flows"), ["check", "--fix", "--dry-run"]);
    expect(out).toContain("+  type: inject\n");
    expect(err).toContain("2 problems can be fixed; no files were changed.\n");
    expect(filesIn(folder)["flows/greet.yaml"]).toBe(misspelled);
  });
});

test.each([
  ["transition: { nextState: Gret }", "Greet"],
  ["transition: { nextState: 'Gret' }", "'Greet'"],
])("a misspelled name is replaced by the only similar one: %s", async (written, name) => {
  const folder = folderWith({ "a.yaml": greeting().replace("end: { kind: default }", written) });
  await waybill(folder, ["check", "a.yaml", "--fix"]);
  expect(filesIn(folder)["a.yaml"]).toContain(`nextState: ${name} }`);
});

test("a name that resembles several is not replaced", async () => {
  const two = `id: two
name: Two
version: '1.0'
states:
- { name: Start, type: inject, start: { kind: default }, data: {}, transition: { nextState: Step } }
- { name: Step1, type: inject, data: {}, transition: { nextState: Step2 } }
- { name: Step2, type: inject, data: {}, end: { kind: default } }
`;
  const folder = folderWith({ "a.yaml": two });
  expect((await waybill(folder, ["check", "a.yaml", "--fix"])).err).toContain("Did you mean `Step1`?");
  expect(filesIn(folder)["a.yaml"]).toBe(two);
});

test("a task of Serverless Workflow 1.0 that is misspelt after `then` is fixed", async () => {
  const workflow = (then: string): string => `document: { dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0 }
do:
- pay: { set: { paid: true }, then: ${then} }
- wait: { wait: PT1S }
- ship: { set: { shipped: true } }
`;
  const cwd = folderWith({ "order.yaml": workflow("shp") });
  expect((await waybill(cwd, ["check", "order.yaml", "--fix"])).status).toBe(0);
  expect(filesIn(cwd)["order.yaml"]).toBe(workflow("ship"));
});
