import { isObject, type Json, type JsonObject, setOwn } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import type { Expression } from "../core/ast.ts";
import { binary, call, collect, conditional, firstOr, foldBalanced, literal, object } from "../core/build.ts";
import { isParseError, type ParseError } from "./cursor.ts";
import { type JsonPath, type JsonPathOptions, parseJsonPath } from "./jsonpath/jsonpath.ts";

/** Options for the strings of a template. */
export interface TemplateOptions {
  readonly root: Expression;
  /** Replaces the root for paths that select nothing in it. */
  readonly fallback?: Expression | undefined;
  /** Otherwise paths inside of strings are literal and reported. */
  readonly interpolate: boolean;
  readonly report: (diagnostic: TemplateDiagnostic) => void;
  readonly spanAt?: ((owner: object, key: string | number, from: number, to: number) => Span) | undefined;
}

/** A diagnostic at `from` and `to` in the string `owner[key]`. */
export type TemplateDiagnostic = { readonly owner: object; readonly key: string | number } & (
  | ({ readonly kind: "error" } & ParseError)
  | { readonly kind: "literalPath"; readonly from: number; readonly to: number; readonly path: string }
  /** A path that may be resolved in the fallback. */
  | { readonly kind: "twoRoots"; readonly from: number; readonly to: number; readonly path: string }
);

/**
 * Compiles the JSON value `owner[key]` to an expression with one output.
 *
 * A string that is `$` or starts with `$.` or `$[` is a path, unless it continues after the path (`$.first $.second`).
 * It evaluates to the selected value or null, or to an array if it may select several. `\$` before `.`, `[` or the end
 * is a literal `$`. An invalid path evaluates to null and is reported.
 */
export function compileTemplate(owner: object, key: string | number, options: TemplateOptions): Expression {
  const value = (owner as { readonly [key: string | number]: Json })[key]!;
  if (typeof value === "string") return compileString(value, owner, key, options);
  if (Array.isArray(value)) return compileArray(value, options);
  if (!isObject(value)) return literal(value);
  return compileObject(value, options);
}

/** Whether a whole string is a path. */
export const isPath = (text: string): boolean => /^\$(?:[.[]|$)/.test(text);

function compileArray(list: readonly Json[], options: TemplateOptions): Expression {
  const items = list.map((_, index) => compileTemplate(list, index, options));
  if (items.every((item) => item.kind === "literal")) return literal(items.map((item) => item.value));
  return collect(items.length === 1 ? items[0] : { kind: "comma", items });
}

function compileObject(value: JsonObject, options: TemplateOptions): Expression {
  const entries = Object.keys(value).map((name) => [name, compileTemplate(value, name, options)] as const);
  const constant: { [key: string]: Json } = {};
  for (const [name, entry] of entries) {
    if (entry.kind !== "literal") return object(entries);
    setOwn(constant, name, entry.value);
  }
  return literal(constant);
}

function compileString(text: string, owner: object, key: string | number, options: TemplateOptions): Expression {
  if (isPath(text)) {
    const path = parseJsonPath(text, options.root, spanOptions(0, owner, key, options));
    if (!isParseError(path)) return resolvePath({ text, path, from: 0 }, owner, key, options);
    if (!startsWithPath(text)) {
      options.report({ kind: "error", owner, key, ...path });
      return literal(null);
    }
  }
  const pieces = splitParts(text);
  if (options.interpolate) return concatenate(pieces, owner, key, options);
  for (const piece of pieces) {
    if (piece.isPath)
      options.report({
        kind: "literalPath",
        owner,
        key,
        from: piece.from,
        to: piece.from + piece.text.length,
        path: piece.text,
      });
  }
  return literal(pieces.map((piece) => piece.text).join(""));
}

interface TemplatePart {
  readonly isPath: boolean;
  readonly text: string;
  readonly from: number;
}

/** Ends before a dot or hyphen without a name: `Hello $name.` */
const embeddedPath = String.raw`\$(?:\.[\w\u0080-\uffff]+(?:-+[\w\u0080-\uffff]+)*|\[(?:-?\d+|\*|'[^'\\\]]*'|"[^"\\\]]*")\])+`;
const embedded = new RegExp(String.raw`\\\$(?=[.[]|$)|${embeddedPath}`, "g");
const leadingPath = new RegExp(String.raw`^${embeddedPath}(?!\[|\.\S|[\w\u0080-\uffff])`);

const startsWithPath = (text: string): boolean => leadingPath.test(text);

function splitParts(text: string): readonly TemplatePart[] {
  const pieces: TemplatePart[] = [];
  let end = 0;
  for (const found of text.matchAll(embedded)) {
    if (found.index > end) pieces.push({ isPath: false, text: text.slice(end, found.index), from: end });
    const escaped = found[0].startsWith("\\");
    pieces.push({ isPath: !escaped, text: escaped ? "$" : found[0], from: found.index });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push({ isPath: false, text: text.slice(end), from: end });
  return pieces;
}

function concatenate(
  pieces: readonly TemplatePart[],
  owner: object,
  key: string | number,
  options: TemplateOptions,
): Expression {
  const parts = pieces.map(({ isPath, text, from }) => {
    const path = isPath ? parseJsonPath(text, options.root, spanOptions(from, owner, key, options)) : undefined;
    return path && !isParseError(path)
      ? call("text", resolvePath({ text, path, from }, owner, key, options))
      : literal(text);
  });
  return foldBalanced(parts, (left, right) => binary("+", left, right)) ?? literal("");
}

interface PathOccurrence {
  readonly text: string;
  readonly path: JsonPath;
  readonly from: number;
}

function resolvePath(
  { text, path, from }: PathOccurrence,
  owner: object,
  key: string | number,
  options: TemplateOptions,
): Expression {
  const { fallback, report } = options;
  const isTwice = fallback && !path.isRoot;
  const second = isTwice ? parseJsonPath(text, fallback, spanOptions(from, owner, key, options)) : undefined;
  if (!second || isParseError(second)) return selectedOrElse(path, path.definite ? literal(null) : undefined);
  report({ kind: "twoRoots", owner, key, from, to: from + text.length, path: text });
  return selectedOrElse(path, selectedOrElse(second, second.definite ? literal(null) : undefined));
}

const maxSpanOffset = 2_000;

function spanOptions(
  offset: number,
  owner: object,
  key: string | number,
  { spanAt }: TemplateOptions,
): JsonPathOptions {
  if (!spanAt || offset > maxSpanOffset) return {};
  return { spanAt: (from, to) => spanAt(owner, key, offset + from, offset + to) };
}

/** Without `otherwise`, the array of selected values. */
function selectedOrElse({ definite, query }: JsonPath, otherwise: Expression | undefined): Expression {
  if (!otherwise) return collect(query);
  return definite ? firstOr(query, otherwise) : conditional(call("exists", query), collect(query), otherwise);
}
