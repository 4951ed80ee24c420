import { unusablePlugin } from "../diagnostics/configuration.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { addPlugins, checkPlugin, type Registry } from "./plugin.ts";

/** A plug-in that a configuration names. */
export interface PluginReference {
  /** A path relative to the configuration, such as `./my-target.mjs`, or the name of a package. */
  readonly module: string;
  readonly span: Span;
}

/** Loads the module of a plug-in, or returns why that fails, as the end of a sentence. */
export type PluginLoader = (
  reference: PluginReference,
) => Promise<{ readonly module: unknown } | { readonly reason: string }>;

/**
 * Loads plug-ins in order and adds them to what is available; reports those that are unusable. `onAdd` receives new
 * ones.
 */
export async function loadPlugins<Known extends Registry>(
  references: readonly PluginReference[],
  registry: Known,
  load: PluginLoader,
  report: Report,
  onAdd?: (reference: PluginReference) => void,
): Promise<Known> {
  let extended = registry;
  for (const reference of references) {
    const found = await load(reference);
    const value = "module" in found ? defaultOf(found.module) : undefined;
    if (extended.plugins?.some((plugin) => plugin === value)) continue;
    const checked = "reason" in found ? found : checkPlugin(value, extended);
    if ("reason" in checked) {
      report(unusablePlugin(reference.span, { module: reference.module, reason: checked.reason }));
      continue;
    }
    extended = addPlugins(extended, [checked.plugin]);
    onAdd?.(reference);
  }
  return extended;
}

/** The default export; of a CommonJS module, its exports. */
function defaultOf(module: unknown): unknown {
  if (typeof module !== "object" || module === null || !("default" in module)) return module;
  return module.default;
}
