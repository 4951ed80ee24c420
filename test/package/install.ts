import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** The root of the project. */
export const root = join(import.meta.dirname, "../..");

const { devDependencies }: { devDependencies: { [name: string]: string } } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

/** The package, installed in a folder of a user. */
export interface Installed {
  readonly folder: string;
  /** The path of the tarball. */
  readonly tarball: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
  /** The size of the tarball in bytes. */
  readonly size: number;
  /** Runs a program in the folder, with the installed commands first on the PATH. */
  run(program: string, args: readonly string[], options?: RunOptions): SpawnSyncReturns<string>;
}

/** Options for running a program. */
export interface RunOptions {
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
}

/** Packs the project and installs the tarball in a project made by `npm init`, with the Node.js of this repository. */
export function install(packed: string, folder: string): Installed {
  succeed("npm", ["run", "--silent", "build"], root);
  const source = join(root, "dist/package");
  const [tarball] = JSON.parse(succeed("npm", ["pack", "--json", "--pack-destination", packed], source)) as [Tarball];
  const path = join(packed, tarball.filename);
  createProject(folder, path, `node@${devDependencies["node"]}`);
  return {
    folder,
    tarball: path,
    files: tarball.files.map(({ path }) => path),
    size: tarball.size,
    run(program, args, { stdin = "", cwd = folder, env = {} } = {}) {
      const PATH = [join(folder, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
      return spawnSync(program, args, {
        cwd,
        input: stdin,
        encoding: "utf8",
        env: { ...process.env, PATH, NO_COLOR: "1", npm_config_prefer_offline: "true", ...env },
      });
    },
  };
}

/** Creates a project as a reader does: an empty folder, `npm init`, and packages as development dependencies. */
export function createProject(folder: string, ...packages: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  succeed("npm", ["init", "-y"], folder);
  succeed("npm", ["install", "--save-dev", "--no-audit", "--no-fund", "--prefer-offline", ...packages], folder);
}

/** A folder next to the user's project, where Node.js and npm do not find its packages. */
export const nextTo = ({ folder }: Installed, name: string): string => join(dirname(folder), name);

interface Tarball {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Runs a program that must succeed. Returns its output from the first `[`, because scripts may print before it. */
function succeed(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout.slice(stdout.indexOf("["));
}
