import { raise, raiseLimit } from "./failure.ts";

/** What looks for matches in a text from `lastIndex` on, as a regular expression of JavaScript with the flag `g` or `y` does. */
export interface Searcher {
  lastIndex: number;
  exec(text: string): RegExpExecArray | null;
}

/**
 * What looks for a regular expression of JavaScript. Where the engine might go back and forth for ever, the ways through the expression are gone here, in the
 * same order, but none of them twice from the same place: so the time grows with the text. What a back-reference takes depends on the way to it, and so does
 * what the groups of a repeated part take that may be empty: there steps are counted, and too many are jq's failure.
 */
export function searcherOf(source: string, flags: string, text: string): Searcher {
  if (isHarmless(source, text)) return new RegExp(source, flags);
  const program = waysThrough(source, flags.replace(/[gyd]/g, ""));
  if (program === undefined) return new RegExp(source, flags);
  const searcher: Searcher = {
    lastIndex: 0,
    exec(whole) {
      const found = firstMatch(program, whole, searcher.lastIndex, flags.includes("y"));
      searcher.lastIndex = found === null ? 0 : found.index + found[0].length;
      return found;
    },
  };
  return searcher;
}

/**
 * Whether an engine has little to go back to: no group is repeated, and the places where it may go on in several ways are few for so long a text. Signs in
 * classes count as such places too, which costs nothing but time.
 */
