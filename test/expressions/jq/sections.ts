import { readdirSync, readFileSync } from "node:fs";

/** A section of a file of drawings. */
export interface Section {
  readonly title: string;
  readonly drawings: readonly Drawing[];
}

/** A one-line program and its drawing. */
export interface Drawing {
  readonly text: string;
  readonly whole: string;
}

/**
 * The sections of the files in a folder next to this one. They start with `==` and a title; empty lines separate the
 * drawings.
 */
export function readSections(folder: string): readonly (readonly [string, Section])[] {
  const url = new URL(`${folder}/`, import.meta.url);
  return readdirSync(url).flatMap((file) =>
    sectionsOf(readFileSync(new URL(file, url), "utf8")).map((section) => [section.title, section] as const),
  );
}

const sectionsOf = (text: string): readonly Section[] => text.split(/^== /m).slice(1).map(sectionOf);

function sectionOf(text: string): Section {
  const [title = "", ...drawings] = text.trimEnd().split("\n\n");
  return { title, drawings: drawings.map((whole) => ({ text: whole.split("\n", 1)[0] ?? "", whole })) };
}
