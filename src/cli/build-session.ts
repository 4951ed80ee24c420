import type { Input } from "../compile.ts";
import { trustsTypes } from "../configuration/index.ts";
import { type CompileMemo, createCompileMemo } from "../pipeline/memo.ts";
import type { OpenProject } from "./projects.ts";
import type { KnownFiles } from "./sources.ts";

/** What several builds of the same projects with the same flags share, so that each compiles only what changed. */
export interface BuildSession {
  /** The definitions that the last build of a project read. */
  knownFiles(project: OpenProject): KnownFiles | undefined;
  /** The results of the last build of a project with these configurations. */
  memoOf(project: OpenProject, input: Input): CompileMemo | undefined;
}

interface SessionProject {
  readonly files: KnownFiles;
  configurations: string;
  memo: CompileMemo;
}

/** Creates a session without builds. */
export function createBuildSession(): BuildSession {
  const projects = new Map<string, SessionProject>();
  return {
    knownFiles(project) {
      if (hasPlugins(project)) return undefined;
      const { files } = projects.get(project.folder) ?? { files: new Map() };
      if (!projects.has(project.folder))
        projects.set(project.folder, { files, configurations: "", memo: createCompileMemo() });
      return files;
    },
    memoOf(project, input) {
      const known = projects.get(project.folder);
      if (!known || hasPlugins(project) || trustsAnyTypes(input)) return undefined;
      const configurations = JSON.stringify(project.configurations.sources().map(({ path, text }) => [path, text]));
      if (known.configurations !== configurations) known.memo = createCompileMemo();
      known.configurations = configurations;
      return known.memo;
    },
  };
}

/** What their code depends on is unknown. */
const hasPlugins = ({ configuration }: OpenProject): boolean => (configuration.plugins ?? []).length > 0;

/** Whether types come from modules, whose imports are unknown. */
export const trustsAnyTypes = ({ sources, configurationOf }: Input): boolean =>
  sources.some((source) => {
    const configuration = configurationOf?.(source);
    return configuration !== undefined && trustsTypes(configuration);
  });
