/** A source file. */
export interface Source {
  /** For messages; `<stdin>` for standard input. */
  readonly path: string;
  readonly text: string;
  /** The UTF-16 offsets, computed on first use. */
  lineStarts?: readonly number[] | undefined;
}

/** Copies a source, so that its text is not part of the JSON of diagnostics. */
export const copySource = ({ path, text }: Source): Source =>
  Object.defineProperty({ path, text }, "toJSON", { value: () => ({ path }) });

/** UTF-16 offsets: `start` inclusive, `end` exclusive. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** Counted from 1 in UTF-16 units, without a byte order mark. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Converts an offset to a line and column. */
export function positionOf(source: Source, offset: number): Position {
  const starts = lineStartsOf(source);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(1, offset - starts[low]! + 1) };
}

/** A line, counted from 1, without its line break. */
export function lineText(source: Source, line: number): string {
  const starts = lineStartsOf(source);
  const start = starts[line - 1];
  if (start === undefined) return "";
  return source.text.slice(start, starts[line] ?? source.text.length).replace(/\r?\n$|\r$/, "");
}

function lineStartsOf(source: Source): readonly number[] {
  if (source.lineStarts) return source.lineStarts;
  const starts = [source.text.startsWith("\uFEFF") ? 1 : 0];
  for (let i = source.text.indexOf("\n"); i >= 0; i = source.text.indexOf("\n", i + 1)) starts.push(i + 1);
  source.lineStarts = starts;
  return starts;
}

const encoder = new TextEncoder();

/** The length of a string in UTF-8 bytes. */
export const byteLength = (text: string): number => encoder.encode(text).length;
