import { buildGraph } from "../../src/graph/build.ts";
import { renderMermaid } from "../../src/graph/mermaid.ts";
import { compactGraph, type Graph, nodesOf } from "../../src/graph/model.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { OutputFile } from "../../src/target/contract.ts";

const graphs = new WeakMap<Workflow, Graph>();

function graphOf(workflow: Workflow): Graph {
  const graph = graphs.get(workflow) ?? buildGraph(workflow).graph;
  graphs.set(workflow, graph);
  return graph;
}

/**
 * The graph of a version of a workflow, as data: the page of `serve` draws it. It is a file of the version, so previous
 * versions keep theirs. A line has a node or an edge, so that a difference shows what changed.
 */
export function graphFile(workflow: Workflow, module: string, version: string): OutputFile {
  const { scope, ...graph } = compactGraph(graphOf(workflow));
  const { nodes, edges } = scope;
  const lines = (items: readonly object[]) => items.map((item) => `\n${JSON.stringify(item)}`).join();
  const head = `{"workflow":${JSON.stringify(workflow.id)},\n"version":"${version}",\n"graph":${JSON.stringify(graph).slice(0, -1)}`;
  const text = `${head},\n"scope":{"nodes":[${lines(nodes)}],\n"edges":[${lines(edges)}]}}}\n`;
  return { path: `${module}.graph.json`, text };
}

/** Larger pictures are unreadable in a README. */
const maxNodes = 60;

/** The picture of a workflow for a README, as a flowchart of Mermaid; undefined if it is too large. */
export function readmePicture(workflow: Workflow): string | undefined {
  const graph = graphOf(workflow);
  return nodesOf(graph.scope).length > maxNodes ? undefined : renderMermaid(graph).trimEnd();
}
