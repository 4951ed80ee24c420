import { expect, test } from "vitest";
import { buildGraph } from "../../src/graph/build.ts";
import { type Box, layoutScope, type PlacedScope, type Point } from "../../src/graph/layout.ts";
import type { GraphEdge, GraphNode, GraphPart, GraphScope } from "../../src/graph/model.ts";
import { goldenNames } from "../golden/folder.ts";
import { workflowsOf } from "./build.ts";

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const contains = (outer: Box, { x, y, width, height }: Box): boolean =>
  x >= outer.x &&
  y >= outer.y &&
  x + width <= outer.x + outer.width + 0.2 &&
  y + height <= outer.y + outer.height + 0.2;

const crosses = (box: Box, points: readonly Point[]): boolean => {
  const inner = { x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2 };
  return points.some((point, i) => {
    const next = points[i + 1];
    if (i % 2 === 1 || !next) return false;
    return overlap(inner, { x: point.x, y: Math.min(point.y, next.y), width: 0.1, height: Math.abs(point.y - next.y) });
  });
};

/** What is wrong with the places in a scope and in those inside of it. */
function faultsIn({ nodes, edges, width, height }: PlacedScope): readonly string[] {
  const overlapping = nodes.flatMap((a, i) =>
    nodes.slice(i + 1).flatMap((b) => (overlap(a.box, b.box) ? [`${a.node.id} overlaps ${b.node.id}`] : [])),
  );
  const outside = nodes.flatMap(({ node, box, parts }) => [
    ...(contains({ x: 0, y: 0, width, height }, box) ? [] : [`${node.id} is outside`]),
    ...parts.flatMap(({ part, box: own, scope, offset }) => [
      ...(contains({ ...box, x: 0, y: 0 }, own) ? [] : [`part ${part.label} of ${node.id} is outside`]),
      ...(contains({ ...own, x: 0, y: 0 }, { ...offset, width: scope.width, height: scope.height })
        ? []
        : [`the scope of part ${part.label} of ${node.id} is outside`]),
      ...(parts.some((other) => other.box !== own && overlap(other.box, own)) ? [`parts of ${node.id} overlap`] : []),
    ]),
  ]);
  const crossing = edges.flatMap(({ edge, points }) =>
    edge.from === edge.to
      ? []
      : nodes.flatMap(({ node, box }) => (crosses(box, points) ? [`${edge.id} crosses ${node.id}`] : [])),
  );
  return [
    ...overlapping,
    ...outside,
    ...crossing,
    ...nodes.flatMap(({ parts }) => parts.flatMap(({ scope }) => faultsIn(scope))),
  ];
}

test("in the pictures of all goldens, no boxes overlap and no edge crosses a node", () => {
  for (const name of goldenNames())
    for (const workflow of workflowsOf(name))
      expect([name, ...faultsIn(layoutScope(buildGraph(workflow).graph.scope))]).toEqual([name]);
});

/** Numbers from 0 to `max` - 1 from a seed. */
function numbersFrom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * max);
  };
}

const kinds = ["next", "case", "otherwise", "error", "timeout"] as const;

/** A scope with random nodes, parts and edges, loops and edges at one node among them. */
function randomScope(random: (max: number) => number, prefix: string, depth: number): GraphScope {
  const nodes = Array.from({ length: 1 + random(9) }, (_, i): GraphNode => {
    const id = `${prefix}${i}`;
    const parts = Array.from({ length: depth > 0 && random(4) === 0 ? 1 + random(4) : 0 }, (__, part): GraphPart => {
      return {
        kind: "branch",
        label: "branch ".repeat(random(9)),
        scope: randomScope(random, `${id}.${part}.`, depth - 1),
      };
    });
    const details = Array.from({ length: random(12) }, () => ({
      kind: "call" as const,
      text: "call".repeat(1 + random(30)),
    }));
    return {
      id,
      kind: random(3) === 0 ? "choice" : "call",
      label: "Name ".repeat(random(30)),
      noun: "state",
      details,
      steps: [id],
      parts,
    };
  });
  const edges = Array.from({ length: random(2 * nodes.length) }, (_, i): GraphEdge => {
    const [from, to] = [random(nodes.length), random(nodes.length)];
    const label = random(2) === 0 ? { label: "condition ".repeat(1 + random(9)) } : {};
    return { id: `${prefix}e${i}`, from: nodes[from]!.id, to: nodes[to]!.id, kind: kinds[random(5)]!, ...label };
  });
  return { nodes, edges };
}

test("in random graphs, no boxes overlap and no edge crosses a node", () => {
  for (let seed = 1; seed <= 60; seed++)
    expect([seed, ...faultsIn(layoutScope(randomScope(numbersFrom(seed), "n", 2)))]).toEqual([seed]);
});

/** A scope of `count` states, and the states that each leads to. */
const largeScope = (count: number, targetsOf: (state: number) => readonly number[]): GraphScope => {
  const nodes = Array.from({ length: count }, (_, i): GraphNode => {
    return { id: `s${i}`, kind: "call", label: `State ${i}`, noun: "state", details: [], steps: [`s${i}`], parts: [] };
  });
  const edges = nodes.flatMap((_, i) =>
    targetsOf(i).flatMap((to): readonly GraphEdge[] =>
      to >= count ? [] : [{ id: `${i} ${to}`, from: `s${i}`, to: `s${to}`, kind: "case", label: `x == ${to}` }],
    ),
  );
  return { nodes, edges };
};

// About 3 s on two cores that are otherwise idle; the bound allows for busy ones.
test.each([
  ["decisions", (i: number) => (i % 3 === 0 ? [i + 1, i + 2, i + 3] : [i - (i % 3) + 3])],
  ["transitions from everywhere to everywhere", (i: number) => [i + 1, (i * 7919) % 1000]],
] as const)(
  "1,000 states are placed in seconds: %s",
  (_, targetsOf) => {
    const began = performance.now();
    const placed = layoutScope(largeScope(1000, targetsOf));
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(faultsIn(placed)).toEqual([]);
  },
  60_000,
);
