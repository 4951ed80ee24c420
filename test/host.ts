import type { Host } from "../src/index.ts";
import type { ReadText } from "../src/signatures/index.ts";
import type { Source } from "../src/text/source.ts";

/** A host with the given files. */
export function hostOf(...files: readonly Source[]): Host {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return { read: (path) => texts.get(path) };
}

/** Reads modules in memory by their paths from the root. */
export function readerOfModules(modules: readonly Source[]): ReadText {
  const texts = new Map(modules.map(({ path, text }) => [`/${path}`, text]));
  return (path) => texts.get(path);
}
