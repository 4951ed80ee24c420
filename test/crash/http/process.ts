import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { CrashEnvironment } from "./environment.ts";

/** One process of the program. */
export interface ProgramProcess {
  /** Its address once it serves; undefined if it exits first. */
  readonly url: Promise<string | undefined>;
  /** The exit status (null if killed) and the log. */
  readonly end: Promise<{ readonly status: number | null; readonly log: string }>;
  kill(signal: NodeJS.Signals): void;
}

/** The paths of a program and its store. */
export interface ProgramLocation {
  readonly folder: string;
  readonly store: string;
  readonly environment: CrashEnvironment;
}

/** Spawns the program. `isTight` limits the size of its files, as a full disk would. */
export function spawnProgram({ folder, store, environment }: ProgramLocation, isTight: boolean): ProgramProcess {
  const line = [
    join(folder, "main.ts"),
    "serve",
    "--port",
    "0",
    "--no-token",
    "--store",
    store,
    "--sink",
    environment.sink,
  ];
  const { PATH = "" } = process.env;
  const options: SpawnOptions = { env: { PATH, CALLS: environment.calls }, stdio: ["ignore", "ignore", "pipe"] };
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

/** The file size limit in KiB: just above the current size of the store. */
function limitFor(store: string): number {
  const size = statSync(store, { throwIfNoEntry: false })?.size ?? 0;
  return Math.ceil(Math.max(size, 64 * 1024) / 1024) + 8;
}
