import type { Severity } from "../../text/diagnostics.ts";

/**
 * A kind of diagnostic with its page. To add a kind, export a constructor made by `defineError`, `defineWarning` or
 * `defineInfo` from a module in the `diagnostics` folder of its owner, and write `<code>.md` next to it. `npm run generate`
 * collects both, `npm run golden` updates the output on the page, and a test compiles the page's examples.
 */
export interface CatalogEntry {
  readonly code: string;
  readonly severity: Severity;
  /** The title of the page, as a sentence. */
  readonly summary: string;
  /** The page in Markdown, as `waybill explain` prints it. */
  readonly page: string;
  /** The path of the page in Waybill's repository. */
  readonly path: string;
}

/** Loads the kinds of diagnostics by code, in order. They are large, so they are loaded only on demand. */
export async function loadCatalog(): Promise<ReadonlyMap<string, CatalogEntry>> {
  const { entries } = await import("../../generated/diagnostics.js");
  return new Map(entries.map((entry) => [entry.code, entry]));
}

/** A part of a page. Code has no trailing line break; `info` is the fence's info string. */
export type PageBlock =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly info: string; readonly text: string };

/** Parses a page, which consists of headings, fenced code and paragraphs. The first block is the title. */
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

/** Renders a page without its title as plain text, with indented code. */
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
