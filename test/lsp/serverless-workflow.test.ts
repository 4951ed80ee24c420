import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type {
  CompletionItem,
  DocumentSymbol,
  Hover,
  Location,
  MarkupContent,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import { Client } from "./client.ts";

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

const linesOf = async (method: string, path: string, marked: string): Promise<readonly number[]> => {
  const context = { includeDeclaration: true };
  const found = await client.at<Location[] | null>(`textDocument/${method}`, path, marked, { context });
  return (found ?? []).map(({ range }) => range.start.line + 1);
};

const symbols = async (path: string): Promise<readonly string[]> => {
  const [workflow] = await client.request<DocumentSymbol[]>("textDocument/documentSymbol", path);
  const print = ({ name, detail, children = [] }: DocumentSymbol): readonly string[] => [
    `${detail} ${name}`,
    ...children.flatMap(print).map((each) => `  ${each}`),
  ];
  return (workflow?.children ?? []).flatMap(print);
};

const hover = async (path: string, marked: string): Promise<string> => {
  const found = await client.at<Hover | null>("textDocument/hover", path, marked);
  return (found?.contents as MarkupContent | undefined)?.value ?? "";
};

async function complete(path: string, from: string, marked: string): Promise<readonly string[]> {
  const before = client.text(path);
  await client.edit(path, from, marked.replace("|", ""));
  const found = await client.at<CompletionItem[] | null>("textDocument/completion", path, marked);
  await client.edit(path, client.text(path), before);
  return (found ?? []).map(({ label }) => label);
}

async function renamed(path: string, marked: string, newName: string): Promise<string> {
  const { changes = {} } = await client.at<WorkspaceEdit>("textDocument/rename", path, marked, { newName });
  return client.applied(path, changes[client.uri(path)] ?? []);
}

describe("Serverless Workflow 0.8", () => {
  const process = golden("serverless-workflow-0.8/order-process");
  const errors = golden("serverless-workflow-0.8/errors");
  const events = golden("serverless-workflow-0.8/events");
  beforeAll(async () => {
    await client.open("process.sw.yaml", process);
    await client.open("errors.sw.yaml", errors);
    await client.open("events.sw.yaml", events);
    for (const path of ["process.sw.yaml", "errors.sw.yaml", "events.sw.yaml"]) await client.diagnostics(path);
  });

  test("symbols", async () => {
    expect(await symbols("errors.sw.yaml")).toEqual([
      "function pay",
      "error declined",
      "error busy",
      "error late",
      "retry often",
      "operation state Pay",
      "inject state Decline",
      "inject state Paid",
    ]);
  });

  test("definitions of functions, errors, retries, states and events", async () => {
    expect(await linesOf("definition", "errors.sw.yaml", "functionRef: p|ay")).toEqual([6]);
    expect(await linesOf("definition", "errors.sw.yaml", "errorRef: decl|ined")).toEqual([8]);
    expect(await linesOf("definition", "errors.sw.yaml", "[busy, la|te]")).toEqual([10]);
    expect(await linesOf("definition", "errors.sw.yaml", "retryRef: of|ten")).toEqual([12]);
    expect(await linesOf("definition", "errors.sw.yaml", "transition: Decl|ine")).toEqual([25]);
    expect(await linesOf("definition", "process.sw.yaml", "start: Che|ck")).toEqual([18]);
    expect(await linesOf("definition", "events.sw.yaml", "[pac|ked]")).toEqual([8]);
  });

  test("references and rename", async () => {
    expect(await linesOf("references", "errors.sw.yaml", "{ name: decl|ined")).toEqual([8, 20, 22]);
    expect(await renamed("process.sw.yaml", "start: Che|ck", "Verify")).toBe(process.replace(/\bCheck\b/g, "Verify"));
    expect(await renamed("errors.sw.yaml", "functionRef: p|ay", "bill")).toBe(
      errors.replace("{ name: pay,", "{ name: bill,").replace("functionRef: pay", "functionRef: bill"),
    );
  });

  test("hover", async () => {
    expect(await hover("errors.sw.yaml", "retryRef: of|ten")).toBe(
      [
        "**retry** `often`",
        '- delay: `"PT2S"`',
        '- increment: `"PT1S"`',
        "- multiplier: `2`",
        '- maxDelay: `"PT6S"`',
        "- maxAttempts: `3`",
      ].join("\n"),
    );
    expect(await hover("errors.sw.yaml", "transition: Decl|ine")).toContain("**inject state** `Decline`");
  });

  test("completion by schema and of names", async () => {
    expect(await complete("errors.sw.yaml", "transition: Paid\n", "transition: |\n")).toEqual([
      "Pay",
      "Decline",
      "Paid",
    ]);
    expect(await complete("errors.sw.yaml", "retryRef: often", "retryRef: |")).toEqual(["often"]);
    expect(await complete("errors.sw.yaml", "errorRef: declined", "errorRef: |")).toEqual(["declined", "busy", "late"]);
    expect(await complete("errors.sw.yaml", "functionRef: pay", "functionRef: |")).toContain("pay");
    expect(await complete("errors.sw.yaml", "type: operation\n", "type: |\n")).toContain("foreach");
    expect(await complete("errors.sw.yaml", "  transition: Paid\n", "  transition: Paid\n  |\n")).toContain(
      "stateDataFilter",
    );
  });
});

describe("Serverless Workflow 1.0", () => {
  const process = golden("serverless-workflow-1.0/order-process");
  const errors = golden("serverless-workflow-1.0/errors");
  beforeAll(async () => {
    await client.open("process.yaml", process);
    await client.open("errors.yaml", errors);
    for (const path of ["process.yaml", "errors.yaml"]) await client.diagnostics(path);
  });

  test("symbols are tasks, with those inside of them", async () => {
    expect(await symbols("process.yaml")).toEqual([
      "task check",
      "  task checkCustomer",
      "task decide",
      "task rejectOrder",
      "task reserve",
      "  task reserveStock",
      "  task reservePayment",
      "task ship",
      "  task shipLine",
      "task notifyCustomer",
    ]);
  });

  test("definitions and references of tasks, errors and retries", async () => {
    expect(await linesOf("definition", "process.yaml", "then: rejec|tOrder")).toEqual([19]);
    expect(await linesOf("references", "process.yaml", "- rese|rve:")).toEqual([18, 27]);
    expect(await linesOf("references", "errors.yaml", "unp|aid:")).toEqual([5, 11]);
    expect(await linesOf("references", "errors.yaml", "pati|ent:")).toEqual([7, 23]);
  });

  test("rename of a task", async () => {
    expect(await renamed("process.yaml", "- rese|rve:", "hold")).toBe(
      process.replace("then: reserve }", "then: hold }").replace("- reserve:", "- hold:"),
    );
  });

  test("hover", async () => {
    expect(await hover("process.yaml", "then: rejec|tOrder")).toContain("**task** `rejectOrder`");
    expect(await hover("process.yaml", "  cat|ch:")).toMatch(/^\*\*catch\*\*/);
  });

  test("completion by schema and of names", async () => {
    const targets = await complete("process.yaml", "then: rejectOrder", "then: |");
    for (const each of ["continue", "exit", "end", "rejectOrder", "notifyCustomer"]) expect(targets).toContain(each);
    expect(await complete("process.yaml", "      then: end\n", "      then: end\n      |\n")).toContain("timeout");
    expect(await complete("errors.yaml", "retry: patient", "retry: |")).toEqual(["patient"]);
  });
});

test("a task gives its name to the function that it calls, also in scenario files", async () => {
  const text = golden("serverless-workflow-1.0/order-process");
  const scenarios = `workflow: ./named.yaml
scenarios:
- name: rejected
  functions: { rejectOrder: { returns: {} } }
  expect: { status: succeeded }
`;
  client.write("named.scenarios.yaml", scenarios);
  await client.open("named.yaml", text.replace("name: order-process", "name: named"));
  await client.diagnostics("named.yaml");
  const { changes = {} } = await client.at<WorkspaceEdit>("textDocument/rename", "named.yaml", "- rejec|tOrder:", {
    newName: "decline",
  });
  expect(client.applied("named.yaml", changes[client.uri("named.yaml")] ?? [])).toContain("then: decline }");
  expect(client.applied("", changes[client.uri("named.scenarios.yaml")] ?? [], scenarios)).toBe(
    scenarios.replace("rejectOrder", "decline"),
  );
});
