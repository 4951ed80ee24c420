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
const maxWidth = 120;

/** What is nested more deeply is indented no further, so that the text grows with the tree and no faster. */
const maxIndentDepth = 12;

/** Nothing is written yet. */
export const createOutput = ({ types, charset = "unicode" }: PrintOptions): Output => ({
  types,
  charset,
  text: "",
  column: 0,
  depth: 0,
  isFlat: false,
  hasFailed: false,
});

/** Adds text without line breaks. */
export function append(output: Output, text: string): void {
  if (output.hasFailed) return;
  output.text += text;
  output.column += text.length;
  if (output.isFlat && output.column > maxWidth) output.hasFailed = true;
}

/** Begins a new line, indented. */
export function newLine(output: Output): void {
  if (output.isFlat) {
    output.hasFailed = true;
    return;
  }
  output.column = 2 * Math.min(output.depth, maxIndentDepth);
  output.text += `\n${" ".repeat(output.column)}`;
}

/** Writes a node. The same functions serve for all nodes of a kind, so that none has to be made for each. */
export type PrintNode<T> = (node: T, output: Output) => void;

/** Writes what may be broken into lines: in one line if it fits, as `broken` has it otherwise. Each is tried once, so that the time grows with the text. */
export function printGroup<T>(node: T, output: Output, flat: PrintNode<T>, broken: PrintNode<T>): void {
  if (output.isFlat) flat(node, output);
  else if (!tryFlat(node, output, flat)) broken(node, output);
}

/** Writes something in the rest of the line; nothing, if it does not fit. */
export function tryFlat<T>(node: T, output: Output, write: PrintNode<T>): boolean {
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
export function indent<T>(node: T, output: Output, write: PrintNode<T>): void {
  output.depth += 1;
  write(node, output);
  output.depth -= 1;
}

/** How a list is written. */
export interface ListFormat<T> {
  readonly open: string;
  readonly close: string;
  /** Inside of the brackets, where all is in one line. */
  readonly space: string;
  /** Behind each but the last; and behind the last too where each is in a line of its own. */
  readonly separator: string;
  /** Whether the last one may begin in the line and end in another: a function, an object, a list. */
  readonly hugs?: ((last: T) => boolean) | undefined;
  readonly print: PrintNode<T>;
}

/** `[a, b, c]`, or with each in a line of its own. */
export function printList<T>(items: readonly T[], output: Output, form: ListFormat<T>): void {
  if (items.length === 0) append(output, form.open + form.close);
  else if (output.isFlat) printFlat(items, output, form);
  else {
    const isInLine = tryFlat(items, output, (all) => printFlat(all, output, form));
    if (!isInLine && !tryHug(items, output, form)) printBroken(items, output, form);
  }
}

function printFlat<T>(
  items: readonly T[],
  output: Output,
  { open, close, space, separator, print: write }: ListFormat<T>,
): void {
  append(output, open + space);
  for (let i = 0; i < items.length && !output.hasFailed; i += 1) {
    if (i > 0) append(output, `${separator} `);
    write(items[i]!, output);
  }
  append(output, space + close);
}

/** Writes all but the last in one line, and the last over several; whether that was done. */
function tryHug<T>(items: readonly T[], output: Output, form: ListFormat<T>): boolean {
  const last = items.at(-1)!;
  if (!form.hugs?.(last)) return false;
  const before = items.slice(0, -1);
  if (before.some((item) => form.hugs?.(item))) return false;
  const begun = tryFlat(before, output, (all) => {
    append(output, form.open);
    for (const item of all) {
      form.print(item, output);
      append(output, `${form.separator} `);
    }
  });
  if (!begun) return false;
  form.print(last, output);
  append(output, form.close);
  return true;
}

function printBroken<T>(
  items: readonly T[],
  output: Output,
  { open, close, separator, print: write }: ListFormat<T>,
): void {
  append(output, open);
  indent(items, output, (all) => {
    for (const item of all) {
      newLine(output);
      write(item, output);
      append(output, separator);
    }
  });
  newLine(output);
  append(output, close);
}
