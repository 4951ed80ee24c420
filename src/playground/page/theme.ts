import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-literal)" },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword], color: "var(--code-keyword)" },
  { tag: [tags.typeName, tags.className, tags.namespace], color: "var(--code-type)" },
  { tag: [tags.comment, tags.meta], color: "var(--code-comment)" },
  { tag: tags.invalid, color: "var(--failed)" },
]);

const rules = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--ink)", fontSize: "12.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 16px 0 5px" },
  ".cm-gutters": { border: "0", backgroundColor: "var(--panel)", color: "var(--faint)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 14px", minWidth: "40px" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--hover)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "1.5px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--line-strong)",
  },
  ".cm-step": { backgroundColor: "var(--step)", boxShadow: "inset 3px 0 0 var(--accent)" },
  ".cm-tooltip": {
    maxWidth: "520px",
    border: "1px solid var(--line-strong)",
    borderRadius: "8px",
    backgroundColor: "var(--panel)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
    fontFamily: "var(--sans)",
    fontSize: "13px",
    lineHeight: "1.5",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete": { overflow: "visible" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12.5px", borderRadius: "8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--accent-ink)",
  },
  ".cm-completionLabel": { color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { marginLeft: "12px", fontStyle: "normal", opacity: ".7" },
  ".cm-completionInfo": { padding: "8px 12px" },
  ".cm-hover": { maxHeight: "300px", padding: "8px 12px", overflow: "auto" },
  ".markdown p, .markdown ul, .markdown h4, .markdown pre": { margin: "0 0 6px" },
  ".markdown > :last-child": { marginBottom: "0" },
  ".markdown ul": { padding: "0 0 0 18px" },
  ".markdown h4": { fontSize: "13px" },
  ".markdown code, .markdown pre": { fontFamily: "var(--mono)", fontSize: "12px" },
  ".markdown pre": { padding: "6px 8px", borderRadius: "5px", backgroundColor: "var(--raised)", overflow: "auto" },
  ".cm-diagnostic": { padding: "6px 12px 7px", borderLeftWidth: "3px", whiteSpace: "pre-line" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--failed)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--waiting)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--accent)" },
  ".cm-diagnosticAction": {
    margin: "6px 0 0",
    padding: "2px 10px",
    border: "1px solid var(--line-strong)",
    borderRadius: "5px",
    backgroundColor: "var(--panel)",
    color: "var(--ink)",
    font: "inherit",
    fontWeight: "550",
    cursor: "pointer",
    display: "block",
  },
  ".cm-lintRange-error": underline("var(--failed)"),
  ".cm-lintRange-warning": underline("var(--waiting)"),
  ".cm-lintRange-info": underline("var(--accent)"),
  ".cm-lintPoint:after": { borderBottomColor: "var(--failed)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 12px", fontFamily: "var(--sans)", fontSize: "13px" },
  ".cm-textfield": { border: "1px solid var(--line-strong)", borderRadius: "5px", backgroundColor: "var(--panel)" },
  ".cm-button": {
    border: "1px solid var(--line-strong)",
    borderRadius: "5px",
    backgroundColor: "var(--panel)",
    backgroundImage: "none",
  },
  ".cm-searchMatch": { backgroundColor: "var(--match)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--selection)" },
});

/** A wavy line that is a decoration: images would need an exception in the page's policy. */
function underline(color: string) {
  return {
    backgroundImage: "none",
    paddingBottom: "0",
    textDecoration: `underline wavy ${color} 1.2px`,
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  };
}

/** The look of all editors. Its colors are variables of the page's style sheet. */
export const theme: Extension = [rules, syntaxHighlighting(highlight)];
