import { isObject, type Json } from "../../../json.ts";

/** A place where a definition reads from the data: the names at the beginning of the path in `owner[key]`. */
export interface Read {
  readonly owner: object;
  readonly key: string | number;
  readonly names: readonly string[];
}

const pathText = /^\$(?:[.[]|$)/;
const name = /\.([\p{L}_][\p{L}\p{N}_-]*)|\.?\['([^'\\]*)'\]/uy;

/** What the text in `owner[key]` reads if it is a path. */
export function textRead(owner: object, key: string | number): Read | undefined {
  const text = (owner as { readonly [key: string | number]: unknown })[key];
  return typeof text === "string" && pathText.test(text) ? { owner, key, names: namesIn(text, 1) } : undefined;
}

/** What all texts in a value read that are paths. */
export function templateReads(owner: object, key: string | number): readonly Read[] {
  const value = (owner as { readonly [key: string | number]: Json | undefined })[key];
  if (Array.isArray(value)) return value.flatMap((_, i) => templateReads(value, i));
  if (isObject(value)) return Object.keys(value).flatMap((name) => templateReads(value, name));
  const read = textRead(owner, key);
  return read ? [read] : [];
}

/** The chains of names of all paths that stand anywhere in a text. */
export function chainsIn(text: string): readonly (readonly string[])[] {
  const chains: (readonly string[])[] = [];
  for (let at = text.indexOf("$"); at >= 0; at = text.indexOf("$", at + 1)) chains.push(namesIn(text, at + 1));
  return chains.filter((chain) => chain.length > 0);
}

/** The names that follow one another from an offset on. */
function namesIn(text: string, from: number): readonly string[] {
  const found: string[] = [];
  name.lastIndex = from;
  for (let match = name.exec(text); match; match = name.exec(text)) found.push(match[1] ?? match[2]!);
  return found;
}
