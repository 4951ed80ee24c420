import { buildGraph } from "../graph/build.ts";
import { renderSvg } from "../graph/svg.ts";
import type { AnalyzedSource } from "./definition.ts";

/** The method of the request for a picture: `{ uri, workflow? }`; the result is a `GraphPreview` or null. */
export const graphRequest = "waybill/graph";

/** A picture of a workflow, and all workflows of its file. */
export interface GraphPreview {
  readonly workflow: string;
  readonly workflows: readonly string[];
  readonly svg: string;
}

/** Draws a workflow of a file, by default the first one, as far as it can be recovered from errors. */
export function drawGraph({ parts }: AnalyzedSource, id: unknown): GraphPreview | null {
  const workflows = parts.flatMap(({ workflow }) => workflow ?? []);
  const workflow = workflows.find((each) => each.id === id) ?? workflows[0];
  if (!workflow) return null;
  const svg = renderSvg(buildGraph(workflow).graph);
  return { workflow: workflow.id, workflows: workflows.map((each) => each.id), svg };
}
