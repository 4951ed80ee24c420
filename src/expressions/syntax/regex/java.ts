/** A part of a regular expression of JavaScript that Java, which Step Functions runs on, reads differently. */
export interface JavaDifference {
  /** UTF-16 offsets in the pattern. */
  readonly start: number;
  readonly end: number;
  /** What Java does with the part. */
  readonly reading: string;
  /** Whether only rare characters show the difference. */
  readonly isRare: boolean;
}

/** What Java reads a part as that JavaScript does not accept, if that is why JavaScript rejects the pattern. */
export function javaOnlySyntax(pattern: string): string | undefined {
  return javaOnly.find(([syntax]) => syntax.test(pattern))?.[1];
}

const javaOnly: readonly (readonly [syntax: RegExp, name: string])[] = [
  [/^(?:\\.|[^\\])*?(?:[*+?]|\{\d+(?:,\d*)?\})\+/s, "a possessive quantifier"],
  [/^(?:\\.|[^\\])*?\(\?>/s, "an atomic group"],
  [/^(?:\\.|[^\\])*?\(\?[a-zA-Z]*-?[a-zA-Z]+[):]/s, "inline flags"],
];

/**
 * The parts of a valid regular expression, with the flags of JSONata, that Java reads differently or refuses. Both
 * engines agree on all strings for a pattern without any.
 */
export function javaDifferences(pattern: string, flags: string): readonly JavaDifference[] {
  const scan: Scan = {
    pattern,
    flags,
    at: 0,
    groups: [openGroup("", 0, new Set())],
    names: [],
    captures: 0,
    hasNames: /\(\?<[^=!]/.test(pattern),
    found: [],
  };
  if (pattern.length > maxLength) {
    scan.at = pattern.length;
    report(scan, 0, "an expression of this length is not compared");
  }
  while (scan.at < pattern.length) readItem(scan);
  return scan.found;
}

/** The captures before each group are copied. */
const maxLength = 5_000;

interface Scan {
  readonly pattern: string;
  readonly flags: string;
  at: number;
  /** The open groups, innermost last. */
  readonly groups: Group[];
  readonly names: string[];
  captures: number;
  readonly hasNames: boolean;
  readonly found: JavaDifference[];
}

interface Group {
  readonly opening: string;
  readonly start: number;
  /** The number of a capture, or 0. */
  readonly number: number;
  /** The captures that have surely matched before the group. */
  readonly before: ReadonlySet<number>;
  /** The captures that have surely matched here. */
  certain: Set<number>;
  /** The captures that begin inside. */
  readonly inner: number[];
  isChoice: boolean;
  /** Whether the current branch, or an earlier one, may match nothing. */
  isEmpty: boolean;
  mayBeEmpty: boolean;
}

const openGroup = (opening: string, start: number, before: ReadonlySet<number>, number = 0): Group => ({
  opening,
  start,
  number,
  before,
  certain: new Set(before),
  inner: [],
  isChoice: false,
  isEmpty: true,
  mayBeEmpty: false,
});

function report(scan: Scan, start: number, reading: string, isRare = false): void {
  scan.found.push({ start, end: scan.at, reading, isRare });
}

/** Consumes what a sticky expression matches. */
function take(scan: Scan, syntax: RegExp): string | undefined {
  syntax.lastIndex = scan.at;
  const [text] = syntax.exec(scan.pattern) ?? [];
  if (text !== undefined) scan.at += text.length;
  return text;
}

function readItem(scan: Scan): void {
  const start = scan.at;
  const group = scan.groups.at(-1)!;
  switch (scan.pattern[start]) {
    case "(":
      readOpening(scan);
      return;
    case ")":
      readClosing(scan);
      return;
    case "|":
      scan.at += 1;
      group.isChoice = true;
      group.mayBeEmpty ||= group.isEmpty;
      group.isEmpty = true;
      group.certain = new Set(group.before);
      return;
    case "^":
      scan.at += 1;
      if (scan.flags.includes("m")) report(scan, start, "`^` also matches behind U+0085, and not at the end", true);
      return;
    case "$":
      scan.at += 1;
      report(scan, start, "`$` also matches before a line break at the end", true);
      return;
    case "[":
      readClass(scan);
      if (scan.pattern[start + 1] === "^" && scan.at > start + 3) checkHalves(scan, start);
      readQuantifier(scan, start);
      return;
    case ".":
      scan.at += 1;
      report(scan, start, "`.` does not match U+0085", true);
      checkHalves(scan, start);
      readQuantifier(scan, start);
      return;
    case "\\":
      readEscape(scan, group);
      return;
    case "{":
      scan.at += 1;
      report(scan, start, "`{` must be written as `\\{`");
      readQuantifier(scan, start);
      return;
    default:
      scan.at += scan.pattern.codePointAt(start)! > 0xffff ? 2 : 1;
      checkCharacter(scan, start);
      if (scan.at - start === 2 && quantifier.test(scan.pattern.slice(scan.at)))
        report(scan, start, "the quantifier applies to the whole character, not to its second half");
      readQuantifier(scan, start);
  }
}

const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})/;

