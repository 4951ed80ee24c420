import { type DocumentSymbol, type FoldingRange, SymbolKind } from "vscode-languageserver";
import type { AnalyzedDocument, AnalyzedSource } from "./definition.ts";
import type { NameKind, NameSite } from "./names.ts";
import { rangeBetween, rangeOf } from "./positions.ts";
import { constructAt, type TreeNode } from "./tree.ts";

const kinds: { readonly [kind in NameKind]: SymbolKind } = {
  state: SymbolKind.Method,
  function: SymbolKind.Function,
  event: SymbolKind.Event,
  workflow: SymbolKind.Class,
  error: SymbolKind.Constant,
  retry: SymbolKind.Constant,
  timeout: SymbolKind.Constant,
  authentication: SymbolKind.Key,
};

/** The states, functions and events of each workflow of a source. */
export function symbolsOf({ parts }: AnalyzedSource): DocumentSymbol[] {
  return parts.flatMap((part) => {
    const { workflow, document } = part;
    if (!workflow) return [];
    const range = rangeBetween(document.source, document.span.start, contentEnd(document.span, document.source.text));
    return [
      {
        name: workflow.id || "(workflow)",
        detail: workflow.language,
        kind: kinds.workflow,
        range,
        selectionRange: { start: range.start, end: range.start },
        children: nest(part),
      },
    ];
  });
}

interface Entry {
  readonly start: number;
  readonly end: number;
  readonly symbol: DocumentSymbol & { readonly children: DocumentSymbol[] };
}

/** Nested states are children of the states around them. */
function nest(part: AnalyzedDocument): DocumentSymbol[] {
  const entries = part.names
    .filter(({ isDefinition }) => isDefinition)
    .map((site) => entryOf(site, part))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const roots: DocumentSymbol[] = [];
  const open: Entry[] = [];
  for (const entry of entries) {
    while (open.length > 0 && open.at(-1)!.end < entry.end) open.pop();
    (open.at(-1)?.symbol.children ?? roots).push(entry.symbol);
    open.push(entry);
  }
  return roots;
}

function entryOf(site: NameSite, { document, index }: AnalyzedDocument): Entry {
  const { source } = document;
  const node = constructAt(site.span.start, index);
  const whole = node?.parent ? node : undefined;
  const start = Math.min(whole?.start ?? site.span.start, site.span.start);
  const end = Math.max(whole ? contentEnd(whole, source.text) : 0, site.span.end);
  const symbol = {
    name: site.name || "(unnamed)",
    kind: kinds[site.kind],
    detail: site.noun ?? site.kind,
    range: rangeBetween(source, start, end),
    selectionRange: rangeOf(site.span),
    children: [],
  };
  return { start, end, symbol };
}

/** The objects, arrays and strings that take several lines. */
export function foldingRanges({ parts }: AnalyzedSource): FoldingRange[] {
  const byStart = new Map<number, number>();
  for (const { document, nodes } of parts) {
    for (const node of nodes) {
      const { start, end } = rangeBetween(document.source, node.start, contentEnd(node, document.source.text));
      const last = isBracketed(node, document.source.text) ? end.line - 1 : end.line;
      if (last > start.line) byStart.set(start.line, Math.max(last, byStart.get(start.line) ?? 0));
    }
  }
  return [...byStart].map(([startLine, endLine]) => ({ startLine, endLine }));
}

/** The line of a closing bracket stays visible. */
const isBracketed = ({ valueStart }: TreeNode, text: string): boolean => /[[{]/.test(text[valueStart] ?? "");

/** The end of a node without the white space after it. */
function contentEnd({ start, end }: { readonly start: number; readonly end: number }, text: string): number {
  let last = end;
  while (last > start && /\s/.test(text[last - 1]!)) last -= 1;
  return last;
}
