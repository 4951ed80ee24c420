import type { Charset } from "./literals.ts";

/** How code is printed. */
export interface PrintOptions {
  /** Whether as TypeScript; else as JavaScript, without types. */
  readonly types: boolean;
  /** What literals may consist of; all of Unicode that shows, if it is absent. */
  readonly charset?: Charset | undefined;
}

/** Text that is being written, and where it is. */
export interface Output {
  readonly types: boolean;
  readonly charset: Charset;
  text: string;
  column: number;
  depth: number;
  /** Whether all has to fit in the line: then nothing may begin another one. */
  isFlat: boolean;
  /** Whether it did not: what is written then is taken back. */
  hasFailed: boolean;
}

/** Lines are to be no longer than this. */
const width = 120;

/** What is nested more deeply is indented no further, so that the text grows with the tree and no faster. */
const deepest = 12;

/** Nothing is written yet. */
export const emptyOutput = ({ types, charset = "unicode" }: PrintOptions): Output => ({
  types,
  charset,
  text: "",
  column: 0,
  depth: 0,
  isFlat: false,
  hasFailed: false,
});

/** Adds text without line breaks. */
export function put(output: Output, text: string): void {
  if (output.hasFailed) return;
  output.text += text;
  output.column += text.length;
  if (output.isFlat && output.column > width) output.hasFailed = true;
}

/** Begins a new line, indented. */
export function lineBreak(output: Output): void {
  if (output.isFlat) {
    output.hasFailed = true;
    return;
  }
  output.column = 2 * Math.min(output.depth, deepest);
  output.text += `\n${" ".repeat(output.column)}`;
}

/** Writes what may be broken into lines: in one line if it fits, as `broken` has it otherwise. Each is tried once, so that the time grows with the text. */
export function grouped(output: Output, flat: () => void, broken: () => void): void {
  if (output.isFlat) flat();
  else if (!fits(output, flat)) broken();
}

/** Writes something in the rest of the line; nothing, if it does not fit. */
export function fits(output: Output, write: () => void): boolean {
  const { text, column, isFlat } = output;
  output.isFlat = true;
  write();
  output.isFlat = isFlat;
  if (!output.hasFailed) return true;
  if (isFlat) return false;
  output.hasFailed = false;
  output.text = text;
  output.column = column;
  return false;
}

/** Writes lines that are indented by one more step. */
export function indented(output: Output, write: () => void): void {
  output.depth += 1;
  write();
  output.depth -= 1;
}

/** How a list is written. */
export interface ListForm<T> {
  readonly open: string;
  readonly close: string;
  /** Inside of the brackets, where all is in one line. */
  readonly space?: string;
  /** Behind each but the last; and behind the last too where each is in a line of its own. */
  readonly separator?: string;
  /** Whether the last one may begin in the line and end in another: a function, an object, a list. */
  hugs?(last: T): boolean;
  write(item: T): void;
}

/** `[a, b, c]`, or with each in a line of its own. */
export function list<T>(output: Output, items: readonly T[], form: ListForm<T>): void {
  const { open, close, space = "", separator = "," } = form;
  if (items.length === 0) {
    put(output, open + close);
    return;
  }
  const inLine = () => {
    put(output, open + space);
    items.forEach((item, i) => {
      if (i > 0) put(output, `${separator} `);
      if (!output.hasFailed) form.write(item);
    });
    put(output, space + close);
  };
  grouped(output, inLine, () => {
    if (!isHugging(output, items, form)) inLines(output, items, form);
  });
}

/** Writes all but the last in one line, and the last over several; whether that was done. */
function isHugging<T>(output: Output, items: readonly T[], form: ListForm<T>): boolean {
  const last = items.at(-1)!;
  if (!form.hugs?.(last)) return false;
  const before = items.slice(0, -1);
  if (before.some((item) => form.hugs?.(item))) return false;
  const begun = fits(output, () => {
    put(output, form.open);
    for (const item of before) {
      form.write(item);
      put(output, `${form.separator ?? ","} `);
    }
  });
  if (!begun) return false;
  form.write(last);
  put(output, form.close);
  return true;
}

function inLines<T>(output: Output, items: readonly T[], { open, close, separator = ",", write }: ListForm<T>): void {
  put(output, open);
  indented(output, () => {
    for (const item of items) {
      lineBreak(output);
      write(item);
      put(output, separator);
    }
  });
  lineBreak(output);
  put(output, close);
}