interface ClosedGroup {
  /** The captures in it, its own included. */
  readonly inner: readonly number[];
  readonly mayBeEmpty: boolean;
  /** Whether it may match without one of its captures. */
  readonly skips: boolean;
}

/** Reads the quantifier of a part, if any. */
function readQuantifier(scan: Scan, start: number, closed?: ClosedGroup): void {
  const { inner, mayBeEmpty, skips } = closed ?? { inner: [], mayBeEmpty: false, skips: false };
  const group = scan.groups.at(-1)!;
  const text = take(scan, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y) ?? "";
  const least = text === "" || text.startsWith("+") ? 1 : Number(/^\{(\d+)/.exec(text)?.[1] ?? 0);
  const repeats = /^[*+]|^\{\d*[2-9]|^\{\d+,\}|^\{\d*1\d/.test(text);
  const isUnbounded = /^[*+]|,\}/.test(text);
  if (isUnbounded && scan.groups.some(({ opening }) => opening.startsWith("(?<") && /[=!]$/.test(opening)))
    report(scan, start, "a look-behind must have a greatest length");
  if (least > 0 && !mayBeEmpty) group.isEmpty = false;
  if (least === 0) for (const number of inner) group.certain.delete(number);
  if (inner.length > 0 && ((mayBeEmpty && (repeats || least === 0)) || (skips && repeats)))
    report(scan, start, "a group keeps what it has matched in an earlier repetition");
}

function readOpening(scan: Scan): void {
  const start = scan.at;
  const opening = take(scan, /\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z]*(?:-[a-z]*)?:))?/y)!;
  const name = /^\(\?<([^=!][^>]*)>/.exec(opening)?.[1];
  const number = opening === "(" || name !== undefined ? ++scan.captures : 0;
  if (name !== undefined) {
    if (!/^[a-zA-Z][a-zA-Z0-9]*$/.test(name))
      report(scan, start, "a name of a group has only letters and digits of ASCII");
    if (scan.names.includes(name)) report(scan, start, "names of groups must differ");
    scan.names[number] = name;
  }
  scan.groups.push(openGroup(opening, start, scan.groups.at(-1)!.certain, number));
  for (const group of scan.groups) if (number > 0) group.inner.push(number);
}

