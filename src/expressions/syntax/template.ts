import { isObject, type Json, type JsonObject, setOwn } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import type { Expression } from "../core/ast.ts";
import { binary, call, collect, conditional, firstOr, foldBalanced, literal, object } from "../core/build.ts";
import { type Fault, isFault } from "./cursor.ts";
import { type JsonPath, type JsonPathOptions, parseJsonPath } from "./jsonpath/jsonpath.ts";

/** How the texts of a template are read. */
export interface TemplateOptions {
  /** What `$` stands for. */
  readonly root: Expression;
  /** What `$` stands for in a path that selects nothing in the root; absent: such a path stands for null, or for the empty list. */
  readonly fallback?: Expression | undefined;
  /** Whether paths in the midst of a text stand for what they select; else the text stays as it is and a remark says so. */
  readonly interpolate: boolean;
  /** Hears what is wrong or worth saying. */
  readonly remark: (remark: TemplateRemark) => void;
  /** The place in the sources of a stretch of the text `owner[key]`; absent: paths do not know theirs. */
  readonly spanAt?: ((owner: object, key: string | number, from: number, to: number) => Span) | undefined;
}

/** Something about one text of a template: `from` and `to` are offsets in the text `owner[key]`. */
export type TemplateRemark = { readonly owner: object; readonly key: string | number } & (
  | ({ readonly kind: "fault" } & Fault)
  /** A path in the midst of a text, where paths are not interpolated. */
  | { readonly kind: "literalPath"; readonly from: number; readonly to: number; readonly path: string }
  /** A path that may be looked for in the fallback. */
  | { readonly kind: "twoRoots"; readonly from: number; readonly to: number; readonly path: string }
);

/**
 * A JSON value in which texts can be paths, as an expression that gives one value: `owner[key]` is its root.
 *
 * A text that begins with `$.` or `$[`, or is `$`, is a path, unless a path is only its beginning (`$.first $.second`): it stands for what it selects, or null; a path that can select several values for
 * their list. `\$` before `.`, `[` or the end stands for the `$` itself. All other texts stand for themselves. A text that begins like a path and
 * breaks its grammar stands for null, and a remark says what is wrong with it.
 */
export function templateOf(owner: object, key: string | number, options: TemplateOptions): Expression {
  const value = (owner as { readonly [key: string | number]: Json })[key]!;
  if (typeof value === "string") return textOf(value, owner, key, options);
  if (Array.isArray(value)) return listOf(value, options);
  if (!isObject(value)) return literal(value);
  return objectOf(value, options);
}

/** Whether a text is a path as a whole. */
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

/** A stretch of a text: a path, or characters that stand for themselves. */
interface Piece {
  readonly path: boolean;
  readonly text: string;
  readonly from: number;
}

/** The paths inside a text end before a dot or hyphen that no name follows: `Hello $.name.` ends with a dot. */
const embeddedPath = String.raw`\$(?:\.[\w\u0080-\uffff]+(?:-+[\w\u0080-\uffff]+)*|\[(?:-?\d+|\*|'[^'\\\]]*'|"[^"\\\]]*")\])+`;
const embedded = new RegExp(String.raw`\\\$(?=[.[]|$)|${embeddedPath}`, "g");
const beginning = new RegExp(String.raw`^${embeddedPath}(?!\[|\.\S|[\w\u0080-\uffff])`);

/** Whether a text begins with a path and then goes on as something else: `$.first $.second`. */
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

/** A path, as written at an offset of the text `owner[key]`. */
interface Written {
  readonly text: string;
  readonly path: JsonPath;
  readonly from: number;
}

/** What a path selects in the root, or else in the fallback. */
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

/** Paths further on in a text do not know their places: finding these takes longer the further on they are. */
const lastPlace = 2_000;

/** What tells the path at an offset of the text `owner[key]` where its parts are. */
function placed(offset: number, owner: object, key: string | number, { spanAt }: TemplateOptions): JsonPathOptions {
  if (!spanAt || offset > lastPlace) return {};
  return { spanAt: (from, to) => spanAt(owner, key, offset + from, offset + to) };
}

/** What a path selects, or something else where it selects nothing; without that the list that it selects, also an empty one. */
function selectedOr({ definite, query }: JsonPath, otherwise: Expression | undefined): Expression {
  if (!otherwise) return collect(query);
  return definite ? firstOr(query, otherwise) : conditional(call("exists", query), collect(query), otherwise);
}
