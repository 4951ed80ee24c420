import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describeErrno } from "../errno.ts";
import { isSkipped } from "./find-files.ts";

/** Editors write a file in several steps. */
const settleMs = 20;

/** How often folders are compared whose changes the system does not report. */
const pollMs = 500;

/** What to observe, by absolute paths. */
export interface WatchedFolders {
  /** Folders, with those in them. */
  readonly folders: readonly string[];
  /** Files elsewhere. */
  readonly files?: readonly string[] | undefined;
  /** Folders whose changes do not count. */
  readonly ignored: readonly string[];
}

/** Yields at once and after each change of files, until the signal. Changes while the caller is busy are yielded once. */
export async function* changesIn(watched: () => WatchedFolders, signal: AbortSignal): AsyncGenerator<void> {
  let isChanged = false;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    isChanged = true;
    wake?.();
  };
  const onAbort = (): void => wake?.();
  signal.addEventListener("abort", onAbort);
  const observer = createObserver(notify);
  try {
    observer.update(watched());
    let before = stateOf(watched());
    yield;
    observer.update(watched());
    while (!signal.aborted) {
      if (!isChanged)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (signal.aborted) return;
      await setTimeout(settleMs);
      isChanged = false;
      // Before the caller reads files: later changes are reported, even in new folders.
      observer.update(watched());
      const now = stateOf(watched());
      // Some systems report reads, too.
      if (now === before) continue;
      before = now;
      yield;
      observer.update(watched());
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    observer.close();
  }
}

interface Observer {
  update(watched: WatchedFolders): void;
  close(): void;
}

/** Observes each folder on its own: a recursive watch would include `node_modules`. */
function createObserver(notify: () => void): Observer {
  const watchers = new Map<string, FSWatcher>();
  let current: WatchedFolders = { folders: [], ignored: [] };
  let poll: NodeJS.Timeout | undefined;
  const stop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const startPolling = (): void => {
    let before = stateOf(current);
    poll ??= setInterval(() => {
      const now = stateOf(current);
      if (now !== before) notify();
      before = now;
    }, pollMs);
  };
  const observe = (folder: string): void => {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name === null || !isSkipped(name)) notify();
      });
      watcher.on("error", () => {
        stop(folder);
        startPolling();
      });
      watchers.set(folder, watcher);
    } catch (error) {
      if (describeErrno(error) === undefined && !isUnavailable(error)) throw error;
      startPolling();
    }
  };
  return {
    update(watched) {
      current = watched;
      const { folders, files = [], ignored } = watched;
      const wanted = new Set([...folders.flatMap((folder) => foldersBelow(folder, ignored)), ...files.map(dirname)]);
      for (const folder of [...watchers.keys()]) if (!wanted.has(folder)) stop(folder);
      for (const folder of wanted) if (!watchers.has(folder)) observe(folder);
    },
    close() {
      for (const folder of [...watchers.keys()]) stop(folder);
      clearInterval(poll);
    },
  };
}

/** Too many watchers, or none on this platform. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(?:ENOSPC|EMFILE|ENOSYS|ERR_FEATURE_)/.test(String(error.code));

function foldersBelow(folder: string, ignored: readonly string[]): readonly string[] {
  if (ignored.includes(folder)) return [];
  const inner = entriesOf(folder).filter((entry) => entry.isDirectory() && !isSkipped(entry.name));
  return [folder, ...inner.flatMap(({ name }) => foldersBelow(join(folder, name), ignored))];
}

function stateOf({ folders, files: others = [], ignored }: WatchedFolders): string {
  const files = folders
    .flatMap((folder) => foldersBelow(folder, ignored))
    .flatMap((folder) =>
      entriesOf(folder).flatMap((entry) =>
        entry.isDirectory() || isSkipped(entry.name) ? [] : [join(folder, entry.name)],
      ),
    );
  const states = [...new Set([...files, ...others])].map((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return `${path} ${found?.mtimeMs} ${found?.size}`;
  });
  return states.join("\n");
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (describeErrno(error) === undefined) throw error;
    return [];
  }
}
