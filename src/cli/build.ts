import { resolve } from "node:path";
import { visible } from "../diagnostics/renderers/text.ts";
import { pathKind, readOutput } from "../output/disk.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { groupDigits } from "../text/messages.ts";
import { failsWith, formats, printDiagnostics, uniqueDiagnostics } from "./diagnostics.ts";
import { type CommonFlags, requireOneOf } from "./flags.ts";
import { summarizePlan } from "./output.ts";
import {
  type BuiltOutput,
  buildProject,
  compileProject,
  type ProjectBuild,
  type ProjectBuildFlags,
  reportSharedFolders,
} from "./project-build.ts";
import { findProjects, type OpenProject } from "./projects.ts";
import { namesOf, type Registry } from "./registry.ts";
import { CommandError, type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";
import { unifiedDiff } from "./unified-diff.ts";
import type { WatchedFolders } from "./watch.ts";

/** The flags of `waybill build`. */
export interface BuildFlags extends ProjectBuildFlags {
  /** With `check`: print how the outputs differ. */
  readonly diff?: boolean;
  readonly watch?: boolean;
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
  if (flags.watch && flags.check) throw usageError("--watch cannot be combined with --check.");
  if (!flags.watch) return (await buildOnce(paths, flags, terminal, registry)).status;
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    await buildAndWatch(paths, flags, terminal, registry, stop.signal);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
  return exit.success;
}

/** Builds after each change of a file, until the signal. */
export async function buildAndWatch(
  paths: readonly string[],
  flags: BuildFlags,
  terminal: Terminal,
  registry: Registry,
  signal: AbortSignal,
): Promise<void> {
  let projects = await findProjects(paths, terminal, registry);
  let isFirst = true;
  const watched = (): WatchedFolders => ({
    folders: projects.map(({ folder }) => folder),
    ignored: projects.flatMap(({ folder, project }) => project.outputs.map(({ out }) => resolve(folder, out))),
  });
  const { changesIn } = await import("./watch.ts");
  for await (const _ of changesIn(watched, signal)) {
    try {
      ({ projects } = await buildOnce(paths, flags, terminal, registry, !isFirst));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      terminal.err(`${visible(error.message)}\n`);
    }
    if (isFirst && !flags.quiet) terminal.err("Watching for changes. Press Ctrl-C to stop.\n");
    isFirst = false;
  }
}

/** Builds projects. In a `rebuild`, only what changed is printed. */
async function buildOnce(
  paths: readonly string[],
  flags: BuildFlags,
  terminal: Terminal,
  registry: Registry,
  isRebuild = false,
): Promise<{ readonly status: ExitStatus; readonly projects: readonly OpenProject[] }> {
  const start = performance.now();
  const projects = await findProjects(paths, terminal, registry);
  const targets = projects.flatMap((project) => namesOf(project.registry.targets));
  if (flags.target !== undefined) requireOneOf("--target", flags.target, [...new Set(targets)]);
  reportSharedFolders(projects);
  const builds: ProjectBuild[] = [];
  for (const project of projects) builds.push(await buildProject(project, flags, terminal));
  const diagnostics = uniqueDiagnostics(builds.flatMap((each) => each.diagnostics));
  const status = await printDiagnostics(diagnostics, flags, terminal, flags.diff);
  if (flags.diff) for (const output of builds.flatMap(({ outputs }) => outputs)) terminal.out(diffOutput(output));
  if (!flags.quiet) {
    const changed = builds.filter(({ isChanged }) => isChanged || !isRebuild);
    if (!flags.check)
      for (const { outputs } of changed) for (const output of outputs) terminal.err(summarizeOutput(output));
    if (!failsWith(diagnostics, flags) && changed.length > 0)
      terminal.err(summarize(builds, diagnostics, performance.now() - start, flags.check === true));
  }
  return { status, projects };
}

/** Checks the definitions of projects, also against the limits of their targets. Writes nothing. */
export async function checkProjects(flags: CommonFlags, terminal: Terminal, registry: Registry): Promise<ExitStatus> {
  const all: Diagnostic[] = [];
  for (const project of await findProjects([], terminal, registry))
    all.push(...(await compileProject(project, flags, terminal, "check")).diagnostics);
  return printDiagnostics(uniqueDiagnostics(all), flags, terminal);
}

/** Prints how the files of a folder would change. */
function diffOutput({ plan: { removed }, request: { folder, displayName, files } }: BuiltOutput): string {
  const before = (path: string) => (pathKind(folder, path) === "file" ? readOutput(folder, path) : undefined);
  const changed = files.filter(({ path, text }) => before(path) !== text);
  return [
    ...changed.map(({ path, text }) => unifiedDiff(`${displayName}/${path}`, before(path), text)),
    ...removed.map((path) => unifiedDiff(`${displayName}/${path}`, before(path), undefined)),
  ].join("");
}

const summarizeOutput = ({ plan, request }: BuiltOutput): string =>
  plan.problems.length === 0 ? summarizePlan(plan, request) : "";

function summarize(
  builds: readonly ProjectBuild[],
  diagnostics: readonly Diagnostic[],
  milliseconds: number,
  isCheck: boolean,
): string {
  const sum = (of: (build: ProjectBuild) => number) => builds.reduce((total, each) => total + of(each), 0);
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

const plural = (count: number, noun: string): string => `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
