import { basename } from "node:path";
import { configurationNames } from "../configuration/index.ts";
import { recognisesScenario } from "../scenario/read.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { type ConfigurationLoader, createConfigurationLoader } from "./configurations.ts";
import type { OpenProject } from "./projects.ts";
import type { Registry } from "./registry.ts";
import { readSources, type SourceFilter } from "./sources.ts";
import { type Terminal, usageError } from "./terminal.ts";

/** Scenario files with the loader of their configurations. */
export interface ScenarioSources {
  readonly sources: readonly Source[];
  readonly configurations: ConfigurationLoader;
  /** The configuration of all definitions, if it is not the nearest one of each. */
  readonly config: string | undefined;
  readonly project?: OpenProject | undefined;
  /** The registry of the project. */
  readonly registry: Registry;
}

/** Reads the scenario files of arguments, or those of the projects. */
export async function readScenarioSources(
  paths: readonly string[],
  config: string | undefined,
  terminal: Terminal,
  registry: Registry,
  report: Report,
): Promise<readonly ScenarioSources[]> {
  if (paths.length > 0) {
    const configurations = createConfigurationLoader(config, registry, terminal, report);
    const { sources } = await readSources(paths, filterFor(configurations), terminal, report);
    return [{ sources, configurations, config, registry }];
  }
  const { findCurrentProjects } = await import("./projects.ts");
  const found: ScenarioSources[] = [];
  for (const project of await findCurrentProjects(config, terminal, registry)) {
    for (const diagnostic of project.diagnostics) report(diagnostic);
    const { configurations, configuration } = project;
    const { sources } = await project.readScenarios(filterFor(configurations), report);
    found.push({
      configurations,
      sources,
      config: unusualPath(configuration.source),
      project,
      registry: project.registry,
    });
    if (project.project.scenarios.length === 0 && project.diagnostics.length === 0)
      throw usageError(
        `The project in \`${project.displayName}\` has no \`scenarios\`. Pass files, or add globs to it.`,
      );
  }
  return found;
}

/** How scenario files are recognized. */
export const scenarioFilter = {
  noun: "scenario file",
  recognizes: recognisesScenario,
  hints: [/\bscenarios["']?\s*:/],
} satisfies Partial<SourceFilter>;

const filterFor = (configurations: ConfigurationLoader): SourceFilter => ({
  ...scenarioFilter,
  includes: (file) => configurations.includes(file, {}, ["exclude"]),
});

const unusualPath = (source: Source | undefined): string | undefined =>
  source && !configurationNames.includes(basename(source.path)) ? source.path : undefined;
