import { h } from "./dom.ts";

/**
 * Renders the Markdown of descriptions and of diagnostic pages as elements: headings, lists, code. Links
 * become their labels. Nothing of it is parsed as HTML.
 */
export function renderMarkdown(markdown: string): HTMLElement {
  const root = h("div", { class: "markdown" });
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const fence = /^(`{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      const end = lines.findIndex((each, i) => i > at && each.startsWith(fence));
      const last = end < 0 ? lines.length : end;
      root.append(h("pre", {}, lines.slice(at + 1, last).join("\n")));
      at = last + 1;
    } else if (/^#{1,6} /.test(line)) {
      root.append(h("h4", {}, ...renderInline(line.replace(/^#+ /, ""))));
      at += 1;
    } else if (/^\s*[-*] /.test(line)) {
      const list = h("ul");
      for (; at < lines.length && /^\s*[-*] /.test(lines[at]!); at += 1)
        list.append(h("li", {}, ...renderInline(lines[at]!.replace(/^\s*[-*] /, ""))));
      root.append(list);
    } else if (line.trim() === "" || /^-{3,}$/.test(line)) {
      at += 1;
    } else {
      const begin = at;
      while (at < lines.length && lines[at]!.trim() !== "" && !/^(?:`{3,}|#{1,6} |\s*[-*] |-{3,}$)/.test(lines[at]!))
        at += 1;
      root.append(h("p", {}, ...renderInline(lines.slice(begin, at).join(" "))));
    }
  }
  return root;
}

/** Renders code, emphasis and links of a line. */
export function renderInline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(/(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]*)\]\([^)]*\)/g)) {
    const [found, , code, bold, link] = match;
    parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(h("code", {}, code.trim()));
    else if (bold !== undefined) parts.push(h("strong", {}, ...renderInline(bold)));
    else parts.push(...renderInline(link ?? ""));
    end = match.index + found.length;
  }
  return [...parts, text.slice(end)];
}
