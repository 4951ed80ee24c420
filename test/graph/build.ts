import { parse } from "yaml";
import type { BuiltGraph } from "../../src/graph/build.ts";
import { buildGraph } from "../../src/graph/build.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { lowerDefinitions } from "../../src/library/ir.ts";
import { readGolden } from "../golden/folder.ts";
import { compileGolden } from "../golden/make.ts";

/** The workflows of a golden. */
export const workflowsOf = (name: string): readonly Workflow[] =>
  compileGolden(readGolden(name, (text) => parse(text))).program?.workflows ?? [];

/** Builds the graph of a definition. */
export async function graphOf(text: string): Promise<BuiltGraph> {
  const { program, diagnostics } = await lowerDefinitions({ sources: [{ path: "flow.yaml", text }] });
  const [workflow] = program?.workflows ?? [];
  if (!workflow) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return buildGraph(workflow);
}
