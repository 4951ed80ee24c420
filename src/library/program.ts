import { targets } from "../../targets/index.ts";
import type { Input } from "../compile.ts";
import { type Configuration, pluginsIn, trustsTypes, withBases, withSignatures } from "../configuration/index.ts";
import { loadConfiguration } from "../configuration/load.ts";
import { wrongConfigurationValue } from "../diagnostics/configuration.ts";
import { readDocuments, readWithDiagnostics } from "../documents/index.ts";
import { isObject } from "../json.ts";
import { languages } from "../languages/index.ts";
import { readOptions } from "../languages/options.ts";
import type { Options } from "../options.ts";
import { loadPlugins, type PluginLoader } from "../plugins/load.ts";
import type { Registry } from "../plugins/plugin.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { copySource, type Source } from "../text/source.ts";
import { normalizePath } from "../text/uris.ts";
import { checkLanguageName, withPluginOptions } from "./arguments.ts";
import { createHostFiles, type Host, type HostFiles, readWhileNeeded } from "./host.ts";
import type { CheckOptions, ProgramOptions } from "./options.ts";

/** The languages and targets of Waybill. */
export const standardRegistry: Registry = { languages, targets };

/** What a call compiles, with the files of its host. */
export interface OpenProgram {
  readonly registry: Registry;
  readonly files: HostFiles;
  /** Runs a step that may read files; repeated until all of them are known. */
  run<Result>(step: (input: Input) => Result | Promise<Result>): Promise<Result>;
}

/** Opens the definitions of a call. Throws for invalid options of the caller. */
export async function openProgram(given: ProgramOptions & Partial<CheckOptions>): Promise<OpenProgram> {
  const { host, signal, from, plugins = [] } = given;
  signal?.throwIfAborted();
  const files = createHostFiles(host, signal);
  const pluginDiagnostics: Diagnostic[] = [];
  const config = given.config && configurationSource(given.config);
  const own = withPluginOptions(standardRegistry, plugins);
  const registry = config
    ? await registryWith(config, own, host, files, (found) => pluginDiagnostics.push(found))
    : own;
  checkLanguageName(from, registry);
  const options = languageOptions(given.options ?? {}, from, registry);
  const sources = (given.sources ?? []).map(copySource);
  const { pick } = given;
  const placeholders = given.placeholders && new Map(Object.entries(given.placeholders));
  // Parsed once, although steps may be repeated.
  const readings = host && new Map(sources.map((source) => [source, readWithDiagnostics(source, { recovers: true })]));
  const prepare = async (): Promise<Input> => {
    const inputDiagnostics = [...pluginDiagnostics];
    const report: Report = (found) => inputDiagnostics.push(found);
    const configuration = config && (await readConfigurationOf(config, registry, files, report));
    const configurationOf = configuration && (() => configuration);
    return {
      sources,
      readings,
      from,
      pick,
      placeholders,
      options,
      configurationOf,
      inputDiagnostics,
      read: host && files.read,
    };
  };
  return { registry, files, run: (step) => readWhileNeeded(files, async () => step(await prepare())) };
}

/** The source of a configuration that the caller gives. */
export function configurationSource(config: NonNullable<ProgramOptions["config"]>): Source {
  const { path, text } = config;
  if (typeof path === "string" && typeof text === "string") return copySource({ path, text });
  return copySource({ path: "waybill.config.json", text: JSON.stringify(config, null, 2) });
}

function loaderOf(host: Host | undefined, config: Source): PluginLoader {
  const load = host?.import;
  if (!load) return async () => ({ reason: "the host does not load modules" });
  const folder = config.path.replaceAll("\\", "/").replace(/[^/]*$/, "");
  return async ({ module }) => ({
    module: await load.call(host, /^\.{1,2}\//.test(module) ? normalizePath(folder + module) : module),
  });
}

/** Adds the plug-ins of a configuration and of those that it extends. */
export async function registryWith(
  config: Source,
  registry: Registry,
  host: Host | undefined,
  files: HostFiles,
  report: Report,
): Promise<Registry> {
  let extended = registry;
  for (const source of await withBases(config, files.load))
    extended = await loadPlugins(pluginsIn(source), extended, loaderOf(host, source), report);
  return extended;
}

/** Throws for options that no language has: they are the caller's, not those of a file. */
function languageOptions(options: Options, from: string | undefined, { languages }: Registry): Options {
  const [document] = readDocuments({ path: "options", text: JSON.stringify(options, null, 2) }, () => undefined);
  if (!isObject(document?.value)) return {};
  const report: Report = ({ message, hint }) => {
    throw new TypeError(`\`options\`: ${message}${hint === undefined ? "" : ` ${hint}`}`);
  };
  const invalid = (span: Diagnostic["span"], name: string, wanted: string) =>
    wrongConfigurationValue(span, { name: `\`${name}\``, wanted });
  return readOptions(document.value, { document, languages, from, report, invalid });
}

/** Reads a configuration, with the types of modules that it trusts. */
export async function readConfigurationOf(
  config: Source,
  registry: Registry,
  files: HostFiles,
  report: Report,
): Promise<Configuration> {
  const configuration = await loadConfiguration(config, () => registry, files.load, report);
  if (!trustsTypes(configuration)) return configuration;
  const { createSignatureReader } = await import("../signatures/index.ts");
  const isAbsolute = /^(?:\/|[a-z]:)/i.test(config.path);
  const read = (path: string): string | undefined => {
    const found = files.read(isAbsolute ? path : path.replace(/^\//, ""));
    return found && "text" in found ? found.text : undefined;
  };
  return withSignatures(configuration, createSignatureReader({ read }), report);
}
