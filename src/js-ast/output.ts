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

/** Writes a node. The same functions serve for all nodes of a kind, so that none has to be made for each. */
export type Write<T> = (node: T, output: Output) => void;

/** Writes what may be broken into lines: in one line if it fits, as `broken` has it otherwise. Each is tried once, so that the time grows with the text. */
export function grouped<T>(node: T, output: Output, flat: Write<T>, broken: Write<T>): void {
  if (output.isFlat) flat(node, output);
  else if (!fits(node, output, flat)) broken(node, output);
}

/** Writes something in the rest of the line; nothing, if it does not fit. */
export function fits<T>(node: T, output: Output, write: Write<T>): boolean {
  const { text, column, isFlat } = output;
  output.isFlat = true;
  write(node, output);
  output.isFlat = isFlat;
  if (!output.hasFailed) return true;
  if (isFlat) return false;
  output.hasFailed = false;
  output.text = text;
  output.column = column;
  return false;
}

/** Writes lines that are indented by one more step. */
export function indented<T>(node: T, output: Output, write: Write<T>): void {
  output.depth += 1;
  write(node, output);
  output.depth -= 1;
}

/** How a list is written. */
export interface ListForm<T> {
  readonly open: string;
  readonly close: string;
  /** Inside of the brackets, where all is in one line. */
  readonly space: string;
  /** Behind each but the last; and behind the last too where each is in a line of its own. */
  readonly separator: string;
  /** Whether the last one may begin in the line and end in another: a function, an object, a list. */
  readonly hugs?: ((last: T) => boolean) | undefined;
  readonly write: Write<T>;
}

/** `[a, b, c]`, or with each in a line of its own. */
export function list<T>(items: readonly T[], output: Output, form: ListForm<T>): void {
  if (items.length === 0) put(output, form.open + form.close);
  else if (output.isFlat) inLine(items, output, form);
  else {
    const isInLine = fits(items, output, (all) => inLine(all, output, form));
    if (!isInLine && !isHugging(items, output, form)) inLines(items, output, form);
  }
}

function inLine<T>(items: readonly T[], output: Output, { open, close, space, separator, write }: ListForm<T>): void {
  put(output, open + space);
  for (let i = 0; i < items.length && !output.hasFailed; i += 1) {
    if (i > 0) put(output, `${separator} `);
    write(items[i]!, output);
  }
  put(output, space + close);
}

/** Writes all but the last in one line, and the last over several; whether that was done. */
function isHugging<T>(items: readonly T[], output: Output, form: ListForm<T>): boolean {
  const last = items.at(-1)!;
  if (!form.hugs?.(last)) return false;
  const before = items.slice(0, -1);
  if (before.some((item) => form.hugs?.(item))) return false;
  const begun = fits(before, output, (all) => {
    put(output, form.open);
    for (const item of all) {
      form.write(item, output);
      put(output, `${form.separator} `);
    }
  });
  if (!begun) return false;
  form.write(last, output);
  put(output, form.close);
  return true;
}

function inLines<T>(items: readonly T[], output: Output, { open, close, separator, write }: ListForm<T>): void {
  put(output, open);
  indented(items, output, (all) => {
    for (const item of all) {
      lineBreak(output);
      write(item, output);
      put(output, separator);
    }
  });
  lineBreak(output);
  put(output, close);
}
