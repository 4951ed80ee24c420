/** A part of a page about a kind of diagnostic. Code ends without a line break; its `info` is what stands behind the fence. */
export type PageBlock =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly info: string; readonly text: string };

/** The blocks of a page, the first of which is its title. Of Markdown it knows headings, fenced code and paragraphs. */
export function blocksOf(page: string): readonly PageBlock[] {
  return [...page.matchAll(block)].map(({ groups }) => {
    const { heading, info, code, paragraph } = groups!;
    if (heading !== undefined) return { kind: "heading", text: heading };
    return code === undefined
      ? { kind: "paragraph", text: paragraph!.trimEnd() }
      : { kind: "code", info: info!, text: code.trimEnd() };
  });
}

const block = /^#+ (?<heading>.*)$|^```(?<info>.*)\n(?<code>(?:.*\n)*?)```$|^(?<paragraph>(?:(?!#+ |```).+\n?)+)/gm;

/** What stands below the title of a page as plain text: code is indented. */
export function plainText(page: string): string {
  const [, ...blocks] = blocksOf(page);
  return blocks.map((each) => `${plainBlock(each)}\n`).join("\n");
}

function plainBlock(block: PageBlock): string {
  switch (block.kind) {
    case "heading":
      return `${block.text}:`;
    case "paragraph":
      return block.text;
    case "code":
      return block.text.replace(/^(?=.)/gm, "    ");
  }
}
