import { expect, test } from "vitest";
import { buildGraph } from "../../src/graph/build.ts";
import { renderDot } from "../../src/graph/dot.ts";
import { renderMermaid } from "../../src/graph/mermaid.ts";
import { edgesOf, type Graph, nodesOf } from "../../src/graph/model.ts";
import { graphStyle, renderSvg } from "../../src/graph/svg.ts";
import { goldenNames } from "../golden/folder.ts";
import { workflowsOf } from "./build.ts";

const hostile = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "a & b < c > d ' e ` f",
  "]]> <!-- --> <?xml?> &lt; &#60;",
  "end\n  n1 --> n2\u0000\u0001\ud800\u202e",
  "#quot; ; %%{init: {}}%% click n1 href",
  '\\N \\" \\',
  "x".repeat(5000),
  "{{[[([constructor __proto__])]]}}",
  "日本語の状態 🎈",
];

const hostileGraph: Graph = {
  workflow: hostile[1]!,
  name: hostile[0]!,
  version: "1",
  language: "x",
  scope: {
    nodes: hostile.map((text, i) => ({
      id: `${i} ${text}`,
      kind: i % 2 === 0 ? "call" : "choice",
      label: text,
      noun: text,
      details: [{ kind: "call", text }],
      steps: [text],
      parts: i === 4 ? [{ kind: "branch", label: text, scope: { nodes: [], edges: [] } }] : [],
    })),
    edges: hostile.slice(1).map((text, i) => {
      return {
        id: `e ${text}`,
        from: `${i} ${hostile[i]}`,
        to: `${i + 1} ${text}`,
        kind: "case",
        label: `${text}\n${text}`,
      };
    }),
  },
};

const parts = /<(?:\/([\w]+)|([\w]+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?))>|([^<]+)/gy;

/** Reads SVG by the grammar of XML without comments, processing instructions and declarations. Returns its elements. */
function elementsIn(
  svg: string,
): readonly { readonly name: string; readonly attributes: ReadonlyMap<string, string> }[] {
  const elements: { name: string; attributes: ReadonlyMap<string, string> }[] = [];
  const open: string[] = [];
  parts.lastIndex = 0;
  for (let at = 0; at < svg.length; at = parts.lastIndex) {
    const found = parts.exec(svg);
    if (!found) throw new Error(`Not XML: ${svg.slice(at, at + 80)}`);
    const [, closed, name, attributes = "", isEmpty, text] = found;
    if (text !== undefined) {
      if (open.at(-1) !== "style") expect(text).not.toMatch(/&(?!#\d+;)/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them.
      expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
    } else if (closed !== undefined) expect(open.pop()).toBe(closed);
    else {
      const pairs = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!] as const);
      expect(new Set(pairs.map(([key]) => key)).size).toBe(pairs.length);
      elements.push({ name: name!, attributes: new Map(pairs) });
      if (isEmpty === "") open.push(name!);
    }
  }
  expect(open).toEqual([]);
  return elements;
}

const allowed = new Set(["svg", "title", "desc", "style", "g", "rect", "path", "polygon", "text"]);

function check(svg: string): void {
  const elements = elementsIn(svg);
  for (const { name, attributes } of elements) {
    expect(allowed).toContain(name);
    for (const key of attributes.keys()) expect(key).not.toMatch(/^(?:on|href|xlink|style|src)/);
  }
  const ids = elements.flatMap(({ attributes }) => attributes.get("id") ?? []);
  expect(new Set(ids).size).toBe(ids.length);
}

const decode = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test("pictures of all goldens are well-formed, and name their nodes, edges and steps", () => {
  for (const name of goldenNames())
    for (const workflow of workflowsOf(name)) {
      const { graph } = buildGraph(workflow);
      const svg = renderSvg(graph);
      check(svg);
      const elements = elementsIn(svg);
      const valuesOf = (key: string) => elements.flatMap(({ attributes }) => attributes.get(key) ?? []).map(decode);
      expect(new Set(valuesOf("data-node"))).toEqual(new Set(nodesOf(graph.scope).map(({ id }) => id)));
      expect(new Set(valuesOf("data-edge"))).toEqual(new Set(edgesOf(graph.scope).map(({ id }) => id)));
      const steps = valuesOf("data-steps").flatMap((text) => JSON.parse(text) as readonly string[]);
      expect(new Set(steps)).toEqual(new Set(nodesOf(graph.scope).flatMap((node) => node.steps)));
    }
});

test("hostile labels are text", () => {
  const svg = renderSvg(hostileGraph);
  check(svg);
  expect(svg).not.toContain("<script");
  expect(svg).not.toContain("<img");
  expect(svg.length).toBeLessThan(100_000);
});

test("hostile labels are text in Mermaid", () => {
  const lines = renderMermaid(hostileGraph).trimEnd().split("\n");
  const text = '"[\\p{L}\\p{N}\\p{M} .,:;()/$=_+·…→#<>-]*"';
  const forms = [
    `n\\d+(?:\\[${text}\\]|\\{\\{${text}\\}\\})`,
    `n\\d+ --> \\|?${text}?\\|?\\s?n\\d+`,
    `n\\d+ -->\\|${text}\\| n\\d+`,
  ].map((form) => new RegExp(`^ {2}${form}$`, "u"));
  expect(lines[0]).toBe("flowchart TD");
  for (const line of lines.slice(1)) {
    expect(
      forms.some((form) => form.test(line)),
      line,
    ).toBe(true);
    expect(line.replaceAll("<br>", "")).not.toMatch(/[<>](?!\|)(?<!-->)/);
  }
});

test("hostile labels are text in DOT", () => {
  for (const line of renderDot(hostileGraph).split("\n"))
    expect(line.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/["\\<&;]/), line).toBeNull();
});

test("marks are classes, and the style sheet can be elsewhere", () => {
  const { graph } = buildGraph(workflowsOf("serverless-workflow/order-process")[0]!);
  const svg = renderSvg(graph, {
    style: false,
    taken: new Set(["Check"]),
    current: new Set(["Notify"]),
    failed: new Set(["Reject"]),
    covered: new Set(["Check"]),
  });
  expect(svg).not.toContain("<style");
  expect(graphStyle).toContain("prefers-color-scheme:dark");
  const classesOf = (id: string) => new RegExp(`class="([^"]*)"[^>]* data-node="${id}"`).exec(svg)?.[1];
  expect(classesOf("Check")).toBe("wb-node wb-call is-taken is-covered");
  expect(classesOf("Notify")).toBe("wb-node wb-call is-current is-unreached");
  expect(classesOf("Reject")).toBe("wb-node wb-call is-failed is-unreached");
});
