import { type CompletionItem, CompletionItemKind, MarkupKind, type TextEdit } from "vscode-languageserver";
import { isObject, type Json } from "../json.ts";
import type { Language } from "../language.ts";
import { isPlainScalar } from "../text/fix.ts";
import type { Source } from "../text/source.ts";
import { type Cursor, cursorAt } from "./cursor.ts";
import {
  type AnalysisContext,
  type AnalyzedDocument,
  type AnalyzedSource,
  analyzeSource,
  partAt,
  readForEditor,
} from "./definition.ts";
import type { NameKind } from "./names.ts";
import { rangeBetween } from "./positions.ts";
import { type DataPath, descriptionOf, propertiesAt, valuesAt } from "./schema.ts";

/** What a completion needs besides the source. */
export interface CompletionRequest {
  readonly source: Source;
  readonly offset: number;
  readonly languages: readonly Language[];
  readonly context: AnalysisContext;
  /** The last analysis, for its names. */
  readonly analyzed: AnalyzedSource;
  /** The ids of the workflows of the program. */
  readonly workflowIds: readonly string[];
}

/** A name that no definition has. */
const placeholder = "waybill0completion0here";

/**
 * Completes keys, values and names. The source is read with a placeholder at the cursor, so that the place of the cursor
 * in the data, and what the compiler would look for there, are known even if the line is unfinished.
 */
export function completionsAt(request: CompletionRequest): CompletionItem[] {
  const cursor = cursorAt(request.source, request.offset);
  for (const { text, isKey } of variantsOf(request.source, cursor)) {
    const found = analyzeWith(text, isKey, request);
    if (!found) continue;
    const { part, path } = found;
    const items = isKey ? keysAt(part, path, cursor, request) : valuesOrNames(part, path, cursor, request);
    if (items.length > 0) return items;
  }
  return [];
}

interface Variant {
  readonly text: string;
  readonly isKey: boolean;
}

