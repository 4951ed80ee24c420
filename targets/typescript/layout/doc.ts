/** Text that can be laid out in several ways. */
export type Doc = string | readonly Doc[] | Line | Indent | Group | Choice | IfBroken;

/** A place where a line may end: in a group on one line it is `flat`. `isHard`: the line always ends here. */
interface Line {
  readonly kind: "line";
  readonly flat: string;
  readonly isHard: boolean;
}

/** Lines in it begin one step further to the right. */
interface Indent {
  readonly kind: "indent";
  readonly doc: Doc;
}

/** On one line if there is room for it; else all lines that may end in it do, but for those in inner groups. */
interface Group {
  readonly kind: "group";
  readonly doc: Doc;
}

/** The first way whose first line there is room for; else the last. The first of all has to be on one line. */
interface Choice {
  readonly kind: "choice";
  readonly ways: readonly [Doc, ...Doc[]];
}

/** Text where lines end in the group around it. */
interface IfBroken {
  readonly kind: "ifBroken";
  readonly text: string;
}

/** A space, or the end of a line. */
export const line: Doc = { kind: "line", flat: " ", isHard: false };
/** Nothing, or the end of a line. */
export const softline: Doc = { kind: "line", flat: "", isHard: false };
/** The end of a line. */
export const hardline: Doc = { kind: "line", flat: "", isHard: true };
/** Lines one step further to the right. */
export const indent = (...docs: readonly Doc[]): Doc => ({ kind: "indent", doc: docs });
/** Something that is on one line if there is room. */
export const group = (...docs: readonly Doc[]): Doc => ({ kind: "group", doc: docs });
/** The first way that there is room for. */
export const choice = (...ways: readonly [Doc, ...Doc[]]): Doc => ({ kind: "choice", ways });
/** Text where the group around is on several lines. */
export const ifBroken = (text: string): Doc => ({ kind: "ifBroken", text });

/** Parts with something between them. */
export const join = (between: Doc, docs: readonly Doc[]): Doc =>
  docs.flatMap((doc, i) => (i === 0 ? [doc] : [between, doc]));

/** Parts in brackets: on one line, or each on its own. */
export function bracketed(
  open: string,
  docs: readonly Doc[],
  close: string,
  space: Doc,
  separator = ",",
  last = separator,
): Doc {
  if (docs.length === 0) return `${open}${close}`;
  return group(open, indent(space, join([separator, line], docs)), ifBroken(last), space, close);
}

const hard = new WeakMap<object, boolean>();

/** Whether a line always ends somewhere in it. */
export function isBroken(doc: Doc): boolean {
  if (typeof doc === "string") return false;
  const known = hard.get(doc);
  if (known !== undefined) return known;
  const found = "kind" in doc ? isBrokenNode(doc) : doc.some(isBroken);
  hard.set(doc, found);
  return found;
}

function isBrokenNode(doc: Exclude<Doc, string | readonly Doc[]>): boolean {
  switch (doc.kind) {
    case "line":
      return doc.isHard;
    case "choice":
      return isBroken(doc.ways[0]);
    case "ifBroken":
      return false;
    default:
      return isBroken(doc.doc);
  }
}
