import { isParseError, type Jq, jqChildren, parseJq } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { Path, Template } from "./model.ts";

/** Parses a program; undefined if it is not jq. */
export function parse(text: string): Jq | undefined {
  const parsed = parseJq(text);
  return isParseError(parsed) ? undefined : parsed;
}

/** The program of a string that is wholly `${ … }`. */
export function unwrapped(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed.startsWith("${") && trimmed.endsWith("}") ? trimmed.slice(2, -1).trim() : undefined;
}

/** A program in delimiters. */
export const wrapped = (jq: string): string => `\${ ${jq} }`;

/** A program whose input is the output of another. */
export function pipe(first: string | undefined, second: string): string {
  if (first === undefined || first === ".") return second;
  if (second === ".") return first;
  if (isPath(first) && isPath(second)) return second.startsWith(".[") ? first + second.slice(1) : first + second;
  return `${first} | ${second}`;
}

/** A program as an operand of `+`, `*` and `=`. */
export function operand(jq: string): string {
  const kind = parse(jq)?.kind;
  return kind !== undefined && operandKinds.has(kind) && !/^(?:if|try|reduce|foreach|def|label)\b/.test(jq)
    ? jq
    : `(${jq})`;
}

const operandKinds: ReadonlySet<Jq["kind"]> = new Set<Jq["kind"]>(
  "identity number string interpolation constant variable index slice iteration array object call".split(
    " ",
  ) as Jq["kind"][],
);

/** Whether a program yields an object if it yields anything. */
export const yieldsObject = (jq: string): boolean => {
  const query = parse(jq);
  return query?.kind === "object" || (query?.kind === "pipe" && query.right.kind === "object");
};

const isPath = (jq: string): boolean => /^(?:\.[A-Za-z_]\w*|\.?\[(?:\d+|"[^"\\]*")\])+$/.test(jq);

/** Applies a function to the programs of a template. */
export function mapTemplate(template: Template, change: (jq: string) => string): Template {
  if (typeof template === "string") {
    const jq = unwrapped(template);
    return jq === undefined ? template : wrapped(change(jq));
  }
  if (Array.isArray(template)) return template.map((each) => mapTemplate(each, change));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, mapTemplate(value, change)]));
}

/** Prints JSON as jq, without quotes around keys that need none. */
export function literalOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(", ")}]`;
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${keyOf(name)}: ${literalOf(each)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** A key of an object construction. */
export const keyOf = (name: string): string => (isName(name) ? name : stringLiteral(name));

/** The path of a member. */
export const memberPath = (name: string): string => (isName(name) ? `.${name}` : `.[${stringLiteral(name)}]`);

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

const stringLiteral = (text: string): string => JSON.stringify(text).replaceAll("\\(", "\\\\(");

/** A path, if a program is one. */
export function pathOf(jq: string): Path {
  const names: string[] = [];
  for (let query = parse(jq); query !== undefined; query = query.target) {
    if (query.kind === "identity") return { jq, names: names.reverse() };
    if (query.kind !== "index" || query.key.kind !== "string") break;
    names.push(query.key.value);
  }
  return { jq, names: undefined };
}

/** An object with a value at a path of names. */
export const objectAt = (names: readonly string[], jq: string): string =>
  names.reduceRight((inner, name) => `{ ${keyOf(name)}: ${inner} }`, names.length === 0 ? jq : operand(jq));

/** Replaces ranges of a program. `replace` returns the text for a query, or undefined to look into it. */
export function replaceQueries(jq: string, replace: (query: Jq) => string | undefined): string {
  const root = parse(jq);
  if (!root) return jq;
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (query: Jq): void => {
    const text = replace(query);
    if (text === undefined) for (const child of jqChildren(query)) visit(child);
    else edits.push({ start: query.start, end: query.end, text });
  };
  visit(root);
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), jq);
}
