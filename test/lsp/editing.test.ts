import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { CompletionItem } from "vscode-languageserver/node";
import { Client } from "./client.ts";
import { configuration, misspelled, order } from "./order.ts";

// Each file starts a server, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let client: Client;
beforeAll(async () => {
  client = await Client.start({ "waybill.config.yaml": configuration });
  await client.open("order.yaml", order);
  await client.diagnostics("order.yaml");
});
afterAll(() => client.stop());

test("a quick fix for the diagnostic at the cursor", async () => {
  await client.open("orders.yaml", misspelled);
  const actions = await client.actions("orders.yaml", "reso|urse", ["quickfix"]);
  expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([["Replace with `resource`", true]]);
  const edits = actions[0]!.edit!.changes![client.uri("orders.yaml")]!;
  expect(client.applied("orders.yaml", edits)).toBe(misspelled.replace("resourse", "resource"));
  expect(actions[0]!.diagnostics?.[0]?.code).toBe("WB1007");
});

test("all fixes of a file at once", async () => {
  const text = misspelled.replace("transition:", "transitoin:");
  await client.close("orders.yaml");
  await client.open("orders.yaml", text);
  const [action] = await client.actions("orders.yaml", "id|: orders", ["source.fixAll"]);
  const edits = action!.edit!.changes![client.uri("orders.yaml")]!;
  const expected = text.replace("resourse", "resource").replace("transitoin:", "transition:");
  expect(client.applied("orders.yaml", edits)).toBe(expected);
});

test("a name that may be yet to be defined is replaced only by a quick fix of its own", async () => {
  const actions = await client.actions("orders.yaml", "Sh|p", ["quickfix", "source.fixAll"]);
  expect(actions.map(({ title, kind, isPreferred }) => [title, kind, isPreferred])).toEqual([
    ["Replace with `Ship`", "quickfix", false],
    ["Apply all fixes of Waybill in this file", "source.fixAll.waybill", undefined],
  ]);
});

test("fixes are those of the text as it is, not of the last check", async () => {
  await client.edit("orders.yaml", "id: orders", "# a new line\nid: orders");
  const actions = await client.actions("orders.yaml", "reso|urse", ["quickfix"]);
  const edits = actions[0]!.edit!.changes![client.uri("orders.yaml")]!;
  expect(client.applied("orders.yaml", edits)).toContain("  resource: charge-card");
  await client.close("orders.yaml");
});

/** The completions at `|`, in a file with the rest of the string. */
async function complete(marked: string, path = "typing.yaml"): Promise<readonly CompletionItem[]> {
  await client.open(path, marked.replace("|", ""));
  const at = marked.indexOf("|");
  const before = marked.slice(0, at).split("\n");
  const position = { line: before.length - 1, character: before.at(-1)!.length };
  const found = await client.request<CompletionItem[] | null>("textDocument/completion", path, { position });
  await client.close(path);
  return found ?? [];
}

const labels = (items: readonly CompletionItem[]): readonly string[] => items.map(({ label }) => label).sort();

test.each([
  ["an empty value", "nextState: Finish", "nextState: |"],
  ["the beginning of a name", "nextState: Finish", "nextState: Fi|"],
  ["a flow mapping", "nextState: Begin }", "nextState: Be| }"],
  ["a quoted value", "nextState: Finish", 'nextState: "Fi|"'],
])("names of states at %s", async (_, from, to) => {
  expect(labels(await complete(order.replace(from, to)))).toEqual(["Begin", "Finish", "Wait here"]);
});

test("names of functions and events", async () => {
  expect(labels(await complete(order.replace("functionName: charge", "functionName: |")))).toEqual(["charge"]);
  expect(labels(await complete(order.replace("events: [paid]", "events: [|]")))).toEqual(["paid"]);
});

