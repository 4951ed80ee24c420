import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { type Diagnostic, forEachDiagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { HoverText, Problem, Proposal } from "../protocol.ts";
import { h } from "./dom.ts";
import { renderInline, renderMarkdown } from "./markdown.ts";
import { theme } from "./theme.ts";

/** An editor, or a viewer of a file. */
export interface Editor {
  /** The element to place in the page. */
  readonly element: HTMLElement;
  text(): string;
  /** Replaces the content, which cannot be undone. */
  load(path: string, text: string): void;
  setProblems(problems: readonly Problem[]): void;
  /** Marks the lines of a range and scrolls to them. */
  mark(range: { readonly start: number; readonly end: number } | undefined): void;
  /** Moves the cursor and the focus. */
  select(offset: number): void;
  apply(problem: Problem): void;
  focus(): void;
}

/** The services of an editor. */
export interface EditorOptions {
  readonly label: string;
  readonly isReadOnly?: boolean;
  onChange?(text: string): void;
  complete?(offset: number): Promise<readonly Proposal[] | undefined>;
  hover?(offset: number): Promise<HoverText | null | undefined>;
}

const setMark = StateEffect.define<{ readonly start: number; readonly end: number } | undefined>();
const markedLine = Decoration.line({ class: "cm-step" });

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { effects, docChanged, state }) {
    let marked = docChanged ? Decoration.none : before;
    for (const effect of effects) if (effect.is(setMark)) marked = linesOf(effect.value, state);
    return marked;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function linesOf(range: { readonly start: number; readonly end: number } | undefined, { doc }: EditorState) {
  if (!range || range.start >= doc.length) return Decoration.none;
  const text = doc.sliceString(range.start, Math.min(range.end, doc.length)).trimEnd();
  const [first, last] = [doc.lineAt(range.start).number, doc.lineAt(range.start + text.length).number];
  const starts = Array.from({ length: last - first + 1 }, (_, i) => doc.line(first + i).from);
  return Decoration.set(starts.map((from) => markedLine.range(from)));
}

/**
 * Creates an editor. It has a shadow root of its own, whose style sheets are constructed: the page's policy forbids
 * style elements.
 */
export function createEditor(options: EditorOptions): Editor {
  const element = h("div", { class: "editor" });
  const root = element.attachShadow({ mode: "open", delegatesFocus: true });
  const holder = h("div", { class: "holder" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(":host{display:block;min-height:0}.holder{height:100%}");
  root.adoptedStyleSheets = [sheet];
  root.append(holder);
  const language = new Compartment();
  const extensions: Extension = [
    common(options.label),
    options.isReadOnly ? [EditorState.readOnly.of(true)] : editing(options),
    language.of([]),
  ];
  const view = new EditorView({ state: EditorState.create({ extensions }), parent: holder, root });
  let loads = 0;
  return {
    element,
    text: () => view.state.doc.toString(),
    load(path, text) {
      view.setState(EditorState.create({ doc: text, extensions }));
      loads += 1;
      const load = loads;
      void languageOf(path).then((found) => {
        if (load === loads) view.dispatch({ effects: language.reconfigure(found) });
      });
    },
    setProblems(problems) {
      const length = view.state.doc.length;
      const shown = problems.map((problem) => diagnosticOf(problem, length));
      view.dispatch(setDiagnostics(view.state, shown));
    },
    mark(range) {
      const scroll = range
        ? [EditorView.scrollIntoView(Math.min(range.start, view.state.doc.length), { y: "center" })]
        : [];
      view.dispatch({ effects: [setMark.of(range), ...scroll] });
    },
    select(offset) {
      const anchor = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    apply: (problem) => applyFix(view, problem),
    focus: () => view.focus(),
  };
}

const common = (label: string): Extension => [
  EditorView.contentAttributes.of({ "aria-label": label }),
  lineNumbers(),
  drawSelection(),
  highlightSelectionMatches(),
  search({ top: true }),
  indentUnit.of("  "),
  keymap.of([...defaultKeymap, ...searchKeymap]),
  marks,
  theme,
];

const editing = ({ onChange, complete, hover }: EditorOptions): Extension => [
  history(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  keymap.of([...closeBracketsKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
  EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) onChange?.(state.doc.toString());
  }),
  complete ? autocompletion({ override: [(context) => completions(context, complete)], icons: false }) : [],
  hover
    ? hoverTooltip(async ({ state }, offset) => {
        // Errors have a tooltip of their own.
        if (hasErrorAt(state, offset)) return null;
        const found = await hover(offset);
        if (!found) return null;
        const dom = () => ({ dom: h("div", { class: "cm-hover" }, renderMarkdown(found.markdown)) });
        return { pos: found.start, end: found.end, create: dom };
      })
    : [],
];

function hasErrorAt(state: EditorState, offset: number): boolean {
  let isFound = false;
  forEachDiagnostic(state, ({ severity }, from, to) => {
    isFound ||= severity === "error" && from <= offset && offset <= to;
  });
  return isFound;
}

async function languageOf(path: string): Promise<Extension> {
  if (/\.ya?ml$/.test(path)) return yaml();
  if (/\.json$/.test(path)) return json();
  if (!/\.[mc]?[jt]s$/.test(path)) return [];
  const { javascript } = await import("@codemirror/lang-javascript");
  return javascript({ typescript: true });
}

function diagnosticOf(problem: Problem, length: number): Diagnostic {
  const { code, severity, message, hint, start, end, fix } = problem;
  const from = Math.min(start, length);
  return {
    from,
    to: Math.min(Math.max(end, from), length),
    severity,
    message: `${code}: ${message}${hint === undefined ? "" : `\n${hint}`}`,
    renderMessage: () =>
      h(
        "span",
        {},
        ...renderInline(message),
        ...(hint === undefined ? [] : ["\n", ...renderInline(hint)]),
        ` (${code})`,
      ),
    ...(fix ? { actions: [{ name: "Fix", apply: (view: EditorView) => applyFix(view, problem) }] } : {}),
  };
}

function applyFix(view: EditorView, { fix = [] }: Problem): void {
  const changes = fix.map(({ start, end, text }) => ({ from: start, to: end, insert: text }));
  if (changes.every(({ to }) => to <= view.state.doc.length)) view.dispatch({ changes });
}

async function completions(
  context: CompletionContext,
  complete: NonNullable<EditorOptions["complete"]>,
): Promise<CompletionResult | null> {
  if (!context.explicit && !context.matchBefore(/[\w$.-]$/)) return null;
  const proposals = await complete(context.pos);
  const [first] = proposals ?? [];
  if (!first || !proposals || context.aborted) return null;
  return {
    from: first.edit.start,
    to: first.edit.end,
    validFor: /^[\w$-]*$/,
    options: proposals.map(({ label, kind, detail, documentation, isRequired, edit }) => ({
      label,
      detail: detail ?? (isRequired ? "required" : ""),
      type: kind,
      boost: isRequired ? 1 : 0,
      apply: edit.text,
      ...(documentation === undefined ? {} : { info: () => renderMarkdown(documentation) }),
    })),
  };
}
