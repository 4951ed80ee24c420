import { noConfiguration } from "../configuration/index.ts";
import type { Source, Span } from "../text/source.ts";
import type { ServerHost } from "./host.ts";
import type { ProjectView } from "./project.ts";
import type { ProjectSymbol } from "./symbol.ts";
import type { OpenDocument } from "./workspace.ts";

/** The places where the configuration of a project binds a function or event, and the exports that it is bound to. */
export async function boundPlaces(
  { kind, name, owners, mentions }: ProjectSymbol,
  { input }: ProjectView,
  { folder }: OpenDocument,
  { targets, readModule }: ServerHost,
): Promise<readonly Span[]> {
  const owner = owners[0]?.document.source;
  const before = owner && input.sources.find(({ path }) => path === owner.path);
  const configuration = (before && input.configurationOf?.(before)) ?? noConfiguration;
  const isEvent = kind === "event" || mentions.some((each) => each.kind === "event");
  const entry = kind === "workflow" ? undefined : (isEvent ? configuration.events : configuration.functions).get(name);
  if (!entry || !configuration.source) return [];
  const places: Span[] = [entry.name.span];
  for (const [name, binding] of entry.byTarget) {
    const bound = targets.find((target) => target.name === name)?.boundExport?.(binding);
    const module = bound && (await readModule(bound.module, configuration.source, folder));
    if (bound && module) places.push(spanOfExport(module, bound.name));
  }
  return places;
}

/** The first declaration of an export, found by its text; otherwise the start of the module. */
function spanOfExport(source: Source, name: string): Span {
  const pattern =
    name === "default"
      ? /\bexport\s+(default)\b/d
      : new RegExp(
          `\\bexport\\s+(?:async\\s+)?(?:function\\*?|const|let|class)\\s+(${escapePattern(name)})(?![\\w$])`,
          "d",
        );
  const [start, end] = pattern.exec(source.text)?.indices?.[1] ?? [0, 0];
  return { source, start, end };
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
