import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The project's folder. */
export const root = join(import.meta.dirname, "..");

/** All documentation except the pages of diagnostics, which have a test of their own. */
export const pages: readonly string[] = [
  "README.md",
  "schema/README.md",
  ...["src", "targets"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md") && !/WB\d{4}\.md$/.test(path))
      .map((path) => join(folder, path)),
  ),
].sort();

/** A block of a page: a file, or a command with what it prints, where a comment above says so; else what stands in it. */
export interface Block {
  readonly whole: string;
  /** The name of a file, or a command that begins with `$ `. */
  readonly title: string | undefined;
  readonly language: string;
  readonly content: string;
}

/** The blocks of a page in their order. */
export function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/(?:<!-- (.+?) -->\n)?```(\w*)\n(.*?)```/gs)].map(([whole, title, language, content]) => ({
    whole,
    title,
    language: language!,
    content: content!,
  }));
}

/** The files that a page shows, by their names. */
export function filesOf(path: string): ReadonlyMap<string, string> {
  const named = blocksOf(readFileSync(join(root, path), "utf8")).filter(
    ({ title }) => title?.startsWith("$ ") === false,
  );
  return new Map(named.map(({ title, content }) => [title!, content]));
}

/** The words of a command; what stands in single quotes is one. */
export const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
