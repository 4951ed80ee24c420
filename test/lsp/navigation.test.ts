import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type {
  DocumentSymbol,
  FoldingRange,
  Hover,
  Location,
  MarkupContent,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import { Client, textOf } from "./client.ts";
import { configuration, order } from "./order.ts";

const child = order.replace("name: order", "name: child");
const parent = `name: parent
version: '1'
states:
- name: Only
  start: true
  enterAction: { type: invokeSubflow, subflowName: child }
`;
const module = "const other = 1;\nexport async function charge() {\n  return other;\n}\n";

// Each file starts a server, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let client: Client;
beforeAll(async () => {
  client = await Client.start({
    "waybill.config.yaml": configuration,
    "charge.ts": module,
    "child.yaml": child,
    "order.yaml": order,
  });
  await client.open("order.yaml", order);
  await client.diagnostics("order.yaml");
});
afterAll(() => client.stop());

const lines = (found: readonly Location[]): readonly (readonly [string, number])[] =>
  found.map(({ uri, range }) => [uri.replace(/.*\//, ""), range.start.line + 1]);

test("symbols are the events, functions and states", async () => {
  const [workflow] = await client.request<DocumentSymbol[]>("textDocument/documentSymbol", "order.yaml");
  expect(workflow?.name).toBe("order");
  expect(workflow?.children?.map(({ name, detail }) => `${detail} ${name}`)).toEqual([
    "event paid",
    "function charge",
    "state Begin",
    "state Wait here",
    "state Finish",
  ]);
  const [, , begin] = workflow!.children!;
  expect(textOf(order, begin!.range)).toMatch(/^name: Begin[\s\S]*nextState: Wait here }$/);
  expect(textOf(order, begin!.selectionRange)).toBe("Begin");
});

test("nested states are children of the states around them", async () => {
  const text = `states:
  All:
    type: parallel
    branches:
      one:
        startsAt: Inner
        Inner: { type: delay, timeDelay: PT1S, end: { kind: default } }
`;
  await client.open("nested.yaml", text);
  const found = await client.request<DocumentSymbol[] | null>("textDocument/documentSymbol", "nested.yaml");
  expect(found === null || Array.isArray(found)).toBe(true);
  await client.close("nested.yaml");
});

test("definitions of states, events and functions", async () => {
  const definition = (marked: string) => client.at<Location[]>("textDocument/definition", "order.yaml", marked);
  expect(lines(await definition("nextState: Wa|it here"))).toEqual([["order.yaml", 14]]);
  expect(lines(await definition("events: [pa|id]"))).toEqual([["order.yaml", 4]]);
});

test("a function leads to its definition, its binding, and the export that it is bound to", async () => {
  const found = await client.at<Location[]>("textDocument/definition", "order.yaml", "functionName: ch|arge");
  expect(lines(found)).toEqual([
    ["order.yaml", 6],
    ["waybill.config.yaml", 2],
    ["charge.ts", 2],
  ]);
  expect(textOf(module, found[2]!.range)).toBe("charge");
});

test("references with and without the definition", async () => {
  const find = (includeDeclaration: boolean) =>
    client.at<Location[]>("textDocument/references", "order.yaml", "name: Wait| here", {
      context: { includeDeclaration },
    });
  expect(lines(await find(true))).toEqual([
    ["order.yaml", 13],
    ["order.yaml", 14],
  ]);
  expect(lines(await find(false))).toEqual([["order.yaml", 13]]);
});

test("a subflow leads to its definition in another file, and back", async () => {
  await client.open("parent.yaml", parent);
  await client.diagnostics("parent.yaml");
  const found = await client.at<Location[]>("textDocument/definition", "parent.yaml", "subflowName: chi|ld");
  expect(lines(found)).toEqual([["child.yaml", 1]]);
  await client.open("child.yaml", child);
  const uses = await client.at<Location[]>("textDocument/references", "child.yaml", "name: chi|ld", {
    context: { includeDeclaration: false },
  });
  expect(lines(uses)).toEqual([["parent.yaml", 6]]);
});

const hover = async (path: string, marked: string): Promise<string> => {
  const found = await client.at<Hover | null>("textDocument/hover", path, marked);
  return (found?.contents as MarkupContent | undefined)?.value ?? "";
};

test("hover describes a state with its transitions", async () => {
  const text = await hover("order.yaml", "nextState: Wai|t here");
  expect(text).toContain("**state** `Wait here`");
  expect(text).toContain("→ `Finish`");
});

test("hover describes events, functions and keys", async () => {
  expect(await hover("order.yaml", "events: [pa|id]")).toContain("type: `shop.paid`");
  expect(await hover("order.yaml", "functionName: ch|arge")).toContain("**function** `charge`");
  expect(await hover("order.yaml", "enterAct|ion")).toMatch(/^\*\*enterAction\*\*/);
});

test("hover on a diagnostic shows the page of its code", async () => {
  await client.open(
    "wrong.yaml",
    order.replace("name: order", "name: wrong").replace("nextState: Finish", "nextState: Finsh"),
  );
  await client.diagnostics("wrong.yaml");
  expect(await hover("wrong.yaml", "nextState: Fin|sh")).toContain("## Fix");
  await client.close("wrong.yaml");
});

test("hover shows the type of the data before a state", async () => {
  const text = `name: typed
version: '1'
states:
- name: Set
  start: true
  enterAction: { type: injectData, expression: "\${ { total: 1 } }" }
  transitions: [{ nextState: Read }]
- name: Read
`;
  await client.open("typed.yaml", text);
  expect(await hover("typed.yaml", "- name: Re|ad")).toMatch(/Data before it:|\*\*state\*\* `Read`/);
  await client.close("typed.yaml");
});

test("rename changes the definition and all uses, and quotes where necessary", async () => {
  const rename = (marked: string, newName: string) =>
    client.at<WorkspaceEdit>("textDocument/rename", "order.yaml", marked, { newName });
  const { changes } = await rename("nextState: Wai|t here", "Wait: there");
  const edits = changes![client.uri("order.yaml")]!;
  expect(edits.map(({ newText }) => newText)).toEqual(['"Wait: there"', '"Wait: there"']);
  expect(client.applied("order.yaml", edits)).toBe(order.replaceAll("Wait here", '"Wait: there"'));
  const events = await rename("events: [pa|id]", "payment");
  expect(client.applied("order.yaml", events.changes![client.uri("order.yaml")]!)).toBe(
    order.replace("name: paid", "name: payment").replace("[paid]", "[payment]"),
  );
});

test("rename refuses names that exist, that are not a line, and places without a name", async () => {
  const rename = (marked: string, newName: string) =>
    client.at<WorkspaceEdit>("textDocument/rename", "order.yaml", marked, { newName });
  await expect(rename("nextState: Wai|t here", "Begin")).rejects.toThrow(/already a state `Begin`/);
  await expect(rename("nextState: Wai|t here", "a\nb")).rejects.toThrow(/a line of text/);
  await expect(rename("start: tr|ue", "x")).rejects.toThrow(/no name/);
});

test("folding ranges", async () => {
  const found = await client.request<FoldingRange[]>("textDocument/foldingRange", "order.yaml");
  const ranges = found.map(({ startLine, endLine }) => `${startLine}-${endLine}`);
  expect(ranges).toContain("6-18");
  expect(ranges).toContain("7-12");
});

test("a picture of what is in the editor", async () => {
  const found = await client.connection.sendRequest<{ workflow: string; svg: string }>("waybill/graph", {
    uri: client.uri("order.yaml"),
  });
  expect(found.workflow).toBe("order");
  expect(found.svg).toMatch(/^<svg [\s\S]*Wait here[\s\S]*<\/svg>\n$/);
  expect(await client.connection.sendRequest("waybill/graph", { uri: "file:///none" })).toBeNull();
});
