import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Source } from "../text/source.ts";
import type { ResourceReader } from "../text/uris.ts";
import { isReadable, unreadableExtension } from "./read.ts";
import { usageError } from "./terminal.ts";

/** Files at a revision of a Git repository. */
export interface Revision {
  readonly name: string;
  readonly sources: readonly Source[];
  /** Reads files that the sources refer to, at the revision. */
  readonly read: ResourceReader;
}

/**
 * Reads `REV:path` from the repository of a folder, or returns undefined if the argument is the path of a file or has
 * another form. Like in Git, a path is relative to the root of the repository unless it begins with `./` or `../`. Of a
 * folder, all YAML and JSON files are read. Sources have the paths of the files in the work tree.
 */
export function readRevision(argument: string, cwd: string, maximumBytes = defaultMaxBytes): Revision | undefined {
  const [, name, path] = /^([^:-][^:]+|[^:/\\.-]):(.*)$/s.exec(argument) ?? [];
  if (name === undefined || path === undefined || existsSync(resolve(cwd, argument))) return undefined;
  const git = gitIn(cwd, maximumBytes);
  const root = git(["rev-parse", "--show-toplevel"], argument).trimEnd();
  const isRelative = /^\.{1,2}(?:\/|$)/.test(path);
  const place = relative(root, resolve(isRelative ? cwd : root, path)).replaceAll("\\", "/");
  const show = (file: string): string => git(["show", "--end-of-options", `${name}:${file}`], argument);
  const kind = git(["cat-file", "-t", `${name}:${place}`], argument).trim();
  const files = kind === "tree" ? filesIn(name, place, git, argument) : [place];
  if (files.length === 0) throw usageError(`\`${argument}\` contains no YAML or JSON files.`);
  if (files.length > maxFiles)
    throw usageError(
      `\`${argument}\` contains ${files.length} YAML and JSON files, more than ${maxFiles}. Name a smaller folder.`,
    );
  const shown = (file: string): string => relative(cwd, resolve(root, file)).replaceAll("\\", "/");
  return {
    name,
    sources: files.map((file) => ({ path: shown(file), text: show(file) })),
    read: (file) => readResource(file, { root, cwd, show }),
  };
}

/**
 * Returns the old side of a comparison as `REV:path` if it is only a revision, such as `HEAD~1`, and the new side is a
 * path; otherwise as it is.
 */
export function pathAtRevision(old: string, created: string, cwd: string): string {
  const mayBeRevision = /^[^-:*?[\]{}\s][^:*?[\]\s]*$/.test(old) && !existsSync(resolve(cwd, old));
  if (!mayBeRevision || !existsSync(resolve(cwd, created))) return old;
  try {
    gitIn(cwd, defaultMaxBytes)(["rev-parse", "--verify", "--quiet", "--end-of-options", `${old}^{tree}`], old);
  } catch {
    return old;
  }
  return `${old}:./${relative(cwd, resolve(cwd, created)).replaceAll("\\", "/")}`;
}

/** Git starts once for each file. */
const maxFiles = 500;

/** As for files. */
const defaultMaxBytes = 4 * 1024 * 1024;

type Git = (args: readonly string[], argument: string) => string;

/** Runs Git without a shell and without a pager. */
function gitIn(cwd: string, maximumBytes: number): Git {
  return (args, argument) => {
    try {
      return execFileSync("git", ["--no-pager", ...args], {
        cwd,
        encoding: "utf8",
        maxBuffer: maximumBytes + 1024,
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 30_000,
      });
    } catch (error) {
      throw usageError(`Cannot read \`${argument}\`: ${reasonOf(error)}`);
    }
  };
}

function reasonOf(error: unknown): string {
  const { code, stderr } = error as { readonly code?: string; readonly stderr?: string };
  if (code === "ENOENT") return "Git is not installed.";
  if (code === "ENOBUFS") return "the file is too large.";
  if (code === "ETIMEDOUT") return "Git does not respond.";
  const [line = ""] = (stderr ?? "").split("\n");
  return line === "" ? "Git fails." : `${line.replace(/^(?:fatal|error): /, "").replace(/[^.!?]$/, "$&.")}`;
}

function filesIn(revision: string, folder: string, git: Git, argument: string): readonly string[] {
  const tree = folder === "" ? revision : `${revision}:${folder}`;
  const names = git(["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree], argument).split("\0");
  return names
    .filter((name) => /\.(?:ya?ml|json)$/i.test(name) && !/(?:^|\/)(?:\.|node_modules\/)/.test(name))
    .map((name) => (folder === "" ? name : `${folder}/${name}`));
}

/** Only files of the repository. */
function readResource(
  path: string,
  { root, cwd, show }: { readonly root: string; readonly cwd: string; readonly show: (file: string) => string },
): ReturnType<ResourceReader> {
  if (/^[a-z][a-z\d+.-]+:/i.test(path)) return undefined;
  if (!isReadable(path)) return { path, reason: unreadableExtension };
  const file = relative(root, resolve(cwd, path)).replaceAll("\\", "/");
  if (file.startsWith("../")) return { path, reason: "it is not in the repository" };
  try {
    return { path, text: show(file) };
  } catch {
    return { path, reason: "it does not exist at the revision" };
  }
}
