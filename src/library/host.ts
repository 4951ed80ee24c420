import { copySource } from "../text/source.ts";
import { normalizePath, type Resource, type ResourceReader } from "../text/uris.ts";

/**
 * Files that are not those of a folder on this machine: an editor's buffers, the entries of an archive, a repository.
 * Each file is read at most once per call, and only if it is needed.
 */
export interface Host {
  /**
   * The content of a file; undefined if it does not exist. Paths are relative to the project and use `/`; remote
   * references are URIs. An error rejects the call.
   */
  read(path: string): string | undefined | Promise<string | undefined>;
  /** The paths of all files, which the globs of a project are matched with. */
  list?(): readonly string[] | Promise<readonly string[]>;
  /**
   * Loads the module of a plug-in that a configuration names: a path like those of `read`, or the name of a package.
   */
  import?(module: string): unknown;
}

/** The files of a host during one call. */
export interface HostFiles {
  /** Returns undefined for a file that is not yet known; it is then requested. */
  readonly read: ResourceReader;
  /** Reads a file at once. */
  load(path: string): Promise<Resource>;
  /** Waits for the files that `read` has requested; false if it has returned all. */
  settle(): Promise<boolean>;
}

/** Definitions are untrusted: a call reads at most this many files of this size, in UTF-16 units. */
const limits = { files: 10_000, length: 4 * 1024 * 1024 } as const;

/** Reads the files of a host once each, and counts them. */
export function createHostFiles(host: Host | undefined, signal: AbortSignal | undefined): HostFiles {
  const known = new Map<string, Resource>();
  const pending = new Map<string, Promise<void>>();
  const store = (path: string, text: string | undefined): Resource => {
    const resource = resourceOf(path, text);
    pending.delete(path);
    known.set(path, resource);
    return resource;
  };
  const request = (path: string): Resource | undefined => {
    if (!host) return store(path, undefined);
    if (known.size + pending.size >= limits.files)
      return { path, reason: `more than ${limits.files} files are referenced` };
    const text = host.read(path);
    if (!isPromise(text)) return store(path, text);
    const stored = text.then((found) => void store(path, found));
    // A failure rejects `settle`, even if another one rejects it first.
    stored.catch(() => undefined);
    pending.set(path, stored);
    return undefined;
  };
  let isIncomplete = false;
  const read: ResourceReader = (given) => {
    const path = hostPath(given);
    const found = known.get(path) ?? (pending.has(path) ? undefined : request(path));
    isIncomplete ||= found === undefined;
    return found;
  };
  return {
    read,
    async settle() {
      signal?.throwIfAborted();
      if (!isIncomplete) return false;
      await untilAborted(Promise.all(pending.values()), signal);
      isIncomplete = false;
      return true;
    },
    async load(given) {
      const path = hostPath(given);
      const found = known.get(path) ?? (pending.has(path) ? undefined : request(path));
      if (found) return found;
      await untilAborted(pending.get(path)!, signal);
      return known.get(path)!;
    },
  };
}

/**
 * Repeats a synchronous step until the host has returned all files that it reads. Each repetition knows more of them.
 */
export async function readWhileNeeded<Result>(files: HostFiles, step: () => Result | Promise<Result>): Promise<Result> {
  for (;;) {
    const result = await step();
    if (!(await files.settle())) return result;
  }
}

/** Rejects with the reason of the signal if that comes first. */
export function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return value;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The path that a host receives: URIs as they are, paths without `.` and inner `..`. */
const hostPath = (path: string): string =>
  /^[a-z][a-z\d+.-]+:/i.test(path) ? path : normalizePath(path.replaceAll("\\", "/"));

function resourceOf(path: string, text: unknown): Resource {
  if (text === undefined) return { path, reason: "no such file" };
  if (typeof text !== "string")
    throw new TypeError(`\`host.read\` must return a string for \`${path}\`, or undefined.`);
  return text.length > limits.length
    ? { path, reason: `it has more than ${limits.length} characters` }
    : copySource({ path, text });
}

const isPromise = (value: unknown): value is Promise<string | undefined> =>
  typeof value === "object" && value !== null && "then" in value;
