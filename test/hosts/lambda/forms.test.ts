import { expect, test } from "vitest";
import { createLoader } from "../../../targets/typescript/load.ts";
import type { receiving, StartRequest } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/workflow.ts";
import { runtimeFolder } from "../runtime-folder.ts";
import { correlated, event, workflowOf } from "../samples.ts";
import { createMemoryTable, type MemoryTable } from "./table.ts";

// Programs and tables of different versions.

const module = createLoader(runtimeFolder())("lambda.js") as { readonly receiving: typeof receiving };

const starting = workflowOf(async () => null, { events: { go: { type: "go" } }, start: { on: [{ all: [["go"]] }] } });

const waiting = workflowOf(async (flow) => (await flow.receive("Wait")).alternative, {
  ...correlated,
  waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
});

/** The events function of a program on a table. */
function deployed(table: MemoryTable, workflows: readonly AnyWorkflow[]) {
  const launched: StartRequest[] = [];
  const launch = async (started: StartRequest) => void launched.push(started);
  const ingest = module.receiving({ workflows }, { dynamodb: table.client, launch });
  const deliver = async (id: string, more = {}) => {
    const detail = event(id, more);
    await ingest({ id, source: "test", "detail-type": "go", time: "", detail });
    return launched.length;
  };
  return { deliver };
}

test.each([
  ["3", "The events table has the form 3, and this program reads form 2. Deploy a program that a newer version"],
  ["1", "The events table has the form 1, and this program reads form 2. Deploy this program as another stack"],
])("a table of form %s is refused and stays as it is", async (form, message) => {
  const table = createMemoryTable();
  await deployed(table, [starting]).deliver("1");
  table.replace("form", { N: form });
  const before = [...table.items];
  await expect(deployed(table, [starting]).deliver("2")).rejects.toThrow(message);
  expect([...table.items]).toEqual(before);
  table.replace("form", { N: "2" });
  expect(await deployed(table, [starting]).deliver("2")).toBe(1);
});

test("events stay in the common partition if a new version has correlation values", async () => {
  const table = createMemoryTable();
  await deployed(table, [starting]).deliver("1");
  const keyed = { ...starting, version: "2", events: { go: { type: "go", correlation: () => "a" } } } as AnyWorkflow;
  expect(await deployed(table, [keyed]).deliver("1")).toBe(0);
  expect(await deployed(table, [keyed]).deliver("2")).toBe(1);
});

test("a version whose waits lose their correlation value is refused, because runs in flight would miss events", async () => {
  const table = createMemoryTable();
  await deployed(table, [waiting]).deliver("1", { who: "a" });
  const open = { ...waiting, version: "2", events: { go: { type: "go" } } } as AnyWorkflow;
  await expect(deployed(table, [open]).deliver("2")).rejects.toThrow(
    "The events of the workflow W are stored by their correlation value, and its new version has waits without it.",
  );
  expect(await deployed(table, [waiting]).deliver("2", { who: "a" })).toBe(0);
});
