import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Readable, Writable } from "node:stream";
import { createConnection } from "vscode-languageserver/node";
import type { Input } from "../compile.ts";
import { type Configuration, configurationNames } from "../configuration/index.ts";
import { loadConfiguration } from "../configuration/load.ts";
import { renderText } from "../diagnostics/renderers/text.ts";
import { type ReadResult, readWithDiagnostics } from "../documents/index.ts";
import type { Json } from "../json.ts";
import { loadLanguages } from "../language.ts";
import { languageOf } from "../lsp/definition.ts";
import type { ProjectFiles, ScenarioReport, ServerHost, WorkspaceFolder } from "../lsp/host.ts";
import { serve } from "../lsp/server.ts";
import { recognisesScenario } from "../scenario/read.ts";
import { renderResults } from "../scenario/report/results.ts";
import { onReference, runScenarios } from "../scenario/run.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { createConfigurationLoader } from "./configurations.ts";
import { findFiles } from "./find-files.ts";
import { ignoringPluginNames } from "./plugins.ts";
import { findProjects } from "./projects.ts";
import { createResourceReader, tryReadSource } from "./read.ts";
import { type Registry, tool } from "./registry.ts";
import { scenarioFilter } from "./scenario-sources.ts";
import { prepareScenarios } from "./scenarios.ts";
import { type ExitStatus, exit, type Terminal } from "./terminal.ts";

/** Runs `waybill lsp` on standard input and output, until the client sends `exit` or closes the streams. */
export async function lsp(terminal: Terminal, registry: Registry): Promise<ExitStatus> {
  const input = Readable.from(terminal.stdin, { objectMode: false });
  const output = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      terminal.out(Buffer.from(chunk).toString("utf8"));
      done();
    },
  });
  await loadLanguages(registry.languages);
  const connection = createConnection(input, output);
  serve(connection, createHost(registry));
  connection.listen();
  await new Promise<void>((resolve) => connection.onExit(resolve));
  return exit.success;
}

/** Programs with more files are cut off: an editor is too slow for them. */
const maxFiles = 5_000;

interface CachedFile {
  readonly stamp: string;
  readonly source: Source;
  readonly reading: ReadResult;
  readonly isDefinition: boolean;
  readonly isScenarios: boolean;
}

const schemas = new Map<string, Json>();

/** Reads a schema of the package: this module is as far from its root in the sources as in the bundle, `dist/command`. */
function readSchema(name: string): Json {
  const text =
    schemas.get(name) ?? JSON.parse(readFileSync(new URL(`../../schema/${name}.schema.json`, import.meta.url), "utf8"));
  schemas.set(name, text);
  return text;
}

function createHost(registry: Registry): ServerHost {
  const { languages, targets } = registry;
  const cache = new Map<string, CachedFile>();
  return {
    languages,
    targets,
    version: tool.version,
    home: tool.home,
    configurationNames,
    readProgram: (file, folder, pause) => readProgram(file, folder, registry, cache, pause),
    readProjectFiles: (file, folder) => readProjectFiles(file, folder, registry, cache),
    schemaOf: (kind) => readSchema(kind === "scenarios" ? "scenario" : "configuration"),
    async checkConfiguration(source, folder) {
      const diagnostics: Diagnostic[] = [];
      const read = (path: string) => tryReadSource(path, terminalOf(folder));
      await loadConfiguration(
        source,
        () => registry,
        read,
        ignoringPluginNames((diagnostic) => diagnostics.push(diagnostic)),
      );
      return diagnostics;
    },
    readModule,
    runScenarios: (file, name, folder) => runOnReference(file, name, folder, registry),
  };
}

/** The files of a workspace folder as a command sees them, with the unsaved ones of the editor. */
const terminalOf = ({ path, open }: WorkspaceFolder): Terminal => ({
  stdin: Readable.from([]),
  out: () => undefined,
  err: () => undefined,
  color: false,
  cwd: path,
  debug: false,
  // The user may not trust the code in a folder that an editor opens.
  loadsPlugins: false,
  unsaved: (file) => open(file)?.source,
});

async function readProgram(
  file: string,
  folder: WorkspaceFolder,
  registry: Registry,
  cache: Map<string, CachedFile>,
  pause: Input["pause"],
): Promise<Input | undefined> {
  const inputDiagnostics: Diagnostic[] = [];
  const report = ignoringPluginNames((diagnostic) => inputDiagnostics.push(diagnostic));
  const terminal = terminalOf(folder);
  const configurations = createConfigurationLoader(undefined, registry, terminal, report);
  const configuration = await configurations.load(file);
  const paths = configuration?.source
    ? await filesOf(configuration, configuration.source, terminal, registry)
    : filesIn(dirname(file));
  const sources: Source[] = [];
  const readings = new Map<Source, ReadResult>();
  // An open file need not be on disk.
  const isNear = (path: string): boolean =>
    configuration?.source ? !configuration.project : dirname(path) === dirname(file);
  const near = folder.openPaths().filter(isNear);
  const own = isConfiguration(file) ? [] : [file];
  for (const path of [...new Set([...own, ...near, ...paths.slice(0, maxFiles)])].sort()) {
    const paused = pause?.();
    if (paused) await paused;
    if ((await configurations.load(path)) !== configuration) continue;
    if (path !== file && !(await configurations.includes(path, {}))) continue;
    const found = await readCached(path, folder, registry, cache);
    if (!found || (path !== file && !found.isDefinition)) continue;
    sources.push(found.source);
    readings.set(found.source, found.reading);
  }
  const configurationOf = await configurations.loadFor(sources);
  const read = createResourceReader([...sources, ...configurations.sources()], folder.path);
  return sources.length === 0 ? undefined : { sources, readings, options: {}, configurationOf, read, inputDiagnostics };
}

