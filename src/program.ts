import type { Workflow } from "./ir/workflow.ts";
import type { Source } from "./text/source.ts";

/** All workflows that are compiled together: subflows find each other here. */
export interface Program {
  /** In the order of the sources, and in each of the documents. */
  readonly workflows: readonly Workflow[];
  readonly byId: ReadonlyMap<string, Workflow>;
  /** Texts that could not be understood: a name that stands in one of them may be theirs. Absent: there is none. */
  readonly unread?: readonly string[] | undefined;
}

/**
 * Gives a text that a definition refers to by a path (in the form of the definition's own path, with `/`) or by a URI. The same one whenever it is asked
 * again; undefined where nothing is known of it.
 */
export type ResourceReader = (path: string) => Resource | undefined;

/** A text, or why it cannot be read, as the end of a sentence. */
export type Resource = Source | { readonly path: string; readonly reason: string };

/** Gives texts that are there already. */
export function readerOf(resources: readonly Source[]): ResourceReader {
  const byPath = new Map(
    resources.map((source) => [source.path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""), source]),
  );
  return (path) => byPath.get(path);
}

/** Where a URI in a text leads: the path of a file, in the form of the text's own path, or another URI; and what of it is meant, which stands behind `#`. */
export function resolveUri(uri: string, { path: from }: Source): { readonly path: string; readonly fragment: string } {
  const at = uri.indexOf("#");
  const [base, fragment] = at < 0 ? [uri, ""] : [uri.slice(0, at), uri.slice(at + 1)];
  const file = /^file:(?:\/\/(?:localhost)?(?=\/))?(.*)$/is.exec(base)?.[1];
  if (file === undefined && /^[a-z][a-z\d+.-]+:/i.test(base)) return { path: base, fragment };
  const relative = decodeUri(file ?? base).replaceAll("\\", "/");
  const folder = from === "<stdin>" || relative.startsWith("/") ? "" : from.replaceAll("\\", "/").replace(/[^/]*$/, "");
  return { path: normalizePath(folder + relative), fragment };
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A path without `.`, and without `..` but at its beginning. */
function normalizePath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step === ".." && steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else steps.push(step);
  }
  return (path.startsWith("/") ? "/" : "") + steps.join("/");
}

/**
 * The choices that the languages leave to the user (`--option timeout=fail`, or `options` in the configuration): those of a language under its name; one
 * that stands by itself is for each language that has such an option.
 */
export interface Options {
  readonly [name: string]: OptionValue | LanguageOptions;
}

/** The choices of one language. */
export interface LanguageOptions {
  readonly [name: string]: OptionValue;
}

/** What is chosen. */
export type OptionValue = string | number | boolean;

/** One such choice, as a language declares it. */
export interface OptionDefinition {
  readonly name: string;
  /** The values that may be given; absent: what `text` says, or any text. */
  readonly values?: readonly string[] | undefined;
  readonly text?: TextOption | undefined;
  readonly fallback?: string | undefined;
  readonly summary: string;
}

/** Which texts may be chosen. */
export interface TextOption {
  /** In one word, such as `instant`. */
  readonly noun: string;
  /** For people, at the end of a sentence: "an instant, such as `2026-01-01T00:00:00Z`". */
  readonly wanted: string;
  readonly accepts: (text: string) => boolean;
}

/** Puts workflows together to a program; of equal ids the first is found. */
export function programOf(workflows: readonly Workflow[]): Program {
  const byId = new Map<string, Workflow>();
  for (const workflow of workflows) if (!byId.has(workflow.id)) byId.set(workflow.id, workflow);
  return { workflows, byId };
}
