import { dirname, relative, resolve } from "node:path";
import type { Input } from "../compile.ts";
import { assertWellFormed } from "../ir/verify.ts";
import type { Target } from "../target/contract.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { parsePattern } from "../text/patterns.ts";
import type { ResourceReader } from "../text/uris.ts";
import { type ConfigurationLoader, createConfigurationLoader } from "./configurations.ts";
import {
  type CommonFlags,
  mergeSettings,
  parseLanguageOptions,
  parseMaxBytes,
  parseSettingTarget,
  requireLanguage,
  requireOneOf,
} from "./flags.ts";
import { createResourceReader } from "./read.ts";
import { namesOf, type Registry } from "./registry.ts";
import type { Revision } from "./revisions.ts";
import {
  createDefinitionFilter,
  type KnownFiles,
  readSources,
  renderSkipped,
  type SourceFilter,
  type SourceSet,
  selectSources,
} from "./sources.ts";
import { type Terminal, usageError } from "./terminal.ts";

/** Where the definitions of a command come from. */
export interface InputFiles {
  readonly configurations: ConfigurationLoader;
  /** Receives the diagnostics of configurations and of reading files. */
  readonly diagnostics: Diagnostic[];
  /** Reads the definitions. */
  read(filter: SourceFilter, report: Report): Promise<SourceSet>;
  /** Reads files that definitions refer to; default: from disk. */
  readonly readResource?: ResourceReader | undefined;
  /** Definitions that were read before with the same flags. */
  readonly known?: KnownFiles | undefined;
}

/** Reads everything that a command compiles; the sources of a revision instead of files. Flags override configurations. */
export function readInput(
  paths: readonly string[],
  flags: CommonFlags,
  target: Target | undefined,
  terminal: Terminal,
  registry: Registry,
  revision?: Revision,
): Promise<Input> {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (found) => diagnostics.push(found);
  const configurations = createConfigurationLoader(flags.config, registry, terminal, report);
  const read = async (filter: SourceFilter) =>
    revision ? selectSources(revision.sources, filter) : readSources(paths, filter, terminal, report);
  const files = { configurations, diagnostics, read, readResource: revision?.read };
  return readInputFiles(files, flags, target, terminal, registry);
}

/** Reads the definitions of `files` with their configurations. */
export async function readInputFiles(
  { configurations, diagnostics: inputDiagnostics, ...files }: InputFiles,
  flags: CommonFlags,
  target: Target | undefined,
  terminal: Terminal,
  registry: Registry,
): Promise<Input> {
  const from = flags.from === undefined ? undefined : requireLanguage("--from", flags.from, registry.languages);
  const maximumBytes = parseMaxBytes(flags);
  const options = parseLanguageOptions(flags.option, from, registry);
  checkSettings(flags.set, target, registry);
  const patterns = {
    include: parsePatternFlags("--include", flags.include),
    exclude: parsePatternFlags("--exclude", flags.exclude),
  };
  const includes = (file: string) => configurations.includes(file, patterns);
  const filter = createDefinitionFilter(from, registry, { includes, maximumBytes, known: files.known });
  const found = await files.read(filter, (diagnostic) => inputDiagnostics.push(diagnostic));
  if (!flags.quiet) terminal.err(renderSkipped(found, "workflow definition"));
  const { sources, readings } = found;
  const configurationOf = await configurations.loadFor(sources, (configuration) => ({
    ...configuration,
    targets: mergeSettings(flags.set, configuration.targets, registry),
  }));
  const read =
    files.readResource ?? createResourceReader([...sources, ...configurations.sources()], terminal.cwd, maximumBytes);
  return {
    sources,
    readings,
    from,
    pick: flags.pick,
    options,
    configurationOf,
    ...resolveFromOutput("program", terminal),
    inspectModule: async (path) => (await import("./modules.ts")).createStaticInspector(terminal.cwd)(path),
    maximumBytes,
    read,
    verify: flags.verifyEach ? assertWellFormed : undefined,
    inputDiagnostics,
  };
}

/** The compiler's input that depends on the output folder. */
export function resolveFromOutput(
  out: string,
  { cwd }: Terminal,
): Pick<Input, "moduleBase" | "findDependencies" | "folder"> {
  const folder = resolve(cwd, out);
  return {
    moduleBase: ({ path }) => `${relative(folder, resolve(cwd, dirname(path))).replaceAll("\\", "/") || "."}/`,
    findDependencies: async (configuration, module) =>
      (await import("./dependencies.ts")).findDependencies(resolve(cwd, dirname(configuration)), module, folder),
    folder: folder.replaceAll("\\", "/"),
  };
}

function parsePatternFlags(option: string, given: readonly string[] = []): readonly string[] | undefined {
  const wrong = given.find((pattern) => parsePattern(pattern) === undefined);
  if (wrong !== undefined)
    throw usageError(`${option} must be a .gitignore pattern such as drafts/**, not \`${wrong}\`.`);
  return given.length > 0 ? given : undefined;
}

/** Finds a target by name. */
export function findTarget(option: string, name: string, { targets }: Registry): Target {
  const found = requireOneOf(option, name, namesOf(targets));
  return targets.find((target) => target.name === found)!;
}

function checkSettings(given: readonly string[] | undefined, target: Target | undefined, registry: Registry): void {
  for (const text of given ?? []) {
    const { name } = parseSettingTarget(text, registry);
    if (name === target?.name) continue;
    const hint = target ? `The selected target is ${target.name}.` : `Add \`--target ${name}\`.`;
    throw usageError(`--set ${text}: This is a setting of target ${name}. ${hint}`);
  }
}
