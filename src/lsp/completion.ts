import { isObject, type Json } from "../json.ts";
import { isPlainScalar } from "../text/fix.ts";
import type { Source } from "../text/source.ts";
import { type Cursor, cursorAt } from "./cursor.ts";
import { type AnalyzedDocument, type AnalyzedSource, analyzeSource, partAt, readForEditor } from "./definition.ts";
import { analysisWithNames, type CursorText, type ExpectationRequest, expectedKinds, unknownName } from "./expected.ts";
import { membersAt, pathBefore } from "./members.ts";
import type { NameKind } from "./names.ts";
import { placeOf } from "./places.ts";
import { type DataPath, descriptionOf, propertiesAt, valuesAt } from "./schema.ts";

/** A proposal, and the edit that inserts it. */
export interface Completion {
  readonly label: string;
  /** `member`: of the data, in an expression. */
  readonly kind: "key" | "value" | "member" | NameKind;
  /** A type, or the noun of a name. */
  readonly detail?: string | undefined;
  /** In Markdown. */
  readonly documentation?: string | undefined;
  readonly isRequired?: boolean | undefined;
  readonly newText: string;
  /** The offsets that it replaces. */
  readonly start: number;
  readonly end: number;
}

/** What a completion needs. */
export interface CompletionRequest extends ExpectationRequest {
  readonly offset: number;
  /** The ids of the workflows of the program. */
  readonly workflowIds: readonly string[];
}

/**
 * Completes keys, values and names. The source is read with a placeholder at the cursor, so that the place of the cursor
 * in the data, and what the compiler would look for there, are known even if the line is unfinished.
 */
export function completionsAt(request: CompletionRequest): readonly Completion[] {
  const members = dataMembers(request);
  if (members.length > 0) return members;
  const cursor = cursorAt(request.source, request.offset);
  for (const { text, isKey } of variantsOf(request.source, cursor)) {
    const found = placeIn(text, request);
    if (!found) continue;
    const { part, path } = found;
    const items = isKey ? keysAt(part, path, cursor, request) : valuesOrNames(part, path, cursor, request);
    if (items.length > 0) return items;
  }
  return [];
}

/** In an expression, the members of the data whose type is known. */
function dataMembers({ source, offset, analyzed, previous }: CompletionRequest): readonly Completion[] {
  const path = pathBefore(source.text, offset);
  if (!path) return [];
  return membersAt([analyzed, previous], offset, path).map(({ name, type }) => ({
    label: name,
    kind: "member",
    detail: type,
    newText: name,
    start: path.start,
    end: offset,
  }));
}

interface Variant {
  readonly text: string;
  readonly isKey: boolean;
}

