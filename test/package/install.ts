import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The project's folder. */
export const root = join(import.meta.dirname, "../..");

const { devDependencies }: { devDependencies: { [name: string]: string } } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

/** The package as a user has it: installed in a folder of their own. */
export interface Installed {
  readonly folder: string;
  /** What the tarball holds, as paths. */
  readonly files: readonly string[];
  /** How large the tarball is, in bytes. */
  readonly size: number;
  /** Runs a program there, with the installed commands first on the PATH. */
  run(program: string, args: readonly string[], options?: RunOptions): SpawnSyncReturns<string>;
}

/** How a program is run. */
export interface RunOptions {
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
}

/** Packs the project to a tarball in one folder and installs that in another, with the Node that the project is developed on. */
export function install(packed: string, folder: string): Installed {
  const [tarball] = JSON.parse(succeed("npm", ["pack", "--json", "--pack-destination", packed], root)) as [Tarball];
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "user", version: "1.0.0", private: true, type: "module" }),
  );
  const node = `node@${devDependencies["node"]}`;
  succeed(
    "npm",
    ["install", "--save-dev", "--no-audit", "--no-fund", "--prefer-offline", join(packed, tarball.filename), node],
    folder,
  );
  return {
    folder,
    files: tarball.files.map(({ path }) => path),
    size: tarball.size,
    run(program, args, { stdin = "", cwd = folder, env = {} } = {}) {
      const PATH = [join(folder, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
      return spawnSync(program, args, {
        cwd,
        input: stdin,
        encoding: "utf8",
        env: { ...process.env, PATH, NO_COLOR: "1", ...env },
      });
    },
  };
}

interface Tarball {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Runs a program that has to succeed; gives its output from the first `[` on, as scripts may print before it. */
function succeed(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout.slice(stdout.indexOf("["));
}
