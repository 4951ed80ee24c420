import { describe, expect, test } from "vitest";
import { check, compile, type TargetName } from "../src/index.ts";
import { positionOf } from "../src/text/source.ts";

/** A workflow that waits for an event. */
const waiting = (id: string, seconds: string, then = "end: { kind: default }"): string =>
  `id: ${id}
name: Wait
version: '1'
states: [{ name: Go, type: delay, start: { kind: default }, timeDelay: PT${seconds}S, ${then} }]
`;

const lost = (id: string): string => waiting(id, "1", "transition: { nextState: Nowhere }");

type Texts = { readonly [path: string]: string };

/** The diagnostics of sources as `path:line code`. */
async function found(texts: Texts, target?: TargetName): Promise<readonly string[]> {
  const sources = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const compiled = target === undefined ? undefined : await compile({ sources, target });
  const { diagnostics, ok } = compiled ?? (await check({ sources }));
  if (!ok && compiled) expect(compiled.files).toEqual([]);
  return diagnostics.map(({ code, span }) => `${span.source.path}:${positionOf(span.source, span.start).line} ${code}`);
}

test.each<[string, Texts, readonly string[]]>([
  [
    "one that cannot be read",
    {
      a: "id: a\nstates: [",
      b: "- 1",
      c: lost("c"),
      d: waiting("d", "1").replace("delay", "dely"),
    },
    ["a:2 WB0005", "b:1 WB0102", "c:4 WB2001", "d:4 WB1003"],
  ],
  [
    "another document of the text",
    { a: `${lost("a")}---\n- 1\n---\n${lost("b")}` },
    ["a:4 WB2001", "a:6 WB0102", "a:11 WB2001"],
  ],
  [
    "a document of the text that cannot be read",
    { a: `${lost("a")}---\n- [\n---\n${lost("b")}` },
    ["a:4 WB2001", "a:6 WB0005", "a:11 WB2001"],
  ],
])("errors of a workflow are reported in addition to %s", async (_, texts, wanted) => {
  expect(await found(texts)).toEqual(wanted);
});

test("errors of a target are reported in addition to errors of other workflows, without output", async () => {
  const texts = { a: lost("a"), b: `${waiting("b", "0.5")}---\n- 1\n`, c: waiting("c", "1") };
  expect(await found(texts, "asl")).toEqual(["a:4 WB2001", "b:4 WB5105", "b:6 WB0102"]);
  expect(await found({ c: texts.c }, "asl")).toEqual([]);
});

test("a workflow that depends on an invalid one is not checked against the target", async () => {
  const parent = waiting("parent", "1").replace(
    "states:",
    "functions: [{ name: f, resource: 7 }]\ndescription: starts child\nstates:",
  );
  const child = `id: child
name: Child
version: '1'
states:
- { name: Go, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: f } }], transition: { nextState: Wait, produceEvent: { eventRef: E } } }
- { name: Wait, type: event, eventsActions: [{ eventRefs: [F], actions: [] }], end: { kind: default } }
`;
  const texts = { a: parent, b: child };
  for (const target of [undefined, "asl", "typescript"] as const)
    expect(await found(texts, target)).toEqual(["a:4 WB1004"]);
});

test("a workflow that starts an invalid one is not reported", async () => {
  const starting = (id: string) =>
    `id: s\nname: S\nversion: '1'\nstates: [{ name: Go, type: subflow, workflowId: ${id}, waitForCompletion: true, start: { kind: default }, end: { kind: default } }]\n`;
  for (const target of ["asl", "typescript"] as const) {
    expect(await found({ a: starting("other"), b: lost("other") }, target)).toEqual(["b:4 WB2001"]);
    expect(await found({ a: starting("other"), b: "id: other\nstates: [" }, target)).toEqual(["b:2 WB0005"]);
    expect(await found({ a: `${starting("other")}---\nid: other\n` }, target)).toEqual(["a:6 WB0102"]);
  }
});

/** A workflow that starts others and waits for them. */
const starting = (id: string, ...others: readonly string[]): string =>
  `id: ${id}
name: Start
version: '1'
functions: [{ name: f, resource: f }]
states:
- name: Call
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: f } }]
  transition: { nextState: Start0 }
${others.map((other, i) => `- { name: Start${i}, type: subflow, workflowId: ${other}, waitForCompletion: true, transition: { nextState: Start${i + 1} } }\n`).join("")}- { name: Start${others.length}, type: inject, data: {}, end: { kind: default } }
`;

describe("the order of the sources", () => {
  const sources = [
    { path: "a.yaml", text: waiting("part-a", "1") },
    { path: "b.yaml", text: starting("whole", "part-c", "part-a") },
    { path: "c.yaml", text: starting("part-c") },
  ];
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ].map((order) => order.map((index) => sources[index]!));

  test.each(["asl", "openwhisk", "typescript"] as const)("does not change what is generated for %s", async (target) => {
    const outputs = await Promise.all(orders.map((each) => compile({ sources: each, target })));
    const [first, ...others] = outputs.map(({ files }) => files.map(({ path, text }) => [path, text]));
    expect(first).not.toEqual([]);
    for (const other of others) expect(other).toEqual(first);
  });

  test.each(["openwhisk", "typescript"] as const)(
    "examples of %s start a workflow that no other one starts",
    async (target) => {
      for (const each of orders) {
        const { files } = await compile({ sources: each, target });
        const readme = files.find(({ path }) => path === "README.md")!.text;
        expect(readme).toMatch(
          target === "openwhisk" ? /wsk action invoke \S*\/whole --blocking/ : /main\.ts start whole /,
        );
      }
    },
  );
});
