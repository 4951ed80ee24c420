import type { Source } from "./source.ts";

/**
 * Resolves a URI against its file. Relative references and `file:` URIs become paths, `file://a/b` the relative path
 * `a/b`; `fragment` is the part after `#`.
 */
export function resolveUri(uri: string, { path: from }: Source): { readonly path: string; readonly fragment: string } {
  const at = uri.indexOf("#");
  const [base, fragment] = at < 0 ? [uri, ""] : [uri.slice(0, at), uri.slice(at + 1)];
  const file = /^file:(?:\/\/(?:localhost(?=\/))?)?(.*)$/is.exec(base)?.[1];
  if (file === undefined && /^[a-z][a-z\d+.-]+:/i.test(base)) return { path: base, fragment };
  const relative = decodeUri(file ?? base).replaceAll("\\", "/");
  const folder = from === "<stdin>" || relative.startsWith("/") ? "" : from.replaceAll("\\", "/").replace(/[^/]*$/, "");
  return { path: normalizePath(folder + relative), fragment };
}

/** Malformed strings are unchanged. */
function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Removes `.` and inner `..` segments from a path with `/`. */
export function normalizePath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step === ".." && steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else steps.push(step);
  }
  return (path.startsWith("/") ? "/" : "") + steps.join("/");
}

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
