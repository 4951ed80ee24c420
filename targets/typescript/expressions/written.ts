import type { Use } from "./use.ts";
import { widest } from "./width.ts";

/** An expression as TypeScript. */
export interface Written {
  readonly text: string;
  /** How tightly its outermost operator binds. */
  readonly level: Level;
  /** Whether it may be undefined, which stands for no output. */
  readonly isOptional?: boolean | undefined;
  /** Where it may be undefined by its type, but is there whenever it is asked for: the text that says so. */
  readonly sure?: string | undefined;
  /** Whether it cannot be null or undefined, so that members are read with a dot alone. */
  readonly isPresent?: boolean | undefined;
  /** Whether, where it is undefined, the optional chain ends before it: members of it are read with a dot alone. */
  readonly isChained?: boolean | undefined;
  /** What is looked at in it, where its type is made of that. */
  readonly use?: Use | undefined;
  /** Its type, where it is sure to be one of these. */
  readonly type?: "boolean" | "number" | "string" | "array" | "object" | "null" | undefined;
}

/** Operators of TypeScript by how tightly they bind, the loosest first. */
export const level = {
  arrow: 0,
  choice: 1,
  nullish: 2,
  or: 3,
  and: 4,
  equality: 5,
  order: 6,
  sum: 7,
  product: 8,
  unary: 9,
  member: 10,
} as const;

/** One of `level`. */
export type Level = (typeof level)[keyof typeof level];

/** Text that binds at least as tightly as a place asks for. */
export const inside = (written: Written, place: Level): string =>
  written.level >= place ? written.text : `(${written.text})`;

/** Names, calls and literals: nothing around them needs parentheses. */
export const atom = (text: string, more: Omit<Written, "text" | "level"> = {}): Written => ({
  text,
  level: level.member,
  ...more,
});

/** Whether a text is a name, members of one, or one looked up: it may be written several times. */
export const isSimple = (text: string): boolean => text.length <= 60 && (path.test(text) || looked.test(text));

const path = /^(?:[\w$.?![\]]|\["(?:[^"\\]|\\.)*"\])+$/;
const looked = /^\w+\([\w$.?![\]]+, "(?:[^"\\]|\\.)*"\)$/;

/** Parts in brackets: on one line if they are short, else on a line each. */
export function listed(open: string, parts: readonly string[], close: string, space = ""): string {
  if (parts.length === 0) return `${open}${close}`;
  const flat = `${open}${space}${parts.join(", ")}${space}${close}`;
  return flat.length <= widest && !flat.includes("\n") ? flat : `${open}\n${parts.join(",\n")},\n${close}`;
}
