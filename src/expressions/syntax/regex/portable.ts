import { cursorOf, isParseError, runParser } from "../cursor.ts";
import { withBothCases } from "./javascript.ts";
import { type CharacterSet, extentOf, type Pattern, type SetMember } from "./pattern.ts";
import { type PatternForm, printPattern, wordEdgeSource } from "./print.ts";
import { readRegex } from "./reader.ts";

/**
 * Converts a JavaScript regular expression (flags `u` and `i`) to one without flags that JavaScript, which then matches
 * UTF-16 units, and `java.util.regex.Pattern`, which matches code points, find in the same strings. Undefined if the
 * pattern has no such form: properties of Unicode, ranges of many characters beyond U+FFFF, back-references, and what
 * Java cannot repeat.
 */
export function portableRegex(source: string, flags = "u"): string | undefined {
  const options = { ignoresCase: flags.includes("i"), isDotAll: false, isExtended: false };
  const parsed = runParser(() => readRegex(cursorOf(source), "javascript", options));
  if (isParseError(parsed) || !isRegExp(source)) return undefined;
  const plan: FormPlan = { isPossible: true, needsGuard: false, runs: new Set() };
  planForm(parsed.pattern, false, plan);
  if (!plan.isPossible) return undefined;
  const form: PatternForm = {
    set: (set) => printSet(set),
    run: (set) => (plan.runs.has(set) ? printRun(set) : undefined),
    edges: { start: "^", end, lastLine: "(?![^\\n]|\\n[\\s\\S])" },
    wordEdge: (_, isNegative) => wordEdgeSource("\\w", isNegative),
  };
  const printed = printPattern(parsed.pattern, form).source;
  if (!plan.needsGuard || isAnchored(parsed.pattern)) return printed;
  return outsideOfPair + (parsed.pattern.kind === "choice" ? `(?:${printed})` : printed);
}

/** The dialect of `matches` accepts more than JavaScript. */
function isRegExp(source: string): boolean {
  try {
    return new RegExp(source, "u") !== undefined;
  } catch {
    return false;
  }
}

const end = "(?![\\s\\S])";

/** Java may try a match inside of a surrogate pair, before which no character ends; JavaScript sees two units there. */
const outsideOfPair = "(?:^|(?<=[\\s\\S]))(?!(?<=[\\ud800-\\udbff])[\\udc00-\\udfff])";

const isAnchored = (pattern: Pattern): boolean =>
  pattern.kind === "sequence" && pattern.parts[0]?.kind === "edge" && pattern.parts[0].edge === "start";

interface FormPlan {
  isPossible: boolean;
  /** Whether a part may match inside of a surrogate pair, but not at the pair. */
  needsGuard: boolean;
  /** The sets whose repetitions may take any number of units, even if that divides a pair. */
  readonly runs: Set<CharacterSet>;
}

/** Plans a form; `isChecked` says that an assertion may follow that would notice a divided pair. */
function planForm(pattern: Pattern, isChecked: boolean, plan: FormPlan): void {
  switch (pattern.kind) {
    case "set": {
      const units = unitsOf(pattern.set);
      if (units === undefined) plan.isPossible = false;
      else if (units.isWide && units.pairs.length > 0) plan.needsGuard = true;
      else if (units.isWide && !isChecked) plan.runs.add(pattern.set);
      break;
    }
    case "sequence": {
      let isCheckedLater = isChecked;
      for (const part of pattern.parts.toReversed()) {
        planForm(part, isCheckedLater, plan);
        isCheckedLater ||= mayHoldInPair(part);
      }
      break;
    }
    case "choice":
      for (const branch of pattern.branches) planForm(branch, isChecked, plan);
      break;
    case "capture":
      planForm(pattern.part, isChecked, plan);
      break;
    case "look":
      if (pattern.isBehind && !hasOnlyUnits(pattern.part)) plan.isPossible = false;
      if (pattern.isBehind || pattern.isNegative) plan.needsGuard = true;
      planForm(pattern.part, false, plan);
      break;
    case "repetition":
      planForm(pattern.part, isChecked || mayHoldInPair(pattern.part), plan);
      if (!isRepeatable(pattern, plan)) plan.isPossible = false;
      break;
    case "wordEdge":
      if (pattern.isNegative) plan.needsGuard = true;
      break;
    case "atomic":
    case "reference":
      plan.isPossible = false;
  }
}

