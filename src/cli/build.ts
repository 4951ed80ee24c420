import { relative, resolve } from "node:path";
import { type Compilation, compileForEach, compileWith, type Input, type TargetInput } from "../compile.ts";
import { type ProjectOutput, withOutputSettings } from "../configuration/index.ts";
import { sharedOutputFolder } from "../diagnostics/output.ts";
import { sortDiagnostics } from "../diagnostics/renderers/sort.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import { pathKind, readOutput } from "../output/disk.ts";
import type { OutputPlan, OutputRequest } from "../output/plan.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { groupDigits } from "../text/messages.ts";
import type { Source } from "../text/source.ts";
import { type BuildCache, type BuildCounts, openBuildCache, type WrittenFolder } from "./build-cache.ts";
import { failsWith, formats, printDiagnostics } from "./diagnostics.ts";
import { type CommonFlags, requireOneOf } from "./flags.ts";
import { findTarget, readInputFiles, resolveFromOutput } from "./input.ts";
import { outputRequest, summarizePlan, tryWriting } from "./output.ts";
import { findProjects, type OpenProject } from "./projects.ts";
import { namesOf, type Registry } from "./registry.ts";
import { CommandError, commandFailure, type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";
import { unifiedDiff } from "./unified-diff.ts";
import type { WatchedFolders } from "./watch.ts";

/** The flags of `waybill build`. */
export interface BuildFlags extends CommonFlags {
  readonly check?: boolean;
  /** With `check`: print how the outputs differ. */
  readonly diff?: boolean;
  readonly force?: boolean;
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
  if (flags.target !== undefined) requireOneOf("--target", flags.target, namesOf(registry.targets));
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
  reportSharedFolders(projects);
  const builds: ProjectBuild[] = [];
  for (const project of projects) builds.push(await buildProject(project, flags, terminal, registry));
  const diagnostics = builds.flatMap((each) => each.diagnostics);
  const status = await printDiagnostics(diagnostics, flags, terminal, flags.diff);
  for (const each of builds) terminal.out(each.diff);
  if (!flags.quiet) {
    const changed = builds.filter(({ isChanged }) => isChanged || !isRebuild);
    for (const each of changed) terminal.err(each.summary);
    if (!failsWith(diagnostics, flags) && changed.length > 0)
      terminal.err(summarize(builds, diagnostics, performance.now() - start, flags.check === true));
  }
  return { status, projects };
}

/** Checks the definitions of projects, also against the limits of their targets. Writes nothing. */
export async function checkProjects(flags: CommonFlags, terminal: Terminal, registry: Registry): Promise<ExitStatus> {
  const all: Diagnostic[] = [];
  for (const project of await findProjects([], terminal, registry))
    all.push(...(await compileProject(project, flags, terminal, registry, "check")).diagnostics);
  return printDiagnostics(all, flags, terminal);
}

/** The result of building one project. */
interface ProjectBuild extends BuildCounts {
  readonly diagnostics: readonly Diagnostic[];
  /** The changed files. */
  readonly summary: string;
  /** How they differ, if wanted. */
  readonly diff: string;
  readonly isChanged: boolean;
}

async function buildProject(
  project: OpenProject,
  flags: BuildFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ProjectBuild> {
  const cache = openBuildCache(project, [flags.target, flags.verifyEach, flags.maxBytes], terminal);
  const known = project.diagnostics.length === 0 ? await cache?.find() : undefined;
  if (known) return { ...known, diagnostics: [], summary: "", diff: "", isChanged: false };
  const compiled = await compileProject(project, flags, terminal, registry, "build", cache);
  const definitions = compiled.input.sources.length;
  if (failsWith(compiled.diagnostics, flags))
    return {
      diagnostics: compiled.diagnostics,
      definitions,
      files: 0,
      bytes: 0,
      summary: "",
      diff: "",
      isChanged: false,
    };
  const diagnostics = [...compiled.diagnostics];
  const lines: string[] = [];
  const diffs: string[] = [];
  const folders: WrittenFolder[] = [];
  let isChanged = false;
  let [files, bytes] = [0, 0];
  for (const { output, compilation } of compiled.outputs) {
    const out = displayOut(project, output, terminal);
    const options = { ...flags, prune: true, keepVersions: 3 };
    const request = outputRequest(out, output.target, compilation, options, terminal);
    const plan = tryWriting(request);
    diagnostics.push(...plan.problems);
    if (plan.problems.length === 0 && !flags.check) lines.push(summarizePlan(plan, request));
    isChanged ||= [plan.written, plan.changed, plan.removed].some(({ length }) => length > 0);
    folders.push({ folder: request.folder, files: compilation.files });
    if (flags.diff) diffs.push(diffOutput(plan, request));
    files += compilation.files.length;
    bytes += compilation.files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  }
  const counts = { definitions, files, bytes };
  if (diagnostics.length === 0 && !flags.check) await cache?.store(compiled.input, folders, counts);
  return {
    ...counts,
    diagnostics: sortDiagnostics(diagnostics),
    summary: lines.join(""),
    diff: diffs.join(""),
    isChanged,
  };
}

/** Prints how the files of a folder would change. */
function diffOutput({ removed }: OutputPlan, { folder, displayName, files }: OutputRequest): string {
  const before = (path: string) => (pathKind(folder, path) === "file" ? readOutput(folder, path) : undefined);
  const changed = files.filter(({ path, text }) => before(path) !== text);
  return [
    ...changed.map(({ path, text }) => unifiedDiff(`${displayName}/${path}`, before(path), text)),
    ...removed.map((path) => unifiedDiff(`${displayName}/${path}`, before(path), undefined)),
  ].join("");
}

interface CompiledProject {
  readonly input: Input;
  readonly outputs: readonly { readonly output: ProjectOutput; readonly compilation: Compilation }[];
  readonly diagnostics: readonly Diagnostic[];
}

async function compileProject(
  project: OpenProject,
  flags: CommonFlags,
  terminal: Terminal,
  registry: Registry,
  purpose: "build" | "check",
  cache?: BuildCache,
): Promise<CompiledProject> {
  const all = project.project.outputs;
  const outputs = all.filter(({ target }) => flags.target === undefined || target === flags.target);
  const found = await readInputFiles(project, { ...flags, quiet: true }, undefined, terminal, registry);
  const input = cache ? cache.observe(found) : found;
  const isBroken = project.diagnostics.some(({ severity }) => severity === "error");
  if (outputs.length === 0 && !isBroken && purpose === "build") {
    const what = flags.target === undefined ? "no `outputs`" : `no output for target ${flags.target}`;
    throw commandFailure(`The project in \`${project.displayName}\` has ${what}, so there is nothing to build.`);
  }
  const targets = outputs.map((output) => {
    const own = targetInput(output, project, input, terminal, registry);
    return cache ? { ...own, findDependencies: cache.observeDependencies(own.findDependencies) } : own;
  });
  // Without an output for it, the target is that of the flag.
  const target = flags.target === undefined ? undefined : findTarget("--target", flags.target, registry);
  if (targets.length === 0) {
    const { diagnostics } = await compileWith(input, registry.languages, target);
    return { input, outputs: [], diagnostics };
  }
  const compilations = await compileForEach(input, registry.languages, targets);
  return {
    input,
    outputs: outputs.map((output, i) => ({ output, compilation: compilations[i]! })),
    diagnostics: compilations[0]!.diagnostics,
  };
}

function targetInput(
  output: ProjectOutput,
  project: OpenProject,
  input: Input,
  terminal: Terminal,
  registry: Registry,
): TargetInput {
  const changed = new Map<object, ReturnType<NonNullable<Input["configurationOf"]>>>();
  const configurationOf = (source: Source) => {
    const configuration = input.configurationOf?.(source);
    if (!configuration || !output.settings) return configuration;
    if (!changed.has(configuration))
      changed.set(configuration, {
        ...configuration,
        targets: withOutputSettings(configuration.targets, output),
      });
    return changed.get(configuration);
  };
  return {
    target: findTarget("--target", output.target, registry),
    configurationOf,
    ...resolveFromOutput(displayOut(project, output, terminal), terminal),
  };
}

const displayOut = ({ folder }: OpenProject, { out }: ProjectOutput, { cwd }: Terminal): string =>
  relative(cwd, resolve(folder, out)).replaceAll("\\", "/") || ".";

/** Reports outputs of several projects in one folder. */
function reportSharedFolders(projects: readonly OpenProject[]): void {
  const first = new Map<string, ProjectOutput>();
  for (const { folder, project, diagnostics } of projects) {
    for (const output of project.outputs) {
      const place = resolve(folder, output.out);
      const other = first.get(place);
      if (!other) first.set(place, output);
      else {
        const notes = [{ message: "The other output is here.", span: other.span }];
        diagnostics.push(sharedOutputFolder(output.span, { folder: output.out, target: other.target }, notes));
      }
    }
  }
}

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
