import { type Doc, isBroken } from "./doc.ts";

/** Lines are no longer than this where they can be broken. */
const width = 100;

interface Part {
  readonly doc: Doc;
  readonly indent: number;
  readonly isFlat: boolean;
}

/** The text of a document, with lines as long as there is room for. */
export function render(doc: Doc): string {
  const out: string[] = [];
  const waiting: Part[] = [{ doc, indent: 0, isFlat: false }];
  let column = 0;
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const { doc, indent, isFlat } = part;
    if (typeof doc === "string") {
      out.push(doc);
      column += doc.length;
    } else if ("kind" in doc && doc.kind === "line" && (!isFlat || doc.isHard)) {
      out.push(`\n${" ".repeat(indent)}`);
      column = indent;
    } else waiting.push(...opened(part, width - column, waiting));
  }
  return out
    .join("")
    .split("\n")
    .map((text) => text.trimEnd())
    .join("\n");
}

/** What a part consists of, the last first. `room`: what is left of the line; `rest`: what comes after, the next last. */
function opened({ doc, indent, isFlat }: Part, room: number, rest: readonly Part[]): readonly Part[] {
  if (typeof doc === "string") return [];
  if (!("kind" in doc)) return doc.map((inner) => ({ doc: inner, indent, isFlat })).reverse();
  switch (doc.kind) {
    case "line":
      return [{ doc: doc.flat, indent, isFlat }];
    case "ifBroken":
      return isFlat ? [] : [{ doc: doc.text, indent, isFlat }];
    case "indent":
      return [{ doc: doc.doc, indent: indent + 2, isFlat }];
    case "group": {
      const whole: Part = { doc: doc.doc, indent, isFlat: true };
      return [isFlat || (!isBroken(doc) && fits(whole, room, rest)) ? whole : { ...whole, isFlat: false }];
    }
    default:
      return [chosen(doc.ways, { doc, indent, isFlat }, room, rest)];
  }
}

function chosen(ways: readonly [Doc, ...Doc[]], part: Part, room: number, rest: readonly Part[]): Part {
  const [first, ...others] = ways;
  const whole: Part = { ...part, doc: first, isFlat: true };
  if (part.isFlat || (!isBroken(first) && fits(whole, room, rest))) return whole;
  for (const doc of others) {
    const way: Part = { ...part, doc, isFlat: false };
    if (doc === others.at(-1) || fits(way, room, rest)) return way;
  }
  return whole;
}

/** Whether there is room for what comes before the next end of a line. */
function fits(part: Part, room: number, rest: readonly Part[]): boolean {
  const waiting: Part[] = [part];
  let left = room;
  let next = rest.length;
  while (left >= 0) {
    const { doc, indent, isFlat } = waiting.pop() ?? rest[--next] ?? { doc: undefined, indent: 0, isFlat: false };
    if (doc === undefined) return true;
    if (typeof doc === "string") left -= doc.length;
    else if (!("kind" in doc)) for (let i = doc.length - 1; i >= 0; i--) waiting.push({ doc: doc[i]!, indent, isFlat });
    else if (doc.kind === "line") {
      if (!isFlat || doc.isHard) return true;
      left -= doc.flat.length;
    } else if (doc.kind === "ifBroken") left -= isFlat ? 0 : doc.text.length;
    else if (doc.kind === "choice")
      waiting.push({ doc: doc.ways[0], indent, isFlat: isFlat || !isBroken(doc.ways[0]) });
    else waiting.push({ doc: doc.doc, indent, isFlat: doc.kind === "group" ? isFlat || !isBroken(doc) : isFlat });
  }
  return false;
}
