import { type CompletionItem, CompletionItemKind, type Hover as EditorHover, MarkupKind } from "vscode-languageserver";
import type { Source } from "../text/source.ts";
import type { Completion } from "./completion.ts";
import type { Hover } from "./hover.ts";
import { rangeBetween } from "./positions.ts";

const kinds: { readonly [kind in Completion["kind"]]: CompletionItemKind } = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  member: CompletionItemKind.Field,
  state: CompletionItemKind.Method,
  function: CompletionItemKind.Function,
  event: CompletionItemKind.Event,
  workflow: CompletionItemKind.Class,
  error: CompletionItemKind.Constant,
  retry: CompletionItemKind.Constant,
  timeout: CompletionItemKind.Constant,
  authentication: CompletionItemKind.Constant,
};

/** Converts a proposal. Required keys come first. */
export function convertCompletion(
  { label, kind, detail, documentation, isRequired, newText, start, end }: Completion,
  source: Source,
): CompletionItem {
  return {
    label,
    kind: kinds[kind],
    ...(detail === undefined ? {} : { detail }),
    ...(isRequired === undefined
      ? {}
      : { detail: isRequired ? "required" : "optional", sortText: `${isRequired ? 0 : 1}${label}` }),
    ...(documentation === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
    textEdit: { range: rangeBetween(source, start, end), newText },
  };
}

/** Converts a description. */
export const convertHover = ({ markdown, span }: Hover, source: Source): EditorHover => ({
  contents: { kind: MarkupKind.Markdown, value: markdown },
  range: rangeBetween(source, span.start, span.end),
});
