import { type BuiltGraph, buildGraph } from "../graph/build.ts";
import { renderDot } from "../graph/dot.ts";
import { renderMermaid } from "../graph/mermaid.ts";
import { renderSvg } from "../graph/svg.ts";
import { didYouMean, listNames } from "../text/messages.ts";
import { checkOptions, checkRules, stringRule } from "./arguments.ts";
import { type CheckResult, checkProgram, hasErrors } from "./compile.ts";
import type { CheckOptions } from "./options.ts";

/** The formats of pictures. */
export type GraphFormat = "svg" | "mermaid" | "dot";

/** Which picture to draw. */
export interface GraphOptions extends CheckOptions {
  /** The id of the workflow. Default: the first. */
  readonly workflow?: string;
  /** Default: `svg`. */
  readonly format?: GraphFormat;
}

/** A picture of a workflow. */
export interface GraphResult extends CheckResult {
  /** Undefined if the definitions have errors. */
  readonly graph?: { readonly workflow: string; readonly format: GraphFormat; readonly text: string } | undefined;
}

const renderers: { readonly [format in GraphFormat]: (built: BuiltGraph) => string } = {
  svg: ({ graph }) => renderSvg(graph),
  mermaid: ({ graph }) => renderMermaid(graph),
  dot: ({ graph }) => renderDot(graph),
};

const rules = {
  ...checkRules,
  workflow: stringRule,
  format: {
    wanted: "`svg`, `mermaid` or `dot`",
    fits: (value: unknown) => typeof value === "string" && Object.hasOwn(renderers, value),
  },
};

/**
 * Draws a workflow in the nouns of its language. Rejects for invalid options and for a workflow that does not exist.
 */
export async function graph(options: GraphOptions): Promise<GraphResult> {
  checkOptions(options, rules);
  const { workflow: id, format = "svg" } = options;
  const { program, diagnostics } = await checkProgram(options);
  if (!program || hasErrors(diagnostics)) return { ok: false, diagnostics };
  const workflow = id === undefined ? program.workflows[0] : program.byId.get(id);
  if (!workflow) {
    const known = program.workflows.map((each) => each.id);
    if (id === undefined) throw new TypeError("`sources` have no workflow.");
    throw new TypeError(`Unknown workflow \`${id}\`. ${didYouMean(id, known) ?? `Workflows: ${listNames(known)}.`}`);
  }
  const text = renderers[format](buildGraph(workflow));
  return { ok: true, diagnostics, graph: { workflow: workflow.id, format, text } };
}
