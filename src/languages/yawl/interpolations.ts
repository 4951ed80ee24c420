/** A piece of a template: plain text or jq, with its offset. */
export interface Piece {
  readonly kind: "text" | "jq";
  readonly text: string;
  readonly from: number;
}

/** An unclosed interpolation. */
export interface UnclosedInterpolation {
  readonly openingOffset: number;
}

/**
 * Splits a template at `\( … )` and, if `braces` is set, `{{ … }}`. An interpolation ends where its brackets balance,
 * ignoring jq's strings and comments.
 *
 *   Hello \(.name)! → text "Hello ", jq ".name", text "!"
 */
export function splitInterpolations(text: string, braces: boolean): readonly Piece[] | UnclosedInterpolation {
  const pieces: Piece[] = [];
  const opening = braces ? /\\\(|\{\{/g : /\\\(/g;
  let end = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const from = found.index + 2;
    const close = found[0] === "{{" ? endOf(text, from, "}}") : endOf(text, from, ")");
    if (close < 0) return { openingOffset: found.index };
    if (found.index > end) pieces.push({ kind: "text", text: text.slice(end, found.index), from: end });
    pieces.push({ kind: "jq", text: text.slice(from, close), from });
    end = close + (found[0] === "{{" ? 2 : 1);
    opening.lastIndex = end;
  }
  if (end < text.length) pieces.push({ kind: "text", text: text.slice(end), from: end });
  return pieces;
}

/** Whether splitting failed. */
export const isUnclosed = (pieces: readonly Piece[] | UnclosedInterpolation): pieces is UnclosedInterpolation =>
  "openingOffset" in pieces;

const brackets: { readonly [close: string]: string } = { ")": "(", "]": "[", "}": "{" };

/** A single pass with a stack; within strings, only `\(` opens an interpolation. */
function endOf(text: string, from: number, close: string): number {
  const open: string[] = [];
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (open.at(-1) === '"') {
      if (character === '"') open.pop();
      else if (character === "\\" && text[++at] === "(") open.push("(");
    } else if (open.length === 0 && text.startsWith(close, at)) return at;
    else if (character === "#") at = endOfComment(text, at);
    else if (character === '"' || character === "(" || character === "[" || character === "{") open.push(character);
    else if (brackets[character] !== undefined && open.at(-1) === brackets[character]) open.pop();
  }
  return -1;
}

function endOfComment(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "\n") {
    if (text[at] !== "\\") at += 1;
    else at += text.startsWith("\r\n", at + 1) ? 3 : 2;
  }
  return at;
}