test("keys by the schema, without those that are present", async () => {
  const found = labels(await complete(order.replace("- name: Finish\n", "- name: Finish\n  |\n")));
  expect(found).toContain("transitions");
  expect(found).toContain("enterAction");
  expect(found).not.toContain("name");
  expect(found).not.toContain("nextState");
});

test("a completion replaces what was typed", async () => {
  const marked = order.replace("- name: Finish\n", "- name: Finish\n  trans|\n");
  const item = (await complete(marked)).find(({ label }) => label === "transitions");
  await client.open("typing.yaml", marked.replace("|", ""));
  const edit = item!.textEdit as { range: never; newText: string };
  expect(client.applied("typing.yaml", [edit])).toContain("\n  transitions: \n");
  await client.close("typing.yaml");
});

test("values that the schema lists", async () => {
  const found = labels(await complete(order.replace("type: invokeFunction", "type: |")));
  expect(found).toContain("invokeFunction");
  expect(found).toContain("sendEvent");
});

const json = `{
  "id": "j", "name": "j", "version": "1.0",
  "functions": [{ "name": "charge", "resource": "c" }],
  "states": [
    { "name": "One", "type": "operation", "start": { "kind": "default" }, "actionMode": "sequential",
      "actions": [{ "functionRef": { "refName": "charge" } }],
      "transition": { "nextState": "Two" } },
    { "name": "Two", "type": "inject", "data": {}, "end": { "kind": "default" } }
  ]
}
`;

test("JSON: keys, values and names", async () => {
  const inJson = async (from: string, to: string) => labels(await complete(json.replace(from, to), "typing.json"));
  expect(await inJson('"nextState": "Two"', '"nextState": "|"')).toEqual(["One", "Two"]);
  expect(await inJson('"refName": "charge"', '"refName": "|"')).toEqual(["charge"]);
  expect(await inJson('"type": "inject"', '"type": "|"')).toContain("operation");
  const keys = await inJson('"data": {},', '"data": {}, "|"');
  expect(keys).toContain("stateDataFilter");
  expect(keys).not.toContain("data");
});

const golden = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../golden", name, "workflow.yaml"), "utf8");

test.each([
  ["yawl/order-process", "next: rest }", "next: }", "checkCustomer"],
  ["function-workflow/order-process", "next-state: Good", "next-state: ", "Reserve"],
  ["serverless-workflow/order-process", "refName: rejectOrder", "refName: ", "notifyCustomer"],
  ["composer-fsm/order-process", "Next: left", "Next: ", "warehouse"],
])("names in %s", async (name, from, to, expected) => {
  const path = `${name}.yaml`;
  await client.open(path, golden(name));
  await client.request("textDocument/documentSymbol", path);
  const position = client.position(path, from.replace(/(?<=: )/, "|"));
  await client.edit(path, from, to);
  const found = await client.request<CompletionItem[]>("textDocument/completion", path, { position });
  expect(labels(found)).toContain(expected);
});

test("members of the data in an expression, also while it is incomplete", async () => {
  const text = `name: typed
version: '1'
states:
- name: Set
  start: true
  enterAction: { type: injectData, expression: "\${ { order: { total: 1, paid: true } } }" }
  enterResultHandler: "\${ . = $value }"
  transitions: [{ nextState: Read }]
- name: Read
  transitions:
  - { condition: "\${ .order.paid }", nextState: End }
- name: End
`;
  await client.open("typed.yaml", text);
  await client.request("textDocument/documentSymbol", "typed.yaml");
  expect(labels(await client.at("textDocument/completion", "typed.yaml", ".or|der.paid"))).toContain("order");
  await client.edit("typed.yaml", ".order.paid", ".order.");
  expect(labels(await client.at("textDocument/completion", "typed.yaml", ".order.| }"))).toEqual(["paid", "total"]);
  await client.close("typed.yaml");
});

test("no completion outside of definitions", async () => {
  expect(await complete("services:\n  |\n", "compose.yaml")).toEqual([]);
});
