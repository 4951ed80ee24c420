import { equalJson, isObject, type Json, type JsonObject, own, setOwn } from "../json.ts";
import type { Fix } from "../text/diagnostics.ts";
import { isPlainScalar, quoteLike } from "../text/quote.ts";
import type { Span } from "../text/source.ts";
import { type Document, readWithDiagnostics } from "./index.ts";

/** A value in a document: the path of properties and indices from its root. */
export type ValuePath = readonly (string | number)[];

/** A new value of a property or an item. */
export interface ValueChange {
  readonly path: ValuePath;
  readonly value: Json;
}

/**
 * Changes values in a YAML or JSON document, and keeps the comments and the formatting of everything that stays the
 * same. Returns undefined if no such edit reads as intended, such as for data with aliases.
 */
export function changeValues(document: Document, changes: readonly ValueChange[]): string | undefined {
  const wanted = changes.reduce<Json>(
    (value, { path, value: change }) => withChange(value, path, change),
    document.value,
  );
  for (const edit of [updateProperty, replaceProperty]) {
    const edits = changes.flatMap((change) => edit(document, change));
    const text = applyEdits(document.source.text, edits);
    const { documents, diagnostics } = readWithDiagnostics({ path: document.source.path, text });
    const isSound = documents.length === 1 && diagnostics.every(({ severity }) => severity !== "error");
    if (isSound && equalJson(documents[0]!.value, wanted)) return text;
  }
  return undefined;
}

function withChange(value: Json, [key, ...rest]: ValuePath, change: Json): Json {
  const changed = (before: Json): Json => (rest.length === 0 ? change : withChange(before, rest, change));
  if (Array.isArray(value)) return value.map((item: Json, i) => (i === key ? changed(item) : item));
  if (!isObject(value) || key === undefined) return value;
  const copy: { [name: string]: Json } = { ...(value as { readonly [name: string]: Json }) };
  setOwn(copy, `${key}`, changed(own(value, `${key}`) ?? null));
  return copy;
}

function ownerOf(document: Document, path: ValuePath): Json | undefined {
  return path.slice(0, -1).reduce<Json | undefined>((value, key) => memberOf(value, key), document.value);
}

function memberOf(value: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(key)];
  return isObject(value) ? own(value, `${key}`) : undefined;
}

/** Replaces or adds a value as a whole. */
function replaceProperty(document: Document, { path, value }: ValueChange): Fix {
  const owner = ownerOf(document, path);
  const key = path.at(-1);
  if (owner === undefined || key === undefined) return [];
  if (memberOf(owner, key) !== undefined) return replace(document, owner, key, value);
  return isObject(owner) ? addMembers(document, owner, Object.keys(owner).at(-1), [[`${key}`, value]]) : [];
}

/** Replaces the parts of a value that change. */
function updateProperty(document: Document, change: ValueChange): Fix {
  const owner = ownerOf(document, change.path);
  const key = change.path.at(-1);
  const before = key === undefined ? undefined : memberOf(owner, key);
  if (owner === undefined || key === undefined || before === undefined) return replaceProperty(document, change);
  return updateValue(document, owner, key, before, change.value);
}

function updateValue(document: Document, owner: Json, key: string | number, before: Json, after: Json): Fix {
  if (equalJson(before, after)) return [];
  if (isObject(before) && isObject(after))
    return updateObject(document, before, after) ?? replace(document, owner, key, after);
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return (before as readonly Json[]).flatMap((item, i) => updateValue(document, before, i, item, after[i] as Json));
  return replace(document, owner, key, after);
}

/** Undefined if no member stays, so that the object is replaced as a whole. */
function updateObject(document: Document, before: JsonObject, after: JsonObject): Fix | undefined {
  const names = Object.keys(before);
  const kept = names.filter((name) => own(after, name) !== undefined);
  if (kept.length === 0) return undefined;
  const added = Object.entries(after as { readonly [name: string]: Json }).filter(
    ([name]) => own(before, name) === undefined,
  );
  return [
    ...kept.flatMap((name) => updateValue(document, before, name, own(before, name)!, own(after, name)!)),
    ...removeMembers(document, before, new Set(kept)),
    ...(added.length > 0 ? addMembers(document, before, kept.at(-1), added) : []),
  ];
}