function isHarmless(source: string, text: string): boolean {
  if (/\)(?:[*+]|\{)/.test(source)) return false;
  const choices = source.replace(/\(\?|([*+?}])\?/g, "$1").match(/[*+?|]|\{\d+,/g) || [];
  return choices.length === 0 || text.length ** (choices.length + 1) <= mostTries;
}

/** How often an engine may try: a fraction of a second. */
const mostTries = 100000000;

/** One step on a way. Numbers in it are those of steps, or of places where a group begins or ends. */
type WayStep =
  | { readonly kind: "take" | "assert"; readonly regex: RegExp }
  | { readonly kind: "save"; readonly slot: number }
  /** Groups in what is repeated have taken nothing at the beginning of each turn. */
  | { readonly kind: "forget"; readonly from: number; readonly upTo: number }
  /** A turn that may take nothing begins, and ends: where it has taken nothing, the engine does not go on. */
  | { readonly kind: "enter" | "leave"; readonly turn: number }
  /** What a group has taken, once more. */
  | { readonly kind: "again"; readonly group: number }
  /** The steps up to another one lead to a match from here, or do not. */
  | { readonly kind: "look"; readonly isNegative: boolean; upTo: number }
  /** Goes on at each of these, the first one first. */
  | { readonly kind: "fork"; readonly to: readonly number[] }
  | { readonly kind: "match" };

interface Ways {
  readonly steps: readonly WayStep[];
  readonly groups: number;
  readonly turns: number;
  /** Whether it matters on which way a step is come to: for whether there is a match, or only for what the groups take. */
  readonly remembers: "nothing" | "groups" | "matches";
}

/** A regular expression as it is being read. */
interface WaysReader {
  readonly source: string;
  readonly flags: string;
  at: number;
  groups: number;
  turns: number;
  remembers: Ways["remembers"];
}

/** A part of an expression: it writes its steps as often as it is repeated. */
interface WayPart {
  /** Whether it may take nothing. */
  readonly mayBeEmpty: boolean;
  readonly write: (steps: WayStep[]) => void;
}

/** The ways through a regular expression; undefined where it is of no form that is known here. */
function waysThrough(source: string, flags: string): Ways | undefined {
  const reader: WaysReader = { source, flags, at: 0, groups: 0, turns: 0, remembers: "nothing" };
  const part = readWays(reader);
  if (part === undefined || reader.at < source.length) return undefined;
  const steps: WayStep[] = [];
  part.write(steps);
  steps.push({ kind: "match" });
  if (steps.length > mostWaySteps) return raiseLimit("A regular expression is too large.");
  return { steps, groups: reader.groups, turns: reader.turns, remembers: reader.remembers };
}

const mostWaySteps = 20000;

/** `a|b|c` */
function readWays(reader: WaysReader): WayPart | undefined {
  const options: WayPart[] = [];
  do {
    if (options.length > 0) reader.at += 1;
    const option = readWaySequence(reader);
    if (option === undefined) return undefined;
    options.push(option);
  } while (reader.source.charAt(reader.at) === "|");
  if (options.length === 1) return options[0];
  const write = (steps: WayStep[]) => {
    const to: number[] = [];
    steps.push({ kind: "fork", to });
    const ends = options.map((option) => {
      to.push(steps.length);
      option.write(steps);
      const end: number[] = [];
      steps.push({ kind: "fork", to: end });
      return end;
    });
    for (const end of ends) end.push(steps.length);
  };
  return { mayBeEmpty: options.some((option) => option.mayBeEmpty), write };
}

function readWaySequence(reader: WaysReader): WayPart | undefined {
  const parts: WayPart[] = [];
  while (reader.at < reader.source.length && !"|)".includes(reader.source.charAt(reader.at))) {
    const part = readRepeatedWay(reader);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return {
    mayBeEmpty: parts.every((part) => part.mayBeEmpty),
    write: (steps) => {
      for (const part of parts) if (steps.length <= mostWaySteps) part.write(steps);
    },
  };
}

function readRepeatedWay(reader: WaysReader): WayPart | undefined {
  const before = reader.groups;
  const part = readOneWay(reader);
  const sign = takeWay(reader, /[*+?]\??|\{\d+(?:,\d*)?\}\??/y);
  if (part === undefined || sign === undefined) return part;
  const isLazy = sign.length > 1 && sign.endsWith("?");
  const [least, most] = wayTimes(isLazy ? sign.slice(0, -1) : sign);
  const mayStay = part.mayBeEmpty && most > least;
  if (mayStay && reader.remembers === "nothing") reader.remembers = "groups";
  const number = mayStay ? ++reader.turns : 0;
  const [from, upTo] = [2 * before + 2, 2 * reader.groups + 2];
  const turn = (steps: WayStep[]) => {
    if (upTo > from) steps.push({ kind: "forget", from, upTo });
    part.write(steps);
  };
  const write = (steps: WayStep[]) => {
    for (let i = 0; i < least && steps.length <= mostWaySteps; i++) turn(steps);
    const exits: number[][] = [];
    for (let i = least; i < (most === Infinity ? least + 1 : most) && steps.length <= mostWaySteps; i++) {
      const to: number[] = [];
      const start = steps.length;
      steps.push({ kind: "fork", to });
      to.push(start + 1);
      exits.push(to);
      if (mayStay) steps.push({ kind: "enter", turn: number });
      turn(steps);
      if (mayStay) steps.push({ kind: "leave", turn: number });
      if (most === Infinity) steps.push({ kind: "fork", to: [start] });
    }
    for (const to of exits) {
      if (isLazy) to.unshift(steps.length);
      else to.push(steps.length);
    }
  };
  return { mayBeEmpty: part.mayBeEmpty || least === 0, write };
}

function wayTimes(sign: string): readonly [least: number, most: number] {
  if (sign === "*") return [0, Infinity];
  if (sign === "+") return [1, Infinity];
  if (sign === "?") return [0, 1];
  const [least = "", most = least] = sign.slice(1, -1).split(",");
  return [Number(least), most === "" ? Infinity : Number(most)];
}

/** A character or class, an assertion, or a group. */
function readOneWay(reader: WaysReader): WayPart | undefined {
  const { flags } = reader;
  if (takeWay(reader, /\((?!\?)/y) !== undefined) return readGroup(reader);
  if (takeWay(reader, /\(\?:/y) !== undefined) return closeWay(reader, readWays(reader));
  const assertion = takeWay(
    reader,
    /\(\?<?[=!](?:\[(?:[^\]\\]|\\.)*\]|\\[pP]\{[^}]*\}|\\[^pP1-9k]|[^()*+{}\\[])*\)|\\[bB]|[$^]/y,
  );
  if (assertion !== undefined) {
    const regex = new RegExp(assertion, `${flags}y`);
    return { mayBeEmpty: true, write: (steps) => void steps.push({ kind: "assert", regex }) };
  }
  const look = takeWay(reader, /\(\?[=!]/y);
  if (look !== undefined) return readLook(reader, look.endsWith("!"));
  const reference = takeWay(reader, /\\[1-9]\d*/y);
  if (reference !== undefined) {
    reader.remembers = "matches";
    const group = Number(reference.slice(1));
    return { mayBeEmpty: true, write: (steps) => void steps.push({ kind: "again", group }) };
  }
  const character = takeWay(reader, wayCharacter);
  if (character === undefined) return undefined;
  const regex = new RegExp(character, `${flags}y`);
  return { mayBeEmpty: false, write: (steps) => void steps.push({ kind: "take", regex }) };
}

/** A look-ahead that has more in it than characters. */
function readLook(reader: WaysReader, isNegative: boolean): WayPart | undefined {
  reader.remembers = "matches";
  const inside = closeWay(reader, readWays(reader));
  if (inside === undefined) return undefined;
  const write = (steps: WayStep[]) => {
    const look = { kind: "look" as const, isNegative, upTo: 0 };
    steps.push(look);
    inside.write(steps);
    steps.push({ kind: "match" });
    look.upTo = steps.length;
  };
  return { mayBeEmpty: true, write };
}

/** Anything that takes one character: no back-reference, and no group. */
const wayCharacter = /\[(?:[^\]\\]|\\[\s\S])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u....|x..|[^1-9kbB])|[^()[\]{}*+?|\\]/uy;

function readGroup(reader: WaysReader): WayPart | undefined {
  reader.groups += 1;
  const slot = 2 * reader.groups;
  const inside = closeWay(reader, readWays(reader));
  if (inside === undefined) return undefined;
  const write = (steps: WayStep[]) => {
    steps.push({ kind: "save", slot });
    inside.write(steps);
    steps.push({ kind: "save", slot: slot + 1 });
  };
  return { mayBeEmpty: inside.mayBeEmpty, write };
}

const closeWay = (reader: WaysReader, part: WayPart | undefined): WayPart | undefined =>
  takeWay(reader, /\)/y) === undefined ? undefined : part;

/** What comes next, if it is of a form. */
function takeWay(reader: WaysReader, form: RegExp): string | undefined {
  const regex = new RegExp(form.source, form.flags);
  regex.lastIndex = reader.at;
  const found = regex.exec(reader.source);
  if (found === null) return undefined;
  reader.at += found[0].length;
  return found[0];
}

/** A walk through a text: with what has been gone, or with how much may still be gone. */
interface Walk {
  readonly ways: Ways;
  readonly text: string;
  readonly gone?: Uint8Array;
  left: number;
}

/** So many steps, a second or so, are gone where ways are not told apart by their places: jq stops there too, and counts otherwise. */
const mostStepsOfWays = 5000000;

/** The first match from a place on, or only at it. */
function firstMatch(ways: Ways, text: string, from: number, isSticky: boolean): RegExpExecArray | null {
  const counted: Walk = { ways, text, left: mostStepsOfWays };
  if (ways.remembers === "matches") return firstWay(counted, from, isSticky);
  const size = ways.steps.length * (text.length + 1);
  if (size > 100000000) return raiseLimit("A text is too long for this regular expression.");
  const found = firstWay({ ways, text, gone: new Uint8Array(size), left: 0 }, from, isSticky);
  return found === null || ways.remembers === "nothing" ? found : firstWay(counted, found.index, true);
}

function firstWay(walk: Walk, from: number, isSticky: boolean): RegExpExecArray | null {
  const { ways, text } = walk;
  for (let start = from; start <= text.length; start += characterLength(text, start)) {
    const slots = wayFrom(walk, 0, start, [start]);
    if (slots !== undefined) return matchOf(slots, ways.groups, text);
    if (isSticky) break;
  }
  return null;
}

const characterLength = (text: string, at: number): number => (text.codePointAt(at)! > 65535 ? 2 : 1);

/** Where the groups begin and end on the first way from a step that leads to a match; behind them, where turns began. */
function wayFrom(walk: Walk, first: number, start: number, known: Slots): Slots | undefined {
  const { text, gone } = walk;
  const { steps, groups } = walk.ways;
  const open: { step: number; at: number; slots: Slots }[] = [{ step: first, at: start, slots: known }];
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    let { step, at, slots } = way;
    walking: for (;;) {
      if (gone !== undefined) {
        const place = step * (text.length + 1) + at;
        if (gone[place] === 1) break;
        gone[place] = 1;
      } else if (walk.left-- <= 0) return raise("Regex failure: retry-limit-in-match over");
      const next = steps[step]!;
      switch (next.kind) {
        case "match":
          return withSlot(slots, 1, at);
        case "fork":
          for (let i = next.to.length - 1; i > 0; i--) open.push({ step: next.to[i]!, at, slots });
          step = next.to[0]!;
          continue;
        case "take":
          next.regex.lastIndex = at;
          if (at === text.length || !next.regex.test(text)) break walking;
          at += characterLength(text, at);
          break;
        case "assert":
          next.regex.lastIndex = at;
          if (!next.regex.test(text)) break walking;
          break;
        case "save":
          slots = withSlot(slots, next.slot, at);
          break;
        case "forget":
          slots = slots.map((value, slot) => (slot >= next.from && slot < next.upTo ? undefined : value));
          break;
        case "enter":
          slots = withSlot(slots, 2 * groups + 1 + next.turn, at);
          break;
        case "leave":
          if (gone === undefined && slots[2 * groups + 1 + next.turn] === at) break walking;
          break;
        case "again": {
          const [from, upTo] = [slots[2 * next.group], slots[2 * next.group + 1]];
          const taken = from === undefined || upTo === undefined ? "" : text.slice(from, upTo);
          if (!text.startsWith(taken, at)) break walking;
          at += taken.length;
          break;
        }
        case "look": {
          const seen = wayFrom(walk, step + 1, at, slots);
          if ((seen === undefined) !== next.isNegative) break walking;
          if (seen !== undefined) slots = seen;
          step = next.upTo;
          continue;
        }
        default:
          next satisfies never;
      }
      step += 1;
    }
  }
  return undefined;
}

/** Offsets by where a group begins or ends. */
type Slots = readonly (number | undefined)[];

function withSlot(slots: Slots, slot: number, at: number): Slots {
  const copy = slots.slice();
  while (copy.length < slot) copy.push(undefined);
  copy[slot] = at;
  return copy;
}

/** A match as the engine gives it. */
function matchOf(slots: Slots, groups: number, text: string): RegExpExecArray {
  const spans = Array.from({ length: groups + 1 }, (_, group): [number, number] | undefined => {
    const [start, end] = [slots[2 * group], slots[2 * group + 1]];
    return start === undefined || end === undefined ? undefined : [start, end];
  });
  const texts = spans.map((span) => span && text.slice(span[0], span[1]));
  return Object.assign(texts, { index: spans[0]![0], input: text, indices: spans }) as unknown as RegExpExecArray;
}
