import type { Source } from "./source.ts";

/** A referenced file, or why it cannot be read, as the end of a sentence. */
export type Resource = Source | { readonly path: string; readonly reason: string };

/** Looks up a referenced file by a URI or path. Returns the same object for the same path. */
export type ResourceReader = (path: string) => Resource | undefined;

/** A reader of files in memory. */
export function readerOf(resources: readonly Source[]): ResourceReader {
  const byPath = new Map(
    resources.map((source) => [source.path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""), source]),
  );
  return (path) => byPath.get(path);
}
