import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { loadBases } from "../configuration/extends.ts";
import { pluginsIn } from "../configuration/index.ts";
import { unknownOutputTarget, unknownTarget, unusablePlugin } from "../diagnostics/configuration.ts";
import { unknownLanguage } from "../diagnostics/reading.ts";
import { loadPlugins, type PluginLoader, type PluginReference } from "../plugins/load.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { tryReadSource } from "./read.ts";
import type { Registry } from "./registry.ts";
import type { Terminal } from "./terminal.ts";

/** Adds the plug-ins of a configuration; reports those that are unusable. */
export function withPlugins(
  source: Source,
  registry: Registry,
  { cwd, loadsPlugins = true }: Pick<Terminal, "cwd" | "loadsPlugins">,
  report: Report,
  onAdd?: (reference: PluginReference) => void,
): Promise<Registry> {
  if (!loadsPlugins) return Promise.resolve(registry);
  return loadPlugins(pluginsIn(source), registry, loadFrom(resolve(cwd, source.path)), report, onAdd);
}

/** As `withPlugins`, for a configuration that a command finds after it has loaded its plug-ins: reports others. */
export function withKnownPlugins(
  source: Source,
  registry: Registry,
  terminal: Pick<Terminal, "cwd" | "loadsPlugins">,
  report: Report,
): Promise<Registry> {
  const reason = "it applies only to commands that run in its folder, or that name a file or the configuration there";
  return withPlugins(source, registry, terminal, report, ({ module, span }) =>
    report(unusablePlugin(span, { module, reason })),
  );
}

/**
 * Adds the plug-ins of several configurations, and of those that they extend. Their mistakes are reported when a
 * command reads the configurations.
 */
export async function withPluginsOf(
  files: readonly string[],
  registry: Registry,
  terminal: Terminal,
): Promise<Registry> {
  let extended = registry;
  const add = async (source: Source, chain: readonly string[] = []): Promise<void> => {
    await loadBases(
      source,
      (path) => tryReadSource(path, terminal),
      add,
      () => undefined,
      chain,
    );
    extended = await withPlugins(source, extended, terminal, () => undefined);
  };
  for (const file of files) {
    const source = await tryReadSource(file, terminal);
    if ("text" in source) await add(source);
  }
  return extended;
}

/** Codes of names that a plug-in may define. */
const nameCodes: ReadonlySet<string> = new Set([unknownLanguage.code, unknownOutputTarget.code, unknownTarget.code]);

/** Drops what a configuration names that its plug-ins may define, because they are not loaded. */
export const ignoringPluginNames =
  (report: Report): Report =>
  (diagnostic) => {
    if (!nameCodes.has(diagnostic.code) || pluginsIn(diagnostic.span.source).length === 0) report(diagnostic);
  };

/** Modules run with the rights of the command, once per process. */
const loadFrom =
  (configuration: string): PluginLoader =>
  async ({ module }) => {
    const file = /^\.{1,2}\//.test(module) ? resolve(dirname(configuration), module) : module;
    try {
      return { module: createRequire(configuration)(file) as unknown };
    } catch (error) {
      return { reason: describeFailure(error, file) };
    }
  };

function describeFailure(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `it throws ${String(error)}`;
  const [line = ""] = error.message.replace(/ imported from .*$/s, "").split("\n");
  const code = "code" in error ? error.code : undefined;
  if (code === "ERR_REQUIRE_ASYNC_MODULE") return "it has a top-level `await`";
  if (code === "MODULE_NOT_FOUND" && line === `Cannot find module '${file}'`)
    return file.startsWith("/") || /^[a-z]:/i.test(file) ? "no such file" : "the package is not installed";
  if (code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND") return line.replace(/^C/, "c").replace(/\.$/, "");
  return `it throws ${error.name}: ${line.replace(/\.$/, "")}`;
}
