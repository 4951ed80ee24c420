import type { Source } from "../text/source.ts";

/** The token that a completion replaces, and its role. */
export interface Cursor {
  /** Offsets of the token, without quotes. */
  readonly start: number;
  readonly end: number;
  readonly prefix: string;
  readonly quote: "" | '"' | "'";
  /** A value after a key; otherwise a key, or an item of an array. */
  readonly isValue: boolean;
}

/** Finds the token at an offset by the line around it: the line need not be valid YAML or JSON. */
export function cursorAt({ text }: Source, offset: number): Cursor {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const segment = segmentStart(before);
  const written = before.slice(segment.start);
  const pair = /^\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s'"#][^#]*?)\s*:(?:\s+|(?=["'[{])|$)/.exec(written);
  const valueAt = pair && (pair[0].endsWith(":") ? written.length === pair[0].length : true) ? pair[0].length : 0;
  const isValue = valueAt > 0;
  const lead = /^\s*/.exec(written.slice(valueAt))![0].length;
  const tokenStart = lineStart + segment.start + valueAt + lead;
  const first = text[tokenStart];
  const quote = tokenStart < offset && (first === '"' || first === "'") ? first : "";
  const start = Math.min(offset, tokenStart + quote.length);
  return { start, end: tokenEnd(text, offset, quote), prefix: text.slice(start, offset), quote, isValue };
}

/** The start of the part of a line after the last open bracket, comma of a flow collection, or dash. */
function segmentStart(line: string): { readonly start: number } {
  let start = /^\s*(?:-\s+)*/.exec(line)![0].length;
  let depth = 0;
  let quote = "";
  const isJson = /^\s*["{}[\]]/.test(line);
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (quote !== "") {
      if (character === "\\" && quote === '"') at += 1;
      else if (character === quote) quote = "";
    } else if ((character === '"' || character === "'") && !/\w/.test(line[at - 1] ?? "")) quote = character;
    else if (character === "{" || character === "[") {
      depth += 1;
      start = at + 1;
    } else if (character === "}" || character === "]") depth -= 1;
    else if (character === "," && (depth > 0 || isJson)) start = at + 1;
  }
  return { start };
}

function tokenEnd(text: string, offset: number, quote: string): number {
  const rest = /^[^\r\n]*/.exec(text.slice(offset, offset + 1_000))![0];
  if (quote !== "") {
    const close = rest.indexOf(quote);
    return close < 0 ? offset : offset + close;
  }
  return offset + /^[\w$.-]*/.exec(rest)![0].length;
}
