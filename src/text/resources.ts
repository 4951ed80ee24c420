import type { Source } from "./source.ts";

/** A file that a definition refers to, or the reason why it cannot be read, worded as the end of a sentence. */
export type Resource = Source | { readonly path: string; readonly reason: string };

/**
 * Looks up a file that a definition refers to, by a path (in the form of the definition's own path, with `/`) or by a URI. Returns the same object for the
 * same path; undefined if nothing is known of it.
 */
export type ResourceReader = (path: string) => Resource | undefined;

/** A reader over files that are already in memory. */
export function readerOf(resources: readonly Source[]): ResourceReader {
  const byPath = new Map(
    resources.map((source) => [source.path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""), source]),
  );
  return (path) => byPath.get(path);
}
