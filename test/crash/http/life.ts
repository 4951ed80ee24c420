import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { World } from "./world.ts";

/** One process of the program, from when it is spawned. */
export interface Life {
  /** Its address, once it serves; undefined where it ends before. */
  readonly url: Promise<string | undefined>;
  /** Its status when it has ended, null when it was killed; and what it has logged. */
  readonly end: Promise<{ readonly status: number | null; readonly log: string }>;
  kill(signal: NodeJS.Signals): void;
}

/** Where a program is, and its store. */
export interface Home {
  readonly folder: string;
  readonly store: string;
  readonly world: World;
}

/** Spawns the program; with `isTight` it finds the disk full before long, as no file may grow by more than a little. */
export function live({ folder, store, world }: Home, isTight: boolean): Life {
  const line = [join(folder, "main.ts"), "serve", "--port", "0", "--no-token", "--store", store, "--sink", world.sink];
  const { PATH = "" } = process.env;
  const options: SpawnOptions = { env: { PATH, CALLS: world.calls }, stdio: ["ignore", "ignore", "pipe"] };
  const child: ChildProcess = isTight
    ? spawn("bash", ["-c", `ulimit -f ${limitFor(store)}; exec "$@"`, "-", process.execPath, ...line], options)
    : spawn(process.execPath, line, options);
  let log = "";
  const url = new Promise<string | undefined>((resolve) => {
    child.stderr!.on("data", (chunk) => {
      log += chunk;
      const found = /"message":"Serving\."[^\n]*"url":"([^"]*)"/.exec(log);
      if (found) resolve(found[1]);
    });
    child.once("close", () => resolve(undefined));
  });
  return {
    url,
    end: once(child, "close").then(([status]) => ({ status: status as number | null, log })),
    kill: (signal) => void child.kill(signal),
  };
}

/** How large files may become, in blocks of 1,024 bytes: the store itself hardly grows, and its log has no more room than that. */
function limitFor(store: string): number {
  const size = statSync(store, { throwIfNoEntry: false })?.size ?? 0;
  return Math.ceil(Math.max(size, 64 * 1024) / 1024) + 8;
}
