import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { CompletionItem, Hover, Location, MarkupContent, WorkspaceEdit } from "vscode-languageserver/node";
import { Client } from "./client.ts";
import { configuration, order } from "./order.ts";

const scenarios = `workflow: ./order.yaml
scenarios:
- name: paid
  functions: { charge: { returns: {} } }
  events: [{ at: PT0S, event: { type: shop.paid, source: shop } }]
  expect:
    status: succeeded
    calls: [{ charge: {} }]
    tasks: { last: Finish }
`;
const second = order.replace("name: order", "name: second");
const module = "export async function charge() {}\n";

// Each file starts a server, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const files = {
  "waybill.config.yaml": configuration,
  "charge.ts": module,
  "order.yaml": order,
  "second.yaml": second,
  "order.scenarios.yaml": scenarios,
};

let client: Client;
beforeAll(async () => {
  client = await Client.start(files);
  await client.open("order.yaml", order);
  await client.diagnostics("order.yaml");
  await client.open("order.scenarios.yaml", scenarios);
  await client.open("waybill.config.yaml", configuration);
});
afterAll(async () => {
  expect(client.errors).toBe("");
  await client.stop();
});

const lines = (found: readonly Location[] | null): readonly string[] =>
  (found ?? []).map(({ uri, range }) => `${uri.replace(/.*\//, "")}:${range.start.line + 1}`);

const definition = async (path: string, marked: string) =>
  lines(await client.at<Location[] | null>("textDocument/definition", path, marked));
const references = async (path: string, marked: string) =>
  lines(
    await client.at<Location[] | null>("textDocument/references", path, marked, {
      context: { includeDeclaration: true },
    }),
  );

test("locations are files of the folder", async () => {
  const found = await client.at<Location[]>("textDocument/definition", "order.yaml", "functionName: char|ge");
  expect(found.map(({ uri }) => uri)).toEqual(["order.yaml", "waybill.config.yaml", "charge.ts"].map(client.uri));
});

test("a scenario file leads to definitions", async () => {
  expect(await definition("order.scenarios.yaml", "workflow: ./or|der.yaml")).toEqual(["order.yaml:1"]);
  expect(await definition("order.scenarios.yaml", "last: Fin|ish")).toEqual(["order.yaml:19"]);
  expect(await definition("order.scenarios.yaml", "type: shop.pa|id")).toEqual(["order.yaml:4"]);
  expect(await definition("order.scenarios.yaml", "{ char|ge: {} }")).toEqual([
    "order.yaml:6",
    "second.yaml:6",
    "waybill.config.yaml:2",
    "charge.ts:1",
  ]);
});

test("references cross the files of a project", async () => {
  const everywhere = [
    "order.yaml:6",
    "order.yaml:10",
    "second.yaml:6",
    "second.yaml:10",
    "waybill.config.yaml:2",
    "order.scenarios.yaml:4",
    "order.scenarios.yaml:8",
    "charge.ts:1",
  ];
  expect(await references("order.yaml", "functionName: char|ge")).toEqual(everywhere);
  expect(await references("waybill.config.yaml", "char|ge: {")).toEqual(everywhere);
  expect(await references("order.yaml", "name: Fin|ish")).toEqual([
    "order.yaml:18",
    "order.yaml:19",
    "order.scenarios.yaml:9",
  ]);
});

