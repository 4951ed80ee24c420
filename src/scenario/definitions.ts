import { unreadableDefinition } from "../diagnostics/scenario.ts";
import { readDocuments } from "../documents/index.ts";
import { isObject } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import type { ScenarioFile } from "./model.ts";

/**
 * Reads the file at a path that is relative like the scenario file's own, or returns the reason why it cannot, as the
 * end of a sentence.
 */
export type FindText = (path: string) => Promise<Source | { readonly reason: string }>;

/**
 * Reads the definitions that a scenario file names: the workflow, then each subflow once. Unreadable ones are reported
 * where they are named.
 */
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

/** Resolves a path relative to the folder of another file. */
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

/** The span where a scenario file names the definition of a subflow or of the workflow. */
function spanOfPath(source: Source, subflow: string | undefined): Span {
  const [document] = readDocuments(source, () => {});
  const value = document?.value;
  if (!document || !isObject(value)) return { source, start: 0, end: 0 };
  return subflow === undefined ? document.spanOf(value, "workflow") : document.spanOf(value["subflows"], subflow);
}
