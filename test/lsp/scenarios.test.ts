import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { CodeLens } from "vscode-languageserver/node";
import { Client } from "./client.ts";
import { order } from "./order.ts";

const scenarios = `workflow: ./order.yaml
scenarios:
- name: paid at once
  functions: { charge: { returns: {} } }
  events: [{ at: PT0S, event: { type: shop.paid, source: shop } }]
  expect: { status: succeeded }
- name: never paid
  functions: { charge: { returns: {} } }
  expect: { status: succeeded }
`;

// Each file starts a server, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let client: Client;
beforeAll(async () => {
  client = await Client.start({ "order.yaml": order });
  await client.open("scenarios.yaml", scenarios);
});
afterAll(() => client.stop());

test("scenario files are checked", async () => {
  expect(await client.diagnostics("scenarios.yaml")).toEqual([]);
  await client.edit("scenarios.yaml", "status: succeeded", "status: suceeded");
  const [found] = await client.diagnostics("scenarios.yaml");
  expect(found?.message).toContain("suceeded");
  await client.edit("scenarios.yaml", "status: suceeded", "status: succeeded");
  await client.diagnostics("scenarios.yaml");
});

test("each scenario can be run, and all", async () => {
  const lenses = await client.request<CodeLens[]>("textDocument/codeLens", "scenarios.yaml");
  expect(lenses.map(({ command, range }) => [command?.title, range.start.line])).toEqual([
    ["Run all scenarios", 0],
    ["Run scenario", 2],
    ["Run scenario", 6],
  ]);
  const [, first, second] = lenses;
  const run = ({ command }: CodeLens) =>
    client.connection.sendRequest<{ isPassed: boolean; text: string }>("workspace/executeCommand", command!);
  const passed = await run(first!);
  expect(passed).toMatchObject({ isPassed: true });
  expect(passed.text).toContain("paid at once");
  expect(passed.text).not.toContain("never paid");
  expect(await run(second!)).toMatchObject({ isPassed: false });
  expect(client.messages.join("\n")).toContain("never paid");
});

test("a run sees the definition as it is in the editor", async () => {
  await client.open("order.yaml", order.replace("    - events: [paid]\n", "    - events: [none]\n"));
  const report = await client.connection.sendRequest<{ isPassed: boolean; text: string }>("workspace/executeCommand", {
    command: "waybill.runScenario",
    arguments: [client.uri("scenarios.yaml"), "paid at once"],
  });
  expect(report.isPassed).toBe(false);
});
