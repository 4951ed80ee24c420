import type { Settings } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { Source, Span } from "../../../src/text/source.ts";
import { normalizePath } from "../../../src/text/uris.ts";
import { missingExport, missingModule, nonFunctionExport } from "../diagnostics/kinds.ts";
import { resolvePath } from "./configuration.ts";
import type { BoundModule } from "./request.ts";

/** A module, as a configuration names it. */
export interface ModuleReference {
  /** A path relative to the configuration, or a package. */
  readonly module: string;
  readonly span: Span;
  readonly configuration: Source;
}

/** What is known of modules. */
export type ModuleAccess = Pick<Settings, "moduleBase" | "inspectModule" | "findDependencies">;

/**
 * Reports exports that are missing or not functions. Packages are not checked: they are resolved where the program is
 * installed.
 */
export async function checkExports(
  { module: specifier, span, configuration }: ModuleReference,
  names: readonly string[],
  { inspectModule }: ModuleAccess,
  report: Report,
): Promise<void> {
  if (!inspectModule || !isRelative.test(specifier)) return;
  const path = resolvePath(configuration.path, specifier);
  const module = await inspectModule(path);
  if ("reason" in module) return report(missingModule(span, { path, reason: module.reason }));
  for (const name of names) {
    const kind = module.exports.get(name);
    if (kind === "value" || kind === "type") report(nonFunctionExport(span, { path, name, isType: kind === "type" }));
    if (kind === undefined && !module.isOpen)
      report(missingExport(span, { path, name, known: [...module.exports.keys()] }));
  }
}

/** Locates a module and its dependencies relative to the program's folder. */
export async function locateModule(
  { module: specifier, configuration, span }: ModuleReference,
  { moduleBase = () => "./", findDependencies }: ModuleAccess,
): Promise<BoundModule> {
  const resolve = (path: string): string => resolveModule(path, moduleBase(configuration));
  const module = isRelative.test(specifier) ? resolve(specifier) : specifier;
  const dependencies = await findDependencies?.(configuration.path, specifier);
  return {
    module,
    span,
    files: dependencies?.files.map(resolve) ?? (isRelative.test(specifier) ? [module] : []),
    installs: dependencies?.installs.map(({ folder, isLocked }) => ({ folder: resolve(folder), isLocked })) ?? [],
  };
}

/** Identifies a module: equal for the same path from different folders. */
export const moduleId = ({ module, configuration }: Pick<ModuleReference, "module" | "configuration">): string =>
  isRelative.test(module) ? `./${resolvePath(configuration.path, module)}` : module;

const isRelative = /^\.{1,2}\//;

/** `folder` may be a URL. */
function resolveModule(module: string, folder: string): string {
  if (folder.startsWith("file:")) return new URL(module, folder).href;
  const path = normalizePath(folder === "" ? module : `${folder}/${module}`);
  return /^\.\.(?:\/|$)/.test(path) ? path : `./${path}`;
}
