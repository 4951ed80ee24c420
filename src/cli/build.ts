import { resolve } from "node:path";
import type { CompileProgress } from "../compile.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { groupDigits } from "../text/messages.ts";
import { type BuildReport, type BuildReportFlags, reportBuild } from "./build-report.ts";
import { type BuildSession, createBuildSession } from "./build-session.ts";
import { printChecked } from "./check-summary.ts";
import { failsWith, formats, printDiagnostics, uniqueDiagnostics } from "./diagnostics.ts";
import { type CommonFlags, parseCount, requireOneOf } from "./flags.ts";
import { countOf, createProgress, describeCompilation, type Progress, plural } from "./progress.ts";
import { compileProject, reportSharedFolders } from "./project-build.ts";
import { findCurrentProjects, findProjects, type OpenProject } from "./projects.ts";
import { namesOf, type Registry, standardRegistry } from "./registry.ts";
import { untilSignal } from "./signals.ts";
import { CommandError, type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";
import type { WatchedFolders } from "./watch.ts";
import { defaultJobs, shareWork } from "./workers.ts";

/** The flags of `waybill build`. */
export interface BuildFlags extends BuildReportFlags {
  readonly watch?: boolean;
  /** With `watch`: runs the scenarios that a change reaches. */
  readonly test?: boolean;
  readonly jobs?: string;
}

/** Runs `waybill build`: writes the outputs of projects, or compares them. A project with errors writes nothing. */
export async function build(
  paths: readonly string[],
  flags: BuildFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  requireOneOf("--format", flags.format, formats);
  if (flags.diff && !flags.check) throw usageError("--diff requires --check.");
  if (flags.force && flags.check) throw usageError("--force cannot be combined with --check, which writes nothing.");
  if (flags.watch && flags.check) throw usageError("--watch cannot be combined with --check.");
  if (flags.test && !flags.watch) throw usageError("--test requires --watch. `waybill test` runs scenarios once.");
  if (!flags.watch) return (await buildOnce(paths, flags, terminal, registry)).status;
  await untilSignal((signal) => buildAndWatch(paths, flags, terminal, registry, signal));
  return exit.success;
}

/** Builds after each change of a file, and then runs the scenarios that it reaches, until the signal. An error of a build ends its round. */
export async function buildAndWatch(
  paths: readonly string[],
  flags: BuildFlags,
  terminal: Terminal,
  registry: Registry,
  signal: AbortSignal,
): Promise<void> {
  let projects = await findProjects(paths, terminal, registry);
  const session = createBuildSession();
  const tests = flags.test ? await import("./test-watch.ts") : undefined;
  const scenarios = await tests?.watchProjectScenarios(paths, flags, terminal, registry);
  const watched = (): WatchedFolders => ({
    folders: projects.map(({ folder }) => folder),
    // Those that configurations extend.
    files: [
      ...projects.flatMap(({ configurations }) =>
        configurations.sources().map(({ path }) => resolve(terminal.cwd, path)),
      ),
      ...(scenarios?.folders().files ?? []),
    ],
    ignored: projects.flatMap(({ folder, project }) => project.outputs.map(({ out }) => resolve(folder, out))),
  });
  let isFirst = true;
  // The summary after an error shows that it is fixed.
  let isFine = false;
  const { changesIn } = await import("./watch.ts");
  try {
    for await (const _ of changesIn(watched, signal)) {
      try {
        const built = await buildOnce(paths, flags, terminal, registry, session, isFine);
        projects = built.projects;
        isFine = built.status === exit.success;
        if (isFine) await scenarios?.update();
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        isFine = false;
        terminal.err(`${visible(error.message)}\n`);
      }
      if (isFirst && !flags.quiet) terminal.err("Watching for changes. Press Ctrl-C to stop.\n");
      isFirst = false;
    }
  } finally {
    scenarios?.close();
  }
}

/** Builds projects. In a rebuild, only what changed is printed. */
async function buildOnce(
  paths: readonly string[],
  flags: BuildFlags,
  terminal: Terminal,
  registry: Registry,
  session?: BuildSession,
  isRebuild = false,
): Promise<{ readonly status: ExitStatus; readonly projects: readonly OpenProject[] }> {
  const start = performance.now();
  const projects = await findProjects(paths, terminal, registry);
  const targets = projects.flatMap((project) => namesOf(project.registry.targets));
  if (flags.target !== undefined) requireOneOf("--target", flags.target, [...new Set(targets)]);
  reportSharedFolders(projects);
  const progress = createProgress(terminal);
  const builds = await buildAll(projects, flags, progress, terminal, session).finally(progress.end);
  const diagnostics = uniqueDiagnostics(builds.flatMap((each) => each.diagnostics));
  const status = await printDiagnostics(diagnostics, flags, terminal, flags.diff);
  for (const { diff } of builds) terminal.out(diff);
  if (!flags.quiet) {
    const changed = builds.filter(({ isChanged }) => isChanged || !isRebuild);
    for (const { summary } of changed) terminal.err(summary);
    if (!failsWith(diagnostics, flags) && changed.length > 0)
      terminal.err(summarize(builds, diagnostics, performance.now() - start, flags.check === true));
  }
  return { status, projects };
}

/** Builds projects, several at once if that takes long. */
function buildAll(
  projects: readonly OpenProject[],
  flags: BuildFlags,
  progress: Progress,
  terminal: Terminal,
  session: BuildSession | undefined,
): Promise<readonly BuildReport[]> {
  let done = 0;
  return shareWork<"build", OpenProject>({
    items: projects,
    jobs: parseCount("--jobs", flags.jobs) ?? defaultJobs(),
    perform(project) {
      const onProgress = (compiled: CompileProgress): void => {
        const { fraction, what } = describeCompilation(compiled, project.project.outputs.length);
        const where = projects.length === 1 ? "" : `${countOf(done, projects.length, "project")}: `;
        progress.update((done + fraction) / projects.length, `${where}${what}`);
      };
      return reportBuild(project, flags, terminal, { onProgress, session });
    },
    jobOf({ configuration, diagnostics, registry }) {
      const path = configuration.source?.path;
      if (path === undefined || diagnostics.length > 0 || registry !== standardRegistry) return undefined;
      return { kind: "build", path, cwd: terminal.cwd, flags };
    },
    onProgress(count) {
      done = count;
      progress.update(count / projects.length, `Built ${countOf(count, projects.length, "project")}`);
    },
  });
}

/** Checks the definitions of projects, also against the limits of their targets. Writes nothing. */
export async function checkProjects(flags: CommonFlags, terminal: Terminal, registry: Registry): Promise<ExitStatus> {
  const start = performance.now();
  const all: Diagnostic[] = [];
  let definitions = 0;
  const projects = await findCurrentProjects(flags.config, terminal, registry);
  const progress = createProgress(terminal);
  try {
    for (const [done, project] of projects.entries()) {
      const onProgress = (compiled: CompileProgress): void => {
        const { fraction, what } = describeCompilation(compiled, project.project.outputs.length);
        progress.update((done + fraction) / projects.length, what);
      };
      const { definitions: checked, diagnostics } = await compileProject(project, flags, terminal, "check", {
        onProgress,
      });
      all.push(...diagnostics);
      definitions += checked;
    }
  } finally {
    progress.end();
  }
  const diagnostics = uniqueDiagnostics(all);
  const status = await printDiagnostics(diagnostics, flags, terminal);
  printChecked(definitions, start, diagnostics, flags, terminal);
  return status;
}

function summarize(
  builds: readonly BuildReport[],
  diagnostics: readonly Diagnostic[],
  milliseconds: number,
  isCheck: boolean,
): string {
  const sum = (of: (build: BuildReport) => number) => builds.reduce((total, each) => total + of(each), 0);
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").length;
  const projects = builds.length === 1 ? "" : `${builds.length} projects, `;
  const files = sum((each) => each.files);
  const text = [
    `${projects}${plural(
      sum((each) => each.definitions),
      "definition",
    )}`,
    `${plural(files, "file")}${isCheck ? " up to date" : ""}`,
    `${groupDigits(sum((each) => each.bytes))} bytes`,
    `${(milliseconds / 1000).toFixed(2)} s`,
    ...(warnings === 0 ? [] : [plural(warnings, "warning")]),
  ].join(", ");
  return `${text}\n`;
}
