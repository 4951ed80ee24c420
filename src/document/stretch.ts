import type { Span } from "../text/source.ts";

/**
 * The place of a stretch of a string: `whole` is where the string is written, quotes and block indicator included, `text` what it says,
 * `from` and `to` offsets in `text`. The whole where the two cannot be matched.
 */
export function stretchOf(whole: Span, text: string, from: number, to: number): Span {
  const raw = whole.source.text.slice(whole.start, whole.end);
  const first = Math.max(0, Math.min(from, text.length));
  const last = Math.max(first, Math.min(to, text.length));
  const found = offsetsIn(raw, text, first, last);
  return found ? { source: whole.source, start: whole.start + found.start, end: whole.start + found.end } : whole;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function offsetsIn(raw: string, text: string, from: number, to: number): Stretch | undefined {
  switch (raw[0]) {
    case '"':
      return inQuotes(raw, from, to, escapeLength);
    case "'":
      return inQuotes(raw, from, to, (at) => (raw.startsWith("''", at) ? { raw: 2, text: 1 } : { raw: 1, text: 1 }));
    case "|":
    case ">":
      return inBlock(raw, text, from, to);
    default:
      return raw.slice(0, to) === text.slice(0, to) ? { start: from, end: to } : undefined;
  }
}

/** How much of the raw text stands for how much of the string. */
interface Step {
  readonly raw: number;
  readonly text: number;
}

function inQuotes(
  raw: string,
  from: number,
  to: number,
  stepAt: (at: number, raw: string) => Step,
): Stretch | undefined {
  let at = 1;
  let said = 0;
  let start = from === 0 ? 1 : -1;
  while (said < to && at < raw.length - 1) {
    if (raw[at] === "\n" || raw[at] === "\r") return undefined;
    const step = stepAt(at, raw);
    if (said <= from) start = at;
    said += step.text;
    at += step.raw;
    if (said === from) start = at;
  }
  return said >= to && start >= 0 ? { start, end: at } : undefined;
}

const hexDigits: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 };

function escapeLength(at: number, raw: string): Step {
  if (raw[at] !== "\\") return { raw: 1, text: 1 };
  const digits = hexDigits[raw[at + 1]!] ?? 0;
  const isPair = digits === 8 && Number.parseInt(raw.slice(at + 2, at + 10), 16) > 0xffff;
  return { raw: 2 + digits, text: isPair ? 2 : 1 };
}

/** Follows the lines of a block scalar as long as they are the lines of the string, indented. */
function inBlock(raw: string, text: string, from: number, to: number): Stretch | undefined {
  let rawLine = raw.indexOf("\n") + 1;
  let line = 0;
  let start = -1;
  while (rawLine > 0) {
    const end = lineEnd(text, line);
    const rawEnd = lineEnd(raw, rawLine);
    const written = raw.slice(rawLine, rawEnd).replace(/\r$/, "");
    const said = text.slice(line, end);
    if (!written.endsWith(said) || written.slice(0, written.length - said.length).trimStart() !== "") return undefined;
    const shift = rawLine + written.length - said.length - line;
    if (start < 0 && from <= end) start = from + shift;
    if (to <= end) return { start, end: to + shift };
    line = end + 1;
    rawLine = raw.indexOf("\n", rawLine) + 1;
  }
  return undefined;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
