/**
 * Text whose line breaks are chosen when it is rendered, after Wadler's "A prettier printer". An array is a
 * concatenation.
 */
export type Document =
  | string
  | readonly Document[]
  | Line
  | Indentation
  | Group
  | Choice
  | IfBroken
  | IndentIfBroken
  | OneLine;

/** A line break if the enclosing group is broken; otherwise `flat`. */
export interface Line {
  readonly kind: "line";
  readonly flat: " " | "";
  readonly width: number;
}

/** Contents whose lines are indented by one more level. */
export interface Indentation {
  readonly kind: "indent";
  readonly contents: Document;
  readonly width: number;
}

/** Contents that are printed on one line if they fit; otherwise all lines outside inner groups are broken. */
export interface Group {
  readonly kind: "group";
  readonly contents: Document;
  readonly width: number;
}

/** Alternatives, the most compact one first. The first one that fits is printed; if none does, the last one, broken. */
export interface Choice {
  readonly kind: "choice";
  readonly states: readonly Document[];
  readonly width: number;
}

/** One of two documents, which depends on whether the enclosing group is broken. */
export interface IfBroken {
  readonly kind: "ifBroken";
  readonly broken: Document;
  readonly flat: Document;
  readonly width: number;
}

/** Contents that are indented if an earlier group is broken. */
export interface IndentIfBroken {
  readonly kind: "indentIfBroken";
  readonly contents: Document;
  readonly group: Group;
  readonly width: number;
}

/** Contents without line breaks, even if they do not fit. */
export interface OneLine {
  readonly kind: "oneLine";
  readonly contents: Document;
  readonly width: number;
}

/** A space or a line break. */
export const line: Line = { kind: "line", flat: " ", width: 1 };

/** Nothing or a line break. */
export const softLine: Line = { kind: "line", flat: "", width: 0 };

/** A line break, also of all enclosing groups. */
export const hardLine: Line = { kind: "line", flat: "", width: Infinity };

/** Indents the lines in a document. */
export const indent = (contents: Document): Indentation => ({ kind: "indent", contents, width: widthOf(contents) });

/** Groups a document. */
export const group = (contents: Document): Group => ({ kind: "group", contents, width: widthOf(contents) });

/** A group that is always broken. */
export const brokenGroup = (contents: Document): Group => ({ kind: "group", contents, width: Infinity });

/** A choice between documents, the most compact one first. */
export const choice = (states: readonly [Document, ...Document[]]): Choice => ({
  kind: "choice",
  states,
  width: widthOf(states[0]),
});

/** Prints `broken` or `flat`. */
export const ifBroken = (broken: Document, flat: Document = ""): IfBroken => ({
  kind: "ifBroken",
  broken,
  flat,
  width: widthOf(flat),
});

/** Indents a document if an earlier group is broken. */
export const indentIfBroken = (contents: Document, of: Group): IndentIfBroken => ({
  kind: "indentIfBroken",
  contents,
  group: of,
  width: widthOf(contents),
});

/** Prints a document on one line. */
export const oneLine = (contents: Document): OneLine => ({ kind: "oneLine", contents, width: widthOf(contents) });

/** A comma after the last item of a broken list. */
export const trailingComma: Document = ifBroken(",");

/** Puts a separator between documents. */
export function join(separator: Document, documents: readonly Document[]): readonly Document[] {
  const joined: Document[] = [];
  for (const document of documents) joined.push(...(joined.length === 0 ? [document] : [separator, document]));
  return joined;
}

/** The width of a document on one line, in code points; infinite if it contains a line break in any case. */
export function widthOf(document: Document): number {
  if (typeof document === "string") return textWidth(document);
  if (!isConcatenation(document)) return document.width;
  let width = 0;
  for (let i = 0; i < document.length; i += 1) width += widthOf(document[i]!);
  return width;
}

/** Whether a document is an array of others. */
export const isConcatenation = (document: Document): document is readonly Document[] => Array.isArray(document);

/** Whether a document contains a line break in any case. */
export const willBreak = (document: Document): boolean => widthOf(document) === Infinity;

/** Whether a document contains a possible line break. */
export function mayBreak(document: Document): boolean {
  if (typeof document === "string") return false;
  if (isConcatenation(document)) return document.some(mayBreak);
  switch (document.kind) {
    case "line":
      return true;
    case "choice":
      return mayBreak(document.states[0]!);
    case "ifBroken":
      return mayBreak(document.broken) || mayBreak(document.flat);
    case "oneLine":
      return false;
    default:
      return mayBreak(document.contents);
  }
}

/** The number of code points. */
export function textWidth(text: string): number {
  let width = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xdc00 && unit <= 0xdfff) width -= 1;
  }
  return width;
}