/** The sources to try: the cursor is at a value, at a key, or at an item. */
function variantsOf({ text }: Source, { start, end, quote, isValue }: Cursor): readonly Variant[] {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const isClosed = quote === "" || after.startsWith(quote);
  const close = isClosed ? "" : quote;
  const value = { text: `${before}${placeholder}${close}${after}`, isKey: false };
  if (isValue) return [value];
  const rest = isClosed && quote !== "" ? after.slice(1) : after;
  const hasColon = /^[ \t]*:/.test(rest);
  const isFlow = quote === '"' || /^\s*[{"]/.test(text);
  const comma = isFlow && /^\s*"/.test(rest) ? "," : "";
  const key = hasColon
    ? { text: `${before}${placeholder}${close}${after}`, isKey: true }
    : { text: `${before}${placeholder}${quote}: null${comma}${rest}`, isKey: true };
  const bare = isFlow && quote === "" ? { ...key, text: `${before}"${placeholder}": null${comma}${rest}` } : key;
  return [bare, value];
}

interface PlacedPlaceholder {
  readonly part: AnalyzedDocument;
  /** The path of the object around a key, or of a value. */
  readonly path: DataPath;
}

/** Only values can be names, which are found by lowering. */
function analyzeWith(
  text: string,
  isKey: boolean,
  { source, languages, context, analyzed }: CompletionRequest,
): PlacedPlaceholder | undefined {
  const changed: Source = { path: source.path, text };
  const configuration = context.configurationOf?.(source);
  const own = { ...context, configurationOf: () => configuration };
  const { parts } = analyzeSource(changed, readForEditor(changed), languages, isKey ? undefined : own);
  for (const part of parts) {
    const value = part.canonical?.value ?? part.document.value;
    const path = findPlaceholder(value);
    if (path) return { part: part.language ? part : withLanguage(part, analyzed), path };
  }
  return undefined;
}

/** While a key is typed, the language may not be recognizable: it is the one from before. */
function withLanguage(part: AnalyzedDocument, analyzed: AnalyzedSource): AnalyzedDocument {
  const language = partAt(analyzed, part.document.span.start)?.language;
  const ignore = (): void => undefined;
  return language ? { ...part, language, canonical: language.canonicalize(part.document, ignore) } : part;
}

function findPlaceholder(root: Json): DataPath | undefined {
  const seen = new Set<Json>();
  const waiting: { readonly value: Json; readonly path: DataPath }[] = [{ value: root, path: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === "string" && value.includes(placeholder)) return path;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isObject(value) && Object.hasOwn(value, placeholder)) return path;
    const isArray = Array.isArray(value);
    for (const [key, member] of Object.entries(value) as readonly (readonly [string, Json])[])
      waiting.push({ value: member, path: [...path, isArray ? Number(key) : key] });
  }
  return undefined;
}

function keysAt(part: AnalyzedDocument, path: DataPath, cursor: Cursor, request: CompletionRequest): CompletionItem[] {
  const { language, canonical } = part;
  if (!language?.schema || !canonical) return [];
  const owner = valueAt(canonical.value, path);
  const present = new Set(isObject(owner) ? Object.keys(owner) : []);
  const rest = request.source.text.slice(cursor.end).replace(/^["']/, "");
  const isJson = cursor.quote === '"' || /^\s*\{/.test(request.source.text);
  const suffix = /^[ \t]*:/.test(rest) || cursor.quote !== "" ? "" : ": ";
  return propertiesAt(language.schema(), canonical.value, path)
    .filter(({ name, schemas }) => !present.has(name) && schemas.length > 0)
    .map((outline) => {
      const quoted = isJson && cursor.quote === "" ? JSON.stringify(outline.name) : outline.name;
      const documentation = descriptionOf(outline);
      return {
        label: outline.name,
        kind: CompletionItemKind.Property,
        detail: outline.isRequired ? "required" : "optional",
        sortText: `${outline.isRequired ? 0 : 1}${outline.name}`,
        ...(documentation === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
        textEdit: editOf(`${quoted}${suffix}`, cursor, request),
      };
    });
}

const completionKinds: { readonly [kind in NameKind]: CompletionItemKind } = {
  state: CompletionItemKind.Method,
  function: CompletionItemKind.Function,
  event: CompletionItemKind.Event,
  workflow: CompletionItemKind.Class,
};

function valuesOrNames(
  part: AnalyzedDocument,
  path: DataPath,
  cursor: Cursor,
  request: CompletionRequest,
): CompletionItem[] {
  const { language, canonical } = part;
  const found = part.names.filter((site) => site.name === placeholder).map(({ kind }) => kind);
  const kinds = new Set<NameKind>(found.length === 0 && isStateAt(cursor, request) ? ["state"] : found);
  const names = [...kinds].flatMap((kind) => namesOf(kind, part, request).map((name) => ({ name, kind })));
  if (names.length > 0)
    return names.map(({ name, kind }) => ({
      label: name,
      kind: completionKinds[kind],
      detail: kind,
      textEdit: editOf(written(name, cursor), cursor, request),
    }));
  const values = language?.schema && canonical ? valuesAt(language.schema(), canonical.value, path) : [];
  return values.map((value) => ({
    label: String(value),
    kind: CompletionItemKind.EnumMember,
    textEdit: editOf(typeof value === "string" ? written(value, cursor) : String(value), cursor, request),
  }));
}

/**
 * Whether the name of a state is expected at the cursor. Languages do not lower a transition to an unknown state, so the
 * source is read with the name of the state around the cursor.
 */
function isStateAt(cursor: Cursor, { source, analyzed, languages, context }: CompletionRequest): boolean {
  const states = (partAt(analyzed, cursor.start)?.names ?? []).filter((site) => site.kind === "state");
  const around = states.findLast((site) => site.isDefinition && site.span.start < cursor.start);
  if (!around) return false;
  const { text, path } = source;
  const close = cursor.quote !== "" && !text.startsWith(cursor.quote, cursor.end) ? cursor.quote : "";
  const changed = {
    path,
    text: `${text.slice(0, cursor.start)}${written(around.name, cursor)}${close}${text.slice(cursor.end)}`,
  };
  const configuration = context.configurationOf?.(source);
  const own = { ...context, configurationOf: () => configuration };
  const { parts } = analyzeSource(changed, readForEditor(changed), languages, own);
  const start = cursor.start - cursor.quote.length;
  return parts.some(({ names }) =>
    names.some(({ kind, isDefinition, span }) => kind === "state" && !isDefinition && span.start === start),
  );
}

/** Definitions without errors at the cursor come from the last analysis. */
function namesOf(kind: NameKind, part: AnalyzedDocument, { analyzed, workflowIds }: CompletionRequest) {
  if (kind === "workflow") return workflowIds;
  const previous = partAt(analyzed, part.document.span.start)?.names ?? [];
  const names = [...part.names, ...previous]
    .filter((site) => site.kind === kind && site.isDefinition && site.name !== placeholder)
    .map(({ name }) => name);
  return [...new Set(names)];
}

function written(name: string, { quote }: Cursor): string {
  if (quote === '"') return JSON.stringify(name).slice(1, -1);
  if (quote === "'") return name.replaceAll("'", "''");
  return isPlainScalar(name) ? name : JSON.stringify(name);
}

function editOf(newText: string, { start, end }: Cursor, { source }: CompletionRequest): TextEdit {
  return { range: rangeBetween(source, start, end), newText };
}

function valueAt(root: Json, path: DataPath): Json | undefined {
  let value: Json | undefined = root;
  for (const key of path) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(key)];
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
