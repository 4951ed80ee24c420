import type { Json } from "../../../json.ts";
import { raiseLimit } from "../../library/failure.ts";
import { isLargeRegexp, type RegexpPart, readRegexp, regexpSource } from "./nodes.ts";

/**
 * `nodeMatches(E, P)`, `nodeSearches(E, P)`: the functions `match` and `search` of JSONPath (RFC 9535, 2.4.6 and 2.4.7): whether the whole of the
 * text that E gives first, or some part of it, matches the I-Regexp that P gives first. False where one of them is no text, missing, or P no I-Regexp;
 * a pattern that is too large fails with `LimitError`.
 */
export function matchesNode(node: Json | undefined, pattern: Json | undefined, whole: boolean): boolean {
  if (typeof node !== "string" || typeof pattern !== "string") return false;
  return matcherOf(pattern, whole)?.(node) ?? false;
}

/**
 * What says of a text whether the whole of it matches an I-Regexp, or some part of it; undefined for a text that is no I-Regexp. The time grows with the
 * text and the pattern, whatever they are: where the engine's own matcher may go back and forth, all ways through the pattern are gone at once.
 */
export function matcherOf(pattern: string, whole: boolean): ((text: string) => boolean) | undefined {
  if (isLargeRegexp(pattern)) raiseLimit("A pattern is too large.");
  const parts = readRegexp(pattern);
  if (parts === undefined) return undefined;
  if (isStraight(parts, whole)) {
    const regex = new RegExp(regexpSource(parts, whole), "u");
    return (text) => regex.test(text);
  }
  const program = programOf(parts);
  return (text) => runsThrough(program, text, whole);
}

