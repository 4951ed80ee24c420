import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the project. */
export const root = join(import.meta.dirname, "..");

/** All documentation except the pages of diagnostics, which have their own test. */
export const pages: readonly string[] = [
  "README.md",
  "schema/README.md",
  ...["src", "targets"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md") && !/WB\d{4}\.md$/.test(path))
      .map((path) => join(folder, path)),
  ),
].sort();

/** A block of a page. A comment above it makes it a file or the output of a command. */
export interface Block {
  readonly whole: string;
  /** The name of a file, or a command that starts with `$ `. */
  readonly title: string | undefined;
  readonly language: string;
  readonly content: string;
}

/** The blocks of a page in order. */
export function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/(?:<!-- (.+?) -->\n)?```(\w*)\n(.*?)```/gs)].map(([whole, title, language, content]) => ({
    whole,
    title,
    language: language!,
    content: content!,
  }));
}

/** The files on a page by name. */
export function filesOf(path: string): ReadonlyMap<string, string> {
  const named = blocksOf(readFileSync(join(root, path), "utf8")).filter(
    ({ title }) => title?.startsWith("$ ") === false,
  );
  return new Map(named.map(({ title, content }) => [title!, content]));
}

/** Splits a command into words; single quotes group. */
export const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
