import { checkWith, compileForEach, type Input, type TargetInput } from "../compile.ts";
import {
  type Configuration,
  configurationNames,
  type ProjectGlob,
  type ProjectOutput,
  withOutputSettings,
} from "../configuration/index.ts";
import { noProjectFiles } from "../diagnostics/configuration.ts";
import { unreadableFile } from "../diagnostics/reading.ts";
import { type ReadResult, readWithDiagnostics } from "../documents/index.ts";
import { detectLanguage } from "../languages/detect.ts";
import type { Registry } from "../plugins/plugin.ts";
import { recognisesScenario } from "../scenario/read.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { matchPatterns, parsePatterns } from "../text/patterns.ts";
import { copySource, type Source } from "../text/source.ts";
import { normalizePath } from "../text/uris.ts";
import { targetNamed, withPluginOptions } from "./arguments.ts";
import { hasErrors } from "./compile.ts";
import type { BuildOutput, BuildResult, ContextBackend, HostContextOptions } from "./context.ts";
import { hasWildcards, matchesGlob } from "./globs.ts";
import { createHostFiles, type Host, type HostFiles, readWhileNeeded, untilAborted } from "./host.ts";
import { configurationSource, readConfigurationOf, registryWith, standardRegistry } from "./program.ts";
import { runScenarioFiles } from "./scenarios.ts";

/** Opens the project whose files a host reads. */
export function openHostProject(options: HostContextOptions): ContextBackend {
  const known = withPluginOptions(standardRegistry, options.plugins ?? []);
  const open = (signal: AbortSignal): Promise<HostProject> => openProject(options, known, signal);
  return {
    async check({ signal }) {
      const { diagnostics } = await compileOutputs(await open(signal), undefined);
      return { ok: !hasErrors(diagnostics), diagnostics };
    },
    async build({ signal, target, check }) {
      if (check) throw new TypeError("`check` requires a project on disk: compare the `files` of the outputs.");
      const project = await open(signal);
      const name = target === undefined ? undefined : targetNamed(target, project.registry).name;
      return compileOutputs(project, name);
    },
    async test({ signal, on = "reference" }) {
      const project = await open(signal);
      const runner = on === "reference" || on === "all" ? on : targetNamed(on, project.registry).name;
      const scenarios = await project.read("scenario file", project.configuration.project?.scenarios ?? [], isScenario);
      return runScenarioFiles(scenarios.sources, runner, {
        ...project,
        run: (step) =>
          readWhileNeeded(project.files, async () =>
            step(await project.input([], [...project.diagnostics, ...scenarios.diagnostics])),
          ),
        reads: true,
        signal,
      });
    },
  };
}

interface FoundFiles {
  readonly sources: readonly Source[];
  readonly readings: ReadonlyMap<Source, ReadResult>;
  readonly diagnostics: readonly Diagnostic[];
}

interface HostProject {
  readonly configuration: Configuration;
  readonly registry: Registry;
  readonly files: HostFiles;
  readonly folder: string;
  readonly diagnostics: readonly Diagnostic[];
  read(noun: string, globs: readonly ProjectGlob[], recognizes: (found: ReadResult) => boolean): Promise<FoundFiles>;
  input(sources: readonly Source[], diagnostics: readonly Diagnostic[], readings?: Input["readings"]): Promise<Input>;
}

async function openProject(
  { host, config = configurationNames[0]! }: HostContextOptions,
  known: Registry,
  signal: AbortSignal,
): Promise<HostProject> {
  const files = createHostFiles(host, signal);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (found) => diagnostics.push(found);
  const found = typeof config === "string" ? await files.load(config) : configurationSource(config);
  const source = "text" in found ? found : copySource({ path: found.path, text: "" });
  if (!("text" in found)) report(unreadableFile({ source, start: 0, end: 0 }, { reason: found.reason }));
  const registry = await registryWith(source, known, host, files, report);
  const pluginErrors = [...diagnostics];
  const configuration = await readWhileNeeded(files, () => {
    diagnostics.splice(pluginErrors.length);
    return readConfigurationOf(source, registry, files, report);
  });
  const folder = source.path.replaceAll("\\", "/").replace(/[^/]*$/, "");
  return {
    configuration,
    registry,
    files,
    folder,
    diagnostics,
    read: (noun, globs, recognizes) =>
      readFiles(host, files, signal, { configuration, folder, noun, globs, recognizes }),
    input: async (sources, inputDiagnostics, readings) => ({
      sources,
      readings,
      options: {},
      configurationOf: () => configuration,
      inputDiagnostics,
      read: files.read,
    }),
  };
}

const isScenario = ({ documents }: ReadResult): boolean => documents.some(({ value }) => recognisesScenario(value));

interface FileSearch {
  readonly configuration: Configuration;
  readonly folder: string;
  readonly noun: string;
  readonly globs: readonly ProjectGlob[];
  readonly recognizes: (found: ReadResult) => boolean;
}

