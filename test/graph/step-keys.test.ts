import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { buildGraph } from "../../src/graph/build.ts";
import { nodesOf } from "../../src/graph/model.ts";
import { pathTaken } from "../../src/graph/path.ts";
import { branchPrefix, iterationPrefix, patternOfKey } from "../../src/graph/step-keys.ts";
import { typescript } from "../../targets/typescript/index.ts";
import { createLoader, loadWorkflows, writeFiles } from "../../targets/typescript/load.ts";
import type * as runtime from "../../targets/typescript/runtime/face.ts";
import { readGolden } from "../golden/folder.ts";
import { emitGolden } from "../golden/make.ts";
import { workflowsOf } from "./build.ts";

test.each([
  ["Ask", "Ask"],
  ["Ask#3", "Ask"],
  ["Ask#retry", "Ask"],
  ["Ask#time", "Ask"],
  ["Ask#token", "Ask"],
  ["Ask#answer#2", "Ask"],
  ["Ask#retry#2", "Ask"],
  ["Ask/then", "Ask/then"],
  ["Reserve#Stock/Ask#2", "Reserve#Stock/Ask"],
  ["Reserve#2#Stock/Ask", "Reserve#Stock/Ask"],
  ["Reserve#2/Ask", "Reserve#2/Ask"],
  ["Reserve#2#2/Ask#2", "Reserve#2/Ask"],
  ["Reserve#retry/Ask", "Reserve#retry/Ask"],
  ["Each#[4]/Ship", "Each#[]/Ship"],
  ["Each#[4]/Each#2#[0]/Ship#retry", "Each#[]/Each#[]/Ship"],
  ["Each#gap#7", "Each"],
  ["Reserve#a##b/Ask", "Reserve#a##b/Ask"],
  ["Reserve#a#/b/Ask#2", "Reserve#a#/b/Ask"],
  ["Pay#/Ask", "Pay"],
  ["Each#[1]/Pay#2#/Ask#3", "Each#[]/Pay"],
])("the pattern of the key %s is %s", (key, pattern) => {
  expect(patternOfKey(key)).toBe(pattern);
});

test("prefixes are patterns", () => {
  for (const branch of ["Stock", "2", "retry", "a/b", "a#b", "a#/b", "#", "/"]) {
    const prefix = branchPrefix("Reserve", branch);
    expect(patternOfKey(prefix)).toBe(prefix);
  }
  expect(iterationPrefix("Each")).toBe("Each#[]/");
});

/** Runs the program of a golden. Returns the keys of the calls of functions, all of which return an object. */
async function keysOf(name: string, input: object): Promise<readonly string[]> {
  const files = await emitGolden(
    readGolden(name, (text) => parse(text)),
    typescript,
  );
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-keys-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles([{ path: "package.json", text: '{ "type": "module" }' }, ...files], folder);
  const load = createLoader(folder);
  const { openEngine } = load("runtime.js") as unknown as typeof runtime;
  const keys: string[] = [];
  const functions = new Proxy(
    {},
    {
      get: () => (_argument: unknown, step: runtime.Step) => {
        keys.push(step.key.slice("run/".length));
        return { status: "ok", id: 1, warehouse: "w", parcel: "p", authorization: "a" };
      },
      has: () => true,
    },
  );
  const workflows = loadWorkflows(files, load);
  const engine = await openEngine({ store: ":memory:", workflows, functions, log: () => undefined } as never);
  try {
    await engine.start(workflows[0]!.id, input as never, { id: "run" });
    await engine.ended("run", AbortSignal.timeout(30_000));
  } finally {
    await engine.close();
  }
  return keys;
}

const order = {
  id: 7,
  customer: "c",
  lines: [
    { sku: "a", quantity: 1 },
    { sku: "b", quantity: 2 },
  ],
};

test.each([
  ["serverless-workflow/order-process", order],
  ["function-workflow/order-process", order],
  ["sm4c/order-process", order],
  ["yawl/order-process", order],
  ["composer-fsm/order-process", order],
  ["serverless-workflow/nested-parallel", {}],
  ["sm4c/handlers-within-parallel", { items: [{ parts: [1, 2] }, { parts: [3] }] }],
  ["function-workflow/parallel-actions", { parcel: { weight: 3, size: "L" } }],
])("the keys of the program of %s are in its graph", async (name, input) => {
  const { graph } = buildGraph(workflowsOf(name)[0]!);
  const keys = await keysOf(name, input);
  expect(keys.length).toBeGreaterThan(0);
  const patterns = new Set(nodesOf(graph.scope).flatMap(({ steps }) => steps));
  expect(keys.map(patternOfKey).filter((pattern) => !patterns.has(pattern))).toEqual([]);
  const { nodes } = pathTaken(graph, keys, { isComplete: true });
  for (const key of keys) {
    const node = nodesOf(graph.scope).find(({ steps }) => steps.includes(patternOfKey(key)))!;
    expect(nodes).toContain(node.id);
  }
});

test("the path contains the decisions between recorded steps", () => {
  const { graph } = buildGraph(workflowsOf("serverless-workflow/order-process")[0]!);
  const keys = [
    "Check/checkCustomer",
    "Check/checkCustomer#2",
    "Reserve#Stock/ReserveStock",
    "Ship#[0]/ShipLine",
    "Ship#[1]/ShipLine",
  ];
  const { nodes, edges } = pathTaken(graph, keys);
  expect([...nodes].sort()).toEqual([
    "(start)",
    "Check",
    "Decide",
    "Reserve",
    "Reserve#Stock/ReserveStock",
    "Ship",
    "Ship#[]/ShipLine",
  ]);
  expect([...edges].sort()).toEqual(["(start)→Check", "Check→Decide", "Decide→Reserve otherwise", "Reserve→Ship"]);
  const complete = pathTaken(graph, [...keys, "Notify"], { isComplete: true });
  expect([...complete.nodes]).toEqual(expect.arrayContaining(["Shipped", "(end)"]));
  expect([...complete.nodes]).not.toContain("Reject");
});
