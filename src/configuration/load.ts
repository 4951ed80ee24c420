import type { LanguageWithOptions } from "../languages/options.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ConfigurableTarget } from "./bindings.ts";
import { type BaseReader, loadBases } from "./extends.ts";
import { type Configuration, noConfiguration, readConfiguration } from "./index.ts";
import { mergeConfigurations } from "./merge.ts";
import type { Project } from "./project.ts";

/** The languages and targets that configurations name. */
export interface ConfigurableParts {
  readonly languages: readonly LanguageWithOptions[];
  readonly targets: readonly ConfigurableTarget[];
}

/**
 * Reads a configuration with those that it extends; `read` reads their files. `knownParts` is called after the files have
 * been read. Reports and drops invalid parts.
 */
export function loadConfiguration(
  source: Source,
  knownParts: () => ConfigurableParts,
  read: BaseReader,
  report: Report,
): Promise<Configuration> {
  const load = async (from: Source, chain: readonly string[]): Promise<Configuration> => {
    const bases = await loadBases(from, read, load, report, chain);
    const base = bases.reduce<Configuration | undefined>(
      (merged, each) =>
        merged ? { ...mergeConfigurations(merged, each), project: mergeProjects(merged.project, each.project) } : each,
      undefined,
    );
    const isBase = chain.length > 0;
    const { languages, targets } = knownParts();
    return readConfiguration(from, languages, targets, report, { base: base ?? noConfiguration, isBase });
  };
  return load(source, []);
}

/** The parts of the projects of two configurations that another one extends; each may lack some. */
function mergeProjects(base: Project | undefined, own: Project | undefined): Project | undefined {
  if (!base || !own) return own ?? base;
  const last = <Key extends keyof Project>(key: Key): Project[Key] => (own[key].length > 0 ? own[key] : base[key]);
  return { sources: last("sources"), outputs: last("outputs"), scenarios: last("scenarios") };
}
