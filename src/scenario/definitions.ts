import { unreadableDefinition } from "../diagnostics/scenario.ts";
import { readDocuments } from "../documents/index.ts";
import { isObject } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import type { ScenarioFile } from "./model.ts";

/** Gives the text at a path, in the form of the scenario file's own path; or tells why there is none, as the end of a sentence. */
export type FindText = (path: string) => Promise<Source | { readonly reason: string }>;

/** The definitions that a scenario file names: the workflow's, then those of the subflows, each once. What cannot be read is reported where it is named. */
export async function definitionsOf(
  { workflow, subflows }: Pick<ScenarioFile, "workflow" | "subflows">,
  source: Source,
  find: FindText,
  report: Report,
): Promise<readonly Source[]> {
  const definitions = new Map<string, Source>();
  for (const [id, given] of [[undefined, workflow] as const, ...subflows]) {
    const place = beside(source.path, given);
    if (definitions.has(place)) continue;
    const found = await find(place);
    if ("text" in found) definitions.set(place, found);
    else report(unreadableDefinition(spanOfPath(source, id), { path: given, reason: found.reason }));
  }
  return [...definitions.values()];
}

/** The path of a file that another one names, which starts from that one's folder. */
export function beside(from: string, given: string): string {
  const path = given.replaceAll("\\", "/");
  if (/^(?:\/|[A-Za-z]:\/)/.test(path)) return path;
  const folder = from === "<stdin>" ? "" : from.replaceAll("\\", "/").replace(/[^/]*$/, "");
  const steps: string[] = [];
  for (const step of (folder + path).split("/")) {
    if (step === "." || (step === "" && steps.length > 0)) continue;
    if (step === ".." && steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else steps.push(step);
  }
  return steps.join("/");
}

/** Where a scenario file names the definition of a subflow, or of the workflow itself. */
function spanOfPath(source: Source, subflow: string | undefined): Span {
  const [document] = readDocuments(source, () => {});
  const value = document?.value;
  if (!document || !isObject(value)) return { source, start: 0, end: 0 };
  return subflow === undefined ? document.spanOf(value, "workflow") : document.spanOf(value["subflows"], subflow);
}
