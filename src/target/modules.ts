/** Finds the exports of a module, given its path in the form of the configuration's own path. */
export type ModuleInspector = (path: string) => Promise<ModuleExports>;

/** The exports of a module and whether it may have others that could not be determined, or why it cannot be read, worded as the end of a sentence. */
export type ModuleExports =
  | {
      readonly exports: ReadonlyMap<string, "function" | "value" | "type" | "unknown">;
      readonly isOpen: boolean;
    }
  | { readonly reason: string };

/** Finds the dependencies of a module that a configuration names. Paths are relative to the configuration's folder. */
export type DependencyFinder = (configuration: string, module: string) => Promise<ModuleDependencies>;

/** What a module needs at run time in addition to Node.js. */
export interface ModuleDependencies {
  /** The module, the files that it imports by relative paths, directly or not, and the `package.json` files that govern them. */
  readonly files: readonly string[];
  /** The folders in which its packages are installed, and whether a lock file pins their versions. */
  readonly installs: readonly { readonly folder: string; readonly isLocked: boolean }[];
}
