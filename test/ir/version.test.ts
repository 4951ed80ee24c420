import { describe, expect, test } from "vitest";
import { literal, member } from "../../src/expressions/core/build.ts";
import type { Expression } from "../../src/expressions/index.ts";
import { versionOf } from "../../src/ir/version.ts";
import type { Retry, Step, Workflow } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";
import { assign, call, data, emit, end, invoke, retry, scope, workflow } from "../reference/build.ts";

const versionsOf = (...workflows: readonly Workflow[]): readonly string[] => {
  const byId = new Map(workflows.map((each) => [each.id, each]));
  return workflows.map((each) => versionOf(each, byId));
};

const one = (steps: readonly Step[], more: Partial<Workflow> = {}): Workflow => ({
  ...workflow(scope(["data"], ...steps)),
  id: "order",
  ...more,
});

const giving = (value: Json): Workflow => one([assign("A", { data: literal(value) }, "B"), end("B", data)]);

const plain = giving(1);

const emitting = (attributes: { readonly [name: string]: string | Expression } | undefined): Workflow =>
  one([emit("A", "paid", data, "B", attributes), end("B", data)]);

const retrying = (given: Partial<Retry>): Workflow =>
  one([call("A", "ask", literal(1), "B", { retries: [{ ...retry(1, 1), ...given }] }), end("B", data)]);

describe("changes to the version of a workflow", () => {
  const others: { readonly [what: string]: Workflow } = {
    "a value": giving(2),
    "the sign of zero": giving(-0),
    "a text in place of a number": giving("1"),
    "an expression": one([assign("A", { data: member(data, "total") }, "B"), end("B", data)]),
    "a step": one([end("B", literal(1))]),
    "the name of a step, by which runs are recorded": one([assign("C", { data: literal(1) }, "B"), end("B", data)]),
    "the function that is called": one([call("A", "pay", literal(1), "B", { bind: "data" }), end("B", data)]),
    "its id": { ...plain, id: "orders" },
    "an event": { ...plain, events: [{ name: "Paid", type: "paid", span: plain.span } as never] },
    "how it starts": { ...plain, start: { gap: 10 } as never },
    "its correlation value": { ...plain, correlation: data },
    "an emitted event": emitting(undefined),
    "an attribute of an emitted event": emitting({ type: "$data" }),
    "a computed attribute of an emitted event": emitting({ type: data }),
    "a timeout": one([call("A", "ask", literal(1), "B", { timeout: 5 }), end("B", data)]),
    "a computed timeout": one([call("A", "ask", literal(1), "B", { timeout: data }), end("B", data)]),
    "a retry": retrying({}),
    "a retry without a limit": retrying({ limit: undefined }),
    "the time of a retry": retrying({ within: 60 }),
    "the jitter of a retry": retrying({
      delay: { base: 1, factor: 1, step: 0, jitter: { kind: "range", from: 1, to: 2 } },
    }),
    "what failures are called that nothing has named": {
      ...plain,
      errorNames: { expression: "Failed", timeout: "Late" },
    },
  };
  const all = Object.entries(others);
  test.each(all)("%s", (_, other) => {
    expect(versionsOf(other)).not.toEqual(versionsOf(plain));
  });

  test("all versions differ", () => {
    expect(new Set(all.map(([, other]) => versionsOf(other)[0])).size).toBe(all.length);
  });

  test("a member of data with the name of an ignored key", () => {
    const versions = [{ span: { a: 1 } }, { span: { a: 2 } }, { origin: { a: 1 } }, {}].map((value) =>
      versionsOf(giving(value)).join(),
    );
    expect(new Set(versions).size).toBe(4);
  });
});

describe("changes that keep the version", () => {
  const elsewhere = { source: { path: "other.yaml", text: "text" }, start: 3, end: 4 };
  const moved = JSON.parse(JSON.stringify(plain), (key, value: unknown) => (key === "span" ? elsewhere : value));
  const renamed = JSON.parse(JSON.stringify(plain), (key, value: unknown) =>
    key === "origin" ? { noun: "thing", name: "Another", entry: false } : value,
  );
  const others: { readonly [what: string]: Workflow } = {
    "its name": { ...plain, name: "Orders" },
    "its own version": { ...plain, version: "2" },
    "its description": { ...plain, description: "What it is for." },
    "what is in it for other tools": { ...plain, metadata: { owner: "Ann" } },
    "its schemas": { ...plain, inputSchema: "order.json", outputSchema: "receipt.json" },
    "the language that it was written in": { ...plain, language: "yawl" },
    "where a function is": {
      ...plain,
      functions: [{ name: "pay", resource: "https://example.org", span: plain.span } as never],
    },
    "where it stands in the source": moved,
    "what its states are called in comments": renamed,
  };
  test.each(Object.entries(others))("%s", (_, other) => {
    expect(versionsOf(other)).toEqual(versionsOf(plain));
  });

  test("metadata of an event", () => {
    const paid = (metadata?: Json): Workflow => ({
      ...plain,
      events: [{ name: "Paid", type: "paid", metadata, span: plain.span }],
    });
    expect(versionsOf(paid({ owner: "Ann" }))).toEqual(versionsOf(paid()));
    expect(versionsOf(paid("Ann"))).toEqual(versionsOf(paid()));
  });
});

describe("subflows", () => {
  const parent = (wait: boolean): Workflow =>
    one([invoke("Sub", "ship", data, "B", { wait }), end("B", data)], { id: "order" });
  const ship = (value: Json): Workflow => ({ ...giving(value), id: "ship" });

  test("an awaited subflow is part of the version", () => {
    expect(versionsOf(parent(true), ship(1))[0]).not.toBe(versionsOf(parent(true), ship(2))[0]);
    expect(versionsOf(parent(true), ship(1))[0]).not.toBe(versionsOf(parent(true))[0]);
  });

  test("a subflow of a subflow is part of the version", () => {
    const middle: Workflow = one([invoke("Sub", "pack", data, "B"), end("B", data)], { id: "ship" });
    const pack = (value: Json): Workflow => ({ ...giving(value), id: "pack" });
    expect(versionsOf(parent(true), middle, pack(1))[0]).not.toBe(versionsOf(parent(true), middle, pack(2))[0]);
  });

  test("a subflow that is only started is not", () => {
    expect(versionsOf(parent(false), ship(1))[0]).toBe(versionsOf(parent(false), ship(2))[0]);
  });

  test("the order of workflows that wait for each other does not matter", () => {
    const back: Workflow = one([invoke("Sub", "order", data, "B"), end("B", data)], { id: "ship" });
    expect(versionsOf(parent(true), back)).toEqual([...versionsOf(back, parent(true))].reverse());
  });
});
