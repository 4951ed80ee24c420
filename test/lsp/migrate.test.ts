import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Client } from "./client.ts";
import { order } from "./order.ts";

const golden = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../golden", name, "workflow.yaml"), "utf8");

// Each file starts a server, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(async () => {
  expect(client.errors).toBe("");
  await client.stop();
});

const kind = "refactor.rewrite";

interface Result {
  readonly text?: string;
  readonly uri?: string;
  readonly report: string;
}

test("a definition of 0.8 is migrated into a new file, which the editor shows", async () => {
  await client.open("orders.sw.yaml", golden("serverless-workflow-0.8/order-process"));
  const [action] = await client.actions("orders.sw.yaml", "id: order|-process", [kind]);
  expect(action?.title).toBe("Migrate to Serverless Workflow 1.0");
  const result = await client.connection.sendRequest<Result>("workspace/executeCommand", action!.command!);
  expect(result.text).toMatch(/^document:\n {2}dsl: /m);
  expect(result.uri).toBe(client.uri("orders-1.0.flow.yaml"));
  expect(client.shown).toEqual([result.uri]);
  const [created, written] = client.edits[0]!.documentChanges as unknown as readonly [
    { readonly kind: string; readonly uri: string },
    { readonly edits: readonly { readonly newText: string }[] },
  ];
  expect(created).toMatchObject({ kind: "create", uri: result.uri });
  expect(written.edits[0]?.newText).toBe(result.text);
});

test("a definition with errors is not migrated, and other languages have no action", async () => {
  await client.open(
    "wrong.yaml",
    golden("serverless-workflow-0.8/order-process").replace("transition: Ship", "transition: Shp"),
  );
  const [action] = await client.actions("wrong.yaml", "id: order|-process", [kind]);
  const result = await client.connection.sendRequest<Result>("workspace/executeCommand", action!.command!);
  expect(result.text).toBeUndefined();
  expect(result.report).toContain("Shp");
  await client.open("order.yaml", order);
  expect(await client.actions("order.yaml", "name: ord|er", [kind])).toEqual([]);
});
