import type { Json, JsonObject } from "../../json.ts";
import { plus } from "./arithmetic.ts";
import { createSearcher, nextMatch } from "./backtracking.ts";
import { utf8Bytes } from "./encodings.ts";
import { raiseLimit, raiseOne } from "./failure.ts";
import { codePointCount, isPairAt, unitOffset } from "./text.ts";
import { putMember } from "./types.ts";

/** A jq regular expression translated to JavaScript, as JSON. */
export type RegexPattern = {
  readonly source: string;
  /** `u`, and `d` if it has groups. */
  readonly flags: string;
  /** The names of jq's groups and their numbers in `source`. */
  readonly groups: readonly (readonly [string | null, number])[];
  /** Also finds letters in ligatures and `ß`, as jq does. */
  readonly ligatures: boolean;
  /** Could match single bytes in jq. */
  readonly negated: boolean;
  readonly words: boolean;
};

/** `_match_impl(regex; flags; true)`. */
export function testRegex(input: Json, pattern: RegexPattern): boolean {
  const text = matchableText(input, pattern);
  return nextMatch(createSearcher(pattern.source, `${pattern.flags}g`, text), text) !== null;
}

/** `_match_impl(regex; flags; false)`; only the first match unless `global`. */
export function matchRegex(input: Json, pattern: RegexPattern, global: boolean): JsonObject[] {
  const text = matchableText(input, pattern);
  const regex = createSearcher(pattern.source, `${pattern.flags}g`, text);
  const matches: JsonObject[] = [];
  let [units, points] = [0, 0];
  for (let found = nextMatch(regex, text); found; found = nextMatch(regex, text)) {
    points += codePointCount(text.slice(units, found.index));
    units = found.index;
    const empty = found[0] === "";
    matches.push(empty ? emptyMatch(points, pattern, found) : fullMatch(text, points, pattern, found));
    if (!global) return matches;
    if (empty && units < text.length) addMatchesInside(matches, text, units, points, pattern);
    if (empty) regex.lastIndex += isPairAt(text, units) ? 2 : 1;
  }
  return matches;
}

function matchableText(input: Json, pattern: RegexPattern): string {
  if (typeof input !== "string") return raiseOne(input, "cannot be matched, as it is not a string");
  if (pattern.ligatures && /[\xdf\u1e9e\ufb00-\ufb06]/.test(input)) {
    return raiseLimit("Ligatures and ß cannot be matched without regard to case.");
  }
  return input;
}

/** In jq, all participating groups are empty there too. */
function emptyMatch(offset: number, pattern: RegexPattern, found: RegExpExecArray): JsonObject {
  const captures = pattern.groups.map(([name, number]) => {
    const taken = found[number] !== undefined;
    return { offset: taken ? offset : -1, string: taken ? "" : null, length: 0, name };
  });
  return { offset, length: 0, string: "", captures };
}

function fullMatch(text: string, offset: number, pattern: RegexPattern, found: RegExpExecArray): JsonObject {
  const captures = pattern.groups.map(([name, number]): JsonObject => {
    const string = found[number];
    if (string === undefined) return { offset: -1, string: null, length: 0, name };
    const start = found.indices![number]![0];
    const place =
      start < found.index
        ? codePointCount(text.slice(0, start))
        : offset + codePointCount(text.slice(found.index, start));
    return string === ""
      ? { offset: place, string, length: 0, name }
      : { offset: place, length: codePointCount(string), string, name };
  });
  return { offset, length: codePointCount(found[0]), string: found[0], captures };
}

/** After an empty match, jq continues one byte later, even inside a character, which U+FFFF stands for. */
function addMatchesInside(
  matches: JsonObject[],
  text: string,
  units: number,
  points: number,
  pattern: RegexPattern,
): void {
  const next = units + (isPairAt(text, units) ? 2 : 1);
  const bytes = utf8Bytes(text.slice(units, next)).slice(1);
  if (
    bytes.length > 0 &&
    (pattern.negated || (pattern.words && bytes.some((byte) => byte === 0xaa || byte === 0xb5 || byte === 0xba)))
  ) {
    raiseLimit("An empty match before this character is not supported.");
  }
  const regex = createSearcher(pattern.source, `${pattern.flags}y`, text);
  for (let i = bytes.length; i > 0; i--) {
    regex.lastIndex = next;
    const found = regex.exec(text.slice(0, next) + "\uffff".repeat(i) + text.slice(next));
    if (found && found[0] !== "") raiseLimit("A match of bytes inside of a character is not supported.");
    if (found) matches.push(emptyMatch(points + 1, pattern, found));
  }
}

/** `capture` of one match. */
export function capturedGroups(match: Json): JsonObject {
  const result: { [key: string]: Json } = {};
  for (const capture of (match as JsonObject).captures as readonly JsonObject[]) {
    if (capture.name !== null) putMember(result, capture.name as string, capture.string!);
  }
  return result;
}

/** `scan` of one match. */
export function scannedText(match: Json): Json {
  const { captures, string } = match as JsonObject;
  const groups = captures as readonly JsonObject[];
  return groups.length > 0 ? groups.map((capture) => capture.string!) : string!;
}

/** `splits(regex; flags)` as an array. */
export function splitByMatches(text: Json, matches: readonly JsonObject[]): string[] {
  return gapsBetween(String(text), matches);
}

/** `sub(regex; replacement; flags)`: the nth result uses the nth outputs of the replacement for each match. */
export function replaceMatches(
  text: Json,
  matches: readonly JsonObject[],
  replacements: readonly (readonly Json[])[],
): Json[] {
  const input = String(text);
  const gaps = gapsBetween(input, matches);
  const results: Json[] = [];
  matches.forEach((_, index) => {
    replacements[index]!.forEach((replacement, i) => {
      results[i] = plus(i < results.length ? results[i]! : null, plus(gaps[index]!, replacement));
    });
  });
  return results.length > 0 ? results.map((result) => plus(result, gaps[matches.length]!)) : [input];
}

function gapsBetween(text: string, matches: readonly JsonObject[]): string[] {
  let [units, points] = [0, 0];
  const gaps = matches.map((match) => {
    const start = unitOffset(text, units, (match.offset as number) - points);
    const gap = text.slice(units, start);
    units = unitOffset(text, start, match.length as number);
    points = (match.offset as number) + (match.length as number);
    return gap;
  });
  return gaps.concat([text.slice(units)]);
}
