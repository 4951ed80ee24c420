import { wrongConfigurationValue } from "../diagnostics/configuration.ts";
import type { Document } from "../documents/index.ts";
import { type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Source } from "../text/source.ts";
import { normalizePath, resolveUri } from "../text/uris.ts";
import { readObjectAt } from "./bindings.ts";

/** The paths of definitions by the id of their workflow, for languages whose definitions have no ids. */
export type WorkflowPaths = ReadonlyMap<string, string>;

/** Reads `workflows`; reports and drops invalid entries. */
export function readWorkflowPaths(root: JsonObject, document: Document, report: Report): WorkflowPaths {
  const given = readObjectAt(root, "workflows", "`workflows`", document, report);
  return new Map(
    Object.keys(given).flatMap((id) => {
      const path = own(given, id);
      if (typeof path === "string" && path !== "") return [[id, path] as const];
      const span = document.spanOf(given, id);
      report(
        wrongConfigurationValue(span, { name: `The workflow \`${truncate(id)}\``, wanted: "the path of a definition" }),
      );
      return [];
    }),
  );
}

/** The id of the workflow that a source defines, if the configuration gives one. */
export function configuredId(
  { source: from, workflows }: { readonly source?: Source | undefined; readonly workflows?: WorkflowPaths | undefined },
  source: Source,
): string | undefined {
  if (!from || !workflows) return undefined;
  const path = normalizePath(source.path.replaceAll("\\", "/"));
  const [id] = [...workflows].find(([, given]) => isSamePath(resolveUri(given, from).path, path)) ?? [];
  return id;
}

/** One of the paths may be absolute. */
const isSamePath = (a: string, b: string): boolean => a === b || isEnding(a, b) || isEnding(b, a);

const isEnding = (absolute: string, relative: string): boolean =>
  absolute.startsWith("/") && !/^(?:\/|\.\.)/.test(relative) && absolute.endsWith(`/${relative}`);
