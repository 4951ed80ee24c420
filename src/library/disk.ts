import { relative, resolve } from "node:path";
import { createBuildSession } from "../cli/build-session.ts";
import { type ProjectBuild, reportSharedFolders } from "../cli/project-build.ts";
import { findCurrentProjects, type OpenProject } from "../cli/projects.ts";
import { CommandError, silentTerminal } from "../cli/terminal.ts";
import { addPlugins, type Registry } from "../plugins/plugin.ts";
import { targetNamed, withPluginOptions } from "./arguments.ts";
import { hasErrors } from "./compile.ts";
import type { BuildOptions, BuildOutput, BuildResult, ContextBackend, DiskContextOptions } from "./context.ts";
import { standardRegistry } from "./program.ts";

/** Opens the projects of a folder. They are found again by each call. */
export async function openDisk({ cwd = ".", config, plugins = [] }: DiskContextOptions): Promise<ContextBackend> {
  const terminal = silentTerminal(resolve(cwd));
  const registry = withPluginOptions(standardRegistry, plugins);
  const find = () => findCurrentProjects(config, terminal, registry);
  const session = createBuildSession();
  const build = async ({ target, check = false, force = false, signal }: BuildOptions): Promise<BuildResult> => {
    const { buildProject } = await import("../cli/project-build.ts");
    const projects = await find();
    const flags = { ...targetFlag(target, registryOf(projects, registry)), check, force, format: "text" };
    reportSharedFolders(projects);
    const builds: (readonly [OpenProject, ProjectBuild])[] = [];
    for (const project of projects) {
      signal?.throwIfAborted();
      builds.push([project, await buildProject(project, flags, terminal, { session })]);
    }
    const diagnostics = builds.flatMap(([, found]) => found.diagnostics);
    const ok = !hasErrors(diagnostics);
    const outputs = builds.flatMap(([project, built]) => outputsOf(project, built, flags.target, terminal.cwd));
    return { ok, diagnostics, outputs: ok ? outputs : [] };
  };
  return {
    check: ({ signal }) =>
      ofCommand(async () => {
        const { compileProject } = await import("../cli/project-build.ts");
        const diagnostics = [];
        for (const project of await find()) {
          signal.throwIfAborted();
          diagnostics.push(...(await compileProject(project, { format: "text" }, terminal, "check")).diagnostics);
        }
        return { ok: !hasErrors(diagnostics), diagnostics };
      }),
    build: (options) => ofCommand(() => build(options)),
    test: ({ on = "reference", signal }) =>
      ofCommand(async () => {
        const { runTests } = await import("../cli/test-run.ts");
        const known = registryOf(await find(), registry);
        signal.throwIfAborted();
        const runner = on === "reference" || on === "all" ? on : targetNamed(on, known).name;
        const settings = { isMeasured: false, isStrict: false, filters: [], bails: false, jobs: 1 };
        const { results, diagnostics } = await runTests([], config, { on: runner, ...settings }, terminal, known);
        const ok = !hasErrors(diagnostics) && results.every(({ isFailure }) => !isFailure);
        return { ok, results, diagnostics };
      }),
    async *watch(options) {
      const { changesIn } = await import("../cli/watch.ts");
      let projects = await ofCommand(find);
      const watched = () => ({
        folders: projects.map(({ folder }) => folder),
        ignored: projects.flatMap(({ folder, project }) => project.outputs.map(({ out }) => resolve(folder, out))),
      });
      for await (const _ of changesIn(watched, options.signal)) {
        projects = await ofCommand(find);
        yield await ofCommand(() => build(options));
      }
    },
  };
}

const targetFlag = (target: BuildOptions["target"], registry: Registry): { readonly target?: string } =>
  target === undefined ? {} : { target: targetNamed(target, registry).name };

/** With the plug-ins of all projects. */
function registryOf(projects: readonly OpenProject[], registry: Registry): Registry {
  const known = new Set(registry.plugins);
  const plugins = projects.flatMap((project) => project.registry.plugins ?? []).filter((plugin) => !known.has(plugin));
  return addPlugins(registry, [...new Set(plugins)]);
}

/** The outputs of a build, also of one that was skipped because nothing had changed. */
function outputsOf(
  { project, folder }: OpenProject,
  { outputs }: ProjectBuild,
  target: string | undefined,
  cwd: string,
): readonly BuildOutput[] {
  const plans = new Map(outputs.map(({ output, plan }) => [output, plan]));
  return project.outputs.flatMap((output) => {
    if (target !== undefined && output.target !== target) return [];
    const { written = [], changed = [], removed = [] } = plans.get(output) ?? {};
    return [
      {
        target: output.target,
        folder: relative(cwd, resolve(folder, output.out)).replaceAll("\\", "/") || ".",
        changed: [...written, ...changed].map(({ path }) => path),
        removed,
      },
    ];
  });
}

/**
 * What the command would print as its only message is an error of the call: a missing project, an unwritable folder.
 */
async function ofCommand<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof CommandError ? new Error(error.message) : error;
  }
}
