import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, linkSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix, resolve } from "node:path";
import { promisify } from "node:util";

const path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/** The reason why images cannot be built here; undefined if they can. */
export function whyUnsupported(): string | undefined {
  if (process.platform !== "linux") return "only Linux has these roots";
  const isAllowed = spawnSync("chroot", ["/", "/bin/true"], { env: { PATH: path } }).status === 0;
  return isAllowed ? undefined : "the root of processes may not be changed here";
}

/** An image: its root folder, and the settings of its Dockerfile. */
export interface BuiltImage {
  readonly root: string;
  readonly user: string;
  readonly folder: string;
  readonly environment: { readonly [name: string]: string };
  readonly command: readonly string[];
}

/**
 * Builds an image in a folder by executing the Dockerfile; `environment` applies only to RUN. Like `node:24-slim`, the
 * base has Node, npm, a shell and the user `node`. Unknown instructions throw.
 */
export async function buildImage(
  dockerfile: string,
  context: string,
  root: string,
  environment: { readonly [name: string]: string },
): Promise<BuiltImage> {
  let image: BuiltImage = { root, user: "root", folder: "/", environment: {}, command: [] };
  const within = (path: string) => join(root, posix.resolve(image.folder, path));
  for (const line of readFileSync(dockerfile, "utf8").split("\n")) {
    const [, step, said = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const word = () => /^"(.*)"$/.exec(said)?.[1] ?? said;
    if (step === undefined) {
      if (line !== "" && !line.startsWith("#")) throw new Error(`Invalid instruction: ${line}`);
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
    else if (step !== "VOLUME" && step !== "EXPOSE") throw new Error(`Unknown instruction: ${step}`);
  }
  return image;
}

/** Starts a command in a container of an image, as its user. */
export function startContainer(
  image: BuiltImage,
  command: readonly string[],
  more: { readonly [name: string]: string } = {},
): ChildProcess {
  const line = `cd ${quoted(image.folder)} && exec "$@"`;
  const args = [`--userspec=${image.user}`, image.root, "/bin/sh", "-c", line, "sh", ...command];
  return spawn("chroot", args, { env: { PATH: path, NODE_NO_WARNINGS: "1", ...image.environment, ...more } });
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Copies files and the contents of folders, except what the ignore file excludes from the context. */
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

/** The required parts of `node:24-slim`. Copying npm takes a while. */
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

/** Adds a program with its shared libraries. */
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
