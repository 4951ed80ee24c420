import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Configuration, configurationNames, type Project, type ProjectGlob } from "../configuration/index.ts";
import { noProjectFiles } from "../diagnostics/configuration.ts";
import { describeErrno } from "../errno.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { type ConfigurationLoader, createConfigurationLoader, unsupportedConfigurationsIn } from "./configurations.ts";
import { type FoundFile, findGlob, isSkipped } from "./find-files.ts";
import { gitignoreIn, gitignoresFor, isIgnored, type PatternSet } from "./gitignore.ts";
import type { InputFiles } from "./input.ts";
import { withPluginsOf } from "./plugins.ts";
import type { Registry } from "./registry.ts";
import { readFoundFiles, type SourceFilter, type SourceSet } from "./sources.ts";
import { type Terminal, usageError } from "./terminal.ts";

/** A project on disk. */
export interface OpenProject extends InputFiles {
  /** Absolute. */
  readonly folder: string;
  /** The folder relative to the current one. */
  readonly displayName: string;
  readonly configuration: Configuration;
  readonly project: Project;
  /** With the plug-ins of the configuration. */
  readonly registry: Registry;
  /** The files that `sources` match, found once. */
  files(): readonly FoundFile[];
  /** Reads the scenario files; reports globs that match none. */
  readScenarios(filter: SourceFilter, report: Report): Promise<SourceSet>;
}

/**
 * Finds projects by their folders or configurations. A folder is searched downward; if it contains no project, the
 * nearest one above it is used. Throws a usage error if no folder has one.
 */
export async function findProjects(
  paths: readonly string[],
  terminal: Terminal,
  registry: Registry,
): Promise<readonly OpenProject[]> {
  const found = new Map<string, OpenProject>();
  for (const path of paths.length === 0 ? ["."] : paths)
    for (const project of await findAt(path, terminal, registry)) found.set(project.folder, project);
  return [...found.values()];
}

/** Finds the projects of a command without files: that of `--config`, otherwise those of the current folder. */
export const findCurrentProjects = (
  config: string | undefined,
  terminal: Terminal,
  registry: Registry,
): Promise<readonly OpenProject[]> => findProjects(config === undefined ? [] : [config], terminal, registry);

async function findAt(path: string, terminal: Terminal, registry: Registry): Promise<readonly OpenProject[]> {
  const place = resolve(terminal.cwd, path);
  const entry = statSync(place, { throwIfNoEntry: false });
  if (!entry) throw usageError(`\`${path}\` does not exist; a project is a folder or its configuration.`);
  if (!entry.isDirectory()) {
    const named = await openProject(dirname(place), path, terminal, registry);
    if (named) return [named];
    throw usageError(`\`${path}\` is not the configuration of a project: it has no \`sources\`.`);
  }
  const below: OpenProject[] = [];
  for (const folder of configuredFolders(place, gitignoresFor(place))) {
    const project = await openProject(folder, undefined, terminal, registry);
    if (project) below.push(project);
  }
  if (below.length > 0) return below;
  const above = await projectAbove(dirname(place), terminal, registry);
  if (above) return [above];
  const [unsupported] = unsupportedConfigurationsIn(place);
  const reason = unsupported === undefined ? "" : ` \`${unsupported}\` is not read: a configuration is YAML or JSON.`;
  throw usageError(
    `No project found in \`${path}\`: no ${configurationNames[0]} has \`sources\`.${reason} Pass files, describe the project there, or create one with \`waybill init\`.`,
  );
}

/** Opens the project of a definition: that of the given configuration, else the nearest one in or above its folder. */
export async function projectOf(
  definition: string,
  config: string | undefined,
  terminal: Terminal,
  registry: Registry,
): Promise<OpenProject | undefined> {
  if (config !== undefined) return openProject(dirname(resolve(terminal.cwd, config)), config, terminal, registry);
  return projectAbove(dirname(resolve(terminal.cwd, definition)), terminal, registry);
}

async function projectAbove(start: string, terminal: Terminal, registry: Registry): Promise<OpenProject | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const project = hasConfiguration(folder) ? await openProject(folder, undefined, terminal, registry) : undefined;
    if (project || dirname(folder) === folder) return project;
  }
}

const hasConfiguration = (folder: string): boolean => configurationNames.some((name) => existsSync(join(folder, name)));

