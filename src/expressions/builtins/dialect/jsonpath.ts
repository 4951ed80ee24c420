import type { Json } from "../../../json.ts";
import { createTester } from "../../library/backtracking.ts";
import { raiseLimit } from "../../library/failure.ts";
import { codePointCount } from "../../library/text.ts";

/** `nodeLength(E)`: JSONPath's `length` (RFC 9535, 2.4.4) of the first output. */
export function lengthOfNode(node: Json | undefined): number | undefined {
  if (typeof node === "string") return codePointCount(node);
  return typeof node === "object" && node !== null ? Object.keys(node).length : undefined;
}

/** `nodeValue(E)`: JSONPath's `value` (RFC 9535, 2.4.8): the only output, or undefined. */
export const valueOfNodes = (nodes: readonly Json[]): Json | undefined => (nodes.length === 1 ? nodes[0] : undefined);

/**
 * `nodeMatches(E, P)`, `nodeSearches(E, P)`: JSONPath's `match` and `search` (RFC 9535, 2.4.6 and 2.4.7). False for
 * invalid patterns; a pattern that is too large fails with `LimitError`.
 */
export function matchesNode(node: Json | undefined, pattern: Json | undefined, whole: boolean): boolean {
  if (typeof node !== "string" || typeof pattern !== "string") return false;
  return matcherOf(pattern, whole)?.(node) ?? false;
}

/** Compiles an I-Regexp to a linear-time test; undefined if invalid. */
export function matcherOf(pattern: string, whole: boolean): ((text: string) => boolean) | undefined {
  if (isLargeRegexp(pattern)) raiseLimit("A pattern is too large.");
  const parts = readRegexp(pattern);
  if (parts === undefined) return undefined;
  const source = regexpSource(parts, whole);
  if (!isStraight(parts, whole)) return createTester(source, "u");
  const regex = new RegExp(source, "u");
  return (text) => regex.test(text);
}

/** Whether the engine never backtracks. */
export function isStraight(parts: readonly RegexpPart[], whole: boolean): boolean {
  const signs = parts.flatMap((part) => (part.kind === "syntax" ? [part.text] : []));
  const open = signs.filter((sign) => !/^(?:[$^]|\{\d+\})$/.test(sign));
  return open.length === 0 || (whole && open.length === 1 && /^[*+{]/.test(open[0]!));
}

/** A part of an I-Regexp (RFC 9485). Characters are code points. */
export type RegexpPart =
  | { readonly kind: "syntax"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "character"; readonly character: string }
  /** As in `\p{Lu}` or `\P{L}`. */
  | { readonly kind: "category"; readonly text: string }
  | { readonly kind: "class"; readonly negated: boolean; readonly members: readonly RegexpMember[] };

/** A member of a character class. */
export type RegexpMember =
  | { readonly kind: "range"; readonly from: string; readonly to: string }
  | { readonly kind: "category"; readonly text: string };

/** Whether a pattern exceeds 10,000 UTF-16 units or 1,000 groups. */
export const isLargeRegexp = (text: string): boolean => text.length > 10_000 || text.split("(").length > 1_001;

/** Parses an I-Regexp; undefined if invalid. `^` and `$` are anchors, as in RFC 9485's mapping to JavaScript (5.3). */
export function readRegexp(text: string): readonly RegexpPart[] | undefined {
  const token = new RegExp(regexpToken, "uy");
  const parts: RegexpPart[] = [];
  let depth = 0;
  let repeats = false;
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (found === null) return undefined;
    const part = regexpPart(found);
    const sign = part.kind === "syntax" ? part.text.charAt(0) : "";
    if ("*+?{".includes(sign) && sign !== "" && !repeats) return undefined;
    if (sign === "(") depth++;
    if (sign === ")" && --depth < 0) return undefined;
    repeats = sign === "" || sign === ")" || sign === "^" || sign === "$";
    parts.push(part);
  }
  return depth === 0 && isWritable(parts) ? parts : undefined;
}

/** The JavaScript pattern for the flag `u`; `whole` anchors it. */
export function regexpSource(parts: readonly RegexpPart[], whole: boolean): string {
  const source = parts.map(partSource).join("");
  return whole ? `^(?:${source})$` : source;
}

const regexpEscape = "\\\\[(-+.?[-^nrt{-}-]";

const regexpCategory = "\\\\[pP]\\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfno]?)\\}";

const regexpCharacter = `(?:[^[\\]\\\\\\ud800-\\udfff-]|${regexpEscape})`;

const regexpMember = `(?:${regexpCharacter}(?:-${regexpCharacter})?|${regexpCategory})`;

const regexpClass = `\\[(?:\\^|(?!\\^))(?:-|${regexpMember})${regexpMember}*-?\\]`;

const regexpToken = `(${regexpClass})|(${regexpCategory})|(${regexpEscape})|\\{\\d+(?:,\\d*)?\\}|[^\\\\[\\]{}\\ud800-\\udfff]`;

function regexpPart([text, list, category, escaped]: RegExpExecArray): RegexpPart {
  if (list !== undefined) return classOf(list);
  if (category !== undefined) return { kind: "category", text: category };
  if (escaped !== undefined) return { kind: "character", character: unescaped(escaped) };
  if (text === ".") return { kind: "any" };
  return /^[()|*+?{^$]/.test(text) ? { kind: "syntax", text } : { kind: "character", character: text };
}

function classOf(text: string): RegexpPart {
  const negated = text.charAt(1) === "^";
  const inside = text.slice(negated ? 2 : 1, -1);
  const members: RegexpMember[] = [];
  const member = new RegExp(`(${regexpCategory})|(-|${regexpCharacter})(?:-(${regexpCharacter}))?`, "uy");
  for (let found = member.exec(inside); found !== null; found = member.exec(inside)) {
    const [, category, from = "", to = from] = found;
    members.push(
      category === undefined
        ? { kind: "range", from: unescaped(from), to: unescaped(to) }
        : { kind: "category", text: category },
    );
  }
  return { kind: "class", negated, members };
}

function unescaped(text: string): string {
  if (text.length < 2 || !text.startsWith("\\")) return text;
  const letter = text.charAt(1);
  return letter === "n" ? "\n" : letter === "r" ? "\r" : letter === "t" ? "\t" : letter;
}

function isWritable(parts: readonly RegexpPart[]): boolean {
  try {
    return new RegExp(regexpSource(parts, true), "u") !== undefined;
  } catch {
    return false;
  }
}

function partSource(part: RegexpPart): string {
  switch (part.kind) {
    case "syntax":
      return part.text === "(" ? "(?:" : part.text;
    case "any":
      return "[^\\n\\r]";
    case "character":
      return characterSource(part.character);
    case "category":
      return part.text;
    default:
      return `[${part.negated ? "^" : ""}${part.members.map(memberSource).join("")}]`;
  }
}

function memberSource(member: RegexpMember): string {
  if (member.kind === "category") return member.text;
  const { from, to } = member;
  return from === to ? classCharacter(from) : `${classCharacter(from)}-${classCharacter(to)}`;
}

const classCharacter = (character: string): string => (character === "-" ? "\\-" : characterSource(character));

function characterSource(character: string): string {
  if (/[\^$\\.*+?()[\]{}|/]/.test(character)) return `\\${character}`;
  return /[\p{Cc}\u2028\u2029]/u.test(character)
    ? `\\u${`000${character.charCodeAt(0).toString(16)}`.slice(-4)}`
    : character;
}