/** A string keeps the quotes of the one that it replaces. */
function replace(document: Document, owner: Json, key: string | number, value: Json): Fix {
  const span = trimEnd(document.spanOf(owner, key));
  const isQuoted = typeof value === "string" && typeof memberOf(owner, key) === "string" && /^["']/.test(textOf(span));
  if (isQuoted) return [{ span, text: quoteLike(span, value) }];
  return [{ span, text: printValue(value, document, indentOf(document, owner, key)) }];
}

/** Adds members behind `last`. */
function addMembers(
  document: Document,
  owner: JsonObject,
  last: string | undefined,
  members: readonly (readonly [string, Json])[],
): Fix {
  if (last === undefined) return [];
  const indent = indentOf(document, owner, last);
  const printed = members.map(([name, value]) => `${printKey(name, document)}: ${printValue(value, document, indent)}`);
  const end = trimEnd(document.spanOf(owner, last));
  if (isFlow(document, owner)) {
    const isMultiline = textOf(document.spanOf(owner)).includes("\n");
    const column = columnOf(document.spanOf(owner, last, "key"));
    const separator = isMultiline ? `,\n${" ".repeat(column)}` : ", ";
    return [{ span: { ...end, start: end.end }, text: printed.map((each) => separator + each).join("") }];
  }
  const place = endOfLine(end);
  return [{ span: place, text: printed.map((each) => `\n${" ".repeat(indent)}${each}`).join("") }];
}

/** Removes all members except those to keep; there must be at least one. */
function removeMembers(document: Document, owner: JsonObject, kept: ReadonlySet<string>): Fix {
  const names = Object.keys(owner);
  const lastKept = names.findLastIndex((name) => kept.has(name));
  const removed = names.flatMap((name, i) => (kept.has(name) ? [] : [i]));
  if (!isFlow(document, owner)) return removed.map((i) => removeLines(document, owner, names[i]!));
  const inner = removed
    .filter((i) => i < lastKept)
    .map((i) => {
      const [key, next] = [i, i + 1].map((at) => document.spanOf(owner, names[at]!, "key"));
      return { span: { ...key!, end: next!.start }, text: "" };
    });
  if (lastKept === names.length - 1) return inner;
  const start = trimEnd(document.spanOf(owner, names[lastKept]!)).end;
  const last = trimEnd(document.spanOf(owner, names.at(-1)!));
  return [...inner, { span: { ...last, start }, text: "" }];
}

/** Removes a member of a block. */
function removeLines(document: Document, owner: JsonObject, name: string): Fix[number] {
  const key = document.spanOf(owner, name, "key");
  const { end } = endOfLine(trimEnd(document.spanOf(owner, name)));
  const { text } = key.source;
  const line = text.lastIndexOf("\n", key.start - 1) + 1;
  // The first member of an item of an array shares its line with the hyphen.
  const isAlone = text.slice(line, key.start).trim() === "";
  if (isAlone)
    return {
      span: { ...key, start: line, end: Math.min(text.length, text.indexOf("\n", end) + 1 || text.length) },
      text: "",
    };
  const next = text.slice(end).search(/\S/);
  return { span: { ...key, end: next < 0 ? end : end + next }, text: "" };
}

const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);

const trimEnd = (span: Span): Span => ({ ...span, end: span.start + textOf(span).trimEnd().length });

/** The end of the line, behind a comment. */
function endOfLine({ source, end }: Span): Span {
  const at = source.text.indexOf("\n", end);
  const place = at < 0 ? source.text.length : at > 0 && source.text[at - 1] === "\r" ? at - 1 : at;
  return { source, start: place, end: place };
}

const columnOf = ({ source, start }: Span): number => start - (source.text.lastIndexOf("\n", start - 1) + 1);

/** The column of a key in a block, or of the line of a flow. */
function indentOf(document: Document, owner: Json, key: string | number): number {
  const span = document.spanOf(owner, key, "key");
  const column = columnOf(span);
  if (!isFlow(document, owner)) return column;
  const line = span.source.text.slice(span.start - column, span.start);
  return /^[ -]*/.exec(line)![0].length;
}

const isFlow = (document: Document, owner: Json): boolean => /^[{[]/.test(textOf(document.spanOf(owner)));

const isJson = ({ source }: Document): boolean => /\.json$/i.test(source.path) || /^\s*[{[]/.test(source.text);

const printKey = (name: string, document: Document): string =>
  !isJson(document) && isPlainScalar(name) ? name : JSON.stringify(name);

/** Lines are broken behind this column. */
const width = 110;

/** Prints a value in flow style, in several lines if it is long. `column`: that of its key. */
function printValue(value: Json, document: Document, column: number): string {
  const flat = printFlat(value, document);
  if (column + flat.length <= width) return flat;
  const indent = " ".repeat(column + 2);
  const close = `\n${" ".repeat(column)}`;
  const items = Array.isArray(value)
    ? value.map((item: Json) => printValue(item, document, column + 2))
    : isObject(value)
      ? Object.entries(value).map(
          ([name, item]) => `${printKey(name, document)}: ${printValue(item as Json, document, column + 2)}`,
        )
      : [];
  if (items.length === 0) return flat;
  const [open, end] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${indent}${items.join(`,\n${indent}`)}${close}${end}`;
}

function printFlat(value: Json, document: Document): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => printFlat(item, document)).join(", ")}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([name, item]) => `${printKey(name, document)}: ${printFlat(item as Json, document)}`,
    );
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return typeof value === "string" && !isJson(document) && isPlainScalar(value) ? value : JSON.stringify(value);
}

function applyEdits(text: string, edits: Fix): string {
  let [result, end] = ["", 0];
  for (const { span, text: written } of edits.toSorted(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end,
  )) {
    if (span.start < end) return text;
    result += text.slice(end, span.start) + written;
    end = span.end;
  }
  return result + text.slice(end);
}
