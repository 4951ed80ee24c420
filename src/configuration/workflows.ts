import { missingDefinition, wrongConfigurationValue } from "../diagnostics/configuration.ts";
import type { Document } from "../documents/index.ts";
import { type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Source, Span } from "../text/source.ts";
import { normalizePath, resolveUri } from "../text/uris.ts";
import { readObjectAt } from "./bindings.ts";

/** The paths of definitions by the id of their workflow, for languages whose definitions have no ids. */
export type WorkflowPaths = ReadonlyMap<string, DefinitionPath>;

/** The path of a definition, relative to the configuration that has it. */
interface DefinitionPath {
  readonly path: string;
  readonly span: Span;
}

interface WithWorkflowPaths {
  readonly source?: Source | undefined;
  readonly workflows?: WorkflowPaths | undefined;
}

/** Reads `workflows`; reports and drops invalid entries. */
export function readWorkflowPaths(root: JsonObject, document: Document, report: Report): WorkflowPaths {
  const given = readObjectAt(root, "workflows", "`workflows`", document, report);
  return new Map(
    Object.keys(given).flatMap((id) => {
      const path = own(given, id);
      const span = document.spanOf(given, id);
      if (typeof path === "string" && path !== "") return [[id, { path, span }] as const];
      report(
        wrongConfigurationValue(span, { name: `The workflow \`${truncate(id)}\``, wanted: "the path of a definition" }),
      );
      return [];
    }),
  );
}

/** The id of the workflow that a source defines, if the configuration gives one. */
export function configuredId({ source: from, workflows }: WithWorkflowPaths, source: Source): string | undefined {
  if (!from || !workflows) return undefined;
  const path = pathOf(source);
  const [id] =
    [...workflows].find(([, given]) => isSamePath(resolveUri(given.path, given.span.source).path, path)) ?? [];
  return id;
}

/** Reports paths that no source has, for ids that workflows start and no source defines; returns these ids. */
export function checkWorkflowPaths(
  { source: from, workflows }: WithWorkflowPaths,
  sources: readonly Source[],
  undefinedIds: ReadonlySet<string>,
  report: Report,
): ReadonlySet<string> {
  const missing = new Set<string>();
  if (!from || !workflows) return missing;
  const paths = sources.map(pathOf);
  for (const [id, { path, span }] of workflows) {
    const resolved = undefinedIds.has(id) ? resolveUri(path, span.source).path : undefined;
    if (resolved === undefined || paths.some((each) => isSamePath(resolved, each))) continue;
    report(missingDefinition(span, { id, path }));
    missing.add(id);
  }
  return missing;
}

const pathOf = ({ path }: Source): string => normalizePath(path.replaceAll("\\", "/"));

/** One of the paths may be absolute. */
const isSamePath = (a: string, b: string): boolean => a === b || isEnding(a, b) || isEnding(b, a);

const isEnding = (absolute: string, relative: string): boolean =>
  absolute.startsWith("/") && !/^(?:\/|\.\.)/.test(relative) && absolute.endsWith(`/${relative}`);
