import type { Terminology } from "../diagnostics/flow.ts";
import { missingProperty, unknownProperty } from "../diagnostics/reading.ts";
import type { CopyOrigin, Document } from "../documents/index.ts";
import { isObject, type Json, setOwn } from "../json.ts";
import { type Diagnostic, withFix } from "../text/diagnostics.ts";
import { quoteLike } from "../text/fix.ts";
import { nearestName } from "../text/messages.ts";

/** A document with a corrected key, and its diagnostic. */
export interface KeySuggestion {
  readonly document: Document;
  readonly diagnostic: Diagnostic;
}

/**
 * Corrects misspelled keys for functions or events that `found` reports, and drops the errors that follow from them.
 */
export function suggestKeys(
  document: Document,
  { functions, events }: Terminology,
  found: readonly Diagnostic[],
): readonly KeySuggestion[] {
  const { value } = document;
  if (!isObject(value)) return [];
  return [functions, events].flatMap((name) => {
    if (name === undefined || Object.hasOwn(value, name)) return [];
    const key = Object.keys(value).find(
      (each) => nearestName(each, [name]) === name && isUnknown(document, each, found),
    );
    if (key === undefined) return [];
    const span = document.spanOf(value, key, "key");
    const missing = missingProperty(span, { owner: "This workflow", names: [name], misspelt: key });
    return [{ document: renameKey(document, value, key, name), diagnostic: withFix(missing, quoteLike(span, name)) }];
  });
}

function isUnknown(document: Document, key: string, found: readonly Diagnostic[]): boolean {
  const { start } = document.spanOf(document.value, key, "key");
  return found.some(({ code, span }) => code === unknownProperty.code && span.start === start);
}

function renameKey(document: Document, value: { readonly [key: string]: Json }, key: string, name: string): Document {
  const copy: { [key: string]: Json } = {};
  for (const [each, member] of Object.entries(value)) setOwn(copy, each === key ? name : each, member);
  const origin: CopyOrigin = { of: value, written: new Map([[name, key]]) };
  return document.withValue(copy, new Map([[copy, origin]]));
}