/** Whether an engine never has to go back in a pattern: there are no choices in it, and its one repetition, if there is one, ends with the text. */
export function isStraight(parts: readonly RegexpPart[], whole: boolean): boolean {
  const signs = parts.flatMap((part) => (part.kind === "syntax" ? [part.text] : []));
  const open = signs.filter((sign) => !/^(?:[$^]|\{\d+\})$/.test(sign));
  return open.length === 0 || (whole && open.length === 1 && /^[*+{]/.test(open[0]!));
}

/** One step of a pattern. Numbers are those of steps. */
type RegexpStep =
  /** Takes a character, and goes on with the next step. */
  | { readonly kind: "take"; readonly takes: (character: string) => boolean }
  /** Goes on with several steps at once. */
  | { readonly kind: "fork"; readonly to: number[] }
  /** Goes on only at the start of the text, or only at its end. */
  | { readonly kind: "anchor"; readonly atStart: boolean }
  | { readonly kind: "match" };

/** What is left to be read of a pattern, and the steps so far. */
interface RegexpReading {
  readonly parts: readonly RegexpPart[];
  readonly steps: RegexpStep[];
  at: number;
}

/** The steps of a pattern. */
function programOf(parts: readonly RegexpPart[]): readonly RegexpStep[] {
  const reading = { parts, steps: [], at: 0 };
  readAlternatives(reading);
  addStep(reading, { kind: "match" });
  return reading.steps;
}

function addStep({ steps }: RegexpReading, step: RegexpStep): void {
  if (steps.length >= 20000) raiseLimit("A pattern is too large.");
  steps.push(step);
}

/** The sign that comes next, if one does: `(`, `|`, `{2,3}`. */
function signAt({ parts, at }: RegexpReading): string {
  const part = parts[at];
  return part !== undefined && part.kind === "syntax" ? part.text : "";
}

/** `a|b|c` */
function readAlternatives(reading: RegexpReading): void {
  const start: number[] = [];
  const ends: number[][] = [];
  addStep(reading, { kind: "fork", to: start });
  for (;;) {
    start.push(reading.steps.length);
    readSequence(reading);
    const end: number[] = [];
    addStep(reading, { kind: "fork", to: end });
    ends.push(end);
    if (signAt(reading) !== "|") break;
    reading.at += 1;
  }
  for (const end of ends) end.push(reading.steps.length);
}

function readSequence(reading: RegexpReading): void {
  while (reading.at < reading.parts.length && signAt(reading) !== "|" && signAt(reading) !== ")") readRepeated(reading);
}

/** What is repeated is read once for each time that it has to be there, and for each time that it may. */
function readRepeated(reading: RegexpReading): void {
  const from = reading.at;
  const begun = reading.steps.length;
  readOne(reading);
  const sign = signAt(reading);
  if (!/^[*+?{]/.test(sign)) return;
  const behind = reading.at + 1;
  reading.steps.length = begun;
  const [least, most] = timesOf(sign);
  const again = () => {
    reading.at = from;
    readOne(reading);
  };
  for (let i = 0; i < least; i++) again();
  const ends: number[][] = [];
  for (let i = least; i < (most === Infinity ? least + 1 : most); i++) {
    const fork = [reading.steps.length + 1];
    const start = reading.steps.length;
    addStep(reading, { kind: "fork", to: fork });
    ends.push(fork);
    again();
    if (most === Infinity) addStep(reading, { kind: "fork", to: [start] });
  }
  for (const end of ends) end.push(reading.steps.length);
  reading.at = behind;
}

/** How often something is repeated: `*`, `+`, `?`, `{2}`, `{2,}`, `{2,3}`. */
function timesOf(sign: string): readonly [least: number, most: number] {
  if (sign === "*") return [0, Infinity];
  if (sign === "+") return [1, Infinity];
  if (sign === "?") return [0, 1];
  const [least = "", most = least] = sign.slice(1, -1).split(",");
  return [Number(least), most === "" ? Infinity : Number(most)];
}

/** A character, a class, an anchor, or what is in parentheses. */
function readOne(reading: RegexpReading): void {
  const part = reading.parts[reading.at]!;
  reading.at += 1;
  if (part.kind !== "syntax") addStep(reading, { kind: "take", takes: takerOf(part) });
  else if (part.text === "(") {
    readAlternatives(reading);
    reading.at += 1;
  } else addStep(reading, { kind: "anchor", atStart: part.text === "^" });
}

function takerOf(part: RegexpPart): (character: string) => boolean {
  if (part.kind === "character") return (character) => character === part.character;
  const regex = new RegExp(regexpSource([part], true), "u");
  return (character) => regex.test(character);
}

/** Whether some way through the steps takes a text, or a part of it. */
function runsThrough(steps: readonly RegexpStep[], text: string, whole: boolean): boolean {
  if (steps.length * text.length > 1000000000) raiseLimit("A text is too long for this pattern.");
  const seen = new Array<number>(steps.length).fill(-1);
  let now: number[] = [];
  let at = 0;
  let index = 0;
  for (const character of text) {
    if (index === 0 || !whole) follow(steps, 0, now, seen, index, at === 0, false);
    if (!whole && now.includes(steps.length - 1)) return true;
    if (whole && now.length === 0) return false;
    const next: number[] = [];
    at += character.length;
    index += 1;
    for (const place of now) {
      const step = steps[place]!;
      if (step.kind === "take" && step.takes(character))
        follow(steps, place + 1, next, seen, index, false, at === text.length);
    }
    now = next;
  }
  if (index === 0 || !whole) follow(steps, 0, now, seen, index, at === 0, true);
  return now.includes(steps.length - 1);
}

/** Adds the steps that take a character, or end, which a step leads to without taking one; each once for each place in the text. */
function follow(
  steps: readonly RegexpStep[],
  from: number,
  found: number[],
  seen: number[],
  index: number,
  isStart: boolean,
  isEnd: boolean,
): void {
  const open = [from];
  while (open.length > 0) {
    const place = open.pop()!;
    if (seen[place] === index) continue;
    seen[place] = index;
    const step = steps[place]!;
    if (step.kind === "fork") open.push(...step.to);
    else if (step.kind === "anchor") {
      if (step.atStart ? isStart : isEnd) open.push(place + 1);
    } else found.push(place);
  }
}
