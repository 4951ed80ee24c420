import { isObject } from "../json.ts";
import type { Span } from "../text/source.ts";
import { type Document, readDocuments } from "./index.ts";

/**
 * The span of a part of a value, given the span of the value: its source is read again. The nearest part around it if
 * the value has no such part, or if it is not in the form of data.
 */
export function spanOfPart(span: Span, path: readonly string[]): Span {
  if (path.length === 0) return span;
  for (const document of readDocuments(span.source, () => undefined)) {
    if (span.start < document.span.start || span.end > document.span.end) continue;
    const value = valueAt(span, document);
    if (value !== undefined) return descend(value, path, span, document);
  }
  return span;
}

/** The object or array at a span. */
function valueAt({ start, end }: Span, { value: root, spanOf }: Document): object | undefined {
  const seen = new Set<object>();
  const waiting: unknown[] = [root];
  for (let owner = waiting.pop(); owner !== undefined; owner = waiting.pop()) {
    if (typeof owner !== "object" || owner === null || seen.has(owner)) continue;
    seen.add(owner);
    for (const [key, value] of Object.entries(owner)) {
      if (typeof value !== "object" || value === null) continue;
      const span = spanOf(owner, Array.isArray(owner) ? Number(key) : key);
      if (span.start === start && span.end === end) return value;
      if (span.start <= end && span.end >= start) waiting.push(value);
    }
  }
  return undefined;
}

function descend(value: object, path: readonly string[], span: Span, document: Document): Span {
  let [owner, nearest]: [unknown, Span] = [value, span];
  for (const name of path) {
    if (!isObject(owner as never) || !Object.hasOwn(owner as object, name)) break;
    nearest = document.spanOf(owner, name);
    owner = (owner as { readonly [name: string]: unknown })[name];
  }
  return nearest;
}