/** The configuration of a file, and the scenario files of its project, of its configuration's folder, or next to it. */
async function readProjectFiles(
  file: string,
  folder: WorkspaceFolder,
  registry: Registry,
  cache: Map<string, CachedFile>,
): Promise<ProjectFiles> {
  const terminal = terminalOf(folder);
  const configurations = createConfigurationLoader(undefined, registry, terminal, () => undefined);
  const { source: configuration, project } = (await configurations.load(file)) ?? {};
  const root = configuration ? dirname(resolve(folder.path, configuration.path)) : dirname(file);
  if (configuration && project && project.scenarios.length > 0) {
    const [found] = await findProjects([configuration.path], terminal, registry);
    const all = await found?.readScenarios({ ...scenarioFilter, includes: async () => true }, () => undefined);
    return { configuration, scenarios: all?.sources ?? [] };
  }
  const paths = configuration ? filesBelow(root, folder.path) : filesIn(root);
  const near = folder.openPaths().filter((path) => path.startsWith(root + sep) && !isConfiguration(path));
  const scenarios: Source[] = [];
  for (const path of new Set([...near, ...paths.slice(0, maxFiles)])) {
    const found = await readCached(path, folder, registry, cache);
    if (found?.isScenarios && (await configurations.load(path))?.source === configuration) scenarios.push(found.source);
  }
  return { configuration, scenarios };
}

/** The sources of a project; of another configuration, all files that may be its definitions. */
async function filesOf(
  { project }: Configuration,
  { path }: Source,
  terminal: Terminal,
  registry: Registry,
): Promise<readonly string[]> {
  if (!project) return filesBelow(dirname(resolve(terminal.cwd, path)), terminal.cwd);
  const projects = await findProjects([path], terminal, registry);
  const found = projects.flatMap((each) => each.files());
  return found.flatMap((each) => (each.reason === undefined ? [resolve(terminal.cwd, each.path)] : []));
}

function filesBelow(folder: string, cwd: string): readonly string[] {
  const path = relative(cwd, folder) || ".";
  return findFiles([path], cwd).flatMap((found) =>
    found.reason === undefined && !isConfiguration(found.path) ? [resolve(cwd, found.path)] : [],
  );
}

/** The files next to a definition without configuration. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.(ya?ml|json)$/i.test(name) && !isConfiguration(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

const isConfiguration = (path: string): boolean => configurationNames.includes(path.replace(/^.*[\\/]/, ""));

/** Reads a file if it changed. An open file is as the editor has it. */
async function readCached(
  file: string,
  folder: WorkspaceFolder,
  { languages }: Registry,
  cache: Map<string, CachedFile>,
): Promise<Omit<CachedFile, "stamp"> | undefined> {
  const kindsOf = ({ documents }: ReadResult) => ({
    isDefinition: documents.some((document) => languageOf(document, languages) !== undefined),
    isScenarios: documents.some(({ value }) => recognisesScenario(value)),
  });
  const opened = folder.open(file);
  if (opened) return { ...opened, ...kindsOf(opened.reading) };
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  const stamp = `${stat.mtimeMs} ${stat.size} ${folder.path}`;
  const known = cache.get(file);
  if (known?.stamp === stamp) return known;
  const source = await tryReadSource(relativePath(file, folder.path), terminalOf(folder));
  if ("reason" in source) return undefined;
  const reading = readWithDiagnostics(source, { recovers: true });
  const read = { stamp, source, reading, ...kindsOf(reading) };
  cache.set(file, read);
  return read;
}

function relativePath(file: string, folder: string): string {
  const path = relative(folder, file).replaceAll("\\", "/");
  return path.startsWith("..") ? file : path;
}

/** Modules of packages and files outside of the folder are not opened. */
async function readModule(module: string, { path }: Source, folder: WorkspaceFolder): Promise<Source | undefined> {
  if (!/^\.\.?\//.test(module)) return undefined;
  const file = resolve(folder.path, dirname(path), module);
  if (!isIn(file, folder.path)) return undefined;
  const source = await tryReadSource(relativePath(file, folder.path), terminalOf(folder));
  return "reason" in source ? undefined : source;
}

function isIn(file: string, folder: string): boolean {
  try {
    return realpathSync(file).startsWith(realpathSync(folder) + sep);
  } catch {
    return false;
  }
}

async function runOnReference(
  file: string,
  name: string | undefined,
  folder: WorkspaceFolder,
  registry: Registry,
): Promise<ScenarioReport> {
  const terminal = terminalOf(folder);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (diagnostic) => diagnostics.push(diagnostic);
  const source = await tryReadSource(relativePath(file, folder.path), terminal);
  if ("reason" in source) return { isPassed: false, text: `Cannot read ${file}: ${source.reason}.` };
  const configurations = createConfigurationLoader(undefined, registry, terminal, report);
  const prepared = await prepareScenarios(source, configurations, terminal, registry, report);
  if (!prepared) return { isPassed: false, text: renderText(diagnostics) };
  const scenarios = prepared.file.scenarios.filter((each) => name === undefined || each.name === name);
  if (scenarios.length === 0) return { isPassed: false, text: `There is no scenario \`${name}\` in ${source.path}.` };
  const results = await runScenarios({ ...prepared.file, scenarios }, prepared, onReference, registry.languages);
  return { isPassed: results.every(({ isFailure }) => !isFailure), text: renderResults(results) };
}
