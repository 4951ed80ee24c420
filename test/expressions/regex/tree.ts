import type { CharacterSet, Pattern, SetMember } from "../../../src/expressions/syntax/regex/pattern.ts";

/** Whether a pattern of the dialect `javascript` is found in a string, by its definition: all paths, no cleverness. */
export function isFoundIn(pattern: Pattern, text: string): boolean {
  const characters = Array.from(text);
  return characters.concat("").some((_, at) => matchesAt(pattern, { characters, at, captures: new Map() }, () => true));
}

interface Position {
  readonly characters: readonly string[];
  readonly at: number;
  readonly captures: ReadonlyMap<number, readonly string[]>;
}

function matchesAt(pattern: Pattern, start: Position, then: (end: Position) => boolean): boolean {
  const { characters, at, captures } = start;
  const isWord = (index: number): boolean => /^\w$/.test(characters[index] ?? "");
  switch (pattern.kind) {
    case "set":
      return at < characters.length && contains(pattern.set, characters[at]!) && then({ ...start, at: at + 1 });
    case "sequence": {
      const from = (i: number, position: Position): boolean =>
        i === pattern.parts.length
          ? then(position)
          : matchesAt(pattern.parts[i]!, position, (next) => from(i + 1, next));
      return from(0, start);
    }
    case "choice":
      return pattern.branches.some((branch) => matchesAt(branch, start, then));
    case "repetition": {
      const round = (count: number, position: Position): boolean =>
        (count >= pattern.min && then(position)) ||
        (count < pattern.max &&
          matchesAt(
            pattern.part,
            position,
            (next) => (next.at > position.at || count < pattern.min) && round(count + 1, next),
          ));
      return round(0, start);
    }
    case "capture":
      return matchesAt(pattern.part, start, (end) =>
        then({ ...end, captures: new Map([...end.captures, [pattern.number, characters.slice(at, end.at)]]) }),
      );
    case "atomic": {
      let first: Position | undefined;
      matchesAt(pattern.part, start, (end) => {
        first = end;
        return true;
      });
      return first !== undefined && then(first);
    }
    case "look": {
      const starts = pattern.isBehind ? Array.from({ length: at + 1 }, (_, i) => i) : [at];
      const holds = starts.some((from) =>
        matchesAt(pattern.part, { ...start, at: from }, (end) => !pattern.isBehind || end.at === at),
      );
      return holds !== pattern.isNegative && then(start);
    }
    case "edge": {
      const isEnd = at === characters.length;
      const isLastLine = at === characters.length - 1 && characters[at] === "\n";
      const holds = pattern.edge === "start" ? at === 0 : isEnd || (pattern.edge === "lastLine" && isLastLine);
      return holds && then(start);
    }
    case "wordEdge":
      return (isWord(at - 1) !== isWord(at)) !== pattern.isNegative && then(start);
    case "reference": {
      const text = captures.get(pattern.number) ?? [];
      const isNext = text.every((character, i) => characters[at + i] === character);
      return isNext && then({ ...start, at: at + text.length });
    }
  }
}

const contains = ({ isNegated, members, ignoresCase }: CharacterSet, character: string): boolean =>
  members.some((member) => isMember(member, character, ignoresCase)) !== isNegated;

function isMember(member: SetMember, character: string, ignoresCase: boolean): boolean {
  switch (member.kind) {
    case "range":
      return casesOf(character, ignoresCase).some((each) => {
        const code = each.codePointAt(0)!;
        return code >= member.from && code <= member.to;
      });
    case "property":
      return new RegExp(`^\\p{${member.name}}$`, "u").test(character) !== member.isNegated;
    case "shorthand":
      return new RegExp(`^\\${member.letter}$`, "u").test(character) !== member.isNegated;
    case "complement":
      return !member.members.some((each) => isMember(each, character, false));
  }
}

/** A character and its other cases, as Unicode folds them, among the ASCII letters. */
const casesOf = (character: string, ignoresCase: boolean): readonly string[] =>
  ignoresCase
    ? letters.filter((letter) => new RegExp(`^${letter}$`, "iu").test(character)).concat(character)
    : [character];

const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i)).flatMap((letter) => [
  letter,
  letter.toLowerCase(),
]);
