import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeErrno } from "../errno.ts";
import type { OutputFile } from "../target/contract.ts";

/** The kind of file at a path in the output folder. */
export type PathKind = "file" | "nothing" | "link" | "folder" | "other";

/** Returns the kind of file at a path without following links. */
export function pathKind(folder: string, path: string): PathKind {
  const parts = path.split("/");
  for (let i = 1; i < parts.length; i += 1) {
    const parent = kindOf(folder, parts.slice(0, i).join("/"));
    if (parent !== "folder") return parent === "nothing" ? "nothing" : parent === "link" ? "link" : "other";
  }
  return kindOf(folder, path);
}

function kindOf(folder: string, path: string): PathKind {
  const found = wrapErrors(path, "read", () => lstatSync(join(folder, path), { throwIfNoEntry: false }));
  if (!found) return "nothing";
  if (found.isSymbolicLink()) return "link";
  if (found.isDirectory()) return "folder";
  return found.isFile() ? "file" : "other";
}

/** Whether a file in the output folder has exactly this content. */
export function hasText(folder: string, path: string, text: string): boolean {
  const bytes = Buffer.from(text);
  return wrapErrors(path, "read", () => {
    const place = join(folder, path);
    return statSync(place).size === bytes.length && readFileSync(place).equals(bytes);
  });
}

/** Reads a file in the output folder. */
export const readOutput = (folder: string, path: string): string =>
  wrapErrors(path, "read", () => readFileSync(join(folder, path), "utf8"));

/** Whether two paths denote the same file, as on a case-insensitive file system. */
export function isSameFile(folder: string, a: string, b: string): boolean {
  if (a === b) return true;
  if (a.toLowerCase() !== b.toLowerCase()) return false;
  const [one, other] = [a, b].map((path) => lstatSync(join(folder, path), { throwIfNoEntry: false, bigint: true }));
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

/** Fails if the output folder exists as another kind of file. */
export function requireFolder(folder: string): void {
  const found = wrapErrors("", "read", () => statSync(folder, { throwIfNoEntry: false }));
  if (found && !found.isDirectory()) throw new OutputError("", "is not a folder");
  if (!found) wrapErrors("", "read", () => lstatSync(folder, { throwIfNoEntry: false }));
}

/**
 * Runs a function while locking a folder against other processes, such as those of `make -j`. Creates the folder, and
 * removes it if it stays empty.
 */
export function withLock<T>(folder: string, act: () => T): T {
  const isNew = !isFolder(folder);
  wrapErrors("", "written", () => makeFolder(resolve(folder)));
  const lock = join(folder, ".waybill.lock");
  acquireLock(lock);
  try {
    return act();
  } finally {
    rmSync(lock, { force: true });
    if (isNew) removeEmpty(folder);
  }
}

const lockTimeoutMs = 30_000;

function acquireLock(lock: string): void {
  for (let waited = 0; ; waited += 10) {
    try {
      const file = openSync(lock, "wx");
      writeFileSync(file, `${process.pid}`);
      closeSync(file);
      return;
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST";
      if (!isTaken)
        wrapErrors("", "written", () => {
          throw error;
        });
      if (waited >= lockTimeoutMs)
        throw new OutputError(".waybill.lock", "is locked by another run; if there is none, remove the file");
      if (isStaleLock(lock)) rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function isStaleLock(lock: string): boolean {
  try {
    const owner = Number(readFileSync(lock, "utf8"));
    if (owner > 0) process.kill(owner, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** Changes to files, relative to the output folder. */
export interface FileChanges {
  /** The manifest during the change. */
  readonly first?: OutputFile | undefined;
  readonly changed: readonly OutputFile[];
  readonly removed: readonly string[];
  /** The manifest after the change. */
  readonly last?: OutputFile | undefined;
}

/** Stages all files before renaming any, so that a full disk changes nothing. */
export function replaceFiles(folder: string, { first, changed, removed, last }: FileChanges): void {
  const texts = [...(first ? [first] : []), ...changed, ...(last ? [last] : [])];
  if (texts.length + removed.length === 0) return;
  const temporary = wrapErrors("", "written", () => mkdtempSync(join(folder, ".waybill-")));
  try {
    const written = texts.map((file, i) => stageFile(folder, join(temporary, `${i}`), file));
    const end = written.length - (last ? 1 : 0);
    for (const { from, path } of written.slice(0, end)) move(folder, from, path);
    for (const path of removed) remove(folder, path);
    for (const { from, path } of written.slice(end)) move(folder, from, path);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Unlike Node's `recursive` option, this terminates in folders such as `/proc`, which reject new folders. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function stageFile(
  folder: string,
  from: string,
  { path, text }: OutputFile,
): { readonly from: string; readonly path: string } {
  wrapErrors(path, "written", () => {
    makeFolder(dirname(resolve(folder, path)));
    writeFileSync(from, text);
  });
  return { from, path };
}

function move(folder: string, from: string, path: string): void {
  wrapErrors(path, "written", () => renameSync(from, join(folder, path)));
}

function remove(folder: string, path: string): void {
  wrapErrors(path, "removed", () => rmSync(join(folder, path), { force: true }));
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent))
    if (!removeEmpty(join(folder, parent))) return;
}

/** Returns whether the folder was empty. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** A failed file operation. The message follows the path: "is not a folder". */
export class OutputError extends Error {
  /** Relative to the output folder, or empty. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** Wraps system errors of a file operation in an `OutputError`. */
export function wrapErrors<T>(path: string, verb: "read" | "written" | "removed", act: () => T): T {
  try {
    return act();
  } catch (error) {
    const reason = describeErrno(error);
    throw reason === undefined ? error : new OutputError(path, `cannot be ${verb}: ${reason}`);
  }
}