function mayHoldInPair(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "sequence":
      return pattern.parts.some(mayHoldInPair);
    case "choice":
      return pattern.branches.some(mayHoldInPair);
    case "look":
      return pattern.isBehind || pattern.isNegative || mayHoldInPair(pattern.part);
    case "wordEdge":
      return pattern.isNegative;
    default:
      return "part" in pattern && mayHoldInPair(pattern.part);
  }
}

/**
 * Java ends a counted repetition at the first round that matches nothing, and overflows its stack in a long repetition
 * of alternatives, which sets of pairs become.
 */
function isRepeatable({ part, min, max }: Extract<Pattern, { kind: "repetition" }>, { runs }: FormPlan): boolean {
  if (min > 1 && extentOf(part).min === 0) return false;
  if (part.kind !== "set") return true;
  const units = unitsOf(part.set);
  const isChoice = units?.isWide || (units?.pairs.length ?? 0) + (units?.basic.length ? 1 : 0) > 1;
  const rounds = runs.has(part.set) && max === Number.POSITIVE_INFINITY ? min : max;
  return !isChoice || rounds <= maxRounds;
}

/** With a stack of one megabyte, 1,500 rounds overflow it. */
const maxRounds = 255;

/** Whether a part of a look-behind consists of sets of single UTF-16 units. */
function hasOnlyUnits(pattern: Pattern): boolean {
  if (pattern.kind === "sequence") return pattern.parts.every(hasOnlyUnits);
  if (pattern.kind === "repetition") return hasOnlyUnits(pattern.part);
  const units = pattern.kind === "set" ? unitsOf(pattern.set) : undefined;
  return units !== undefined && !units.isWide && units.pairs.length === 0;
}

type Range = readonly [from: number, to: number];

/** A set in terms of UTF-16. */
interface SetUnits {
  /** The characters below U+10000 except surrogates. */
  readonly basic: readonly Range[];
  /** Whether the set contains surrogates without a partner, and all characters beyond U+FFFF except `pairs`. */
  readonly isWide: boolean;
  /** The few characters beyond U+FFFF that the set contains, or lacks if it is wide. */
  readonly pairs: readonly number[];
}

function unitsOf(set: CharacterSet): SetUnits | undefined {
  const { isNegated, members } = withBothCases(set);
  const positive = unionOf(members);
  const ranges = positive && isNegated ? complementOf(positive) : positive;
  if (ranges === undefined) return undefined;
  const surrogates = sizeOf(within(ranges, 0xd800, 0xdfff));
  const beyond = within(ranges, 0x10000, 0x10ffff);
  const isWide = surrogates > 0;
  if (isWide && surrogates < 0x800) return undefined;
  const rare = isWide ? within(complementOf(ranges), 0x10000, 0x10ffff) : beyond;
  if (sizeOf(rare) > maxPairs) return undefined;
  const pairs = rare.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
  return { basic: [...within(ranges, 0, 0xd7ff), ...within(ranges, 0xe000, 0xffff)], isWide, pairs };
}

const maxPairs = 32;

const sizeOf = (ranges: readonly Range[]): number => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);

const within = (ranges: readonly Range[], low: number, high: number): readonly Range[] =>
  ranges.map(([from, to]): Range => [Math.max(from, low), Math.min(to, high)]).filter(([from, to]) => from <= to);

