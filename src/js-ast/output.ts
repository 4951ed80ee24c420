import type { Charset } from "./literals.ts";

/** Options for printing code. */
export interface PrintOptions {
  readonly types: boolean;
  /** Unicode by default. */
  readonly charset?: Charset | undefined;
}

/** The state of the printer. */
export interface Output {
  readonly types: boolean;
  readonly charset: Charset;
  text: string;
  column: number;
  depth: number;
  isFlat: boolean;
  /** It exceeded the line; the output is discarded. */
  hasFailed: boolean;
}

const maxWidth = 120;

/** Keeps the output linear in the tree. */
const maxIndentDepth = 12;

/** Creates an empty output. */
export const createOutput = ({ types, charset = "unicode" }: PrintOptions): Output => ({
  types,
  charset,
  text: "",
  column: 0,
  depth: 0,
  isFlat: false,
  hasFailed: false,
});

/** Appends text without line breaks. */
export function append(output: Output, text: string): void {
  if (output.hasFailed) return;
  output.text += text;
  output.column += text.length;
  if (output.isFlat && output.column > maxWidth) output.hasFailed = true;
}

/** Starts a new, indented line. */
export function newLine(output: Output): void {
  if (output.isFlat) {
    output.hasFailed = true;
    return;
  }
  output.column = 2 * Math.min(output.depth, maxIndentDepth);
  output.text += `\n${" ".repeat(output.column)}`;
}

/** Prints a node. One function per kind avoids closures. */
export type PrintNode<T> = (node: T, output: Output) => void;

/** Prints a node on one line if it fits, else with `broken`. Each is tried once, so printing is linear. */
export function printGroup<T>(node: T, output: Output, flat: PrintNode<T>, broken: PrintNode<T>): void {
  if (output.isFlat) flat(node, output);
  else if (!tryFlat(node, output, flat)) broken(node, output);
}

/** Prints a node on the current line, if it fits. */
export function tryFlat<T>(node: T, output: Output, print: PrintNode<T>): boolean {
  const { text, column, isFlat } = output;
  output.isFlat = true;
  print(node, output);
  output.isFlat = isFlat;
  if (!output.hasFailed) return true;
  if (isFlat) return false;
  output.hasFailed = false;
  output.text = text;
  output.column = column;
  return false;
}

/** Prints lines with one more level of indentation. */
export function indent<T>(node: T, output: Output, print: PrintNode<T>): void {
  output.depth += 1;
  print(node, output);
  output.depth -= 1;
}

/** The format of a list. */
export interface ListFormat<T> {
  readonly open: string;
  readonly close: string;
  readonly space: string;
  /** Also follows the last item on separate lines. */
  readonly separator: string;
  readonly hugs?: ((last: T) => boolean) | undefined;
  readonly print: PrintNode<T>;
}

/** Prints `[a, b, c]`, or one item per line. */
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
  { open, close, space, separator, print }: ListFormat<T>,
): void {
  append(output, open + space);
  for (let i = 0; i < items.length && !output.hasFailed; i += 1) {
    if (i > 0) append(output, `${separator} `);
    print(items[i]!, output);
  }
  append(output, space + close);
}

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

function printBroken<T>(items: readonly T[], output: Output, { open, close, separator, print }: ListFormat<T>): void {
  append(output, open);
  indent(items, output, (all) => {
    for (const item of all) {
      newLine(output);
      print(item, output);
      append(output, separator);
    }
  });
  newLine(output);
  append(output, close);
}
