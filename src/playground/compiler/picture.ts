import type { ReadResult } from "../../documents/index.ts";
import { buildGraph } from "../../graph/build.ts";
import { renderSvg } from "../../graph/svg.ts";
import { loadLanguages } from "../../language.ts";
import { languages } from "../../languages/index.ts";
import { analyzeSource } from "../../lsp/definition.ts";
import type { Source } from "../../text/source.ts";
import type { Output } from "../protocol.ts";

/** Draws a workflow of a source. A picture needs no valid definition: it shows as much as can be lowered. */
export async function pictureOf(
  source: Source,
  reading: ReadResult,
  id: string | undefined,
): Promise<Output | undefined> {
  await loadLanguages(languages);
  const { parts } = analyzeSource(source, reading, languages, { options: {} });
  const workflows = parts.flatMap(({ workflow }) => workflow ?? []);
  const shown = workflows.find((each) => each.id === id) ?? workflows[0];
  if (!shown) return undefined;
  const svg = renderSvg(buildGraph(shown).graph, { style: false });
  return { kind: "picture", workflow: shown.id, workflows: workflows.map((each) => each.id), svg };
}