/** The sources to try: the cursor is at a value, at a key, or at an item. */
export function variantsOf({ text }: Source, { start, end, quote, isValue }: Cursor): readonly Variant[] {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const isClosed = quote === "" || after.startsWith(quote);
  const close = isClosed ? "" : quote;
  const value = { text: `${before}${unknownName}${close}${after}`, isKey: false };
  if (isValue) return [value];
  const rest = isClosed && quote !== "" ? after.slice(1) : after;
  const hasColon = /^[ \t]*:/.test(rest);
  const isFlow = quote === '"' || /^\s*[{"]/.test(text);
  const comma = isFlow && /^\s*"/.test(rest) ? "," : "";
  const key = hasColon
    ? { text: `${before}${unknownName}${close}${after}`, isKey: true }
    : { text: `${before}${unknownName}${quote}: null${comma}${rest}`, isKey: true };
  const bare = isFlow && quote === "" ? { ...key, text: `${before}"${unknownName}": null${comma}${rest}` } : key;
  return [bare, value];
}

interface PlacedPlaceholder {
  readonly part: AnalyzedDocument;
  /** The path of the object around a key, or of a value. */
  readonly path: DataPath;
}

function placeIn(text: string, { source, languages, analyzed }: CompletionRequest): PlacedPlaceholder | undefined {
  const changed: Source = { path: source.path, text };
  const { parts } = analyzeSource(changed, readForEditor(changed), languages);
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

/** The path of the object with the placeholder as a key, or of the placeholder as a value. */
export function findPlaceholder(root: Json): DataPath | undefined {
  const seen = new Set<Json>();
  const waiting: { readonly value: Json; readonly path: DataPath }[] = [{ value: root, path: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === "string" && value.includes(unknownName)) return path;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isObject(value) && Object.hasOwn(value, unknownName)) return path;
    const isArray = Array.isArray(value);
    for (const [key, member] of Object.entries(value) as readonly (readonly [string, Json])[])
      waiting.push({ value: member, path: [...path, isArray ? Number(key) : key] });
  }
  return undefined;
}

function keysAt(
  { language, canonical }: AnalyzedDocument,
  path: DataPath,
  cursor: Cursor,
  { source }: CompletionRequest,
): readonly Completion[] {
  return language?.schema && canonical ? schemaKeys(language.schema(), canonical.value, path, cursor, source) : [];
}

/** The keys that a schema allows in the object at a path, without those that it has. */
export function schemaKeys(
  schema: Json,
  root: Json,
  path: DataPath,
  cursor: Cursor,
  source: Source,
): readonly Completion[] {
  const owner = valueAt(root, path);
  const present = new Set(isObject(owner) ? Object.keys(owner) : []);
  return propertiesAt(schema, root, path)
    .filter(({ name, schemas }) => !present.has(name) && schemas.length > 0)
    .map((outline) => ({
      label: outline.name,
      kind: "key",
      documentation: descriptionOf(outline),
      isRequired: outline.isRequired,
      newText: writtenKey(outline.name, cursor, source),
      start: cursor.start,
      end: cursor.end,
    }));
}

/** A key in the notation of the source around the cursor, with a colon unless it has one. */
export function writtenKey(name: string, { quote, end }: Cursor, { text }: Source): string {
  const rest = text.slice(end).replace(/^["']/, "");
  const isJson = /^\s*\{/.test(text);
  const suffix = /^[ \t]*:/.test(rest) || quote !== "" ? "" : ": ";
  const isPlain = quote !== "" || (!isJson && isPlainScalar(name));
  return `${isPlain ? name : JSON.stringify(name)}${suffix}`;
}

function valuesOrNames(
  part: AnalyzedDocument,
  path: DataPath,
  cursor: Cursor,
  request: CompletionRequest,
): readonly Completion[] {
  const { start, end } = cursor;
  const { language, canonical } = part;
  const values = language?.schema && canonical ? schemaValues(language.schema(), canonical.value, path, cursor) : [];
  const place = language?.names && placeOf(path, "value", language.names);
  if (values.length > 0 && !place) return values;
  const words = (place?.words ?? []).map(
    (word): Completion => ({ label: word, kind: "value", newText: written(word, cursor), start, end }),
  );
  const insert = (name: string) => insertAt(written(name, cursor), cursor, request.source);
  const analyzed = analysisWithNames(insert, request);
  const names = [...expectedKinds(path, cursor, insert, { ...request, analyzed })].flatMap((kind) =>
    namesOf(kind, cursor, { ...request, analyzed }).map(
      (name): Completion => ({ label: name, kind, detail: kind, newText: written(name, cursor), start, end }),
    ),
  );
  return [...values, ...words, ...names];
}

/** The values that a schema lists at a path. */
export function schemaValues(schema: Json, root: Json, path: DataPath, cursor: Cursor): readonly Completion[] {
  return valuesAt(schema, root, path).map((value) => ({
    label: String(value),
    kind: "value",
    newText: typeof value === "string" ? written(value, cursor) : String(value),
    start: cursor.start,
    end: cursor.end,
  }));
}

/** The source with a string in place of the token at the cursor. */
function insertAt(text: string, { start, end, quote }: Cursor, source: Source): CursorText {
  const close = quote !== "" && !source.text.startsWith(quote, end) ? quote : "";
  const changed = `${source.text.slice(0, start)}${text}${close}${source.text.slice(end)}`;
  return { source: { path: source.path, text: changed }, start: start - quote.length };
}

/** An invalid document may lack names, which the last valid one has. */
function namesOf(kind: NameKind, { start }: Cursor, request: CompletionRequest): readonly string[] {
  if (kind === "workflow") return request.workflowIds;
  const parts = [request.analyzed, request.previous].map((analyzed) => analyzed && partAt(analyzed, start));
  const names = parts[0]?.isWhole ? parts[0].names : parts.flatMap((part) => part?.names ?? []);
  return [...new Set(names.filter((site) => site.kind === kind && site.isDefinition).map(({ name }) => name))];
}

/** A string in the notation at the cursor. */
export function written(name: string, { quote }: Cursor): string {
  if (quote === '"') return JSON.stringify(name).slice(1, -1);
  if (quote === "'") return name.replaceAll("'", "''");
  return isPlainScalar(name) ? name : JSON.stringify(name);
}

/** The value at a path. */
export function valueAt(root: Json, path: DataPath): Json | undefined {
  let value: Json | undefined = root;
  for (const key of path) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(key)];
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
