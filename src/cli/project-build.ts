import { relative, resolve } from "node:path";
import {
  type Compilation,
  type CompileProgress,
  compileForEach,
  compileWith,
  type Input,
  type TargetInput,
} from "../compile.ts";
import { type ProjectOutput, withOutputSettings } from "../configuration/index.ts";
import { sharedOutputFolder } from "../diagnostics/output.ts";
import { sortDiagnostics } from "../diagnostics/renderers/sort.ts";
import type { OutputPlan, OutputRequest } from "../output/plan.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { type BuildCache, type BuildCounts, openBuildCache, type WrittenFolder } from "./build-cache.ts";
import type { BuildSession } from "./build-session.ts";
import { countDefinitions } from "./check-summary.ts";
import { failsWith } from "./diagnostics.ts";
import { type CommonFlags, mergeSettings } from "./flags.ts";
import { findTarget, readInputFiles, resolveFromOutput } from "./input.ts";
import { outputRequest, tryWriting } from "./output.ts";
import type { OpenProject } from "./projects.ts";
import { commandFailure, type Terminal } from "./terminal.ts";

/** How to build projects. */
export interface ProjectBuildFlags extends CommonFlags {
  /** Compares the outputs and writes nothing. */
  readonly check?: boolean;
  readonly force?: boolean;
}

/** An output folder, and how it changed or would change. */
export interface BuiltOutput {
  readonly output: ProjectOutput;
  readonly request: OutputRequest;
  readonly plan: OutputPlan;
}

/** The result of building one project. */
export interface ProjectBuild extends BuildCounts {
  readonly diagnostics: readonly Diagnostic[];
  /** The written or compared outputs; empty if the cache shows that nothing changed. */
  readonly outputs: readonly BuiltOutput[];
  readonly isChanged: boolean;
}

/** Builds a project: writes its outputs, or compares them. If it has errors, nothing is written. */
export async function buildProject(
  project: OpenProject,
  flags: ProjectBuildFlags,
  terminal: Terminal,
  { onProgress, session }: Omit<CompileObservers, "cache"> = {},
): Promise<ProjectBuild> {
  const cache = openBuildCache(project, [flags.target, flags.verifyEach, flags.maxBytes], terminal);
  const found = project.diagnostics.length === 0 ? await cache?.find() : undefined;
  // To find it reads the configurations of folders, which may have problems.
  const known = project.diagnostics.length === 0 ? found : undefined;
  if (known && !failsWith(known.diagnostics, flags))
    return { ...known.counts, diagnostics: known.diagnostics, outputs: [], isChanged: false };
  const compiled = await compileProject(project, flags, terminal, "build", { cache, onProgress, session });
  const { definitions } = compiled;
  if (failsWith(compiled.diagnostics, flags))
    return { diagnostics: compiled.diagnostics, definitions, files: 0, bytes: 0, outputs: [], isChanged: false };
  const diagnostics = [...compiled.diagnostics];
  const outputs: BuiltOutput[] = [];
  const folders: WrittenFolder[] = [];
  let [files, bytes] = [0, 0];
  for (const { output, compilation } of compiled.outputs) {
    const out = displayOut(project, output, terminal);
    const options = { ...flags, prune: true, keepVersions: 3 };
    const request = { ...outputRequest(out, output.target, compilation, options, terminal), origin: output.span };
    const plan = tryWriting(request);
    diagnostics.push(...plan.problems);
    outputs.push({ output, request, plan });
    folders.push({ folder: request.folder, files: compilation.files });
    files += compilation.files.length;
    bytes += compilation.files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  }
  const counts = { definitions, files, bytes };
  const isFine = outputs.every(({ plan }) => plan.problems.length === 0);
  if (isFine && !flags.check)
    await cache?.store(compiled.input, folders, { counts, diagnostics: sortDiagnostics(diagnostics) });
  const isChanged = outputs.some(({ plan }) =>
    [plan.written, plan.changed, plan.removed].some(({ length }) => length > 0),
  );
  return { ...counts, diagnostics: sortDiagnostics(diagnostics), outputs, isChanged };
}

/** The compiled outputs of a project. */
export interface CompiledProject {
  readonly input: Input;
  /** How many the files contain. */
  readonly definitions: number;
  readonly outputs: readonly { readonly output: ProjectOutput; readonly compilation: Compilation }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What observes a compilation, and what earlier ones left. */
export interface CompileObservers {
  readonly cache?: BuildCache | undefined;
  readonly session?: BuildSession | undefined;
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined;
}

/** Compiles a project for its outputs, or only checks it if it has none. */
export async function compileProject(
  project: OpenProject,
  flags: CommonFlags,
  terminal: Terminal,
  purpose: "build" | "check",
  { cache, onProgress, session }: CompileObservers = {},
): Promise<CompiledProject> {
  const { registry } = project;
  const all = project.project.outputs;
  const outputs = all.filter(({ target }) => flags.target === undefined || target === flags.target);
  const target = flags.target === undefined ? undefined : findTarget("--target", flags.target, registry);
  const files = { ...project, known: session?.knownFiles(project) };
  const found = await readInputFiles(files, { ...flags, quiet: true }, target, terminal, registry);
  const input = { ...(cache ? cache.observe(found) : found), memo: session?.memoOf(project, found), onProgress };
  const isBroken = project.diagnostics.some(({ severity }) => severity === "error");
  if (outputs.length === 0 && !isBroken && purpose === "build") {
    const what = flags.target === undefined ? "no `outputs`" : `no output for target ${flags.target}`;
    throw commandFailure(`The project in \`${project.displayName}\` has ${what}, so there is nothing to build.`);
  }
  const targets = outputs.map((output) => {
    const own = targetInput(output, flags.set, project, input, terminal);
    return cache ? { ...own, findDependencies: cache.observeDependencies(own.findDependencies) } : own;
  });
  // Without an output for it, the target is that of the flag.
  if (targets.length === 0) {
    const { program, diagnostics } = await compileWith(input, registry.languages, target);
    return { input, definitions: countDefinitions(input, program), outputs: [], diagnostics };
  }
  const compilations = await compileForEach(input, registry.languages, targets);
  return {
    input,
    definitions: countDefinitions(input, compilations[0]!.program),
    outputs: outputs.map((output, i) => ({ output, compilation: compilations[i]! })),
    diagnostics: compilations[0]!.diagnostics,
  };
}

/** The settings of the command override those of the output. */
function targetInput(
  output: ProjectOutput,
  settings: CommonFlags["set"],
  project: OpenProject,
  input: Input,
  terminal: Terminal,
): TargetInput {
  const { registry } = project;
  const changed = new Map<object, ReturnType<NonNullable<Input["configurationOf"]>>>();
  const configurationOf = (source: Source) => {
    const configuration = input.configurationOf?.(source);
    if (!configuration || !output.settings) return configuration;
    if (!changed.has(configuration))
      changed.set(configuration, {
        ...configuration,
        targets: mergeSettings(settings, withOutputSettings(configuration.targets, output), registry),
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
export function reportSharedFolders(projects: readonly OpenProject[]): void {
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
