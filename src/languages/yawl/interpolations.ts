/** A piece of a text: characters that stand for themselves, or jq in a hole. Offsets are those of the jq in the text, or of the characters. */
export interface Piece {
  readonly kind: "text" | "jq";
  readonly text: string;
  readonly from: number;
}

/** A hole that never closes: where it opens. */
export interface UnclosedInterpolation {
  readonly openingOffset: number;
}

/**
 * The pieces of a text with holes: `\( … )`, and where `braces` say so `{{ … }}`. A hole closes where its parentheses or braces are balanced; those in
 * jq's strings and comments do not count.
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

/** Whether there is no end to a hole. */
export const isUnclosed = (pieces: readonly Piece[] | UnclosedInterpolation): pieces is UnclosedInterpolation =>
  "opens" in pieces;

const brackets: { readonly [close: string]: string } = { ")": "(", "]": "[", "}": "{" };

/**
 * Where the jq that begins at an offset is closed by a text; −1 where it never is. Goes through the text once, with a stack of what is open: brackets, and
 * strings, in which only `\(` opens something.
 */
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

/** Where the line of a comment of jq ends: a backslash keeps the end of a line from ending it. */
function endOfComment(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "\n") {
    if (text[at] !== "\\") at += 1;
    else at += text.startsWith("\r\n", at + 1) ? 3 : 2;
  }
  return at;
}
