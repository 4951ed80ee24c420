import { applyLevels, type Configuration, type ConfigurationOf } from "../configuration/index.ts";
import { sortDiagnostics } from "../diagnostics/renderers/sort.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";

/** The sources and the configuration of each. */
export interface ConfiguredSources {
  readonly sources: readonly Source[];
  readonly configurationOf?: ConfigurationOf | undefined;
}

/** Groups sources by their configuration. */
export function sourcesByConfiguration({
  sources,
  configurationOf,
}: ConfiguredSources): ReadonlyMap<Configuration, ReadonlySet<Source>> {
  const groups = new Map<Configuration, Set<Source>>();
  for (const source of sources) {
    const configuration = configurationOf?.(source);
    if (!configuration) continue;
    if (!groups.has(configuration)) groups.set(configuration, new Set());
    groups.get(configuration)!.add(source);
  }
  return groups;
}

/** Applies the severities that configurations set: a definition's configuration to its diagnostics, and a configuration's own to those of itself. */
export function gradeDiagnostics(input: ConfiguredSources, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const configurations = [...sourcesByConfiguration(input).keys()];
  const own = new Map(configurations.flatMap((each) => (each.source ? [[each.source, each] as const] : [])));
  const levelsOf = (source: Source) => (own.get(source) ?? input.configurationOf?.(source))?.levels;
  return sortDiagnostics(applyLevels(diagnostics, [...input.sources, ...own.keys()], levelsOf), input.sources);
}