async function renamed(path: string, marked: string, newName: string): Promise<{ readonly [path: string]: string }> {
  const { changes = {} } = await client.at<WorkspaceEdit>("textDocument/rename", path, marked, { newName });
  const opened = new Map(Object.entries(files));
  return Object.fromEntries(
    Object.entries(changes).map(([uri, edits]) => {
      const name = uri.replace(/.*\//, "");
      return [name, client.applied(name, edits, opened.get(name))];
    }),
  );
}

test("renaming a function that the configuration binds changes all files that name it", async () => {
  for (const [path, marked] of [
    ["order.yaml", "functionName: char|ge"],
    ["order.scenarios.yaml", "{ char|ge: {} }"],
    ["waybill.config.yaml", "char|ge: {"],
  ] as const) {
    const found = await renamed(path, marked, "take money");
    expect(Object.keys(found).sort()).toEqual([
      "order.scenarios.yaml",
      "order.yaml",
      "second.yaml",
      "waybill.config.yaml",
    ]);
    expect(found["waybill.config.yaml"]).toBe(configuration.replace("  charge:", "  take money:"));
    expect(found["order.scenarios.yaml"]).toBe(scenarios.replaceAll("charge:", "take money:"));
    expect(found["second.yaml"]).toContain("functionName: take money");
  }
});

test("renaming a state changes the scenarios of its definition", async () => {
  const found = await renamed("order.yaml", "name: Fin|ish", "Done");
  expect(found).toEqual({
    "order.yaml": order.replaceAll("Finish", "Done"),
    "order.scenarios.yaml": scenarios.replace("Finish", "Done"),
  });
});

test("a workflow is renamed where it is defined", async () => {
  expect(await renamed("order.yaml", "name: ord|er", "sale")).toEqual({
    "order.yaml": order.replace("name: order", "name: sale"),
  });
  await expect(renamed("order.yaml", "name: ord|er", "second")).rejects.toThrow(/already a workflow/);
});

test("hover in scenario files and configurations describes names and keys", async () => {
  const hover = async (path: string, marked: string): Promise<string> => {
    const found = await client.at<Hover | null>("textDocument/hover", path, marked);
    return (found?.contents as MarkupContent | undefined)?.value ?? "";
  };
  expect(await hover("order.scenarios.yaml", "{ char|ge: {} }")).toContain("**function** `charge`");
  expect(await hover("order.scenarios.yaml", "last: Fin|ish")).toContain("**state** `Finish`");
  expect(await hover("order.scenarios.yaml", "  exp|ect:")).toMatch(/^\*\*expect\*\*/);
  expect(await hover("waybill.config.yaml", "func|tions:")).toMatch(/^\*\*functions\*\*/);
  expect(await hover("waybill.config.yaml", "char|ge: {")).toContain("**function** `charge`");
});

const labels = async (path: string, marked: string): Promise<readonly string[]> =>
  (await client.at<CompletionItem[] | null>("textDocument/completion", path, marked))?.map(({ label }) => label) ?? [];

test("completion in scenario files", async () => {
  await client.edit("order.scenarios.yaml", "tasks: { last: Finish }", "tasks: { last: }\n    ");
  expect(await labels("order.scenarios.yaml", "last: |")).toEqual(["Begin", "Wait here", "Finish"]);
  await client.edit("order.scenarios.yaml", "tasks: { last: }\n    ", "ta");
  const keys = await labels("order.scenarios.yaml", "    ta|");
  expect(keys).toContain("tasks");
  expect(keys).not.toContain("calls");
  await client.edit("order.scenarios.yaml", "    ta", "    tasks: { last: Finish }");
  await client.edit("order.scenarios.yaml", "functions: { charge: { returns: {} } }", "functions: {  }");
  expect(await labels("order.scenarios.yaml", "functions: { | }")).toEqual(["charge"]);
  await client.edit("order.scenarios.yaml", "type: shop.paid", "type: ");
  expect(await labels("order.scenarios.yaml", "type: |, source")).toEqual(["shop.paid"]);
  await client.edit("order.scenarios.yaml", "status: succeeded", "status: ");
  expect(await labels("order.scenarios.yaml", "status: |")).toContain("failed");
  await client.edit("order.scenarios.yaml", "./order.yaml", "");
  expect(await labels("order.scenarios.yaml", "workflow: |")).toEqual([]);
});

test("completion in configurations", async () => {
  await client.edit("waybill.config.yaml", "functions:\n", "events:\n  pa\nfunctions:\n");
  expect(await labels("waybill.config.yaml", "  pa|\n")).toEqual(["paid"]);
  await client.edit("waybill.config.yaml", "events:\n  pa\n", "sou\n");
  expect(await labels("waybill.config.yaml", "sou|\n")).toContain("sources");
});
