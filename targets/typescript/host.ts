import type { Program } from "../../src/ir/workflow.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { FunctionsModule } from "./bindings/index.ts";
import type { Image } from "./image.ts";

/**
 * A platform that stores the runs of programs. Each is a folder of `hosts`, whose `index.ts` exports `host`; its part of
 * the runtime is the folder of the same name in `runtime/hosts`.
 */
export interface Host {
  /** The value of the setting `host`. */
  readonly name: string;
  /** Whether programs without the setting use it. */
  readonly isDefault?: true;
  /** The module of emitted programs that opens the engine; absent if the runtime itself does. */
  readonly module?: HostModule;
  /** The npm packages that a program needs on this host, with the tested versions. */
  packages(program: Program): ReadonlyMap<string, string>;
  readonly limits: HostLimits;
  /** Whether programs have a server, which shows pictures of their workflows. */
  readonly hasServer: boolean;
  /** The `scripts` of package.json. */
  readonly scripts: { readonly [name: string]: string };
  /** Folders that deployments write, which are not type-checked. */
  readonly outputFolders: readonly string[];
  /** Emits the entry points of a program, its README, and the files for its deployment. */
  files(project: Project): readonly OutputFile[];
}

/** The module of a host: `<name>.js` and `<name>.d.ts` in emitted programs. */
export interface HostModule {
  /** Imports the runtime from `./runtime.internal.js`. */
  script(): string;
  /** The part of the runtime that programs need on this host; by default, the whole. */
  readonly runtime?: RuntimeParts;
  /** Imports types from the module of the runtime. */
  types(runtime: string): string;
}

/** A runtime, and the statements that export its public names or all of them. */
export interface RuntimeParts {
  code(): string;
  publicExports(): string;
  allExports(): string;
}

/** What a host limits. */
export interface HostLimits {
  /** The limit of a run's journal, as a clause, if loops extend it: such as `Restate limits it to 32 MiB`. */
  readonly journal?: string;
  /** Why runs cannot wait for tasks that others answer by a token, as a clause. */
  readonly tasks?: string;
  /** Why programs cannot have a codec, as a clause. */
  readonly codec?: string;
}

/** A program to emit. */
export interface Project {
  readonly program: Program;
  /** The names of the workflows' modules, by workflow id. */
  readonly modules: ReadonlyMap<string, string>;
  readonly functions: FunctionsModule;
  /** The module that contains the runtime. */
  readonly runtime: string;
  readonly image: Image;
  /** Whether package.json has dependencies. */
  readonly hasPackages: boolean;
}