/** Sorted ranges that neither overlap nor touch; undefined if they depend on the version of Unicode. */
function unionOf(members: readonly SetMember[]): readonly Range[] | undefined {
  const ranges: Range[] = [];
  for (const member of members) {
    const more = rangesOf(member);
    if (more === undefined) return undefined;
    ranges.push(...more);
  }
  ranges.sort(([a], [b]) => a - b);
  const union: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = union.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else union.push([from, to]);
  }
  return union;
}

function rangesOf(member: SetMember): readonly Range[] | undefined {
  switch (member.kind) {
    case "range":
      return [[member.from, member.to]];
    case "shorthand":
      return member.isNegated ? complementOf(shorthands[member.letter]) : shorthands[member.letter];
    case "complement": {
      const union = unionOf(member.members);
      return union && complementOf(union);
    }
    case "property":
      return undefined;
  }
}

/** JavaScript's sets of digits, white space and word characters. */
const shorthands: { readonly [letter in "d" | "s" | "w"]: readonly Range[] } = {
  d: [[0x30, 0x39]],
  s: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
  w: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
};

function complementOf(ranges: readonly Range[]): readonly Range[] {
  const ends = [...ranges.map(([from, to]): Range => [from - 1, to + 1]), [0x10ffff, 0x10ffff] as const];
  return ends.map(([to], i): Range => [i === 0 ? 0 : ends[i - 1]![1], to]).filter(([from, to]) => from <= to);
}

/** A pair, or a surrogate without a partner. */
const pair = "[\\ud800-\\udbff][\\udc00-\\udfff]";

const lone = "[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]";

function printSet(set: CharacterSet): string {
  const { basic, isWide, pairs } = unitsOf(set)!;
  const listed = pairs.map((code) => printText(String.fromCodePoint(code)));
  if (isWide) {
    const others = printClass(true, [...lacking(basic), [0xd800, 0xdfff]]);
    return `(?:${pairs.length > 0 ? `(?!${listed.join("|")})(?:` : ""}${others}|${pair}|${lone}${pairs.length > 0 ? ")" : ""})`;
  }
  if (pairs.length === 0) return printClass(false, basic);
  return `(?:${[...(basic.length > 0 ? [printClass(false, basic)] : []), ...listed].join("|")})`;
}

/** Any number of units; each set of pairs begins with a high surrogate, so that none follows half a pair. */
const printRun = (set: CharacterSet): string => printClass(true, lacking(unitsOf(set)!.basic));

/** The characters below U+10000, except surrogates, that are not in a set. */
const lacking = (basic: readonly Range[]): readonly Range[] =>
  within(complementOf([...basic, [0xd800, 0xdfff] as const].sort(([a], [b]) => a - b)), 0, 0xffff);

function printClass(isNegated: boolean, ranges: readonly Range[]): string {
  if (ranges.length === 0) return isNegated ? "[\\s\\S]" : "[^\\s\\S]";
  const [[from, to]] = ranges as readonly [Range];
  if (!isNegated && ranges.length === 1 && from === to) return printText(String.fromCharCode(from), /[\^$.*+?|]/);
  const members = ranges.map(([low, high]) =>
    [...new Set([low, high])]
      .map((code) => printText(String.fromCharCode(code), /[\^&-]/))
      .join(high === low + 1 ? "" : "-"),
  );
  return `[${isNegated ? "^" : ""}${members.join("")}]`;
}

/** JSONata finds the end of a pattern by counting brackets, so brackets are escaped by their numbers. */
function printText(text: string, special = /[^\s\S]/): string {
  return Array.from({ length: text.length }, (_, i) => {
    const unit = text.charAt(i);
    const control = "\t\n\r".indexOf(unit);
    if (control >= 0) return `\\${"tnr".charAt(control)}`;
    if (/[()[\]{}/\\%]|[^ -~]/.test(unit)) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return special.test(unit) ? `\\${unit}` : unit;
  }).join("");
}