/** Folders with a configuration, outer ones first. */
function configuredFolders(folder: string, ignores: readonly PatternSet[]): readonly string[] {
  const entries = readFolder(folder);
  const inner = entries
    .filter((entry) => entry.isDirectory() && !isSkipped(entry.name))
    .map(({ name }) => join(folder, name))
    .filter((place) => ignores.length === 0 || !isIgnored(place, true, ignores))
    .sort();
  const isConfigured = entries.some(({ name }) => configurationNames.includes(name));
  return [
    ...(isConfigured ? [folder] : []),
    ...inner.flatMap((place) => configuredFolders(place, [...ignores, ...gitignoreIn(place)])),
  ];
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (describeErrno(error) === undefined) throw error;
    return [];
  }
}

/** Opens the project of a folder; undefined if its configuration does not describe one. */
async function openProject(
  folder: string,
  file: string | undefined,
  terminal: Terminal,
  registry: Registry,
): Promise<OpenProject | undefined> {
  const diagnostics: Diagnostic[] = [];
  const isUsual = file === undefined || configurationNames.includes(basename(file));
  const own = await withPluginsOf(configurationFiles(folder, file, terminal), registry, terminal);
  const configurations = createConfigurationLoader(isUsual ? undefined : file, own, terminal, (diagnostic) =>
    diagnostics.push(diagnostic),
  );
  const configuration = await configurations.load(join(folder, "definition"));
  if (!configuration) return undefined;
  const project =
    configuration.project ?? (hasErrors(diagnostics) && mentionsSources(configuration) ? empty : undefined);
  if (!project) return undefined;
  const opened: OpenedConfiguration = { folder, configuration, configurations };
  let matches: readonly GlobMatches[] | undefined;
  const sources = () => {
    matches ??= matchGlobs(project.sources, folder, terminal);
    return matches;
  };
  return {
    ...opened,
    displayName: relative(terminal.cwd, folder).replaceAll("\\", "/") || ".",
    project,
    registry: own,
    diagnostics,
    files: () => uniqueFiles(sources()),
    read: (filter, report) => readMatches(sources(), opened, filter, terminal, report),
    readScenarios: (filter, report) =>
      readMatches(matchGlobs(project.scenarios, folder, terminal), opened, filter, terminal, report),
  };
}

function configurationFiles(folder: string, file: string | undefined, { cwd }: Terminal): readonly string[] {
  if (file !== undefined) return [resolve(cwd, file)];
  return configurationNames
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .slice(0, 1);
}

interface OpenedConfiguration {
  readonly folder: string;
  readonly configuration: Configuration;
  readonly configurations: ConfigurationLoader;
}

const empty: Project = { sources: [], outputs: [], scenarios: [] };

const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");

/** Whether a configuration with errors was intended as a project. */
const mentionsSources = ({ source }: Configuration): boolean =>
  /^[\s{]*["']?sources["']?\s*:/m.test(source?.text ?? "");

interface GlobMatches {
  readonly glob: ProjectGlob;
  readonly files: readonly FoundFile[];
}

const matchGlobs = (globs: readonly ProjectGlob[], folder: string, { cwd }: Terminal): readonly GlobMatches[] =>
  globs.map((glob) => ({ glob, files: findGlob(glob.pattern, folder, cwd) }));

const uniqueFiles = (matches: readonly GlobMatches[]): readonly FoundFile[] => [
  ...new Map(matches.flatMap(({ files }) => files).map((file) => [file.path, file])).values(),
];

/** Reads the files of globs, each once, except those of projects in inner folders. Reports globs without any. */
async function readMatches(
  matches: readonly GlobMatches[],
  { configuration, configurations }: OpenedConfiguration,
  filter: SourceFilter,
  terminal: Terminal,
  report: Report,
): Promise<SourceSet> {
  const isOwn = async (file: string): Promise<boolean> => {
    const nearest = await configurations.load(file);
    return nearest === configuration || nearest?.project === undefined;
  };
  const includes = async (file: string) => (await isOwn(file)) && filter.includes(file);
  const found = await readFoundFiles(uniqueFiles(matches), { ...filter, includes }, terminal, report);
  for (const nearMiss of found.nearMisses) report(nearMiss);
  const wanted = new Set(found.sources.map(({ path }) => path));
  for (const { glob, files } of matches) {
    if (files.some(({ path }) => wanted.has(path))) continue;
    report(noProjectFiles(glob.span, { noun: filter.noun, pattern: glob.pattern, count: files.length }));
  }
  return found;
}
