import { lineTerminators } from "./characters.ts";
import { type CharacterSet, range, type SetMember, unicodeWord } from "./pattern.ts";
import { type PatternForm, wordEdgeSource } from "./print.ts";
import { lastLineSource } from "./reader.ts";

/** JavaScript's form for the flag `u`. With `expandsCase`, it needs no flag `i`; the pattern must be ASCII then. */
export const javascriptForm = (expandsCase: boolean): PatternForm => ({
  set: (set) => printSet(expandsCase ? withBothCases(set) : set),
  run: () => undefined,
  edges: { start: "^", end: "$", lastLine: lastLineSource },
  wordEdge: (isUnicode, isNegative) =>
    isUnicode ? wordEdgeSource(printSet(wordSet), isNegative) : isNegative ? "\\B" : "\\b",
});

const wordSet: CharacterSet = { isNegated: false, members: unicodeWord, ignoresCase: false };

/** A set with the other cases of its ASCII letters, as Unicode folds them. */
export function withBothCases(set: CharacterSet): CharacterSet {
  if (!set.ignoresCase) return set;
  return { ...set, members: [...set.members, ...set.members.flatMap(otherCases)], ignoresCase: false };
}

function otherCases(member: SetMember): readonly SetMember[] {
  if (member.kind !== "range") return [];
  const shifted = (low: number, high: number, distance: number): readonly SetMember[] => {
    const [from, to] = [Math.max(member.from, low), Math.min(member.to, high)];
    return from > to ? [] : [range(from + distance, to + distance)];
  };
  const folded = (letter: number, other: number): readonly SetMember[] =>
    [letter, letter + 0x20].some((code) => code >= member.from && code <= member.to) ? [range(other)] : [];
  const [kelvin, longS] = [folded(0x4b, 0x212a), folded(0x53, 0x17f)];
  return [...shifted(0x41, 0x5a, 0x20), ...shifted(0x61, 0x7a, -0x20), ...kelvin, ...longS];
}

function printSet({ isNegated, members }: CharacterSet): string {
  const plain = members.filter((member) => member.kind !== "complement");
  const complements = members.flatMap((member) => (member.kind === "complement" ? [member.members] : []));
  if (complements.length > 0 && isNegated)
    return `(?:(?!${printClass(false, plain)})${complements.map((each) => `(?=${printClass(false, each)})`).join("")}[\\s\\S])`;
  if (complements.length > 0)
    return `(?:${[printClass(false, plain), ...complements.map((each) => printClass(true, each))].join("|")})`;
  if (isNegated && isSame(members, lineTerminators)) return ".";
  const [only] = members;
  if (isNegated || members.length !== 1) return printClass(isNegated, members);
  return only!.kind === "range" && only!.from === only!.to
    ? printCharacter(only!.from, /[\^$\\.*+?()[\]{}|]/)
    : only!.kind === "range"
      ? printClass(false, members)
      : printMember(only!);
}

const isSame = (a: readonly SetMember[], b: readonly SetMember[]): boolean => JSON.stringify(a) === JSON.stringify(b);

function printClass(isNegated: boolean, members: readonly SetMember[]): string {
  if (members.length === 0) return isNegated ? "[\\s\\S]" : "[]";
  return `[${isNegated ? "^" : ""}${members.map(printMember).join("")}]`;
}

function printMember(member: SetMember): string {
  switch (member.kind) {
    case "range": {
      const [from, to] = [member.from, member.to].map((code) => printCharacter(code, /[\^\\[\]-]/));
      return member.from === member.to ? from! : `${from}-${to}`;
    }
    case "property":
      return `\\${member.isNegated ? "P" : "p"}{${member.name}}`;
    case "shorthand":
      return `\\${member.isNegated ? member.letter.toUpperCase() : member.letter}`;
    case "complement":
      throw new Error("A complement has no form in a class.");
  }
}

function printCharacter(code: number, special: RegExp): string {
  const character = String.fromCodePoint(code);
  if (special.test(character)) return `\\${character}`;
  if (!/[\p{C}\p{Z}]/u.test(character) || code === 0x20) return character;
  const control = "\t\n\r".indexOf(character);
  if (control >= 0) return `\\${"tnr".charAt(control)}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
