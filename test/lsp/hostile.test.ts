import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CompletionItem, DocumentSymbol } from "vscode-languageserver/node";
import { Client } from "./client.ts";
import { order } from "./order.ts";

// Each file starts a server, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let client: Client;
beforeEach(async () => {
  client = await Client.start();
});
afterEach(async () => {
  expect(client.errors).toBe("");
  expect(await client.stop()).toBe(0);
});

const requests = ["hover", "definition", "documentHighlight", "completion", "prepareRename"] as const;

test.each([
  ["keys of prototypes", "__proto__: { states: 1 }\nconstructor: { prototype: 1 }\nstates: [{ name: __proto__ }]\n"],
  ["aliases in a circle", "states: &a [*a]\nname: x\n"],
  ["aliases of aliases", `a: &a [1]\n${"b".repeat(3)}: [*a, *a]\nstates: [{ name: *a }]\n`],
  ["deep nesting", `states: ${"[".repeat(5_000)}`],
  ["a quote without end", `name: "${"x".repeat(10_000)}`],
  ["only control characters", "\u0000\u0001\u0002"],
  ["lone surrogates", 'states: [{ name: "\ud800" }]\nname: \ud800\n'],
  ["many documents", "---\nname: a\nstates: []\n".repeat(300)],
  ["nothing", ""],
])("%s: every request is answered", async (_, text) => {
  await client.open("a.flow.yaml", text);
  await client.diagnostics("a.flow.yaml");
  for (const line of [0, 1, 1_000_000])
    for (const character of [0, 7, 1_000_000])
      for (const name of requests)
        await client.request(`textDocument/${name}`, "a.flow.yaml", { position: { line, character } });
  await client.request("textDocument/documentSymbol", "a.flow.yaml");
  await client.request("textDocument/foldingRange", "a.flow.yaml");
});

test("malformed URIs, closed files and unknown commands", async () => {
  const position = { line: 0, character: 0 };
  for (const uri of ["file:///%zz", "untitled:Untitled-1", "", "http://example.com/a.yaml"]) {
    const textDocument = { uri, languageId: "yaml", version: 1, text: order };
    await client.connection.sendNotification("textDocument/didOpen", { textDocument });
    await client.connection.sendRequest("textDocument/hover", { textDocument: { uri }, position });
  }
  expect(
    await client.connection.sendRequest("textDocument/hover", { textDocument: { uri: "a" }, position }),
  ).toBeNull();
  const command = client.connection.sendRequest("workspace/executeCommand", { command: "waybill.runScenario" });
  await expect(command).rejects.toThrow(/open scenario file/);
});

test("an unsaved document has symbols", async () => {
  const uri = "untitled:Untitled-1";
  const textDocument = { uri, languageId: "yaml", version: 1, text: order };
  await client.connection.sendNotification("textDocument/didOpen", { textDocument });
  const found = await client.connection.sendRequest<DocumentSymbol[]>("textDocument/documentSymbol", {
    textDocument: { uri },
  });
  expect(found).toHaveLength(1);
});

test("a file with 10,000 states stays usable", { timeout: 120_000 }, async () => {
  const count = 10_000;
  const states = Array.from({ length: count }, (_, i) => {
    const next = i + 1 < count ? `transition: { nextState: S${i + 1} }` : "end: { kind: default }";
    return `- { name: S${i}, type: inject, ${i === 0 ? "start: { kind: default }, " : ""}data: {}, ${next} }\n`;
  });
  const text = `id: large\nname: large\nversion: '1'\nstates:\n${states.join("")}`;
  await client.open("large.yaml", text);
  const [workflow] = await client.request<DocumentSymbol[]>("textDocument/documentSymbol", "large.yaml");
  expect(workflow?.children).toHaveLength(count);
  await client.edit("large.yaml", "nextState: S500 }", "nextState: S50 }");
  const began = performance.now();
  const found = await client.at<CompletionItem[]>("textDocument/completion", "large.yaml", "nextState: S5|0 }");
  expect(found.length).toBeGreaterThan(0);
  expect(performance.now() - began).toBeLessThan(30_000);
});
