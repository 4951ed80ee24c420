import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, linkSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix, resolve } from "node:path";
import { promisify } from "node:util";

const path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/** Why no image can be built here; undefined where one can. */
export function whyNoImage(): string | undefined {
  if (process.platform !== "linux") return "only Linux has these roots";
  const isAllowed = spawnSync("chroot", ["/", "/bin/true"], { env: { PATH: path } }).status === 0;
  return isAllowed ? undefined : "the root of processes may not be changed here";
}

/** An image: a folder that is the root of its processes, and what its Dockerfile says of these. */
export interface Built {
  readonly root: string;
  readonly user: string;
  readonly folder: string;
  readonly environment: { readonly [name: string]: string };
  readonly command: readonly string[];
}

/**
 * Builds an image in a folder, step by step as its Dockerfile says; `environment` is that of the steps only. The base has Node, npm, a shell and the user
 * `node`, as `node:24-slim` has. What a step does that is not known here is a fault.
 */
export async function built(
  dockerfile: string,
  context: string,
  root: string,
  environment: { readonly [name: string]: string },
): Promise<Built> {
  let image: Built = { root, user: "root", folder: "/", environment: {}, command: [] };
  const within = (path: string) => join(root, posix.resolve(image.folder, path));
  for (const line of readFileSync(dockerfile, "utf8").split("\n")) {
    const [, step, said = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const word = () => /^"(.*)"$/.exec(said)?.[1] ?? said;
    if (step === undefined) {
      if (line !== "" && !line.startsWith("#")) throw new Error(`${line} is no instruction.`);
    } else if (step === "FROM") makeBase(root, /npm/.test(readFileSync(dockerfile, "utf8")));
    else if (step === "WORKDIR") {
      image = { ...image, folder: word() };
      mkdirSync(within("."), { recursive: true });
    } else if (step === "RUN")
      await promisify(execFile)("chroot", [root, "/bin/sh", "-c", `cd ${quoted(image.folder)} && ${said}`], {
        env: { PATH: path, ...environment },
      });
    else if (step === "COPY") copy(JSON.parse(said) as string[], context, within);
    else if (step === "ENV") {
      const [name, value] = said.split("=") as [string, string];
      image = { ...image, environment: { ...image.environment, [name]: value } };
    } else if (step === "USER") image = { ...image, user: word() };
    else if (step === "CMD") image = { ...image, command: JSON.parse(said) as string[] };
    else if (step !== "VOLUME" && step !== "EXPOSE") throw new Error(`${step} is not known.`);
  }
  return image;
}

/** Starts a command in a container of an image, as its user. */
export function started(
  image: Built,
  command: readonly string[],
  more: { readonly [name: string]: string } = {},
): ChildProcess {
  const line = `cd ${quoted(image.folder)} && exec "$@"`;
  const args = [`--userspec=${image.user}`, image.root, "/bin/sh", "-c", line, "sh", ...command];
  return spawn("chroot", args, { env: { PATH: path, NODE_NO_WARNINGS: "1", ...image.environment, ...more } });
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Copies files, and what is in folders, but what the ignore file beside the Dockerfile keeps out of the context is not there. */
function copy(words: readonly string[], context: string, within: (path: string) => string): void {
  const to = words.at(-1)!;
  for (const from of words.slice(0, -1)) {
    const place = join(context, from);
    if (from.includes("*")) {
      const pattern = new RegExp(`^${basename(from).replaceAll(".", "\\.").replace("*", ".*")}$`);
      const { stdout } = spawnSync("ls", [dirname(place)], { encoding: "utf8" });
      copy(
        [
          ...stdout
            .split("\n")
            .filter((name) => pattern.test(name))
            .map((name) => join(dirname(from), name)),
          to,
        ],
        context,
        within,
      );
    } else if (place.endsWith("/") || resolve(place) === resolve(context))
      cpSync(place, within(to), { recursive: true, filter: (path) => !/\/node_modules(?:\/|$)|\.db[^/]*$/.test(path) });
    else if (existsSync(place)) {
      mkdirSync(within(to), { recursive: true });
      cpSync(place, join(within(to), basename(place)));
    } else throw new Error(`${from} is not in the context.`);
  }
}

/** What `node:24-slim` has of what is needed here, which takes a while to copy where that is npm. */
function makeBase(root: string, hasNpm: boolean): void {
  for (const folder of ["bin", "etc", "tmp", "usr/bin", "usr/local/bin", "usr/local/lib", "dev", "root", "home/node"])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(root, 0o755);
  chmodSync(join(root, "tmp"), 0o1777);
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\nnode:x:1000:\n");
  for (const name of ["sh", "mkdir", "chown"]) addProgram(root, whereIs(name), `/bin/${name}`);
  addProgram(root, realpathSync(process.execPath), "/usr/local/bin/node");
  if (!hasNpm) return;
  cpSync(dirname(dirname(realpathSync(whereIs("npm")))), join(root, "usr/local/lib/npm"), { recursive: true });
  writeFileSync(join(root, "usr/local/bin/npm"), '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n', {
    mode: 0o755,
  });
}

const whereIs = (name: string): string =>
  spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();

/** A program with the libraries that it is linked with. */
function addProgram(root: string, from: string, to: string): void {
  const { stdout } = spawnSync("ldd", [from], { encoding: "utf8" });
  for (const [library] of stdout.matchAll(/\/\S+(?= \()/g)) addFile(root, library, library);
  addFile(root, from, to);
}

function addFile(root: string, from: string, to: string): void {
  const place = join(root, to);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  try {
    linkSync(realpathSync(from), place);
  } catch {
    cpSync(realpathSync(from), place);
  }
}