function readClosing(scan: Scan): void {
  const closed = scan.groups.pop()!;
  scan.at += 1;
  const group = scan.groups.at(-1)!;
  const isLook = /^\(\?<?[=!]$/.test(closed.opening);
  const isNegative = /^\(\?<?!$/.test(closed.opening);
  if (!closed.isChoice && !isNegative) for (const each of closed.certain) group.certain.add(each);
  else for (const each of closed.inner) closed.certain.delete(each);
  const skips = closed.inner.some((number) => number !== closed.number && !closed.certain.has(number));
  if (closed.number > 0) group.certain.add(closed.number);
  const mayBeEmpty = isLook || closed.mayBeEmpty || closed.isEmpty;
  readQuantifier(scan, closed.start, { inner: closed.inner, mayBeEmpty, skips });
}

function readEscape(scan: Scan, group: Group): void {
  const start = scan.at;
  const number = take(scan, /\\[1-9]\d*/y);
  const name = number === undefined && scan.hasNames ? take(scan, /\\k<[^>]*>/y) : undefined;
  if (number !== undefined || name !== undefined) {
    const target = number === undefined ? scan.names.indexOf(name!.slice(3, -1)) : Number(number.slice(1));
    if (!group.certain.has(target)) report(scan, start, "a reference to a group that has not matched fails");
    readQuantifier(scan, start, { inner: [], mayBeEmpty: true, skips: false });
    return;
  }
  const assertion = take(scan, /\\[bB]/y);
  if (assertion !== undefined) {
    report(scan, start, `\`${assertion}\` may count letters outside of ASCII as parts of words`, true);
    return;
  }
  readCharacterEscape(scan);
  if (/[DWS]/.test(scan.pattern.charAt(start + 1))) checkHalves(scan, start);
  readQuantifier(scan, start);
}

/** JavaScript matches the halves of a character outside of the BMP one by one. */
function checkHalves(scan: Scan, start: number): void {
  if (!/^[*+](?!\?)/.test(scan.pattern.slice(scan.at, scan.at + 2)))
    report(scan, start, `\`${scan.pattern.slice(start, scan.at)}\` matches a character such as an emoji as one`, true);
}

/** Reads an escape that means the same inside and outside of a class, apart from what it reports. */
function readCharacterEscape(scan: Scan): void {
  const start = scan.at;
  if (take(scan, /\\(?:[dDwWtnrf]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|c[A-Z]|[^a-zA-Z0-9])/y) !== undefined) {
    checkCharacter(scan, start);
    return;
  }
  const space = take(scan, /\\[sS]/y);
  if (space !== undefined) {
    report(scan, start, `\`${space}\` counts only white space of ASCII`, true);
    return;
  }
  const text = take(scan, /\\(?:u\{[^}]*\}|x\{[^}]*\}|[pP]\{[^}]*\}|[\s\S])/y) ?? scan.pattern.slice(scan.at++);
  const meaning = escapes.get(text.charAt(1));
  report(scan, start, meaning === undefined ? `\`${text}\` is an error` : `\`${text}\` is ${meaning}`);
}

/** What escapes mean in Java that are ordinary characters in JavaScript. */
const escapes: ReadonlyMap<string, string> = new Map([
  ["h", "horizontal white space"],
  ["H", "any character but horizontal white space"],
  ["v", "any vertical white space"],
  ["V", "any character but vertical white space"],
  ["R", "a line break"],
  ["X", "a grapheme"],
  ["N", "a named character"],
  ["Q", "the start of a quotation"],
  ["E", "the end of a quotation"],
  ["A", "the start of the text"],
  ["Z", "the end of the text"],
  ["z", "the end of the text"],
  ["G", "the end of the last match"],
  ["a", "the bell character"],
  ["e", "the escape character"],
  ["p", "a class of characters"],
  ["P", "a class of characters"],
  ["x", "a character by its code"],
  ["c", "a control character"],
  ["k", "a reference to a group"],
  ["0", "the start of an octal number"],
]);

function readClass(scan: Scan): void {
  const start = scan.at;
  take(scan, /\[\^?/y);
  if (scan.pattern[scan.at] === "]") {
    scan.at += 1;
    report(scan, start, "`]` at the start of a class is a member of it");
    return;
  }
  while (scan.at < scan.pattern.length) {
    const from = scan.at;
    const character = scan.pattern.codePointAt(from)!;
    if (take(scan, /\]/y) !== undefined) return;
    if (take(scan, /\[/y) !== undefined) report(scan, from, "`[` in a class begins a class inside");
    else if (take(scan, /&&/y) !== undefined) report(scan, from, "`&&` in a class is an intersection");
    else if (take(scan, /\\[bB]/y) !== undefined) report(scan, from, "`\\b` in a class is an error");
    else if (take(scan, /\\[1-9]/y) !== undefined) report(scan, from, "a number in a class is an error");
    else if (take(scan, /[^\\\]]-\\[dDwWsSpP]/y) !== undefined)
      report(scan, from, "a range that ends in a class is an error");
    else if (scan.pattern[from] === "\\") readCharacterEscape(scan);
    else {
      scan.at += character > 0xffff ? 2 : 1;
      if (character > 0xffff) report(scan, from, "a character outside of the BMP in a class is one character");
      else checkCharacter(scan, from);
    }
  }
}

/** Java ignores case for letters of ASCII only. */
function checkCharacter(scan: Scan, start: number): void {
  const text = scan.pattern.slice(start, scan.at);
  const code = /^\\[xu]([0-9a-fA-F]+)$/.exec(text)?.[1];
  const character = code === undefined ? text : String.fromCharCode(Number.parseInt(code, 16));
  const hasCase = /[^\0-\x7f]/.test(character) && character.toLowerCase() !== character.toUpperCase();
  if (hasCase && scan.flags.includes("i"))
    report(scan, start, "the flag `i` ignores the case of letters of ASCII only");
}
