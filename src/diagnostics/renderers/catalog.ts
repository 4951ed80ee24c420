import type { Severity } from "../../text/diagnostics.ts";

/**
 * A kind of diagnostic and its page. To add a kind, export a constructor made by `defineError`, `defineWarning` or
 * `defineInfo` from a module in its owner's `diagnostics` folder, and write `<code>.md` next to it. `npm run generate`
 * collects both, `npm run golden` updates the page's output, and a test compiles its examples.
 */
export interface CatalogEntry {
  readonly code: string;
  readonly severity: Severity;
  readonly summary: string;
  /** In Markdown, as `waybill explain` prints it. */
  readonly page: string;
  readonly path: string;
}

/** Loads the kinds by code, on demand because they are large. */
export async function loadCatalog(): Promise<ReadonlyMap<string, CatalogEntry>> {
  const { entries } = await import("../../generated/diagnostics.js");
  return new Map(entries().map((entry) => [entry.code, entry]));
}

/** A part of a page. Code has no trailing line break; `info` is the fence's info string. */
export type PageBlock =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly info: string; readonly text: string };

/** Parses a page; the first block is the title. */
export function parsePage(page: string): readonly PageBlock[] {
  return [...page.matchAll(block)].map(({ groups }) => {
    const { heading, info, code, paragraph } = groups!;
    if (heading !== undefined) return { kind: "heading", text: heading };
    return code === undefined
      ? { kind: "paragraph", text: paragraph!.trimEnd() }
      : { kind: "code", info: info!, text: code.trimEnd() };
  });
}

const block = /^#+ (?<heading>.*)$|^```(?<info>.*)\n(?<code>(?:.*\n)*?)```$|^(?<paragraph>(?:(?!#+ |```).+\n?)+)/gm;

/** Renders a page without its title as plain text. */
export function renderPage(page: string): string {
  const [, ...blocks] = parsePage(page);
  return blocks.map((each) => `${renderBlock(each)}\n`).join("\n");
}

function renderBlock(block: PageBlock): string {
  switch (block.kind) {
    case "heading":
      return `${block.text}:`;
    case "paragraph":
      return block.text;
    case "code":
      return block.text.replace(/^(?=.)/gm, "    ");
  }
}
