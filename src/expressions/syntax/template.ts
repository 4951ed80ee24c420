import { isObject, type Json, type JsonObject, setOwn } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import type { Expression } from "../core/ast.ts";
import { binary, call, collect, conditional, firstOr, foldBalanced, literal, object } from "../core/build.ts";
import { type Fault, isFault } from "./cursor.ts";
import { type JsonPath, type JsonPathOptions, parseJsonPath } from "./jsonpath/jsonpath.ts";

/** How to interpret the strings of a template. */
export interface TemplateOptions {
  /** The value of `$`. */
  readonly root: Expression;
  /** The value of `$` for paths that select nothing in the root; without it, they yield null or the empty array. */
  readonly fallback?: Expression | undefined;
  /** Whether to interpolate paths inside of strings; otherwise they stay literal and are reported. */
  readonly interpolate: boolean;
  /** Receives errors and warnings. */
  readonly remark: (remark: TemplateRemark) => void;
  /** Maps a range of the string `owner[key]` to a span. Without it, paths have no spans. */
  readonly spanAt?: ((owner: object, key: string | number, from: number, to: number) => Span) | undefined;
}

/** A diagnostic about a string of a template: `from` and `to` are offsets in `owner[key]`. */
export type TemplateRemark = { readonly owner: object; readonly key: string | number } & (
  | ({ readonly kind: "fault" } & Fault)
  /** A path inside of a string, where paths are not interpolated. */
  | { readonly kind: "literalPath"; readonly from: number; readonly to: number; readonly path: string }
  /** A path that may be resolved in the fallback. */
  | { readonly kind: "twoRoots"; readonly from: number; readonly to: number; readonly path: string }
);

/**
 * Compiles the JSON value `owner[key]`, whose strings may be paths, to an expression with one output.
 *
 * A string that is `$` or starts with `$.` or `$[` is a path, unless it continues after the path (`$.first $.second`).
 * It evaluates to the selected value or null, or to an array if the path may select several values. `\$` before `.`,
 * `[` or the end is a literal `$`. Other strings are literals. An invalid path evaluates to null and is reported.
 */
export function templateOf(owner: object, key: string | number, options: TemplateOptions): Expression {
  const value = (owner as { readonly [key: string | number]: Json })[key]!;
  if (typeof value === "string") return textOf(value, owner, key, options);
  if (Array.isArray(value)) return listOf(value, options);
  if (!isObject(value)) return literal(value);
  return objectOf(value, options);
}

/** Whether a string is a path as a whole. */
export const isPath = (text: string): boolean => /^\$(?:[.[]|$)/.test(text);

function listOf(list: readonly Json[], options: TemplateOptions): Expression {
  const items = list.map((_, index) => templateOf(list, index, options));
  if (items.every((item) => item.kind === "literal")) return literal(items.map((item) => item.value));
  return collect(items.length === 1 ? items[0] : { kind: "comma", items });
}

function objectOf(value: JsonObject, options: TemplateOptions): Expression {
  const entries = Object.keys(value).map((name) => [name, templateOf(value, name, options)] as const);
  const constant: { [key: string]: Json } = {};
  for (const [name, entry] of entries) {
    if (entry.kind !== "literal") return object(entries);
    setOwn(constant, name, entry.value);
  }
  return literal(constant);
}

function textOf(text: string, owner: object, key: string | number, options: TemplateOptions): Expression {
  if (isPath(text)) {
    const path = parseJsonPath(text, options.root, placed(0, owner, key, options));
    if (!isFault(path)) return pathOf({ text, path, from: 0 }, owner, key, options);
    if (!beginsWithEmbedded(text)) {
      options.remark({ kind: "fault", owner, key, ...path });
      return literal(null);
    }
  }
  const pieces = piecesOf(text);
  if (options.interpolate) return joined(pieces, owner, key, options);
  for (const piece of pieces) {
    if (piece.path)
      options.remark({
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

/** A path or a literal part of a string. */
interface Piece {
  readonly path: boolean;
  readonly text: string;
  readonly from: number;
}

/** An embedded path ends before a dot or hyphen without a name: `Hello $.name.` ends with a dot. */
const embeddedPath = String.raw`\$(?:\.[\w\u0080-\uffff]+(?:-+[\w\u0080-\uffff]+)*|\[(?:-?\d+|\*|'[^'\\\]]*'|"[^"\\\]]*")\])+`;
const embedded = new RegExp(String.raw`\\\$(?=[.[]|$)|${embeddedPath}`, "g");
const beginning = new RegExp(String.raw`^${embeddedPath}(?!\[|\.\S|[\w\u0080-\uffff])`);

/** Whether a string starts with a path and then continues: `$.first $.second`. */
const beginsWithEmbedded = (text: string): boolean => beginning.test(text);

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(embedded)) {
    if (found.index > end) pieces.push({ path: false, text: text.slice(end, found.index), from: end });
    const escaped = found[0].startsWith("\\");
    pieces.push({ path: !escaped, text: escaped ? "$" : found[0], from: found.index });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push({ path: false, text: text.slice(end), from: end });
  return pieces;
}

function joined(pieces: readonly Piece[], owner: object, key: string | number, options: TemplateOptions): Expression {
  const parts = pieces.map(({ path: isPath, text, from }) => {
    const path = isPath ? parseJsonPath(text, options.root, placed(from, owner, key, options)) : undefined;
    return path && !isFault(path) ? call("text", pathOf({ text, path, from }, owner, key, options)) : literal(text);
  });
  return foldBalanced(parts, (left, right) => binary("+", left, right)) ?? literal("");
}

/** A path at an offset of the string `owner[key]`. */
interface Written {
  readonly text: string;
  readonly path: JsonPath;
  readonly from: number;
}

/** The value that a path selects in the root or the fallback. */
function pathOf(
  { text, path, from }: Written,
  owner: object,
  key: string | number,
  options: TemplateOptions,
): Expression {
  const { fallback, remark } = options;
  const isTwice = fallback && path.segments.length > 0;
  const second = isTwice ? parseJsonPath(text, fallback, placed(from, owner, key, options)) : undefined;
  if (!second || isFault(second)) return selectedOr(path, path.definite ? literal(null) : undefined);
  remark({ kind: "twoRoots", owner, key, from, to: from + text.length, path: text });
  return selectedOr(path, selectedOr(second, second.definite ? literal(null) : undefined));
}

/** Computing a span takes time linear in its offset. */
const lastPlace = 2_000;

/** Options for a path at an offset of the string `owner[key]`. */
function placed(offset: number, owner: object, key: string | number, { spanAt }: TemplateOptions): JsonPathOptions {
  if (!spanAt || offset > lastPlace) return {};
  return { spanAt: (from, to) => spanAt(owner, key, offset + from, offset + to) };
}

/** The selected value, or `otherwise` if there is none; without `otherwise`, the array of selected values. */
function selectedOr({ definite, query }: JsonPath, otherwise: Expression | undefined): Expression {
  if (!otherwise) return collect(query);
  return definite ? firstOr(query, otherwise) : conditional(call("exists", query), collect(query), otherwise);
}
