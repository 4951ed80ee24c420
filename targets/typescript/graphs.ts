import { buildGraph } from "../../src/graph/build.ts";
import { compactGraph } from "../../src/graph/model.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { OutputFile } from "../../src/target/contract.ts";

/**
 * The graph of a version of a workflow, as data: the page of `serve` draws it. It is a file of the version, so previous
 * versions keep theirs.
 */
export function graphFile(workflow: Workflow, module: string, version: string): OutputFile {
  const graph = compactGraph(buildGraph(workflow).graph);
  return { path: `${module}.graph.json`, text: `${JSON.stringify({ workflow: workflow.id, version, graph })}\n` };
}