/** Reads the files of globs, each once, and those of their folders. Reports globs without any. */
async function readFiles(
  host: Host,
  files: HostFiles,
  signal: AbortSignal,
  { configuration, folder, noun, globs, recognizes }: FileSearch,
): Promise<FoundFiles> {
  const diagnostics: Diagnostic[] = [];
  const readings = new Map<Source, ReadResult>();
  const listed = await listFiles(host, signal);
  const patterns = { include: configuration.include, exclude: configuration.exclude };
  const isIncluded = (path: string): boolean => {
    const matches = (lines: readonly string[]): boolean =>
      matchPatterns(path, false, parsePatterns(lines)) === "ignored";
    return !(patterns.exclude && matches(patterns.exclude)) && (!patterns.include || matches(patterns.include));
  };
  for (const { pattern, span } of globs) {
    const own = normalizePath(pattern);
    const inFolder = listed.flatMap((path) => (path.startsWith(folder) ? [path.slice(folder.length)] : []));
    const matched = inFolder.filter((path) => isDefinitionFile(path) && isMatch(path, own) && isIncluded(path));
    const named = !hasWildcards(own) && matched.length === 0 && isDefinitionFile(own) ? [own] : [];
    let count = 0;
    for (const path of [...matched, ...named].sort()) {
      const source = await files.load(folder + path);
      if (!("text" in source)) {
        if (named.length === 0) diagnostics.push(unreadableFile(startOf(source.path), { reason: source.reason }));
        continue;
      }
      const known = readings.get(source) ?? readWithDiagnostics(source, { recovers: true });
      if (path !== own && !recognizes(known)) continue;
      readings.set(source, known);
      count += 1;
    }
    if (count === 0) diagnostics.push(noProjectFiles(span, { noun, pattern, count: matched.length }));
  }
  const sources = [...readings.keys()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { sources, readings, diagnostics };
}

const isDefinitionFile = (path: string): boolean =>
  /\.(?:ya?ml|json)$/i.test(path) && !configurationNames.includes(path.replace(/^.*\//, ""));

/** A folder matches what is in it. */
const isMatch = (path: string, glob: string): boolean =>
  hasWildcards(glob) ? matchesGlob(path, glob) : path === glob || glob === "" || path.startsWith(`${glob}/`);

const startOf = (path: string) => ({ source: { path, text: "" }, start: 0, end: 0 });

async function listFiles(host: Host, signal: AbortSignal): Promise<readonly string[]> {
  const listed: unknown = await untilAborted(Promise.resolve(host.list?.() ?? []), signal);
  if (Array.isArray(listed) && listed.every((path) => typeof path === "string"))
    return (listed as readonly string[]).map((path) => normalizePath(path.replaceAll("\\", "/")));
  throw new TypeError("`host.list` must return an array of paths.");
}

async function compileOutputs(project: HostProject, target: string | undefined): Promise<BuildResult> {
  const { configuration, registry, files, folder } = project;
  const isDefinition = ({ documents }: ReadResult): boolean =>
    documents.some(({ value }) => ["known", "ambiguous"].includes(detectLanguage(value, registry.languages).kind));
  const found = await project.read("workflow definition", configuration.project?.sources ?? [], isDefinition);
  const outputs = (configuration.project?.outputs ?? []).filter(
    (output) => (target ?? output.target) === output.target,
  );
  const diagnosed = [...project.diagnostics, ...found.diagnostics];
  return readWhileNeeded(files, async () => {
    const input = await project.input(found.sources, diagnosed, found.readings);
    if (outputs.length === 0) {
      const { diagnostics } = await checkWith(input, registry.languages);
      return { ok: !hasErrors(diagnostics), diagnostics, outputs: [] };
    }
    const targets = outputs.map((output) => targetInput(output, configuration, registry, folder));
    const compilations = await compileForEach(input, registry.languages, targets);
    const { diagnostics } = compilations[0]!;
    if (hasErrors(diagnostics)) return { ok: false, diagnostics, outputs: [] };
    const built = outputs.map((output, i): BuildOutput => {
      const generated = compilations[i]!.files;
      const changed = generated.map(({ path }) => path);
      return {
        target: output.target,
        folder: normalizePath(folder + output.out),
        changed,
        removed: [],
        files: generated,
      };
    });
    return { ok: true, diagnostics, outputs: built };
  });
}

function targetInput(
  output: ProjectOutput,
  configuration: Configuration,
  { targets }: Registry,
  folder: string,
): TargetInput {
  const own = { ...configuration, targets: withOutputSettings(configuration.targets, output) };
  const depth = normalizePath(output.out)
    .split("/")
    .filter((step) => step !== "").length;
  return {
    target: targets.find(({ name }) => name === output.target)!,
    configurationOf: () => own,
    moduleBase: () => (depth === 0 ? "./" : "../".repeat(depth)),
    folder: `/${normalizePath(folder + output.out)}`,
  };
}
